/// How far the board's clock can be believed (T9).
public enum ClockState: String, CaseIterable, Sendable {
  /// Earlier than the last time known.
  case untrusted
  /// Later, but the kernel does not call it synchronised.
  case plausible
  case synchronised
}

/// What is known of the clock, and what must wait because of it (T9).
struct ClockTrust {
  /// The newest time known from before: an earlier clock is wrong.
  var known: Instant
  /// A plausible clock is trusted so long after the boot, on the elapsed clock.
  let trustAfter: Int64
  /// Reached or given; holds until the next boot.
  private(set) var isTrusted: Bool
  /// What the kernel said last.
  private(set) var isSynchronised = false

  init(known: Instant, trustAfter: Int64, isTrusted: Bool) {
    self.known = known
    self.trustAfter = trustAfter
    self.isTrusted = isTrusted
  }

  func state(at now: ClockReading) -> ClockState {
    if isSynchronised { return .synchronised }
    return now.real < known ? .untrusted : .plausible
  }

  /// True: trust has been reached by this.
  mutating func take(synchronised: Bool, now: ClockReading) -> Bool {
    isSynchronised = synchronised
    return reachTrust(now)
  }

  /// True: trust has been reached by waiting.
  mutating func reachTrust(_ now: ClockReading) -> Bool {
    guard !isTrusted else { return false }
    switch state(at: now) {
    case .untrusted: return false
    case .plausible: isTrusted = now.elapsed >= trustAfter
    case .synchronised: isTrusted = true
    }
    return isTrusted
  }

  mutating func trust() {
    isTrusted = true
  }

  /// Whether an entry has to wait for a better clock; what does not go by the clock never has to.
  func holds(_ entry: PendingTable.Entry, at now: ClockReading) -> Bool {
    guard !isTrusted, !entry.traits.contains(.unheld) else { return false }
    switch state(at: now) {
    case .untrusted: return true
    case .plausible: return !entry.repeats
    case .synchronised: return false
    }
  }

  /// Why, in words that go on after "held:".
  func reason(at now: ClockReading) -> String {
    switch state(at: now) {
    case .untrusted: "the clock is earlier than the last time known, \(RFC3339.text(known))"
    case .plausible, .synchronised: "the clock is not synchronised yet"
    }
  }
}
