@testable import BelfryCore

/// A turn for the tests of one component: a clock that the test moves, and the commands so far.
struct TurnBench {
  var turn: Turn
  private(set) var now = Now(real: World.start, elapsed: 1000 * Duration.second)

  init(_ change: (inout SchedulerConfiguration) -> Void = { _ in }) {
    var configuration = SchedulerConfiguration()
    change(&configuration)
    turn = Turn(configuration: configuration)
    begin()
  }

  private mutating func begin() {
    var commands: [SchedulerCommand] = []
    turn.begin(now: now, lending: &commands)
  }

  /// `realSeconds`: what the real clock goes on by instead.
  mutating func pass(seconds: Int64, realSeconds: Int64? = nil) {
    var commands = takeCommands()
    now.elapsed += seconds * Duration.second
    now.real = now.real.advanced(by: (realSeconds ?? seconds) * Duration.second)
    turn.begin(now: now, lending: &commands)
  }

  /// All commands since the last call.
  mutating func takeCommands() -> [SchedulerCommand] {
    var commands: [SchedulerCommand] = []
    turn.end(returning: &commands)
    begin()
    return commands
  }

  /// What was recorded in the store since the last call.
  mutating func takeRecords() -> [BookOperation] {
    takeCommands().compactMap { command in
      if case .book(0, let operation) = command { operation } else { nil }
    }
  }
}
