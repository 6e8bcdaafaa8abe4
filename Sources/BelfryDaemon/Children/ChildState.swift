import BelfryCore

/// Where a supervised child stands. Instants are those of CLOCK_BOOTTIME, in nanoseconds.
enum ChildState: Equatable {
  /// Nothing runs and nothing is to: the speaker without work.
  case idle
  /// The helper was asked, or the child has not said `ready`.
  case starting(deadline: Int64)
  case running
  /// Is started anew as soon as it has nothing in hand; killed at the deadline.
  case settling(deadline: Int64)
  /// Was told to stop; killed at the deadline.
  case leaving(deadline: Int64)
  /// Its process group was killed; not reaped yet.
  case ending
  case backingOff(until: Int64)
  /// Ended too often while nothing waited for it: tried again when something is due for it. One that
  /// works unasked, or for which something has come to wait unseen, is tried at `not`.
  case quarantined(not: Int64)
  /// The daemon ends.
  case stopped
}

extension ChildState {
  /// For a person.
  var word: String {
    switch self {
    case .idle: "idle"
    case .starting: "starting"
    case .running: "running"
    case .settling, .leaving, .ending: "ending"
    case .backingOff: "waiting to restart"
    case .quarantined: "quarantined"
    case .stopped: "stopped"
    }
  }
}

extension ChildSupervisor {
  /// How long a child may take until `ready`, the card being cold.
  static let startTimeout = 30 * Nanoseconds.second
  /// How long a child may take to end after it closed its socket, or was told to stop.
  static let endTimeout = Nanoseconds.second / 2
  /// How long one that is started anew may take for what it has in hand: as long as what waits is not
  /// late yet (T10).
  static let settleTimeout = 5 * Nanoseconds.second
  /// How long the speaker stays without work: longer than the clock prepares ahead.
  static let idleTimeout = 30 * Nanoseconds.second
}
