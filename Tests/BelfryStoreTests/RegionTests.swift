import BelfryCore
import Testing

@testable import BelfryStore

/// What the store keeps of places (R2 to R4).
struct RegionTests {
  private func region(_ slot: Slot, _ name: String, once: Bool = true) -> StoredNotification {
    var row = row(slot, name)
    row.anchor = .distantFuture
    row.notification.fireDate = nil
    row.notification.region = CircularRegion(
      identifier: "home", latitude: 89.999, longitude: -180, radius: 12.5, notifyOnExit: false)
    row.notification.regionTriggersOnce = once
    row.side = .unknown
    return row
  }

  private func crossing(_ row: StoredNotification, k: Int64, _ side: RegionSide) -> StoreRecord {
    var occurrence = Occurrence(
      id: OccurrenceID(uuid: row.uuid, generation: row.generation, k: k), app: "app",
      notification: row.notification, due: StoreBench.start)
    occurrence.side = side
    return .fired(occurrence, app: row.app, slot: row.slot, sinks: [])
  }

  @Test func R3_aSideIsReadBackAfterAStart() throws {
    let bench = try StoreBench()
    bench.register()
    var stored = region(7, "a")
    bench.run(.schedule(stored, ifAdded: .none))
    #expect(bench.run(.load([7])) == [.loaded([stored])])
    bench.run(
      .setSide(7, app: 1, generation: 0, .outside), .setSide(7, app: 1, generation: 1, .inside))
    stored.side = .outside
    try bench.reopen()
    #expect(bench.pending == [summary(stored)])
    #expect(bench.listed() == [stored])
    // What replaces it by a time leaves nothing of the place.
    var timed = row(7, "a")
    timed.generation = 1
    bench.run(.schedule(timed, ifAdded: .none))
    try bench.reopen()
    #expect(bench.pending == [summary(timed)])
  }

  /// One damaged byte of the row's head gives it a side, or takes it away.
  @Test func D8_theContentTellsWhatGoesByARegion() throws {
    let bench = try StoreBench()
    bench.register()
    let (place, timed) = (region(7, "a"), row(8, "b"))
    for (side, other) in [("NULL", "1"), ("6027067028060138879", "6027067028060138879")] {
      bench.run(.schedule(place, ifAdded: .none), .schedule(timed, ifAdded: .none))
      bench.keeper.close()
      let database = try Database(path: bench.path, vfs: nil)
      try database.execute(
        "UPDATE notification SET side = \(side) WHERE slot = 7;"
          + "UPDATE notification SET side = \(other) WHERE slot = 8")
      let copy = try Database()
      #expect(try Recovery.copy(from: bench.path, into: copy).notifications == 2)
      #expect(try copy.integer("SELECT side FROM notification WHERE slot = 7") == 0)
      #expect(try copy.integer("SELECT count(*) FROM notification WHERE side IS NULL") == 1)
      copy.close()
      database.close()
      try bench.openAgain()
      #expect(bench.pending == [summary(place), summary(timed)])
      #expect(bench.listed() == [place, timed])
      #expect(bench.run(.load([7, 8])) == [.loaded([place, timed])])
    }
  }

  @Test func R2_aCrossingMovesNumberAndSideAtOnce() throws {
    let bench = try StoreBench()
    bench.register()
    var every = region(7, "every", once: false)
    let once = region(8, "once")
    bench.run(.schedule(every, ifAdded: .none), .schedule(once, ifAdded: .none))
    bench.run(crossing(every, k: 0, .inside), crossing(once, k: 0, .inside))
    bench.run(crossing(every, k: 1, .outside), crossing(every, k: 0, .inside))
    (every.firedThrough, every.side) = (1, .outside)
    try bench.reopen()
    #expect(bench.pending == [summary(every)])
  }

  @Test func R5_theLastFixIsReadBackAfterAStart() throws {
    let bench = try StoreBench()
    #expect(bench.opened.lastFix == nil)
    var fix = LocationFix(
      latitude: -33.86, longitude: 151.21, accuracy: 7.5, time: StoreBench.start)
    bench.run(.noteFix(fix))
    fix.accuracy = nil
    fix.latitude = 0.1
    bench.run(.noteFix(fix))
    try bench.reopen()
    #expect(bench.opened.lastFix == fix)
  }

  /// N1 inside the other kind's limit.
  @Test func R4_whatChangesItsKindIsAnAddition() throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(.schedule(region(7, "a"), ifAdded: .none), .schedule(row(8, "b"), ifAdded: .none))
    #expect(
      bench.run(.schedule(row(9, "a"), ifAdded: .refuse)) == [.scheduled(.refused)])
    #expect(
      bench.run(.schedule(row(9, "a"), ifAdded: .discardNew)) == [.scheduled(.discardedNew)])
    #expect(bench.listed().map { $0.side } == [.unknown, nil])
    let outcomes = bench.run(.schedule(row(9, "a"), ifAdded: .discard(8)))
    guard case .scheduled(.replaced(let previous, _, 1, _, discarded: "b")) = outcomes.first else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(previous.slot == 7)
    #expect(bench.listed().map { $0.slot } == [7])
  }
}
