import BelfryCore

/// When the clock wakes ahead of what is due, and whether it spins until then.
///
/// A sleeping CPU takes some 50 to 200 µs to wake, and a sleeping child as long once more. So the
/// timer is set a lead ahead; the sinks that will get the alert are woken at once, and the clock looks
/// at what comes in, without sleeping, until the due instant. It hands over at that instant, never
/// before it.
struct EarlyWake {
  /// The lead's bounds, in nanoseconds.
  static let leads = 50 * Nanoseconds.microsecond...500 * Nanoseconds.microsecond
  /// What it takes to wake the children, beside the clock's own waking.
  static let reserve = 250 * Nanoseconds.microsecond

  /// `[clock] early`.
  var isWanted: Bool
  private var budget = SpinBudget()
  /// How late the clock has woken lately: half of it is the last time, the rest is older.
  private var cost = 100 * Nanoseconds.microsecond

  init(isWanted: Bool) {
    self.isWanted = isWanted
  }

  /// How long before the due instant the clock is to wake, in nanoseconds.
  var lead: Int64 {
    min(max(cost + Self.reserve, Self.leads.lowerBound), Self.leads.upperBound)
  }

  /// When to wake for what is due then; nil: at its due instant, since the clock has spun enough.
  mutating func wake(for due: Instant, now: ClockReading) -> Instant? {
    guard isWanted, budget.allows(Self.leads.upperBound, now: now.elapsed) else { return nil }
    return due.advanced(by: -lead)
  }

  /// The timer has woken the clock so long after it was to, in nanoseconds.
  mutating func noteWake(after delay: Int64) {
    cost = (cost + min(max(delay, 0), Self.leads.upperBound)) / 2
  }

  /// It is early for what is due then: so little is left that the clock need not sleep any more.
  func isNear(_ due: Instant, now: ClockReading) -> Bool {
    let left = due.nanoseconds(since: now.real)
    return isWanted && left > 0 && left <= Self.leads.upperBound
  }

  /// Whether it may spin until then.
  mutating func maySpin(until due: Instant, now: ClockReading, cpus: Int32) -> Bool {
    // On a single CPU the sinks could not wake meanwhile.
    guard isNear(due, now: now), cpus > 1 else { return false }
    return budget.allows(due.nanoseconds(since: now.real), now: now.elapsed)
  }

  /// It has spun so long, in nanoseconds, until now.
  mutating func noteSpin(_ length: Int64, end: Int64) {
    budget.note(length, end: end)
  }
}
