import BelfryCore
import Testing

@testable import BelfryStore

/// Intents, hand-overs and how deliveries end.
struct DeliveryTests {
  private let one = row(1, "a")
  private let daily = row(2, "r", unit: .day)

  private func bench() throws -> StoreBench {
    let bench = try StoreBench()
    bench.register()
    bench.run(.schedule(one, ifAdded: .none), .schedule(daily, ifAdded: .none))
    return bench
  }

  @Test func D7_anIntentIsReadBackUntilItIsWithdrawn() throws {
    let bench = try bench()
    let occurrence = daily.occurrence(3)
    bench.run(.intend(occurrence, app: 1, slot: 2), .intend(occurrence, app: 1, slot: 2))
    try bench.reopen()
    let open = OpenOccurrence(occurrence: occurrence, app: 1, slot: 2, sinks: nil, settled: [])
    #expect(bench.opened.occurrences == [open])
    bench.run(.withdrawIntent(daily.occurrence(4).id, app: 1))
    try bench.reopen()
    #expect(bench.opened.occurrences == [open])
    bench.run(.withdrawIntent(occurrence.id, app: 1))
    try bench.reopen()
    #expect(bench.opened.occurrences.isEmpty)
  }

  @Test func N20_aOneShotLeavesTheListAtHandOverARepeatMovesOn() throws {
    let bench = try bench()
    var late = daily.occurrence(6)
    late.missed = 2
    late.missedSince = daily.occurrence(4).due
    bench.run(.intend(one.occurrence(), app: 1, slot: 1))
    bench.run(
      .fired(one.occurrence(), app: 1, slot: 1, sinks: ["screen", "speaker"]),
      .fired(late, app: 1, slot: 2, sinks: ["screen"]))
    try bench.reopen()
    #expect(bench.pending.map { $0.slot } == [2])
    #expect(bench.pending.first?.firedThrough == 6)
    #expect(
      bench.opened.occurrences == [
        OpenOccurrence(
          occurrence: one.occurrence(), app: 1, slot: 1, sinks: ["screen", "speaker"], settled: []),
        OpenOccurrence(occurrence: late, app: 1, slot: 2, sinks: ["screen"], settled: []),
      ])
  }

  @Test func D7_anOlderGenerationsHandOverLeavesTheNewRowAlone() throws {
    let bench = try bench()
    bench.run(
      .change(.schedule(row(9, "a", body: "new"), ifAdded: .none)),
      .change(.schedule(row(9, "r", body: "new", unit: .day), ifAdded: .none)),
      .record(.fired(one.occurrence(), app: 1, slot: 1, sinks: ["screen"])),
      .record(.fired(daily.occurrence(5), app: 1, slot: 2, sinks: ["screen"])),
      .record(.finish(1, app: 1, generation: 0)),
      .record(.skip(2, app: 1, generation: 0, firedThrough: 9)))
    #expect(bench.listed().map { $0.firedThrough } == [-1, -1])
    bench.run(.skip(2, app: 1, generation: 1, firedThrough: 9))
    #expect(bench.listed().map { $0.firedThrough } == [-1, 9])
    bench.run(.finish(1, app: 1, generation: 1), .finish(2, app: 1, generation: 1))
    #expect(bench.listed().isEmpty)
  }

  /// The second pass of an hour may have lower names than the first.
  @Test func T5_theLastThatFiredIsKeptAlsoUnderALowerName() throws {
    let bench = try bench()
    bench.run(
      .skip(2, app: 1, generation: 0, firedThrough: 9),
      .skip(2, app: 1, generation: 0, firedThrough: 4))
    #expect(bench.listed().first { $0.slot == 2 }?.firedThrough == 4)
    bench.run(.fired(daily.occurrence(-7), app: 1, slot: 2, sinks: ["screen"]))
    try bench.reopen()
    #expect(bench.pending.first { $0.slot == 2 }?.firedThrough == -7)
  }

  /// N15: what had the identifier before, and is shown; a new row learns of it when it is added, and when
  /// it is loaded.
  @Test func N15_whatIsShownUnderTheIdentifierIsFoundByTheNextOfThatName() throws {
    let bench = try bench()
    bench.run(.fired(one.occurrence(), app: 1, slot: 1, sinks: ["screen"]))
    bench.run(.settle(one.settled("screen"), app: 1, shown: true, replaces: [], closes: true))
    var anew = row(9, one.identifier, body: "anew")
    anew.uuid = UUIDBits(high: 7, low: 7)
    guard case .scheduled(.added(_, let shown))? = bench.run(.schedule(anew, ifAdded: .none)).first
    else {
      Issue.record("it was not added")
      return
    }
    #expect(shown.map { $0.occurrence } == [one.occurrence().id])
    try bench.reopen()
    guard case .loaded(let rows)? = bench.run(.load([9])).first else {
      Issue.record("it was not loaded")
      return
    }
    #expect(rows.map { $0.shown } == [shown])
    // Another name, and the same name of another app.
    for (slot, app, name) in [(10, 1, "else"), (11, 2, one.identifier)] {
      var other = row(Slot(slot), name, body: "anew")
      other.app = AppNumber(app)
      #expect(
        bench.run(.schedule(other, ifAdded: .none)) == [.scheduled(.added(discarded: nil))])
    }
  }

  @Test func D7_settlingIsOncePerOccurrenceAndSink() throws {
    let bench = try bench()
    let first = one.settled("screen", .unknown, reason: "no answer")
    let second = one.settled("screen")
    let other = one.settled("speaker", .failed, reason: "no-device")
    bench.run(.fired(one.occurrence(), app: 1, slot: 1, sinks: ["screen", "speaker"]))
    bench.run(.settle(first, app: 1, shown: false, replaces: [], closes: false))
    try bench.reopen()
    #expect(bench.opened.occurrences.map { $0.settled } == [["screen"]])
    bench.run(.settle(second, app: 1, shown: true, replaces: [], closes: false))
    bench.run(.settle(other, app: 1, shown: false, replaces: [], closes: true))
    #expect(bench.history() == [second, other])
    try bench.reopen()
    #expect(bench.opened.occurrences.isEmpty)
    // After it is closed as well.
    bench.run(
      .settle(other, app: 1, shown: false, replaces: [], closes: true),
      .settle(second, app: 1, shown: true, replaces: [], closes: false))
    #expect(bench.history() == [second, other])
    #expect(bench.shown().map { $0.notification } == [one.notification])
    #expect(try bench.integrity() == "ok")
  }

  @Test func D10_whatNeverReachedASinkIsWrittenOnceToo() throws {
    let bench = try bench()
    let missed = one.settled("", .missed, reason: "late")
    bench.run(
      .finish(1, app: 1, generation: 0),
      .settle(missed, app: 1, shown: false, replaces: [], closes: true),
      .settle(missed, app: 1, shown: false, replaces: [], closes: true))
    #expect(bench.history() == [missed])
    #expect(bench.shown().isEmpty)
  }

  @Test func N15_cancellingReturnsWhatIsShownAndMarksItWithdrawn() throws {
    for way in 0..<3 {
      let bench = try bench()
      let occurrence = daily.occurrence(1)
      bench.run(.fired(occurrence, app: 1, slot: 2, sinks: ["screen", "speaker"]))
      bench.run(
        .settle(daily.settled("screen", k: 1), app: 1, shown: true, replaces: [], closes: false),
        .settle(daily.settled("speaker", k: 1), app: 1, shown: false, replaces: [], closes: true))
      let changes: [StoreChange] = [
        .cancel(app: 1, identifiers: ["r"]), .cancelEqual(app: 1, daily.notification),
        .cancelAll(app: 1),
      ]
      guard case .cancelled(let cancelled) = bench.run(changes[way])[0] else {
        Issue.record("not cancelled")
        continue
      }
      let shown = ShownDelivery(occurrence: occurrence.id, app: 1, identifier: "r", sink: "screen")
      #expect(cancelled.shown == [shown])
      #expect(cancelled.rows.map { $0.slot }.contains(2))
      #expect(bench.history().map { $0.state } == [.withdrawn, .delivered])
      #expect(bench.shown().isEmpty)
    }
  }

  @Test func N15_whatLeftTheListAtHandOverIsWithdrawnByIdentifierAndByValue() throws {
    for byValue in [false, true] {
      let bench = try bench()
      bench.run(.fired(one.occurrence(), app: 1, slot: 1, sinks: ["screen"]))
      bench.run(.settle(one.settled("screen"), app: 1, shown: true, replaces: [], closes: true))
      let outcome = bench.run(
        byValue
          ? .cancelEqual(app: 1, one.notification) : .cancel(app: 1, identifiers: ["a"]))
      let shown = ShownDelivery(
        occurrence: one.occurrence().id, app: 1, identifier: "a", sink: "screen")
      #expect(outcome == [.cancelled(.init(rows: [], shown: [shown]))])
    }
  }

  @Test func N1_whatEarlierGenerationsLeftIsLoadedAndWithdrawnWhenReplaced() throws {
    let bench = try bench()
    let old = daily.occurrence(1)
    bench.run(.fired(old, app: 1, slot: 2, sinks: ["screen", "wall"]))
    bench.run(
      .record(
        .settle(daily.settled("screen", k: 1), app: 1, shown: true, replaces: [], closes: false)),
      .record(
        .settle(daily.settled("wall", k: 1), app: 1, shown: true, replaces: [], closes: true)),
      .change(.schedule(row(9, "r", body: "new", unit: .day), ifAdded: .none)))
    guard case .loaded(let rows) = bench.run(.load([2]))[0], let new = rows.first else {
      Issue.record("not loaded")
      return
    }
    #expect(
      new.shown
        == ["screen", "wall"].map {
          ShownDelivery(occurrence: old.id, app: 1, identifier: "r", sink: $0)
        })
    bench.run(.fired(new.occurrence(), app: 1, slot: 2, sinks: ["screen"]))
    bench.run(
      .settle(new.settled("screen"), app: 1, shown: true, replaces: [old.id], closes: true))
    #expect(bench.history().map { $0.state } == [.withdrawn, .delivered, .delivered])
    #expect(bench.shown().map { $0.shown.sink } == ["wall", "screen"])
  }

  @Test func D6_theBadgeIsKept() throws {
    let bench = try bench()
    bench.register(2, "other")
    bench.run(.setBadge(app: 1, 7), .setBadge(app: 99, 1))
    try bench.reopen()
    #expect(
      bench.opened.apps == [
        StoredApp(number: 1, name: "app", owner: 1000, badge: 7),
        StoredApp(number: 2, name: "other", owner: 1000, badge: 0),
      ])
  }

  @Test(arguments: [1, 5, 10, 100, 1000] as [Int64])
  func D9_theHistoryNeverHoldsMoreRowsThanAllowed(limit: Int64) throws {
    let bench = try StoreBench()
    bench.options.history = HistoryLimits(rows: limit)
    try bench.reopen()
    bench.register()
    for k in 0..<300 as Range<Int64> {
      let settled = one.settled("screen", k: k, .missed)
      bench.run(.settle(settled, app: 1, shown: false, replaces: [], closes: true))
      let rows = bench.history()
      #expect(Int64(rows.count) <= limit)
      #expect(rows.last == settled)
      #expect(Int64(rows.count) >= min(k + 1, limit - limit / 8))
    }
  }

  @Test(arguments: [8, 100] as [Int64])
  func A1_D9_oneUsersFloodLeavesTheHistoryOfOthers(limit: Int64) throws {
    let bench = try StoreBench()
    bench.options.history = HistoryLimits(rows: limit)
    try bench.reopen()
    bench.register()
    bench.run(
      .registerApp(StoredApp(number: 2, name: "hers", owner: 1001, badge: 0)),
      .registerApp(StoredApp(number: 3, name: "second", owner: 1000, badge: 0)))
    let hers = (0..<3).map { row(9, "hers", app: 2).settled("screen", k: $0, .missed) }
    for settled in hers {
      bench.run(.settle(settled, app: 2, shown: false, replaces: [], closes: true))
    }
    for k in 0..<300 as Range<Int64> {
      // His second app gives him no second share.
      let settled = one.settled("screen", k: k, .missed)
      bench.run(.settle(settled, app: k % 2 == 0 ? 1 : 3, shown: false, replaces: [], closes: true))
      if k == 150 { try bench.reopen() }
    }
    let rows = bench.history()
    #expect(Int64(rows.count) <= limit && Int64(rows.count) >= limit - limit / 8)
    #expect(
      rows.filter { $0.identifier == "hers" }.map { $0.occurrence } == hers.map { $0.occurrence })
    #expect(rows.last?.occurrence.k == 299)
  }

  /// Or he would wait in line for what others have filled.
  @Test func A2_whoseRowIsTheNewestDoesNotPayForItsRoom() throws {
    let bench = try StoreBench()
    bench.options.history = HistoryLimits(rows: 512)
    try bench.reopen()
    bench.register()
    var costs: [Int64] = []
    for k in 0..<768 as Range<Int64> {
      var settled = one.settled("screen", k: k, .missed)
      settled.text = String(repeating: "x", count: 3000)
      let before = bench.opened.store.cost
      bench.run(.settle(settled, app: 1, shown: false, replaces: [], closes: true))
      if k >= 512 { costs.append(bench.opened.store.cost - before) }
    }
    let usual = costs.sorted()[costs.count / 2]
    #expect(usual > 0 && costs.allSatisfy { $0 < 4 * usual })
    #expect(bench.opened.store.nobodysCost > 16 * usual)
  }

  @Test func D9_theHistoryGoesBackThirtyDays() throws {
    let bench = try StoreBench()
    bench.register()
    for day in 0..<100 as Range<Int64> {
      let settled = row(1, "a", at: day * 86_400).settled("screen", k: day)
      bench.run(.settle(settled, app: 1, shown: false, replaces: [], closes: true))
      let rows = bench.history()
      let oldest = rows.first.map { settled.due.nanoseconds(since: $0.due) } ?? 0
      #expect(oldest <= 30 * Nanoseconds.day)
      #expect(Int64(rows.count) >= min(day + 1, 29))
    }
  }
}
