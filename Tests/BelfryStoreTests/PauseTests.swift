import BelfryCore
import Testing

@testable import BelfryStore

/// What the store keeps of pauses and skips.
@Suite struct PauseTests {
  private func skipped(_ row: StoredNotification, k: Int64) -> HistoryRow {
    var told = row.settled("", k: k, .skipped, reason: "it is paused")
    (told.handedOver, told.acknowledged, told.attempts) = (nil, nil, 0)
    return told
  }

  @Test func E1_pausesAreReadBackAfterAStart() throws {
    let bench = try StoreBench()
    bench.register()
    let bell = row(7, "bell", unit: .minute)
    bench.run(.schedule(bell, ifAdded: .none))
    let pauses = [
      StoredPause(number: 1, scope: .everything, from: StoreBench.start, until: nil),
      StoredPause(number: 2, scope: .app(1), from: StoreBench.start, until: bell.anchor),
      StoredPause(
        number: 3, scope: .notification(app: 1, slot: 7, uuid: bell.uuid), from: StoreBench.start,
        until: nil),
      StoredPause(
        number: 4, scope: .notification(app: 1, slot: 8, uuid: bell.uuid), from: StoreBench.start,
        until: nil),
    ]
    for pause in pauses { bench.run(.pause(pause)) }
    try bench.reopen()
    #expect(bench.opened.pauses == Array(pauses.prefix(3)))
    bench.run(.resume(1, app: 1), .resume(3, app: 1))
    try bench.reopen()
    #expect(bench.opened.pauses == [pauses[1]])
  }

  @Test func E1_aPauseGrowsOneRowOfTheHistoryForEachNotification() throws {
    let bench = try StoreBench()
    bench.register()
    let bell = row(7, "bell", unit: .minute)
    bench.run(.schedule(bell, ifAdded: .none))
    for k in 0..<4 as Range<Int64> {
      bench.run(
        .passOver(
          skipped(bell, k: k), app: 1, slot: 7, generation: 0, firedThrough: k, finishes: false,
          pause: k < 3 ? 1 : 2))
      try bench.reopen()
    }
    let rows = bench.history()
    #expect(rows.map { $0.missed } == [2, 0])
    #expect(rows.map { $0.occurrence.k } == [2, 3])
    #expect(rows[0].missedSince == bell.anchor)
    #expect(bench.pending.first?.firedThrough == 3)
    #expect(try bench.integrity() == "ok")
  }

  @Test func E2_skipsOfAnotherGenerationAreForgotten() throws {
    let bench = try StoreBench()
    bench.register()
    let bell = row(7, "bell", unit: .minute)
    bench.run(.schedule(bell, ifAdded: .none))
    var skips = SkipSet()
    skips.insert(.init(first: 2, last: 4, count: 3))
    let stored = StoredSkips(app: 1, slot: 7, uuid: bell.uuid, generation: 0, skips: skips)
    bench.run(.setSkips(stored))
    try bench.reopen()
    #expect(bench.opened.skips == [stored])
    bench.run(.replanFromNow(7, app: 1, generation: 0, firedThrough: 1))
    try bench.reopen()
    #expect(bench.opened.skips.isEmpty)
  }

  @Test func E7_anEditNeverAdds() throws {
    let bench = try StoreBench()
    bench.register()
    let outcome = bench.run(.schedule(row(7, "gone"), ifAdded: .onlyReplace))
    #expect(outcome == [.scheduled(.refused)])
    #expect(bench.listed().isEmpty)
  }

  @Test func E1_E2_whatOneSeesOfADamagedFileKeepsThem() throws {
    let bench = try StoreBench()
    bench.register()
    let bell = row(7, "bell", unit: .minute)
    bench.run(.schedule(bell, ifAdded: .none))
    var skips = SkipSet()
    skips.insert(.init(first: 2, last: 4, count: 3))
    bench.run(
      .setSkips(StoredSkips(app: 1, slot: 7, uuid: bell.uuid, generation: 0, skips: skips)),
      .pause(StoredPause(number: 1, scope: .everything, from: StoreBench.start, until: nil)))
    try bench.reopen()
    bench.keeper.close()
    let target = try Database()
    defer { target.close() }
    _ = try Recovery.copy(from: bench.path, into: target)
    #expect(try target.integer("SELECT count(*) FROM pause") == 1)
    #expect(try target.text("SELECT runs FROM skip") == skips.text)
    try bench.openAgain()
  }

  @Test func E3_whatIsGoodOfACalendarIsReadBackAfterAStart() throws {
    let bench = try StoreBench()
    let days = DayCalendar([
      .init(first: 20_000, last: 20_006, name: "Christmas"),
      .init(first: 20_010, last: 20_010, name: ""),
    ])
    var own = StoredDays(app: "app", name: "off", path: "/a/off.ics", days: days)
    let all = StoredDays(app: nil, name: "off", path: "/b/off.days", days: days)
    bench.run(.keepDays(own), .keepDays(all))
    try bench.reopen()
    #expect(Set(bench.opened.days) == [own, all])
    own.days = DayCalendar([.init(first: 1, last: 2, name: "x")])
    bench.run(.keepDays(own))
    var gone = all
    gone.days = DayCalendar([])
    bench.run(.keepDays(gone))
    try bench.reopen()
    #expect(bench.opened.days == [own])
  }

  @Test func E3_daysInOneGrowOneRowOfTheHistoryAndOthersBeginOne() throws {
    let bench = try StoreBench()
    bench.register()
    let bell = row(7, "bell", unit: .minute)
    bench.run(.schedule(bell, ifAdded: .none))
    for (k, run) in [(0, -5), (1, -5), (2, -9), (3, -9), (4, -9)] as [(Int64, Int64)] {
      bench.run(
        .passOver(
          skipped(bell, k: k), app: 1, slot: 7, generation: 0, firedThrough: k, finishes: false,
          pause: run))
    }
    #expect(bench.history().map { $0.missed } == [1, 2])
  }
}
