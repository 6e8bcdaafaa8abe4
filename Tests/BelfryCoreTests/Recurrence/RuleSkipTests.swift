import Testing

@testable import BelfryCore

/// SKIP of RFC 7529: what becomes of days that a month or year does not have.
struct RuleSkipTests {
  struct Row: CustomTestStringConvertible {
    var start: String
    var rule: String
    /// Days, as `RuleDates` reads them.
    var expected: String
    var testDescription: String { rule }
  }

  static let rows = [
    // Its examples in the Gregorian calendar: the ends of months, and a birthday on a leap day.
    Row(
      start: "2014 Jan 31", rule: "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT;COUNT=4",
      expected: "2014 Jan 31 Mar 31 May 31 Jul 31"),
    Row(
      start: "2014 Jan 31", rule: "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;COUNT=4",
      expected: "2014 Jan 31 Feb 28 Mar 31 Apr 30"),
    Row(
      start: "2014 Jan 31", rule: "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;COUNT=4",
      expected: "2014 Jan 31 Mar 1,31 May 1"),
    Row(
      start: "2016 Feb 29", rule: "RSCALE=GREGORIAN;FREQ=YEARLY;COUNT=3",
      expected: "2016 Feb 29 2020 Feb 29 2024 Feb 29"),
    Row(
      start: "2016 Feb 29", rule: "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD;COUNT=5",
      expected: "2016 Feb 29 2017 Mar 1 2018 Mar 1 2019 Mar 1 2020 Feb 29"),
    Row(
      start: "2016 Feb 29", rule: "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD;COUNT=5",
      expected: "2016 Feb 29 2017 Feb 28 2018 Feb 28 2019 Feb 28 2020 Feb 29"),
    // Two that come to the same day are one.
    Row(
      start: "2027 Jan 28", rule: "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;SKIP=BACKWARD;COUNT=6",
      expected: "2027 Jan 28-31 Feb 28 Mar 28"),
    Row(
      start: "2027 Jan 29", rule: "FREQ=MONTHLY;BYMONTHDAY=1,30;SKIP=FORWARD;COUNT=4",
      expected: "2027 Jan 30 Feb 1 Mar 1,30"),
    // The month is February's though the day is not.
    Row(
      start: "2027 Jan 1", rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;SKIP=FORWARD;COUNT=2",
      expected: "2027 Mar 1 2028 Mar 1"),
    Row(
      start: "2027 Jan 1", rule: "FREQ=YEARLY;BYYEARDAY=366;SKIP=BACKWARD;COUNT=3",
      expected: "2027 Dec 31 2028 Dec 31 2029 Dec 31"),
    Row(
      start: "2027 Jan 2", rule: "FREQ=YEARLY;BYYEARDAY=366;SKIP=FORWARD;COUNT=3",
      expected: "2028 Jan 1 Dec 31 2030 Jan 1"),
    // Weekdays limit what was moved, and BYSETPOS chooses among it.
    Row(
      start: "2027 Jan 1", rule: "FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=SU;SKIP=BACKWARD;COUNT=3",
      expected: "2027 Jan 31 Feb 28 Oct 31"),
    Row(
      start: "2027 Jan 1",
      rule: "FREQ=MONTHLY;BYMONTHDAY=15,31;BYSETPOS=-1;SKIP=FORWARD;COUNT=3",
      expected: "2027 Jan 31 Mar 1,31"),
    // Two months share 1 May: what the later one chooses of it comes first.
    Row(
      start: "2027 Apr 1",
      rule: "FREQ=MONTHLY;BYMONTHDAY=1,31;BYHOUR=9,12;BYSETPOS=1,-1;SKIP=FORWARD;COUNT=4",
      expected: "2027 Apr 1 9:00 May 1 9:00 12:00 31 12:00"),
    // Days counted from the end: what is before the first goes on to the first, or back over it.
    Row(
      start: "2027 Jan 1", rule: "FREQ=MONTHLY;BYMONTHDAY=-31;COUNT=3",
      expected: "2027 Jan 1 Mar 1 May 1"),
    Row(
      start: "2027 Jan 1", rule: "FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=BACKWARD;COUNT=5",
      expected: "2027 Jan 1,31 Mar 1,31 May 1"),
    Row(
      start: "2027 Jan 1", rule: "FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=FORWARD;COUNT=4",
      expected: "2027 Jan 1 Feb 1 Mar 1 Apr 1"),
    Row(
      start: "2027 Jan 2", rule: "FREQ=MONTHLY;BYMONTHDAY=-29,-30,-31;SKIP=BACKWARD;COUNT=6",
      expected: "2027 Jan 2,3,31 Mar 1,2,3"),
    // The month is February's though the day is January's, and none of January's own is.
    Row(
      start: "2027 Jan 1", rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-29;SKIP=BACKWARD;COUNT=3",
      expected: "2027 Jan 31 2028 Feb 1 2029 Jan 31"),
    Row(
      start: "2027 Jan 1", rule: "FREQ=YEARLY;BYYEARDAY=-366;SKIP=BACKWARD;COUNT=4",
      expected: "2028 Jan 1 Dec 31 2029 Dec 31 2030 Dec 31"),
    Row(
      start: "2027 Jan 1", rule: "FREQ=YEARLY;BYYEARDAY=-366;SKIP=FORWARD;COUNT=3",
      expected: "2027 Jan 1 2028 Jan 1 2029 Jan 1"),
    Row(
      start: "2027 Jan 1", rule: "FREQ=YEARLY;BYYEARDAY=-366,366;SKIP=BACKWARD;COUNT=4",
      expected: "2027 Dec 31 2028 Jan 1 Dec 31 2029 Dec 31"),
    Row(
      start: "2027 Mar 31", rule: "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-31;SKIP=BACKWARD;COUNT=3",
      expected: "2027 May 1 Jul 1 Aug 31"),
    Row(
      start: "2027 Jan 1", rule: "FREQ=MONTHLY;BYMONTHDAY=-31;BYDAY=SU;SKIP=BACKWARD;COUNT=3",
      expected: "2027 Jan 31 Aug 1 Oct 31"),
    Row(
      start: "2027 Jan 1", rule: "FREQ=MONTHLY;BYMONTHDAY=15,-31;BYSETPOS=1;SKIP=BACKWARD;COUNT=4",
      expected: "2027 Jan 1,31 Mar 1,31"),
  ]

  @Test(arguments: rows)
  func T6_skipMovesDaysThatAreNot(_ row: Row) throws {
    let rule = try RecurrenceRule.parse(row.rule)
    let anchor = try #require(RuleDates.instants(row.start).first)
    let table = Timetable(
      plan: RepeatPlan(.rule(rule)), anchor: anchor, mode: .absolute, zone: .utc)
    var found: [Instant] = []
    while let due = table.first(after: found.last ?? .distantPast), found.count < 20 {
      found.append(due.instant)
    }
    #expect(found == RuleDates.instants(row.expected))
  }
}
