import BelfryCore

/// When a child that is down is tried again, and what the log says of it.
///
/// Instants are those of CLOCK_BOOTTIME, in nanoseconds.
struct RestartPlan {
  /// What comes after an end.
  struct Decision {
    var state: ChildState
    /// For the log; nil: it has said so already.
    var line: (level: LogLevel, text: String)?
  }

  /// What is prepared is due within this.
  static let foresight = 30 * Nanoseconds.second
  /// Between tries of a quarantined child that works unasked.
  static let quarantine = 10 * Nanoseconds.minute

  private var backOff = BackOff()
  private var notice = DownNotice()
  /// When something was due for it, or about to be, last.
  private var askedAt: Int64?
  private(set) var startedAt: Int64 = 0
  /// Its process said `ready`.
  private(set) var cameUp = false
  /// How often it ended when it should not have.
  private(set) var count: Int64 = 0

  mutating func noteStart(now: Int64) {
    startedAt = now
    cameUp = false
  }

  mutating func noteReady() { cameUp = true }

  /// The next start is a fresh one.
  mutating func reset() { backOff.reset() }

  mutating func noteAsked(now: Int64) { askedAt = now }

  /// When to try a child that something is due for: at most once a second.
  mutating func nextTry(now: Int64) -> Int64 { backOff.asked(now: now, lastStart: startedAt) }

  /// The child `name` has ended. `isAwaited`: a delivery waits for it; `isRefused`: it would be
  /// refused again; `worksUnasked`: it does something that nothing is due for.
  mutating func ended(
    _ name: String, _ reason: String, isAwaited: Bool, isRefused: Bool, worksUnasked: Bool,
    now: Int64
  ) -> Decision {
    count += 1
    let lived = now - startedAt
    let isAwaited = isAwaited || now - (askedAt ?? .min / 2) < Self.foresight
    let delay = backOff.ended(after: lived, cameUp: cameUp, isAwaited: isAwaited)
    let promise: DownNotice.Promise
    let state: ChildState
    if let delay, isAwaited || !isRefused {
      promise = isAwaited ? .whileAwaited : .soon
      state = .backingOff(until: now + delay)
    } else {
      promise = .whenAsked(after: worksUnasked ? Self.quarantine : nil)
      state = .quarantined(not: now + Self.quarantine)
    }
    let line = notice.line(
      name, reason, promise, delay: delay ?? 0, cameUp: cameUp,
      worked: cameUp && lived >= BackOff.shortestTry)
    return Decision(state: state, line: line)
  }
}
