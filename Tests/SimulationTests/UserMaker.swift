import BelfryCore
import SchedulerFixtures

/// Gives a life several users, one of whom floods the board, and sinks that take their time, end and
/// cannot start (A1, D9, T10); by random numbers of its own.
struct UserMaker {
  private let shape: LifeShape
  private var random: SeededRandom

  init(_ shape: LifeShape, _ random: SeededRandom) {
    self.shape = shape
    self.random = random
  }

  mutating func enrich(_ actions: [LifeAction]) -> [LifeAction] {
    var all: [LifeAction] = []
    for action in actions {
      all.append(refine(action))
      if chance(2) { all += queuedEvent() }
    }
    return all
  }

  /// Nobody is told to come back: what waits brings its sink up.
  static let healing: [LifeAction] =
    (0..<3).map { .manner(sink: $0, .busy(20 * Nanoseconds.millisecond)) }
    + [.pass(3 * Nanoseconds.minute)]

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func chance(_ one: Int) -> Bool { number(one) == 0 }
  private mutating func one<Value>(_ values: [Value]) -> Value { values[number(values.count)] }
  private mutating func time(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  private mutating func refine(_ action: LifeAction) -> LifeAction {
    switch action {
    case .schedule(let app, let name, let plan):
      return .schedule(app: app, name: name, refine(plan))
    case .replaceAll(let app, let plans):
      return .replaceAll(app: app, plans.map { refine($0) })
    // Half of the trouble with sinks is that they are slow, or down.
    case .manner(let sink, _) where chance(2): return .manner(sink: sink, busy())
    case .sinkDown(let sink) where chance(2): return outage(sink)
    default: return action
    }
  }

  private mutating func refine(_ plan: Plan) -> Plan {
    var plan = plan
    plan.level = level()
    // The store does not hear of all of these, so that nobody could tell who waits.
    if plan.unit == .second { plan.unit = .minute }
    return plan
  }

  private mutating func queuedEvent() -> [LifeAction] {
    switch number(16) {
    case 0: return [flood(), lone()]
    case 1: return [lone(), flood(), lone()]
    case 2: return lateFlood()
    case 3, 4, 5: return [lone()]
    case 6, 7: return [.manner(sink: number(3), busy())]
    case 8: return [outage(number(3))]
    case 9: return [outage(number(2)), flood(), lone(), .pass(time(0...(2 * Nanoseconds.minute)))]
    case 10: return [.pass(time(0...(20 * Nanoseconds.second)))]
    default:
      return [
        .meddle(
          user: number(LifeShape.users.count), app: number(LifeShape.apps.count),
          one(Meddling.allCases))
      ]
    }
  }

  private mutating func level() -> InterruptionLevel {
    one([.passive, .active, .active, .active, .timeSensitive, .critical])
  }

  private mutating func busy() -> SinkManner {
    .busy(time(Nanoseconds.millisecond...(one([20, 200, 1500]) * Nanoseconds.millisecond)))
  }

  private mutating func outage(_ sink: Int) -> LifeAction {
    .outage(
      sink: sink, length: one([0, time(0...(5 * Nanoseconds.second)), time(0...Nanoseconds.hour)]))
  }

  private mutating func flood() -> LifeAction {
    let count = one([12, 40, 120])
    let at = one([0, time(0...(30 * Nanoseconds.second))])
    let when: Flood.Time = one([
      .presentNow, .at(at), .at(at), .every(time(0...(100 * Nanoseconds.millisecond)), from: at),
    ])
    return .flood(
      app: one([2, 2, 2, 0]),
      Flood(
        count: count, time: when, level: chance(3) ? level() : .active, hasSound: chance(3),
        variant: number(3)))
  }

  /// One alarm of a quiet user.
  private mutating func lone() -> LifeAction {
    let app = one([3, 3, 4])
    if chance(3) {
      return .flood(app: app, Flood(count: 1, time: .presentNow, level: level()))
    }
    var plan = Plan(time: .at(one([0, time(0...(40 * Nanoseconds.second))])))
    (plan.level, plan.hasSound, plan.variant) = (level(), chance(3), number(3))
    return .schedule(app: app, name: number(Board.identifiers), plan)
  }

  /// All is due while nobody is awake, the quiet user's last.
  private mutating func lateFlood() -> [LifeAction] {
    let first = time(Nanoseconds.second...Nanoseconds.minute)
    var plan = Plan(time: .at(2 * Nanoseconds.minute))
    plan.level = level()
    let flood = Flood(
      count: one([15, 60]), time: .every(time(0...(200 * Nanoseconds.millisecond)), from: first))
    return [
      .flood(app: 2, flood), .schedule(app: 3, name: number(Board.identifiers), plan),
      chance(2)
        ? .sleep(5 * Nanoseconds.minute) : .reboot(off: 5 * Nanoseconds.minute, .kept),
      .pass(2 * Nanoseconds.minute),
    ]
  }
}
