import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// Several rules of one notification: their union, an instant once (E5).
struct UnionTests {
  static func rules(_ texts: [String]) -> RepeatPlan.Pattern {
    .rules(texts.map { try! RecurrenceRule.parse($0) })
  }

  struct Row: CustomTestStringConvertible {
    var what: String
    var rules: [String]
    var anchor = "2027-01-04T09:00"
    var exdates: [String] = []
    var rdates: [String] = []
    var zone = TimetableTests.berlin
    var expected: [String]
    var testDescription: String { what }
  }

  static let rows = [
    Row(
      what: "a day that both give rings once", rules: ["FREQ=WEEKLY;BYDAY=MO,WE", "FREQ=DAILY"],
      expected: ["01-04T08:00Z", "01-05T08:00Z", "01-06T08:00Z", "01-07T08:00Z"]),
    Row(
      what: "weekdays at one time, weekends at another",
      rules: ["FREQ=WEEKLY;BYDAY=FR;BYHOUR=7", "FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=10"],
      expected: ["01-08T06:00Z", "01-09T09:00Z", "01-10T09:00Z", "01-15T06:00Z"]),
    Row(
      what: "EXDATE and RDATE are of the union", rules: ["FREQ=DAILY", "FREQ=DAILY;BYHOUR=12"],
      exdates: ["2027-01-04T12:00", "2027-01-05T09:00"], rdates: ["2027-01-05T10:00"],
      expected: ["01-04T08:00Z", "01-05T09:00Z", "01-05T11:00Z", "01-06T08:00Z"]),
    Row(
      what: "COUNT is each rule's own",
      rules: ["FREQ=DAILY;COUNT=2", "FREQ=DAILY;BYHOUR=12;COUNT=3"],
      expected: ["01-04T08:00Z", "01-04T11:00Z", "01-05T08:00Z", "01-05T11:00Z", "01-06T11:00Z"]),
    Row(
      what: "UNTIL too, in UTC",
      rules: ["FREQ=DAILY;UNTIL=20270104T080000Z", "FREQ=DAILY;BYHOUR=12;UNTIL=20270105T105959Z"],
      rdates: ["2027-02-01T09:00"], expected: ["01-04T08:00Z", "01-04T11:00Z", "02-01T08:00Z"]),
    Row(
      what: "hours count elapsed time, days are wall clocks: what a gap moves goes into the hour",
      rules: ["FREQ=HOURLY;COUNT=5", "FREQ=DAILY;BYHOUR=2"], anchor: "2027-03-28T00:30",
      expected: [
        "03-27T23:30Z", "03-28T00:30Z", "03-28T01:30Z", "03-28T02:30Z", "03-28T03:30Z",
        "03-29T00:30Z",
      ]),
    Row(
      what: "an hour that comes twice: both passes of the hourly, the first of the daily",
      rules: ["FREQ=HOURLY;COUNT=5", "FREQ=DAILY;BYHOUR=2"], anchor: "2027-10-31T01:30",
      expected: [
        "10-30T23:30Z", "10-31T00:30Z", "10-31T01:30Z", "10-31T02:30Z", "10-31T03:30Z",
        "11-01T01:30Z",
      ]),
    Row(
      what: "nothing is left", rules: ["FREQ=DAILY;COUNT=1", "FREQ=DAILY;COUNT=1"],
      expected: ["01-04T08:00Z"]),
  ]

