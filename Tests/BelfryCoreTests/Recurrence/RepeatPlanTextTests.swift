import SchedulerFixtures
import TestSupport
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
    if Int.random(in: 0..<4, using: &random) == 0 {
      let sign: Int64 = Bool.random(using: &random) ? 1 : -1
      plan.offset = DueOffset(
        days: sign * .random(in: 0...365, using: &random),
        seconds: sign * .random(in: 0...86_400, using: &random))
    }
    return plan
  }

  /// Small and large ones, at least 1.
  private static func number(_ random: inout SeededRandom) -> Int64 {
    .random(in: 1 ... .max >> Int64.random(in: 0...62, using: &random), using: &random)
  }

  @Test func T6_aPlanIsItsText() throws {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<2000 {
      let plan = Self.randomPlan(&random)
      #expect(try RepeatPlan.parse(plan.text) == plan, "seed \(seed): \(plan.text)")
    }
  }

  @Test(arguments: [
    (RepeatPlan(.once), "once"),
    (RepeatPlan(.unit(.month, every: 1)), "unit=month"),
    (before, "unit=day offset=-P1DT15M"),
    (union, "rule=FREQ=DAILY rule=FREQ=HOURLY end=last:2 calendar=hebrew offset=P1W"),
    (every3Months, "unit=month every=3 until=-1 count=7 gap=next overlap=both monthEnd=roll"),
  ])
  func T6_textsReadLikeFields(plan: RepeatPlan, text: String) {
    #expect(plan.text == text)
  }

  private static var before: RepeatPlan {
    var plan = RepeatPlan(.unit(.day, every: 1))
    plan.offset = DueOffset(days: -1, seconds: -900)
    return plan
  }

  private static var union: RepeatPlan {
    var plan = RepeatPlan(.rules([RecurrenceRule(.daily), RecurrenceRule(.hourly)]))
    plan.endsInLastPass = 2
    plan.calendar = "hebrew"
    plan.offset = DueOffset(days: 7)
    return plan
  }

  @Test(arguments: [
    "once offset=PT0S", "once offset=-PT900S", "once offset=P367D", "once offset=1",
    "rule=FREQ=DAILY end=last:0", "rule=FREQ=DAILY end=last:1", "rule=FREQ=DAILY end=first",
    "rule=FREQ=DAILY end=last:256", "rule=FREQ=DAILY once", "once end=",
    "rule=FREQ=DAILY end=last:",
    String(repeating: "rule=FREQ=DAILY ", count: 8) + "rule=FREQ=DAILY",
  ])
  func E4_E5_whatIsNoPlanIsRefused(_ text: String) {
    #expect(throws: FieldError.self) { try RepeatPlan.parse(text) }
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
