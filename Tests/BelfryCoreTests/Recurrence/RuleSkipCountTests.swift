import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// COUNT where SKIP has months share a day and BYSETPOS chooses among it (RFC 7529): set by set, and
/// what counting one by one comes to.
struct RuleSkipCountTests {
  private static func text(_ random: inout SeededRandom) -> String {
    func one(_ values: [String]) -> String { values.randomElement(using: &random)! }
    var parts = ["SKIP=" + one(["BACKWARD", "FORWARD"])]
    if Bool.random(using: &random) {
      parts.append("FREQ=MONTHLY;INTERVAL=" + one(["1", "1", "2", "5", "12"]))
      parts.append(
        "BYMONTHDAY=" + one(["-31", "-31,-1", "1,30", "15,-30,-29", "31,-31,1", "-31,2,31"]))
    } else {
      parts.append("FREQ=YEARLY;INTERVAL=" + one(["1", "1", "3"]))
      parts.append(
        one([
          "BYYEARDAY=-366,-1,1", "BYYEARDAY=366,1", "BYMONTH=1,2,3,12;BYMONTHDAY=-31,31,1",
          "BYMONTHDAY=-31,30", "BYYEARDAY=-366,100",
        ]))
    }
    parts.append("BYHOUR=" + one(["9", "0,12,23", "1,2,3,4,5"]))
    parts.append("BYMINUTE=" + one(["0", "10,20"]))
    parts.append(
      "BYSETPOS="
        + one(["1", "-1", "1,-1", "2,-2,3", "-1,-2,-3,-4", "1,2,3,4,5,6,7,8", "5,-5", "-3,3"]))
    return parts.joined(separator: ";")
  }

  @Test func T6_theLastOfSoManyIsTheOneCounted() throws {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<600 {
      let text = Self.text(&random)
      var rule = try RecurrenceRule.parse(text)
      // Mostly at the end or the beginning of a month, where days are shared.
      let day =
        CivilDate(
          year: .random(in: 2020...2032, using: &random),
          month: .random(in: 1...12, using: &random),
          day: 1
        ).days + .random(in: -2...2, using: &random)
      let start = day * 86400 + .random(in: 0..<86400, using: &random)
      let count = [1, 2, 3, 7, 50, 400].randomElement(using: &random)!
      let expected = RuleCountTests.last(rule, start: start, count: Int64(count))
      rule.end = .count(Int64(count))
      let series = RuleSeries(rule, start: start)
      #expect(
        series.last == expected ?? .max || series.last == .min && expected == nil,
        "seed \(seed): \(text) from \(start), \(count)")
    }
  }

  /// Nothing is refused for its size: to 2262 it takes a few steps a month.
  @Test(arguments: [
    "FREQ=MONTHLY;BYMONTHDAY=-31,-1;BYHOUR=0,6,12,18;BYSETPOS=1,2,-1,-2;SKIP=BACKWARD;COUNT=9000",
    "FREQ=MONTHLY;BYMONTHDAY=-31,-30,-1,1;BYHOUR=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20;"
      + "BYMINUTE=0,10,20,30,40,50;BYSETPOS=1,3,5,7,9,100,150,200,-1,-3,-5,-7,-9,-100;SKIP=BACKWARD;"
      + "COUNT=35000",
    "FREQ=YEARLY;BYMONTHDAY=-31,31;BYHOUR=0,12;BYSETPOS=1,2,3,-1,-2,-3;SKIP=FORWARD;COUNT=1300",
    "FREQ=MONTHLY;BYMONTHDAY=-31;BYSETPOS=1;SKIP=BACKWARD;COUNT=1000000",
  ])
  func T6_A2_aLargeCountTakesFewSteps(text: String) throws {
    let start = try RFC3339.parse("2027-01-01T00:00:00Z", field: "start").second
    let rule = try RecurrenceRule.parse(text)
    guard case .count(let count) = rule.end else { return }
    var meter = StepMeter(limit: RuleBudget.count)
    let series = RuleSeries(rule, start: start, &meter)
    #expect(!meter.isSpent && meter.steps <= 9000, "\(meter.steps)")
    #expect(series.last == RuleCountTests.last(rule.endless, start: start, count: count) ?? .max)
  }
}
