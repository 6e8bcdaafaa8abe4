/// Where a supervised child stands. Instants are those of CLOCK_BOOTTIME, in nanoseconds.
enum ChildState: Equatable {
  /// Nothing runs and nothing is to: the speaker without work.
  case idle
  /// The helper was asked, or the child has not said `ready`.
  case starting(deadline: Int64)
  case running
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
    case .leaving, .ending: "ending"
    case .backingOff: "waiting to restart"
    case .quarantined: "quarantined"
    case .stopped: "stopped"
    }
  }
}
