import BelfryCore

/// What the log says of a child that is down: why, and when it really comes back; each reason once,
/// and not at each try.
struct DownNotice {
  enum Promise: Equatable {
    /// It starts again by itself.
    case soon
    /// And does so as long as something waits for it.
    case whileAwaited
    /// Not before something is due for it; `after`: nor later than that, nil: that may be never.
    case whenAsked(after: Int64?)
  }

  private var reason: String?
  private var promise: Promise?

  /// The line for the log, nil: it has been said. `worked`: the child came up and did its work for a
  /// while, so that this end is news.
  mutating func line(
    _ name: String, _ reason: String, _ promise: Promise, delay: Int64, cameUp: Bool, worked: Bool
  ) -> (level: LogLevel, text: String)? {
    if !worked, self.reason == reason, self.promise == promise { return nil }
    self.reason = reason
    self.promise = promise
    var isWarning = cameUp
    if case .whenAsked = promise { isWarning = false }
    let what = cameUp ? "ended" : "is not used"
    return (
      isWarning ? .warning : .error, "\(name) \(what): \(reason); \(Self.words(promise, delay))"
    )
  }

  private static func words(_ promise: Promise, _ delay: Int64) -> String {
    let delay = Nanoseconds.text(delay)
    switch promise {
    case .soon: return "it starts again in \(delay), then later each time"
    case .whileAwaited:
      return "it is tried again in \(delay), then later each time, but at least every "
        + "\(Nanoseconds.text(BackOff.longest)) while something waits for it"
    case .whenAsked(nil): return "it stays down until something is due for it or SIGHUP"
    case .whenAsked(let after?):
      return
        "it stays down for \(Nanoseconds.text(after)), or until something is due for it or SIGHUP"
    }
  }
}
