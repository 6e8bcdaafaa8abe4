import BelfryCore
import SchedulerFixtures

/// Gives the plans of a life rules, policies and tolerances, and its zones new files; by random
/// numbers of its own.
struct RuleMaker {
  private let shape: LifeShape
  private var random: SeededRandom

  init(_ shape: LifeShape, _ random: SeededRandom) {
    self.shape = shape
    self.random = random
  }

  mutating func refine(_ action: LifeAction) -> LifeAction {
    guard shape.hasRules else { return action }
    switch action {
    case .schedule(let app, let name, let plan):
      return .schedule(app: app, name: name, refine(plan))
    case .replaceAll(let app, let plans):
      return .replaceAll(app: app, plans.map { refine($0) })
    case .travel where chance(2), .pass where hasZones && chance(12):
      return .zoneFile(number(LifeShape.zones.count), isOther: chance(2))
    case .manner(let sink, .fails) where chance(2): return .manner(sink: sink, .confused)
    default: return action
    }
  }

  private var hasZones: Bool { shape.kind == .zones || shape.kind == .everything }
  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func chance(_ one: Int) -> Bool { number(one) == 0 }
  private mutating func one<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

  private mutating func refine(_ plan: Plan) -> Plan {
    var plan = plan
    guard plan.unit != .second else { return plan }
    if chance(4) {
      plan.tolerance = Int64.random(in: 1...1_200_000_000, using: &random) * 1000
    }
    guard case .at = plan.time else { return plan }
    if chance(2), plan.unit != nil, plan.unit != .minute {
      plan.unit = nil
      plan.every = 1
      (plan.count, plan.until) = (nil, nil)
      plan.rule = rule(isAbsolute: plan.zone == nil)
    }
    guard plan.zone != nil || plan.unit?.length == nil else { return plan }
    let isByDay = plan.rule != nil || plan.unit?.length ?? .max > Nanoseconds.hour
    if isByDay, chance(2) {
      plan.gap = one(GapPolicy.allCases)
      let repeats = plan.rule != nil || plan.unit != nil
      plan.overlap = one(repeats ? OverlapPolicy.allCases : [.first, .last])
    }
    if let unit = plan.unit, [.month, .quarter, .year].contains(unit), chance(2) {
      plan.monthEnd = one(MonthEndPolicy.allCases)
    }
    return plan
  }

  private mutating func rule(isAbsolute: Bool) -> PlanRule {
    var rule = PlanRule(text: one(isAbsolute && chance(3) ? PlanRule.hourly : PlanRule.daily))
    switch number(6) {
    case 0: rule.end = .count(Int64(1 + number(30)))
    case 1: rule.end = .instant(Int64(number(200 * 24)) * Nanoseconds.hour)
    case 2: rule.end = .day(Int64(number(200)))
    default: break
    }
    if chance(2) { rule.exdays = (0..<(1 + number(4))).map { _ in Int64(number(40)) } }
    if chance(2) { rule.rdays = (0..<(1 + number(3))).map { _ in Int64(1 + number(60)) } }
    return rule
  }
}
