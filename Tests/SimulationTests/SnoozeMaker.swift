import BelfryCore
import SchedulerFixtures

/// Gives a life among apps people who snooze, and who dismiss, act on, move and cancel what waits as a
/// snooze (D11), with kills between (D7); by random numbers of its own.
struct SnoozeMaker {
  private var random: SeededRandom

  init(_ random: SeededRandom) {
    self.random = random
  }

  mutating func enrich(_ actions: [LifeAction]) -> [LifeAction] {
    var all: [LifeAction] = []
    for action in actions {
      all.append(action)
      while chance(2) { all.append(more()) }
    }
    return all
  }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func chance(_ one: Int) -> Bool { number(one) == 0 }
  private mutating func time(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random) / 1000 * 1000
  }

  private mutating func more() -> LifeAction {
    switch number(12) {
    case 0..<3: .response(app: number(2), name: number(Board.identifiers), response(snoozes: true))
    case 3..<6: .answerSnooze(app: number(2), number(8), response(snoozes: chance(2)))
    case 6: .cancelSnooze(app: number(2), number(8))
    case 7: .input(sink: number(2), response(snoozes: true))
    case 8: .crash(commands: number(12), written: number(10))
    case 9: .stop
    default: .pass(time(0...(3 * Nanoseconds.minute)))
    }
  }

  private mutating func response(snoozes: Bool) -> UserResponse {
    if snoozes { return .snooze(time(Nanoseconds.second...(4 * Nanoseconds.minute))) }
    return [.dismiss, .acknowledge, .act(action: nil, text: nil)][number(3)]
  }
}
