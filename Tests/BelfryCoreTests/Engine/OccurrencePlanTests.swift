import Testing

@testable import BelfryCore

/// What follows what has fired is the same for a clock that runs and for one that starts again, which
/// knows no more than the index of the last one.
struct OccurrencePlanTests {
  static let rules = [
    "FREQ=MINUTELY;INTERVAL=25", "FREQ=HOURLY", "FREQ=DAILY;BYHOUR=1,2,3",
    "FREQ=SECONDLY;INTERVAL=900",
    "FREQ=MINUTELY;INTERVAL=7;COUNT=40", "FREQ=HOURLY;BYMINUTE=0,30;BYSETPOS=-1",
  ]

  @Test(arguments: rules, OverlapPolicy.allCases)
  func T8_whatFollowsIsKnownFromTheIndexAlone(rule: String, overlap: OverlapPolicy) throws {
    for gap in GapPolicy.allCases {
      for start in [instant(2027, 3, 28), instant(2027, 10, 31)] {
        var plan = RepeatPlan(.rule(try RecurrenceRule.parse(rule)))
        (plan.gap, plan.overlap) = (gap, overlap)
        let entry = OccurrencePlan.table(
          Timetable(plan: plan, anchor: start, mode: .floating, zone: TimetableTests.berlin))
        var next = entry.first(after: .distantPast)
        for _ in 0..<60 {
          guard let fired = next else { break }
          next = entry.next(after: fired)
          #expect(entry.pending(firedThrough: fired.k) == next, "\(gap) after \(fired)")
          #expect(entry.successor(of: fired.k) == fired)
        }
      }
    }
  }
}
