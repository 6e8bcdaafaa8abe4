@testable import BelfryCore

/// A turn for the tests of one component: a clock that the test moves, and the commands so far.
struct TurnBench {
  var turn: Turn
  private(set) var now = ClockReading(real: World.start, elapsed: 1000 * Nanoseconds.second)

  init(_ change: (inout EngineConfiguration) -> Void = { _ in }) {
    var configuration = EngineConfiguration()
    change(&configuration)
    turn = Turn(configuration: configuration)
    begin()
  }

  private mutating func begin() {
    var commands: [EngineCommand] = []
    turn.begin(now: now, lending: &commands)
  }

  /// `realSeconds`: what the real clock goes on by instead.
  mutating func pass(seconds: Int64, realSeconds: Int64? = nil) {
    var commands = takeCommands()
    now.elapsed += seconds * Nanoseconds.second
    now.real = now.real.advanced(by: (realSeconds ?? seconds) * Nanoseconds.second)
    turn.begin(now: now, lending: &commands)
  }

  /// All commands since the last call.
  mutating func takeCommands() -> [EngineCommand] {
    var commands: [EngineCommand] = []
    turn.end(returning: &commands)
    begin()
    return commands
  }

  /// What was recorded in the store since the last call.
  mutating func takeRecords() -> [StoreOperation] {
    takeCommands().compactMap { command in
      if case .store(0, let operation) = command { operation } else { nil }
    }
  }
}
