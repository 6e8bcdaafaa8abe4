import BelfryCore
import SchedulerFixtures

/// Gives a life offsets and several rules (E4, E5), and people who pause, skip and edit (E1, E2, E7), by
/// random numbers of its own: what else happens in the life stays as it was.
struct EverydayMaker {
  private let shape: LifeShape
  private var random: SeededRandom

  init(_ shape: LifeShape, _ random: SeededRandom) {
    self.shape = shape
    self.random = random
  }

  /// Nothing is paused any more but what was named.
  static let healing: [LifeAction] =
    [.everyday(app: 0, .resume(.everything))]
    + (0..<2).map { .everyday(app: $0, .resume(.app)) }

  mutating func enrich(_ actions: [LifeAction]) -> [LifeAction] {
    var all = (0..<PromisedCalendars.count).map { number in
      LifeAction.days(app: nil, name: number, .good(days()))
    }
    for action in actions {
      all.append(refine(action))
      if chance(12) { all.append(calendar()) }
      if chance(4) { all.append(.everyday(app: number(2), everyday())) }
    }
    return all
  }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func chance(_ one: Int) -> Bool { number(one) == 0 }
  private mutating func one<Value>(_ values: [Value]) -> Value { values[number(values.count)] }
  private mutating func time(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random) / 1000 * 1000
  }

  /// How long things take in such a life.
  private mutating func span() -> Int64 {
    let isLong = shape.kind == .years || shape.kind == .zones
    if isLong || chance(8) { return time(Nanoseconds.hour...(30 * Nanoseconds.day)) }
    return chance(2)
      ? time(0...(5 * Nanoseconds.minute)) : time(0...(2 * Nanoseconds.hour))
  }

  // MARK: Plans

  private mutating func refine(_ action: LifeAction) -> LifeAction {
    switch action {
    case .schedule(let app, let name, let plan):
      return .schedule(app: app, name: name, refine(plan))
    case .replaceAll(let app, let plans):
      return .replaceAll(app: app, plans.map { refine($0) })
    default: return action
    }
  }

  private mutating func refine(_ plan: Plan) -> Plan {
    var plan = plan
    guard case .at = plan.time, plan.unit != .second else { return plan }
    if chance(3), plan.rule != nil || plan.unit == .day { addRules(to: &plan) }
    if chance(2) {
      plan.offset = offset(isByDay: plan.isByDay)
      // It is judged by the due, which need not be before this any more.
      plan.expires = nil
    }
    if chance(3) { addDays(to: &plan) }
    return plan
  }

  /// What is past when it is scheduled is due at once, and asks for no day.
  private mutating func addDays(to plan: inout Plan) {
    if plan.unit == nil, plan.rule == nil {
      guard case .at(let offset) = plan.time, offset > Nanoseconds.minute else { return }
    }
    let calendars = Array(0..<PromisedCalendars.count)
    let isByDay = plan.isByDay && plan.unit != .minute && plan.unit != .hour
    switch number(isByDay && !shape.hasClockTrouble ? 5 : 3) {
    case 0: plan.exceptOn = calendars.filter { _ in chance(2) }
    case 1: plan.onlyOn = calendars.filter { _ in chance(2) }
    case 2: (plan.exceptOn, plan.onlyOn) = ([number(2)], [2])
    default:
      plan.unit = nil
      (plan.every, plan.count, plan.until, plan.expires) = (1, nil, nil, nil)
      plan.rule = PlanRule(text: one(PlanRule.weekdays))
      plan.asOn = calendars.map { _ in chance(2) ? one(AsOn.Weekday.allCases) : nil }
      if chance(2) { plan.exceptOn = [number(3)] }
    }
  }

  // MARK: Calendars

  private mutating func calendar() -> LifeAction {
    let app = chance(3) ? number(2) : nil
    let change: DaysChange =
      switch number(6) {
      case 0: .broken
      case 1: .gone
      default: .good(days())
      }
    return .days(app: app, name: number(PromisedCalendars.count), change)
  }

  /// Some days around today, one by one and several in a row.
  private mutating func days() -> [ClosedRange<Int64>] {
    let isLong = shape.kind == .years || shape.kind == .zones
    let span = isLong ? 120 : 4
    return (0..<(1 + number(isLong ? 20 : 4))).map { _ in
      let first = Int64(number(2 * span) - span / 2)
      return first...(first + Int64(chance(2) ? 0 : number(span / 4 + 1)))
    }
  }

  /// At one time of day in zones: where clocks change, several a day are in another order than k.
  private mutating func addRules(to plan: inout Plan) {
    if plan.rule == nil {
      plan.unit = nil
      (plan.every, plan.count, plan.until) = (1, nil, nil)
      plan.rule = PlanRule(text: one(PlanRule.daily))
    }
    let isAbsolute = plan.zone == nil
    let others = (PlanRule.daily + (isAbsolute ? PlanRule.hourly : []))
      .filter { isAbsolute || !$0.contains("BYHOUR") }
    if !isAbsolute, plan.rule?.text.contains("BYHOUR") ?? false {
      plan.rule?.text = "FREQ=DAILY;INTERVAL=2"
    }
    plan.rule?.more = (0..<(1 + number(4))).map { _ in one(others) }
  }

  private mutating func offset(isByDay: Bool) -> DueOffset {
    let sign: Int64 = chance(3) ? 1 : -1
    let isLong = shape.kind == .years || shape.kind == .zones
    let seconds =
      chance(3) && isByDay ? 0 : Int64(number(chance(3) ? 90_000 : 900))
    let days = isByDay && (isLong || chance(4)) ? Int64(number(chance(5) ? 300 : 8)) : 0
    return DueOffset(days: sign * days, seconds: sign * seconds)
  }

  // MARK: What people do

  private mutating func everyday() -> Everyday {
    switch number(12) {
    case 0..<3: return .pause(scope(), from: chance(2) ? nil : span(), until: until())
    case 3..<6: return .resume(scope())
    case 6: return .skip(name: name(), count: Int64(1 + number(chance(4) ? 100 : 4)))
    case 7: return .skipOne(name: name(), number(6))
    case 8: return chance(2) ? .unskip(name: name()) : .unskipOne(name: name(), number(6))
    default: return .edit(name: name(), edit())
    }
  }

  private mutating func name() -> Int { number(Board.identifiers) }

  private mutating func scope() -> Everyday.Scope {
    switch number(6) {
    case 0: .everything
    case 1: .app
    default: .name(name())
    }
  }

  private mutating func until() -> Int64? { chance(3) ? nil : span() }

  private mutating func dayEdit() -> Edit {
    let except = (0..<PromisedCalendars.count).filter { _ in chance(2) }
    return .days(except: except, only: chance(2) ? [] : [number(PromisedCalendars.count)])
  }

  private mutating func edit() -> Edit {
    switch number(6) {
    case 0, 1: .body(number(4))
    case 2: .fireDate(span() - (chance(3) ? Nanoseconds.day : 0))
    case 3: .offset(offset(isByDay: chance(2)))
    case 4: dayEdit()
    default: .repeats(one([nil, .day, .week, .month, .hour]))
    }
  }
}

extension Plan {
  /// At most one a day, so that days on the wall leave the order as it is.
  fileprivate var isByDay: Bool {
    if zone == nil { return true }
    if let rule { return !rule.text.contains("HOUR") && rule.rdays.isEmpty }
    switch unit {
    case nil, .day, .weekday, .week, .month, .quarter, .year, .weekOfMonth, .weekOfYear: return true
    default: return false
    }
  }
}
