import BelfryCore
import SchedulerFixtures

/// Gives a life among apps realerts, ladders and people who acknowledge (E6), by random numbers of its
/// own: what else happens in the life stays as it was.
struct RealertMaker {
  private let sinks: [String]
  private var random: SeededRandom

  init(_ shape: LifeShape, _ random: SeededRandom) {
    sinks = shape.configuration.sinks.map { $0.name }
    self.random = random
  }

  mutating func enrich(_ actions: [LifeAction]) -> [LifeAction] {
    var all: [LifeAction] = []
    for action in actions {
      all.append(refine(action))
      if chance(6) { all.append(more()) }
    }
    return all
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
  private mutating func time(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random) / 1000 * 1000
  }

  private mutating func refine(_ action: LifeAction) -> LifeAction {
    guard case .schedule(let app, let name, var plan) = action, plan.unit != .second, chance(3)
    else { return action }
    if chance(2) {
      plan.realert = Realert(
        every: time((10 * Nanoseconds.second)...(5 * Nanoseconds.minute)),
        atMost: Int64.random(in: 1...5, using: &random))
    }
    if plan.realert == nil || chance(2) { plan.ladder = ladder() }
    return .schedule(app: app, name: name, plan)
  }

  private mutating func ladder() -> [LadderStep] {
    var steps: [LadderStep] = []
    var after: Int64 = chance(2) ? 0 : time(1_000_000...Nanoseconds.minute)
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let named = sinks.filter { _ in Bool.random(using: &random) }
      steps.append(LadderStep(after: after, sinks: named))
      after += time(Nanoseconds.second...(3 * Nanoseconds.minute))
    }
    return steps
  }

  private mutating func more() -> LifeAction {
    if chance(2) { return .pass(time(0...(10 * Nanoseconds.minute))) }
    return .response(
      app: Int.random(in: 0..<2, using: &random),
      name: Int.random(in: 0..<Board.identifiers, using: &random), .acknowledge)
  }
}
