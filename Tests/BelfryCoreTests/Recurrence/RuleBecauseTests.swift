import Testing

@testable import BelfryCore

/// Which rule moved an occurrence of an RRULE, added it or made it one of several, in typed form.
struct RuleBecauseTests {
  struct Row: CustomTestStringConvertible {
    var rule: String
    var start: String
    var rdates = ""
    var zone = ZoneRules.utc
    var gap = GapPolicy.shift
    var overlap = OverlapPolicy.first
    var expected: [Due.Because]
    var testDescription: String { "\(rule) from \(start)" }
  }

  static let rows = [
    Row(rule: "FREQ=MONTHLY", start: "2027 Jan 31", expected: [[], [], []]),
    Row(
      rule: "FREQ=MONTHLY;SKIP=BACKWARD", start: "2027 Jan 31",
      expected: [[], .clamped, [], .clamped]),
    Row(
      rule: "FREQ=MONTHLY;SKIP=FORWARD", start: "2027 Jan 31", expected: [[], .rolled, [], .rolled]),
    Row(
      rule: "FREQ=YEARLY;BYYEARDAY=366;SKIP=FORWARD", start: "2027 Jan 2",
      expected: [.rolled, [], .rolled]),
    Row(
      rule: "FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=BACKWARD", start: "2027 Jan 1",
      expected: [[], .clamped, [], .clamped]),
    Row(
      rule: "FREQ=YEARLY;BYYEARDAY=-366;SKIP=FORWARD", start: "2027 Jan 1",
      expected: [.rolled, [], .rolled]),
    Row(
      rule: "FREQ=MONTHLY;BYMONTHDAY=28,31;SKIP=BACKWARD", start: "2027 Feb 1",
      expected: [[], [], []]),
    Row(
      rule: "FREQ=DAILY;INTERVAL=2", start: "2027 Jan 1", rdates: "2027 Jan 2,3",
      expected: [[], .added, []]),
    Row(
      rule: "FREQ=DAILY", start: "2027 Mar 27 2:30", zone: TimetableTests.berlin,
      expected: [[], .gapShifted, []]),
    Row(
      rule: "FREQ=DAILY", start: "2027 Mar 27 2:30", zone: TimetableTests.berlin, gap: .next,
      expected: [[], .gapNext, []]),
    Row(
      rule: "FREQ=DAILY;BYHOUR=2,3", start: "2027 Mar 27 3:30", zone: TimetableTests.berlin,
      expected: [[], .merged, []]),
    Row(
      rule: "FREQ=DAILY", start: "2027 Oct 30 2:30", zone: TimetableTests.berlin, overlap: .both,
      expected: [[], .firstPass, .lastPass, []]),
  ]

  @Test(arguments: rows)
  func T6_whatMovedAnOccurrence(_ row: Row) throws {
    var plan = RepeatPlan(.rule(try RecurrenceRule.parse(row.rule)))
    plan.rdates = RuleDates.instants(row.rdates)
    plan.gap = row.gap
    plan.overlap = row.overlap
    let table = Timetable(
      plan: plan, anchor: try #require(RuleDates.instants(row.start).first), mode: .floating,
      zone: row.zone)
    var found: [Due.Because] = []
    var due = table.first(after: .distantPast)
    while let known = due, found.count < row.expected.count {
      found.append(known.because)
      due = table.next(after: known)
    }
    #expect(found == row.expected)
  }
}
