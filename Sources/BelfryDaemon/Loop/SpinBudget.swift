import BelfryCore

/// How long the clock has spun lately: at most 1 % of any second.
struct SpinBudget {
  /// In nanoseconds, within any `window`.
  static let limit = 10 * Nanoseconds.millisecond
  static let window = Nanoseconds.second

  /// Spins that have ended within the window, the oldest first, on the elapsed clock.
  private var spins: [(end: Int64, length: Int64)] = []
  private var sum: Int64 = 0

  /// Whether a spin of this length, in nanoseconds, may begin now.
  mutating func allows(_ length: Int64, now: Int64) -> Bool {
    let old = spins.prefix { $0.end <= now - Self.window }
    for spin in old { sum -= spin.length }
    spins.removeFirst(old.count)
    return sum + length <= Self.limit
  }

  /// One has ended.
  mutating func note(_ length: Int64, end: Int64) {
    spins.append((end, length))
    sum += length
  }
}
