import BelfryCore
import Testing

@testable import BelfryStore

/// What the user puts away, and what comes again (D11).
struct UserTests {
  private func shown(_ bench: StoreBench, _ identifier: String, at due: Int64) -> OccurrenceID {
    var notification = Notification()
    notification.identifier = identifier
    notification.alertBody = "x"
    let id = OccurrenceID(uuid: UUIDBits(high: 1, low: UInt64(due)), generation: 0, k: 0)
    let occurrence = Occurrence(
      id: id, app: "app", notification: notification, due: Instant(nanoseconds: due))
    bench.run(.fired(occurrence, app: 1, slot: nil, sinks: ["one", "two"]))
    for sink in ["one", "two"] {
      let row = HistoryRow(
        app: "app", identifier: identifier, occurrence: id, sink: sink, due: occurrence.due,
        handedOver: occurrence.due, acknowledged: Instant(nanoseconds: due + 1), state: .delivered,
        reason: nil, attempts: 1)
      bench.run(.settle(row, app: 1, shown: true, replaces: [], closes: sink == "two"))
    }
    return id
  }

  private func found(_ bench: StoreBench, _ question: StoreQuestion) -> [ShownOccurrence] {
    guard case .shown(let rows, nil)? = bench.run(question).first else { return [] }
    return rows
  }

  @Test func D3_whatIsShownIsFoundByNameAndByOccurrence() throws {
    let bench = try StoreBench()
    bench.register()
    let first = shown(bench, "tea", at: 10)
    let second = shown(bench, "tea", at: 20)
    _ = shown(bench, "milk", at: 30)
    let byName = found(bench, .findShown(app: 1, "tea", nil))
    #expect(byName.map { $0.shown.occurrence } == [first, first, second, second])
    #expect(byName.map { $0.delivered?.nanoseconds } == [11, 11, 21, 21])
    #expect(byName.first?.notification.alertBody == "x")
    #expect(found(bench, .findShown(app: nil, nil, first)).map { $0.shown.sink } == ["one", "two"])
    #expect(found(bench, .findShown(app: 2, "tea", nil)).isEmpty)
    #expect(found(bench, .findShown(app: 2, nil, first)).isEmpty)
    bench.run(.markHandled(first, app: 1, identifier: "tea", .activated, reason: "action x"))
    #expect(found(bench, .findShown(app: 1, nil, first)).isEmpty)
    #expect(found(bench, .findShown(app: 1, "tea", nil)).count == 2)
    let rows = bench.history().filter { $0.occurrence == first }
    #expect(rows.map { $0.state } == [.activated, .activated])
    #expect(rows.map { $0.reason } == ["action x", "action x"])
  }