  @Test(arguments: rows)
  func E5_theUnionOfRules(_ row: Row) throws {
    var plan = RepeatPlan(Self.rules(row.rules))
    func instants(_ texts: [String]) throws -> [Instant] {
      try texts.map { try RFC3339.parse($0 + "Z", field: "date") }
    }
    plan.exdates = try instants(row.exdates)
    plan.rdates = try instants(row.rdates)
    let anchor = try instants([row.anchor])[0]
    // As it is kept: with the last second that a COUNT reaches.
    for plan in [plan, plan.counted(from: anchor, in: row.zone)] {
      let table = Timetable(plan: plan, anchor: anchor, mode: .zoned, zone: row.zone)
      var found: [Due] = []
      while found.count < row.expected.count + 2,
        let due = table.first(after: found.last?.instant ?? .distantPast)
      {
        found.append(due)
      }
      let texts = found.map { String(RFC3339.text($0.instant).dropFirst(5).prefix(11) + "Z") }
      #expect(Array(texts.prefix(row.expected.count)) == row.expected)
      #expect(Set(found.map { $0.k }).count == found.count)
      for due in found { #expect(table.due(k: due.k) == due) }
    }
  }

  // MARK: The definition

  private static func question(_ random: inout SeededRandom) -> RepeatPlan {
    let texts = [
      "FREQ=DAILY", "FREQ=DAILY;BYHOUR=2", "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,30",
      "FREQ=WEEKLY;BYDAY=SU", "FREQ=HOURLY", "FREQ=HOURLY;INTERVAL=5", "FREQ=MINUTELY;INTERVAL=25",
      "FREQ=DAILY;COUNT=4", "FREQ=HOURLY;COUNT=30", "FREQ=MINUTELY;INTERVAL=15;COUNT=300",
    ]
    let count = Int.random(in: 2...5, using: &random)
    var plan = RepeatPlan(rules((0..<count).map { _ in texts.randomElement(using: &random)! }))
    plan.gap = .allCases.randomElement(using: &random)!
    plan.overlap = .allCases.randomElement(using: &random)!
    return plan
  }

  /// By their instants the union is what each rule gives alone.
  @Test func E5_theUnionIsWhatEachRuleGivesAlone() throws {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<150 {
      let plan = Self.question(&random)
      let zone = TimetableRandomTests.zones.randomElement(using: &random)!
      let change = zone.transition(after: instant(2027, .random(in: 1...11, using: &random), 1))
      let near = change?.instant ?? instant(2027, 1, 31)
      let anchor = Instant(
        nanoseconds: (near.nanoseconds / Nanoseconds.hour * 4
          + Int64.random(in: -200...8, using: &random)) * 15 * Nanoseconds.minute)
      let comment: Comment = "seed \(seed): \(plan.text) from \(RFC3339.text(anchor))"
      func table(_ plan: RepeatPlan) -> Timetable {
        Timetable(
          plan: plan.counted(from: anchor, in: zone), anchor: anchor, mode: .floating, zone: zone)
      }
      let union = table(plan)
      let alone = plan.rules.map { rule in
        var one = plan
        one.pattern = .rule(rule)
        return table(one)
      }
      var found: [Due] = []
      var place = Instant.distantPast
      for _ in 0..<200 {
        let next = alone.compactMap { $0.first(after: place)?.instant }.min()
        let due = union.first(after: place)
        try #require(due?.instant == next, comment)
        guard let due else { break }
        #expect(union.due(k: due.k) == due, comment)
        found.append(due)
        place = due.instant
      }
      #expect(Set(found.map { $0.k }).count == found.count, comment)
      for (one, next) in zip(found, found.dropFirst()) {
        try #require(union.next(afterIndex: one.k) == next, comment)
        let plan = OccurrencePlan.table(union)
        try #require(plan.pending(firedThrough: one.k)?.k == next.k, comment)
      }
    }
  }

  /// k is the civil second, whatever zone the board comes to (D7).
  @Test func E5_kDoesNotDependOnTheZone() throws {
    let plan = RepeatPlan(Self.rules(["FREQ=HOURLY;INTERVAL=3", "FREQ=DAILY;BYHOUR=12"]))
    let anchor = try RFC3339.parse("2027-06-01T09:00Z", field: "anchor")
    let tables = [TimetableTests.berlin, TimetableTests.howe, .utc].map {
      Timetable(plan: plan, anchor: anchor, mode: .floating, zone: $0)
    }
    var place = [Instant](repeating: .distantPast, count: tables.count)
    for _ in 0..<40 {
      let found = tables.indices.map { tables[$0].first(after: place[$0]) }
      #expect(Set(found.map { $0?.k }).count == 1)
      place = found.map { $0?.instant ?? .distantFuture }
    }
  }

  @Test func E5_A2_allRulesShareTheBudget() throws {
    let costly = "FREQ=SECONDLY;INTERVAL=7;BYHOUR=9;BYMINUTE=3;BYMONTH=1"
    let anchor = RuleBudgetTests.anchor
    func isWithin(_ pattern: RepeatPlan.Pattern) -> Bool {
      let plan = RepeatPlan(pattern)
      let table = Timetable(plan: plan, anchor: anchor, mode: .absolute, zone: .utc)
      return plan.isWithinBudget(table, anchor: anchor, now: anchor)
    }
    let one = try RecurrenceRule.parse(costly)
    // One alone may be; what eight of them cost together is counted together.
    var meters: [Int64] = []
    for count in [1, 8] {
      let plan = RepeatPlan(
        count == 1 ? .rule(one) : .rules([RecurrenceRule](repeating: one, count: count)))
      let table = Timetable(plan: plan, anchor: anchor, mode: .absolute, zone: .utc)
      var meter = StepMeter()
      _ = table.first(after: anchor, &meter)
      meters.append(meter.steps)
    }
    #expect(meters[1] >= 8 * meters[0])
    let never = try RecurrenceRule.parse("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")
    #expect(isWithin(.rule(never)))
    #expect(!isWithin(.rules([RecurrenceRule](repeating: never, count: 8))))
  }
}
