import Testing

@testable import BelfryCore

/// What `next --explain` says.
struct DueWordsTests {
  struct Row: CustomTestStringConvertible {
    var anchor: String
    var unit = RepeatUnit.day
    var gap = GapPolicy.shift
    var overlap = OverlapPolicy.first
    var monthEnd = MonthEndPolicy.clamp
    var zone = TimetableTests.berlin
    var after: String
    var words: String?
    var testDescription: String { "\(anchor) \(words ?? "plain")" }
  }

  static let rows = [
    Row(anchor: "2027-03-27T02:30", after: "2027-03-26", words: nil),
    Row(
      anchor: "2027-03-27T02:30", after: "2027-03-28",
      words: "02:30 does not exist on 2027-03-28 in Here: 03:30"),
    Row(
      anchor: "2027-03-27T02:30", gap: .next, after: "2027-03-28",
      words: "02:30 does not exist on 2027-03-28 in Here: 03:00"),
    Row(
      anchor: "2027-12-23T06:00:09", unit: .week, zone: TimetableTests.apia, after: "2027-12-25",
      words: "06:00:09 does not exist on 2027-12-30 in Here: 2027-12-31 06:00:09"),
    Row(
      anchor: "2027-12-29T06:00", zone: TimetableTests.apia, after: "2027-12-30",
      words: "another comes to the same instant, so they fire once"),
    Row(
      anchor: "2027-10-30T02:30", after: "2027-10-31",
      words: "02:30 comes twice on 2027-10-31 in Here: the first time, CEST"),
    Row(
      anchor: "2027-10-30T02:30", overlap: .last, after: "2027-10-31",
      words: "02:30 comes twice on 2027-10-31 in Here: the last time, CET"),
    Row(
      anchor: "2027-01-31T09:00", unit: .month, after: "2027-02-02",
      words: "2027-02 has no day 31: its last, 2027-02-28"),
    Row(
      anchor: "2027-01-31T09:00", unit: .month, monthEnd: .roll, after: "2027-02-02",
      words: "2027-02 has no day 31: the day after its last, 2027-03-01"),
    Row(
      anchor: "2028-02-29T09:00", unit: .year, after: "2029-01-01",
      words: "2029-02 has no day 29: its last, 2029-02-28"),
    Row(
      anchor: "2026-12-31T09:00", unit: .yearForWeekOfYear, after: "2027-02-01",
      words: "2027 has no week 53: the one before, 2027-12-30"),
    Row(
      anchor: "2026-12-31T09:00", unit: .yearForWeekOfYear, monthEnd: .roll, after: "2027-02-01",
      words: "2027 has no week 53: the one after, 2028-01-06"),
    Row(
      anchor: "2027-02-28T02:30", unit: .month, after: "2027-03-28",
      words: "02:30 does not exist on 2027-03-28 in Here: 03:30"),
    // Elapsed time: no wall clock has a say.
    Row(anchor: "2027-03-28T00:30", unit: .hour, after: "2027-03-28T01:00", words: nil),
  ]

  @Test(arguments: rows)
  func T5_everyMoveHasItsWords(_ row: Row) throws {
    var plan = RepeatPlan(.unit(row.unit, every: 1))
    (plan.gap, plan.overlap, plan.monthEnd) = (row.gap, row.overlap, row.monthEnd)
    let table = Timetable(
      plan: plan, anchor: try Self.time(row.anchor), mode: .floating, zone: row.zone)
    let due = try #require(table.first(after: Self.time(row.after)))
    #expect(table.words(for: due, zoneName: "Here") == row.words)
  }

  /// As if it were UTC.
  static func time(_ text: String) throws -> Instant {
    try RFC3339.parse(text + (text.contains("T") ? "Z" : "T00:00Z"), field: "test")
  }
}