  @Test func N15_whatASinkHasYetToTakeBackIsKept() throws {
    let bench = try StoreBench()
    bench.register()
    let id = OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 0, k: 7)
    bench.run(
      .queueWithdrawal(id, sink: "one"), .queueWithdrawal(id, sink: "two"),
      .withdrawalsConfirmed(sink: "two"))
    try bench.reopen()
    #expect(bench.opened.owed.map { $0.occurrence } == [id])
    #expect(bench.opened.owed.map { $0.sink } == ["one"])
  }

  @Test func D11_snoozesAreKeptUntilTheyHaveComeAgain() throws {
    let bench = try StoreBench()
    bench.register()
    var notification = Notification()
    notification.identifier = "tea"
    notification.soundName = "default"
    notification.repeatSound = 3
    let id = OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 3, k: -4, snooze: 5)
    let stored = StoredSnooze(
      Occurrence(
        id: id, app: bench.opened.apps.first?.name ?? "", notification: notification,
        due: Instant(nanoseconds: 99)),
      app: 1, relative: RelativeTime(made: 1, due: 2, boot: 3, isSynchronised: true))
    bench.run(.snooze(stored))
    try bench.reopen()
    #expect(bench.opened.snoozes.map { $0.occurrence.id } == [id])
    #expect(bench.opened.snoozes.map { $0.occurrence.notification } == [notification])
    #expect(bench.opened.snoozes.map { $0.relative } == [stored.relative])
    // An occurrence of it is another than the one that was snoozed.
    bench.run(.fired(stored.occurrence, app: 1, slot: nil, sinks: ["one"]), .unsnooze(id, app: 1))
    try bench.reopen()
    #expect(bench.opened.snoozes.isEmpty)
    #expect(bench.opened.occurrences.map { $0.occurrence.id } == [id])
    bench.run(.snooze(stored), .forgetApp(1))
    try bench.reopen()
    #expect(bench.opened.snoozes.isEmpty)
  }

  @Test func E6_whatWaitsForAnAnswerIsKeptUntilItHasOne() throws {
    let bench = try StoreBench()
    bench.register()
    var notification = Notification()
    notification.identifier = "tea"
    notification.realert = Realert(every: 10 * Nanoseconds.second)
    notification.ladder = [LadderStep(after: 0, sinks: ["one"], sound: "a.wav", volume: 0.5)]
    let id = OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 3, k: -4, snooze: 5)
    var stored = WaitingAlert(
      Occurrence(
        id: id, app: "app", notification: notification, due: Instant(nanoseconds: 99)),
      app: 1, step: 0, relative: RelativeTime(made: 1, due: 2, boot: 3, isSynchronised: true),
      began: Instant(nanoseconds: 98))
    bench.run(.keepWaitingAlert(stored))
    (stored.step, stored.relative.due) = (1, 7)
    bench.run(.keepWaitingAlert(stored))
    try bench.reopen()
    #expect(bench.opened.waiting == [stored])
    bench.run(.forgetWaitingAlert(id, app: 1))
    try bench.reopen()
    #expect(bench.opened.waiting.isEmpty)
    bench.run(.keepWaitingAlert(stored), .forgetApp(1))
    try bench.reopen()
    #expect(bench.opened.waiting.isEmpty)
  }

  /// Each step is a delivery of its own, and one answer is for all of them.
  @Test func D7_E6_stepsAreToldApartAndPutAwayTogether() throws {
    let bench = try StoreBench()
    bench.register()
    var notification = Notification()
    notification.identifier = "tea"
    var occurrence = Occurrence(
      id: OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 3, k: 4, snooze: 5),
      app: bench.opened.apps.first?.name ?? "", notification: notification,
      due: Instant(nanoseconds: 99))
    for step in 0...2 as ClosedRange<Int32> {
      occurrence.id.step = step
      bench.run(.fired(occurrence, app: 1, slot: nil, sinks: ["one", "two"]))
      let row = HistoryRow(
        app: occurrence.app, identifier: "tea", occurrence: occurrence.id, sink: "one",
        due: occurrence.due, handedOver: nil, acknowledged: occurrence.due, state: .delivered,
        reason: nil, attempts: 1)
      bench.run(.settle(row, app: 1, shown: true, replaces: [], closes: false))
    }
    try bench.reopen()
    #expect(bench.opened.occurrences.map { $0.occurrence.id.step }.sorted() == [0, 1, 2])
    #expect(bench.opened.occurrences.allSatisfy { $0.settled == ["one"] })
    let newest = bench.run(.findShown(app: 1, nil, nil)).shownIDs
    #expect(newest.map { $0.step } == [2])
    let all = bench.run(.findShown(app: nil, nil, occurrence.id.base)).shownIDs
    #expect(all.map { $0.step }.sorted() == [0, 1, 2])
    bench.run(
      .markHandled(occurrence.id, app: 1, identifier: "tea", .dismissed, reason: "acknowledged"))
    #expect(bench.shown().isEmpty)
  }
}

extension [StoreOutcome] {
  fileprivate var shownIDs: [OccurrenceID] {
    flatMap { outcome -> [OccurrenceID] in
      guard case .shown(let rows, _) = outcome else { return [] }
      return rows.map { $0.shown.occurrence }
    }
  }
}
