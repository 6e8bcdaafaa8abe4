import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// COUNT is found by whole days where one can, and is what counting one by one comes to.
struct RuleCountTests {
  static func last(_ rule: RecurrenceRule, start: Int64, count: Int64) -> Int64? {
    let series = RuleSeries(rule, start: start)
    var (place, left) = (start, count)
    while let found = series.first(onOrAfter: place) {
      left -= 1
      if left == 0 { return found }
      place = found + 1
    }
    return nil
  }

  @Test func T6_theLastOfSoManyIsTheOneCounted() throws {
    let seed = TestSeed.here()
    var random = RandomRule(random: SeededRandom(seed: seed))
    for _ in 0..<300 {
      let start = random.start()
      var rule = try RecurrenceRule.parse(random.text(atMost: .yearly, atLeast: .secondly))
      if Bool.random(using: &random.random) {
        // Intervals that come to the same times of every day.
        rule.interval = [1, 2, 3, 4, 6].randomElement(using: &random.random)!
      }
      rule.end = .never
      let count = Int64.random(in: 900...1500, using: &random.random)
      let expected = Self.last(rule, start: start, count: count)
      rule.end = .count(count)
      let series = RuleSeries(rule, start: start)
      #expect(
        series.last == expected ?? .max || series.last == .min && expected == nil,
        "seed \(seed): \(rule.text) from \(start)")
    }
  }

  @Test func T6_whatIsKeptOfACountIsTheLastThatItReaches() throws {
    let seed = TestSeed.here()
    var random = RandomRule(random: SeededRandom(seed: seed))
    for _ in 0..<100 {
      let anchor = Instant(nanoseconds: random.start() * Nanoseconds.second + 7)
      var rule = try RecurrenceRule.parse(random.text(atMost: .yearly, atLeast: .secondly))
      rule.end = .count(Int64.random(in: 1...30, using: &random.random))
      let plan = RepeatPlan(.rule(rule))
      let kept = plan.counted(from: anchor, in: TimetableTests.berlin)
      #expect(try RepeatPlan.parse(kept.text) == kept, "seed \(seed): \(kept.text)")
      let tables = [plan, kept].map {
        Timetable(plan: $0, anchor: anchor, mode: .floating, zone: TimetableTests.berlin)
      }
      var place = Instant.distantPast
      for _ in 0..<32 {
        let next = tables.map { $0.first(after: place) }
        #expect(next[0] == next[1], "seed \(seed): \(rule.text) from \(anchor)")
        guard let due = next[0] else { break }
        place = due.instant
      }
    }
  }

  struct Row: CustomTestStringConvertible {
    var rule: String
    /// nil: nothing ever comes.
    var last: String?
    var testDescription: String { rule }
  }

  /// The bounds of what is read, from 2 September 1997, 9 o'clock: none takes many steps.
  static let rows = [
    Row(rule: "FREQ=SECONDLY;COUNT=1000000", last: "1997-09-13T22:46:39"),
    Row(rule: "FREQ=MINUTELY;COUNT=1000000;BYHOUR=9,10,11,12", last: "2009-01-28T11:39"),
    Row(rule: "FREQ=SECONDLY;BYSETPOS=2;BYSECOND=7", last: nil),
    Row(rule: "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1,3,5", last: nil),
    Row(rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", last: nil),
    Row(rule: "FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31", last: nil),
    Row(rule: "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", last: nil),
    Row(rule: "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6", last: nil),
    Row(rule: "FREQ=MONTHLY;INTERVAL=12;BYMONTH=3", last: nil),
    Row(rule: "FREQ=YEARLY;INTERVAL=1000000000", last: "1997-09-02T09:00"),
  ]

  @Test(arguments: rows)
  func T6_aSearchIsBounded(_ row: Row) throws {
    let rule = try RecurrenceRule.parse(row.rule)
    let anchor = Instant(nanoseconds: try RuleText.second("1997-09-02T09:00") * Nanoseconds.second)
    let table = Timetable(
      plan: RepeatPlan(.rule(rule)), anchor: anchor, mode: .absolute, zone: .utc)
    var meter = StepMeter()
    let due = table.newest(notAfter: .distantFuture, &meter)
    let text = due.map { RuleText.text($0.instant.nanoseconds / Nanoseconds.second) }
    #expect(text == row.last)
    #expect(meter.steps < 1_000_000, "\(meter.steps) steps")
  }
}
