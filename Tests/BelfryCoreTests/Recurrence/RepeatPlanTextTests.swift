import SchedulerFixtures
import Testing

@testable import BelfryCore

/// What the store's `plan` column holds.
struct RepeatPlanTextTests {
  static func randomPlan(_ random: inout SeededRandom) -> RepeatPlan {
    let unit = RepeatUnit.allCases.randomElement(using: &random)!
    var plan = RepeatPlan(
      Int.random(in: 0..<4, using: &random) == 0
        ? .once : .unit(unit, every: Bool.random(using: &random) ? 1 : number(&random)))
    plan.gap = .allCases.randomElement(using: &random)!
    plan.overlap = .allCases.randomElement(using: &random)!
    plan.monthEnd = .allCases.randomElement(using: &random)!
    if Bool.random(using: &random) { plan.count = number(&random) }
    if Bool.random(using: &random) {
      plan.until = Instant(nanoseconds: .random(in: .min ... .max, using: &random))
    }
    if Int.random(in: 0..<4, using: &random) == 0 { plan.calendar = "hebrew" }
    return plan
  }

  /// Small and large ones, at least 1.
  private static func number(_ random: inout SeededRandom) -> Int64 {
    .random(in: 1 ... .max >> Int64.random(in: 0...62, using: &random), using: &random)
  }

  @Test func T6_aPlanIsItsText() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<2000 {
      let plan = Self.randomPlan(&random)
      #expect(try RepeatPlan.parse(plan.text) == plan, "seed \(seed): \(plan.text)")
    }
  }

  @Test(arguments: [
    (RepeatPlan(.once), "once"),
    (RepeatPlan(.unit(.month, every: 1)), "unit=month"),
    (every3Months, "unit=month every=3 until=-1 count=7 gap=next overlap=both monthEnd=roll"),
  ])
  func T6_textsReadLikeFields(plan: RepeatPlan, text: String) {
    #expect(plan.text == text)
  }

  private static var every3Months: RepeatPlan {
    var plan = RepeatPlan(.unit(.month, every: 3))
    plan.until = Instant(nanoseconds: -1)
    plan.count = 7
    (plan.gap, plan.overlap, plan.monthEnd) = (.next, .both, .roll)
    return plan
  }

  @Test(arguments: [
    "", " ", "twice", "once ", "once once", "unit=", "unit=era", "unit=day every=1",
    "unit=day every=0", "unit=day every=-2", "unit=day every=02", "every=2 unit=day", "every=2",
    "once count=0", "once count=9223372036854775808", "once gap=shift", "once gap=hop",
    "once until=", "once until=1 until=1", "once count=1 until=1", "unit=day once", "once=",
    "once calendar=", "unit=day\ncount=1", String(repeating: "once ", count: 20_000),
  ])
  func T6_nothingElseIsATextOfAPlan(text: String) {
    #expect(throws: FieldError.self) { try RepeatPlan.parse(text) }
  }
}
