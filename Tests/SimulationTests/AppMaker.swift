import BelfryCore
import SchedulerFixtures

/// Gives a life apps that run, people who act, and places (D1, D3, D4, D11, R); by random numbers of
/// its own.
struct AppMaker {
  private var random: SeededRandom

  init(_ random: SeededRandom) {
    self.random = random
  }

  mutating func enrich(_ actions: [LifeAction]) -> [LifeAction] {
    var all: [LifeAction] = [.register(app: 0), .register(app: 1)]
    for action in actions {
      all.append(refine(action))
      while chance(2) { all.append(queuedEvent()) }
    }
    return all
  }

  /// Apps end, and their sessions with them.
  static let healing: [LifeAction] = (0..<8).map { _ in .close(0, isUnread: false) }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func chance(_ one: Int) -> Bool { number(one) == 0 }
  private mutating func one<Value>(_ values: [Value]) -> Value { values[number(values.count)] }
  private mutating func app() -> Int { number(2) }

  private mutating func refine(_ action: LifeAction) -> LifeAction {
    guard case .schedule(let app, let name, var plan) = action else { return action }
    plan.hasActions = chance(2)
    guard plan.unit == nil, plan.rule == nil, chance(3) else {
      return .schedule(app: app, name: name, plan)
    }
    var placed = Plan(time: .now)
    placed.region = PlanRegion(
      radius: one([20.0, 100, 1000]), onEntry: !chance(4), onExit: chance(2), isOnce: chance(2))
    if placed.region?.onEntry == false { placed.region?.onExit = true }
    (placed.badge, placed.hasSound, placed.variant) = (plan.badge, plan.hasSound, plan.variant)
    return .schedule(app: app, name: name, placed)
  }

  private mutating func queuedEvent() -> LifeAction {
    switch number(12) {
    case 0: .open(app: app(), state(), manner())
    case 1, 2: .close(number(4), isUnread: chance(4))
    case 3: .turn(number(4), state())
    case 4, 5: .response(app: app(), name: number(Board.identifiers), response())
    case 6: .input(sink: number(2), response())
    case 7, 8: fix()
    case 9: .pass(Int64.random(in: 0...(4 * Nanoseconds.second), using: &random))
    case 10: .pass(Int64.random(in: 0...(10 * Nanoseconds.minute), using: &random))
    default: .presentNow(app: app())
    }
  }

  private mutating func state() -> AppState { chance(3) ? .background : .foreground }

  private mutating func manner() -> SessionManner {
    switch number(4) {
    case 0: .never
    case 1: .takes(after: Int64.random(in: 0...(3 * Nanoseconds.second), using: &random))
    case 2: .takes(after: 2 * Nanoseconds.second)
    default: .takes(after: 0)
    }
  }

  private mutating func response() -> UserResponse {
    switch number(6) {
    case 0: .act(action: chance(2) ? nil : "a", text: nil)
    case 1: .dismiss
    case 2: .snooze(Int64(1 + number(7 * 24)) * Nanoseconds.hour)
    default: .snooze(Int64(1 + number(900)) * Nanoseconds.second)
    }
  }

  private mutating func fix() -> LifeAction {
    .fix(
      metres: one([0.0, 13, 24, 27, 88, 99, 103, 112, 890, 1050, 1200, 9000]),
      accuracy: one([0.0, nil, 5, 48, 480]))
  }
}
