import SchedulerFixtures
import Testing

@testable import BelfryCore

/// What a rule costs is counted in steps, and bounded (A2).
struct RuleBudgetTests {
  /// 2026-03-01T12:00:00Z
  static let anchor = World.start

  static func list(_ range: ClosedRange<Int>) -> String {
    range.map { "\($0)" }.joined(separator: ",")
  }

  /// The worst that was seen: every place of every hour, and every second of every hour.
  static let places = "\(list(-366 ... -1)),\(list(1...366))"
  static let seconds = "BYMINUTE=\(list(0...59));BYSECOND=\(list(0...59))"

  struct Row: CustomTestStringConvertible {
    var rule: String
    var most: Int64
    var testDescription: String { String(rule.prefix(80)) }
  }

  static let counts = [
    Row(rule: "FREQ=DAILY;COUNT=365", most: 4),
    Row(rule: "FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=1000000", most: 8),
    Row(rule: "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=1000000", most: 3000),
    Row(rule: "FREQ=HOURLY;\(seconds);BYSETPOS=\(places);COUNT=1000000", most: 3000),
    Row(rule: "FREQ=HOURLY;\(seconds);COUNT=1000000", most: 3000),
    Row(rule: "FREQ=DAILY;\(seconds);BYSETPOS=\(places);COUNT=1000000", most: 3000),
    Row(
      rule: "FREQ=YEARLY;BYMONTHDAY=\(list(1...31));BYSETPOS=\(places);COUNT=1000000", most: 9000),
    Row(rule: "FREQ=SECONDLY;INTERVAL=7;BYHOUR=9;COUNT=1000000", most: 100_000),
    Row(rule: "FREQ=MINUTELY;INTERVAL=7;BYMONTH=1,2;COUNT=1000000", most: 100_000),
  ]

  @Test(arguments: counts)
  func A2_theEndOfACountIsFoundInFewSteps(_ row: Row) throws {
    var meter = StepMeter()
    let plan = RepeatPlan(.rule(try RecurrenceRule.parse(row.rule)))
    let counted = plan.counted(from: Self.anchor, &meter)
    #expect(meter.steps <= row.most)
    let table = Timetable(plan: counted, anchor: Self.anchor, mode: .absolute, zone: .utc)
    #expect(counted.isWithinBudget(table, anchor: Self.anchor, now: Self.anchor))
  }

