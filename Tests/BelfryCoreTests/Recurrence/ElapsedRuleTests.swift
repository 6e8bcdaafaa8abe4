import Testing

@testable import BelfryCore

/// Rules by the hour and below where clocks change: elapsed time, judged by wall clocks (T5).
struct ElapsedRuleTests {
  struct Row: CustomTestStringConvertible {
    var what: String
    var start: String
    var rule: String
    var exdates: [String] = []
    var rdates: [String] = []
    var gap = GapPolicy.shift
    var zone = TimetableTests.berlin
    /// Of all there are, the first so many.
    var expected: [String]
    var isAll = false
    var testDescription: String { what }
  }

  static let rows = [
    Row(
      what: "autumn: both passes of the hour", start: "2027-10-31T01:30", rule: "FREQ=HOURLY",
      expected: ["10-30T23:30Z", "10-31T00:30Z", "10-31T01:30Z", "10-31T02:30Z"]),
    Row(
      what: "spring: no hour doubled", start: "2027-03-28T00:30", rule: "FREQ=HOURLY",
      expected: ["03-27T23:30Z", "03-28T00:30Z", "03-28T01:30Z", "03-28T02:30Z"]),
    Row(
      what: "every other hour is two hours later", start: "2027-10-31T00:15",
      rule: "FREQ=HOURLY;INTERVAL=2",
      expected: ["10-30T22:15Z", "10-31T00:15Z", "10-31T02:15Z", "10-31T04:15Z"]),
    Row(
      what: "an hour that is named comes twice in autumn", start: "2027-10-30T02:30",
      rule: "FREQ=HOURLY;BYHOUR=2",
      expected: ["10-30T00:30Z", "10-31T00:30Z", "10-31T01:30Z", "11-01T01:30Z"]),
    Row(
      what: "and not at all in spring, whatever the policy", start: "2027-03-27T02:30",
      rule: "FREQ=HOURLY;BYHOUR=2", gap: .next, expected: ["03-27T01:30Z", "03-29T00:30Z"]),
    Row(
      what: "minutes of both passes", start: "2027-10-31T01:30", rule: "FREQ=HOURLY;BYMINUTE=0,30",
      expected: [
        "10-30T23:30Z", "10-31T00:00Z", "10-31T00:30Z", "10-31T01:00Z", "10-31T01:30Z",
        "10-31T02:00Z",
      ]),
    Row(
      what: "40 minutes go on through the change", start: "2027-10-31T01:30",
      rule: "FREQ=MINUTELY;INTERVAL=40",
      expected: ["10-30T23:30Z", "10-31T00:10Z", "10-31T00:50Z", "10-31T01:30Z", "10-31T02:10Z"]),
    Row(
      what: "an interval that comes to the hour in summer only", start: "2027-10-30T07:00",
      rule: "FREQ=HOURLY;INTERVAL=2;BYHOUR=9", expected: ["10-30T07:00Z", "03-26T07:00Z"]),
    Row(
      what: "each pass counts", start: "2027-10-31T01:30", rule: "FREQ=HOURLY;COUNT=3",
      expected: ["10-30T23:30Z", "10-31T00:30Z", "10-31T01:30Z"], isAll: true),
    Row(
      what: "also where parts limit", start: "2027-10-30T02:30",
      rule: "FREQ=HOURLY;BYHOUR=2;COUNT=3",
      expected: ["10-30T00:30Z", "10-31T00:30Z", "10-31T01:30Z"], isAll: true),
    Row(
      what: "a wall clock's UNTIL is its first pass", start: "2027-10-31T01:30",
      rule: "FREQ=HOURLY;UNTIL=20271031T023000", expected: ["10-30T23:30Z", "10-31T00:30Z"],
      isAll: true),
    Row(
      what: "UTC's is what it says", start: "2027-10-31T01:30",
      rule: "FREQ=HOURLY;UNTIL=20271031T013000Z",
      expected: ["10-30T23:30Z", "10-31T00:30Z", "10-31T01:30Z"], isAll: true),
    Row(
      what: "EXDATE takes out both passes", start: "2027-10-31T01:30", rule: "FREQ=HOURLY",
      exdates: ["2027-10-31T02:30"], expected: ["10-30T23:30Z", "10-31T02:30Z"]),
    Row(
      what: "RDATE in a gap is shifted, and is one with what is there", start: "2027-03-28T00:15",
      rule: "FREQ=HOURLY;COUNT=3", rdates: ["2027-03-28T02:15", "2027-03-28T02:45"],
      expected: ["03-27T23:15Z", "03-28T00:15Z", "03-28T01:15Z", "03-28T01:45Z"], isAll: true),
    Row(
      what: "half an hour in Lord Howe: elapsed hours", start: "2027-04-04T00:15",
      rule: "FREQ=HOURLY", zone: TimetableTests.howe,
      expected: ["04-03T13:15Z", "04-03T14:15Z", "04-03T15:15Z", "04-03T16:15Z"]),
    Row(
      what: "but a minute that is named is the clock's", start: "2027-04-04T00:00",
      rule: "FREQ=HOURLY;BYMINUTE=0,45", zone: TimetableTests.howe,
      expected: [
        "04-03T13:00Z", "04-03T13:45Z", "04-03T14:00Z", "04-03T14:45Z", "04-03T15:15Z",
        "04-03T15:30Z",
      ]),
  ]

