import Testing

@testable import BelfryCore

/// The changes that schedulers get wrong, by name. Each is past, save the footers': governments
/// change what is still to come, and the system's zone files follow them.
@Suite struct ZoneSpecialTests {
  /// A wall clock in a zone, and when its clocks show it.
  enum Expected {
    case once(String)
    /// Hours of the gap, and the instant of the change.
    case skipped(Double, String)
    case twice(String, String)
  }

  static let table: [(String, zone: String, wall: String, Expected)] = [
    ("spring", "Europe/Berlin", "2026-03-29T02:30", .skipped(1, "2026-03-29T01:00Z")),
    ("spring's first", "Europe/Berlin", "2026-03-29T02:00", .skipped(1, "2026-03-29T01:00Z")),
    ("spring's end", "Europe/Berlin", "2026-03-29T03:00", .once("2026-03-29T01:00Z")),
    (
      "autumn", "Europe/Berlin", "2026-10-25T02:30",
      .twice("2026-10-25T00:30Z", "2026-10-25T01:30Z")
    ),
    (
      "autumn's first", "Europe/Berlin", "2026-10-25T02:00",
      .twice("2026-10-25T00:00Z", "2026-10-25T01:00Z")
    ),
    ("autumn's end", "Europe/Berlin", "2026-10-25T03:00", .once("2026-10-25T02:00Z")),
    ("by the footer", "Europe/Berlin", "2199-07-01T12:00", .once("2199-07-01T10:00Z")),
    ("footer's gap", "Europe/Berlin", "2199-03-31T02:30", .skipped(1, "2199-03-31T01:00Z")),
    ("before all", "Europe/Berlin", "1800-01-01T00:00", .once("1799-12-31T23:06:32Z")),
    ("two hours", "Antarctica/Troll", "2026-03-29T02:00", .skipped(2, "2026-03-29T01:00Z")),
    (
      "two hours back", "Antarctica/Troll", "2026-10-25T01:30",
      .twice("2026-10-24T23:30Z", "2026-10-25T01:30Z")
    ),
    (
      "half an hour", "Australia/Lord_Howe", "2026-10-04T02:15",
      .skipped(0.5, "2026-10-03T15:30Z")
    ),
    (
      "half an hour back", "Australia/Lord_Howe", "2026-04-05T01:45",
      .twice("2026-04-04T14:45Z", "2026-04-04T15:15Z")
    ),
    ("winter is DST", "Europe/Dublin", "2026-03-29T01:30", .skipped(1, "2026-03-29T01:00Z")),
    (
      "winter is DST, back", "Europe/Dublin", "2026-10-25T01:30",
      .twice("2026-10-25T00:30Z", "2026-10-25T01:30Z")
    ),
    ("a missing day", "Pacific/Apia", "2011-12-30T12:00", .skipped(24, "2011-12-30T10:00Z")),
    ("the day before", "Pacific/Apia", "2011-12-29T12:00", .once("2011-12-29T22:00Z")),
    ("the day after", "Pacific/Apia", "2011-12-31T12:00", .once("2011-12-30T22:00Z")),
    ("a missing day", "Pacific/Kwajalein", "1993-08-21T12:00", .skipped(24, "1993-08-21T12:00Z")),
    (
      "a missing day", "Pacific/Kiritimati", "1994-12-31T12:00", .skipped(24, "1994-12-31T10:00Z")
    ),
    (
      "Ramadan", "Africa/Casablanca", "2026-02-15T02:30",
      .twice("2026-02-15T01:30Z", "2026-02-15T02:30Z")
    ),
    ("after it", "Africa/El_Aaiun", "2026-03-22T02:30", .skipped(1, "2026-03-22T02:00Z")),
    (
      "nearly a day twice", "Pacific/Kwajalein", "1969-09-30T12:00",
      .twice("1969-09-30T01:00Z", "1969-10-01T00:00Z")
    ),
    ("never changes", "Asia/Kolkata", "2100-01-01T05:30", .once("2100-01-01T00:00Z")),
  ]

  @Test(arguments: table)
  func T5_wallClocks(
    _ row: (String, zone: String, wall: String, expected: Expected)
  ) throws {
    let answer = try ZoneFixture.rules(row.zone).resolve(ZoneFixture.civil(row.wall))
    switch row.expected {
    case .once(let instant):
      #expect(answer == .once(try ZoneFixture.instant(instant)))
    case .twice(let first, let last):
      #expect(
        answer
          == .twice(
            first: try ZoneFixture.instant(first), last: try ZoneFixture.instant(last)))
    case .skipped(let hours, let change):
      guard case .skipped(let before, let after, let transition) = answer else {
        Issue.record("\(row.zone) \(row.wall): \(answer)")
        return
      }
      #expect(Double(after - before) == hours * 3600)
      #expect(transition == (try ZoneFixture.instant(change)))
    }
  }

  /// T2's table: `fireDate` is read as a wall clock in its zone, and the board's zone shows it later.
  @Test(arguments: [
    ("America/Los_Angeles", board: "America/Los_Angeles", fires: "2013-08-31T19:00Z"),
    ("America/Los_Angeles", board: "America/Chicago", fires: "2013-08-31T17:00Z"),
    ("GMT", board: "America/Los_Angeles", fires: "2013-09-01T02:00Z"),
    ("GMT", board: "GMT", fires: "2013-08-31T19:00Z"),
  ])
  func T2_readInOneZoneAndShownInAnother(
    _ row: (zone: String, board: String, fires: String)
  ) throws {
    let fireDate = try ZoneFixture.instant("2013-08-31T19:00Z")
    let wall = try ZoneFixture.rules(row.zone).civil(at: fireDate)
    let answer = try ZoneFixture.rules(row.board).resolve(wall)
    #expect(answer == .once(try ZoneFixture.instant(row.fires)))
  }

  @Test func T1_universalTimeNeverChanges() throws {
    #expect(ZoneRules.utc.transition(after: .distantPast) == nil)
    #expect(ZoneRules.utc == (try ZoneRules(posix: "UTC0")))
    for instant in [Instant.distantPast, Instant(nanoseconds: -1), .distantFuture] {
      #expect(ZoneRules.utc.wall(at: instant) == instant)
      #expect(ZoneRules.utc.resolve(wall: instant) == .once(instant))
      #expect(ZoneRules.utc.resolve(CivilTime(instant)) == .once(instant))
    }
  }

  @Test func T3_wallClocksBeyondInstantsStickAtItsEnds() throws {
    let rules = try ZoneFixture.rules("Europe/Berlin")
    for (year, end) in [(Int64(1600), Instant.distantPast), (9999, .distantFuture)] {
      let civil = CivilTime(date: CivilDate(year: year, month: 1, day: 1), nanosecondOfDay: 0)
      #expect(rules.resolve(civil) == .once(end))
    }
  }
}