  /// Of a count that no calendar has room for nothing overflows, and it comes to no end: the first
  /// occurrences are those of the rule without it.
  @Test(arguments: RecurrenceRule.Frequency.allCases)
  func A2_aCountThatEndsBehind2262IsNoEnd(_ frequency: RecurrenceRule.Frequency) throws {
    let parts = ["", ";BYHOUR=6", ";BYMINUTE=0,30", ";BYHOUR=6;BYSECOND=1,2;BYSETPOS=-1"]
    let zones = [
      .utc, TimetableTests.berlin, try ZoneRules(posix: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
    ]
    for (interval, part) in [
      1, 7, 61, 1439, 1441, 3599, 86399, 86401, 99_999, RecurrenceRule.Limit.interval,
    ].flatMap({ interval in parts.map { (interval, $0) } }) {
      let text = "FREQ=\("\(frequency)".uppercased());INTERVAL=\(interval)" + part
      let rule = try RecurrenceRule.parse(text + ";COUNT=1000000")
      let endless = try RecurrenceRule.parse(text)
      for (zone, gap) in zones.flatMap({ zone in GapPolicy.allCases.map { (zone, $0) } }) {
        var plan = RepeatPlan(.rule(rule))
        plan.gap = gap
        var meter = StepMeter(limit: RuleBudget.count)
        let counted = plan.counted(from: Self.anchor, in: zone, &meter)
        plan.pattern = .rule(endless)
        guard !meter.isSpent,
          plan.isWithinBudget(
            Timetable(plan: plan, anchor: Self.anchor, mode: .floating, zone: zone),
            anchor: Self.anchor, now: Self.anchor)
        else { continue }
        let firsts = [counted, plan].map { plan in
          Timetable(plan: plan, anchor: Self.anchor, mode: .floating, zone: zone)
            .first(after: .distantPast)
        }
        #expect(firsts[0] == firsts[1], "\(rule.text) \(gap)")
      }
    }
  }

  /// The store keeps the end as text, which must be read again: a row that cannot be read is silent.
  @Test func T6_whereverACountEndsItCanBeKept() throws {
    let starts = [
      Instant.distantPast.advanced(by: 1), .distantPast.advanced(by: 40 * Nanoseconds.day),
      .distantPast.advanced(by: 200 * Nanoseconds.day), Self.anchor,
      .distantFuture.advanced(by: -200 * Nanoseconds.day),
      .distantFuture.advanced(by: -40 * Nanoseconds.day), .distantFuture.advanced(by: -2),
    ]
    for start in starts {
      for frequency in RecurrenceRule.Frequency.allCases {
        for count in [1, 2, 10, 300] {
          let text = "FREQ=\("\(frequency)".uppercased());COUNT=\(count)"
          let rule = try RecurrenceRule.parse(text)
          for zone in [.utc, TimetableTests.berlin] {
            var plan = RepeatPlan(.rules([rule, try RecurrenceRule.parse("FREQ=DAILY")]))
            plan = plan.counted(from: start, in: zone)
            #expect(try RepeatPlan.parse(plan.text) == plan, "\(text) from \(start)")
          }
        }
      }
    }
  }

  @Test(
    arguments: RuleExampleTests.days + RuleExampleTests.weeks + RuleExampleTests.months
      + RuleExampleTests.years + RuleExampleTests.hours)
  func A2_everyExampleOfRFC5545IsWithinTheBudget(_ row: RuleExampleTests.Row) throws {
    var rule = try RecurrenceRule.parse(row.rule)
    rule.end = .never
    let plan = RepeatPlan(.rule(rule))
    let table = Timetable(
      plan: plan, anchor: Self.anchor, mode: .floating, zone: TimetableTests.berlin)
    #expect(plan.isWithinBudget(table, anchor: Self.anchor, now: Self.anchor))
  }

  @Test func A2_aRuleOverTheBudgetIsRefusedWithASentenceThatNamesIt() throws {
    let world = World()
    let rules = [
      "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=9;BYMINUTE=0;BYSECOND=0",
      "FREQ=SECONDLY;INTERVAL=86401;BYHOUR=9",
      "FREQ=SECONDLY;INTERVAL=7;BYSECOND=1;BYMINUTE=1;BYHOUR=1;BYDAY=MO;BYMONTHDAY=32",
      "FREQ=SECONDLY;INTERVAL=427;BYDAY=MO;BYSECOND=3;BYMINUTE=59;BYHOUR=23",
    ]
    var refused = 0
    for text in rules {
      guard let rule = try? RecurrenceRule.parse(text) else { continue }
      let alert = world.alert("a", in: 10) { $0.rrule = rule }
      for request in [
        Request.schedule(app: "app", alert), .nextOfDraft(alert, count: 1, after: nil),
        .replaceAll(app: "app", [alert]),
      ] {
        guard case .refused(.invalidField(let error)) = world.request(request) else { continue }
        #expect(error.field.hasSuffix("rrule"))
        if error.reason.contains("4096 steps") { refused += 1 }
      }
    }
    #expect(refused >= 3)
    #expect(world.listed() == [])
    // Neither a large COUNT nor a large INTERVAL is too much by itself.
    for text in ["FREQ=SECONDLY;INTERVAL=86399", "FREQ=MINUTELY;COUNT=1000000"] {
      let rule = try RecurrenceRule.parse(text)
      #expect(world.schedule(text, in: 10) { $0.rrule = rule } != nil)
    }
  }

  @Test(arguments: [
    "FREQ=SECONDLY;INTERVAL=10;BYSECOND=0,10,20,30,40,50",
    "FREQ=SECONDLY;INTERVAL=20;BYSECOND=0,20,40",
    "FREQ=SECONDLY;INTERVAL=7;BYSECOND=0",
    "FREQ=SECONDLY;INTERVAL=7;BYHOUR=9,10,11,12,13,14,15,16,17",
    "FREQ=SECONDLY;INTERVAL=45;BYHOUR=7,8;BYDAY=MO,TU",
    "FREQ=MINUTELY;INTERVAL=7;BYHOUR=9;BYMINUTE=0,30",
    "FREQ=SECONDLY;INTERVAL=86399", "FREQ=HOURLY;INTERVAL=5;BYHOUR=1,9,17",
  ])
  func A2_aPlausibleRuleIsWithinTheBudget(_ text: String) throws {
    let plan = RepeatPlan(.rule(try RecurrenceRule.parse(text)))
    for zone in [ZoneRules.utc, TimetableTests.berlin] {
      let table = Timetable(plan: plan, anchor: Self.anchor, mode: .floating, zone: zone)
      #expect(plan.isWithinBudget(table, anchor: Self.anchor, now: Self.anchor))
    }
  }

  /// Place by place, as it is defined.
  private func longestMiss(_ series: RuleSeries) -> Int64 {
    let perDay = 86400 / series.unit
    var place = floorModulo(floorDivide(series.start, series.unit), perDay)
    var (longest, misses) = (Int64(0), Int64(0))
    for _ in 0..<2 * perDay {
      misses = series.limited(place * series.unit, series.unit) == nil ? 0 : misses + 1
      longest = max(longest, misses)
      place = (place + series.interval % perDay) % perDay
    }
    return longest
  }

  @Test(arguments: [
    "FREQ=SECONDLY;INTERVAL=86399;BYSECOND=0,1,2,5", "FREQ=SECONDLY;INTERVAL=43201;BYMINUTE=0,1,30",
    "FREQ=MINUTELY;INTERVAL=1441;BYHOUR=1",
    "FREQ=MINUTELY;INTERVAL=1439;BYMINUTE=0,1,2,3;BYHOUR=0,1,2",
  ])
  func A2_theLongestMissIsNoLessThanPlaceByPlace(_ text: String) throws {
    let rule = try RecurrenceRule.parse(text)
    let series = RuleSeries(rule, start: Self.anchor.second)
    var meter = StepMeter()
    // Where an interval is no shorter than half a day, a step is a place.
    #expect(series.longestMiss(&meter) >= min(longestMiss(series), RuleBudget.search + 1))
  }

  @Test func A2_aLongListOfOccurrencesIsBoundedInSteps() throws {
    let world = World()
    let rule = try RecurrenceRule.parse("FREQ=MONTHLY;INTERVAL=400;BYMONTHDAY=29,30")
    let alert = world.alert("a", in: 10) { $0.rrule = rule }
    let reply = world.request(.nextOfDraft(alert, count: 1000, after: nil))
    guard case .occurrences = reply else { Issue.record("\(String(describing: reply))"); return }
  }
}