  @Test(arguments: rows, OverlapPolicy.allCases)
  func T5_hoursOfRulesAreElapsedTime(_ row: Row, _ overlap: OverlapPolicy) throws {
    var plan = RepeatPlan(.rule(try RecurrenceRule.parse(row.rule)))
    func walls(_ texts: [String]) throws -> [Instant] {
      try texts.map { Instant(nanoseconds: try RuleText.second($0) * Nanoseconds.second) }
    }
    plan.exdates = try walls(row.exdates)
    plan.rdates = try walls(row.rdates)
    plan.gap = row.gap
    plan.overlap = overlap
    let anchor = try walls([row.start])[0]
    for plan in [plan, plan.counted(from: anchor, in: row.zone)] {
      let table = Timetable(plan: plan, anchor: anchor, mode: .floating, zone: row.zone)
      var found: [String] = []
      var next = table.first(after: .distantPast)
      while let due = next, found.count < row.expected.count + (row.isAll ? 1 : 0) {
        found.append(RFC3339.text(due.instant).dropFirst(5).prefix(11) + "Z")
        #expect(table.due(k: due.k) == due)
        next = table.next(after: due)
        #expect(table.next(afterIndex: due.k) == next)
      }
      #expect(found == row.expected)
      #expect(try RepeatPlan.parse(plan.text) == plan)
    }
  }

  /// D7: what is not of a last pass has the id that it would have without any change of clocks.
  @Test func D7_onlyTheLastPassHasIdsOfItsOwn() throws {
    let plan = RepeatPlan(.rule(try RecurrenceRule.parse("FREQ=MINUTELY;INTERVAL=20")))
    let anchor = Instant(nanoseconds: try RuleText.second("2027-03-01T00:00") * Nanoseconds.second)
    let table = Timetable(plan: plan, anchor: anchor, mode: .floating, zone: TimetableTests.berlin)
    var seen: Set<Int64> = []
    var due = table.first(after: .distantPast)
    while let known = due, known.instant < anchor.advanced(by: 300 * Nanoseconds.day) {
      #expect(seen.insert(known.k).inserted)
      let wall = TimetableTests.berlin.wall(at: known.instant).second
      let isLast = known.because.contains(.lastPass)
      #expect(LastPass.has(known.k) == isLast)
      #expect((isLast ? LastPass.wall(of: known.k) : known.k) == wall)
      due = table.next(after: known)
    }
    // The start is an hour earlier in UTC than what it shows.
    #expect(seen.count == (300 * 24 + 1) * 3)
  }

  /// T2: a board that comes to where the hour is skipped goes on with the first there is.
  @Test func T2_anHourThatIsNotThereLosesNothing() throws {
    let plan = RepeatPlan(.rule(try RecurrenceRule.parse("FREQ=HOURLY")))
    let anchor = Instant(nanoseconds: try RuleText.second("2027-03-27T00:30") * Nanoseconds.second)
    let missing = try RuleText.second("2027-03-28T02:30")
    let table = Timetable(plan: plan, anchor: anchor, mode: .floating, zone: TimetableTests.berlin)
    #expect(table.due(k: missing) == nil)
    #expect(table.next(afterIndex: missing)?.k == missing + 3600)
    let entry = OccurrencePlan.table(table)
    #expect(entry.successor(of: missing)?.k == missing + 3600)
  }
}
