import BelfryCore

/// How long to wait before a child that ended is started again.
///
/// While nothing waits for it: a quarter of a second, then twice as long each time up to a minute,
/// then not at all. While a delivery waits (D9): a second, then twice as long each time up to a minute,
/// for ever. From the start after a minute of health. Durations and instants are in nanoseconds.
public struct BackOff: Hashable, Sendable {
  public static let first = Nanoseconds.second / 4
  public static let longest = Nanoseconds.minute
  public static let health = Nanoseconds.minute
  /// So many ends in a row without health are a quarantine, unless a delivery waits.
  public static let timeout = 10
  /// The first wait of a delivery, and the least time between two starts that something due asks for.
  public static let shortestTry = Nanoseconds.second

  /// Ends in a row, each without a minute of health before it.
  public private(set) var ends = 0
  /// Those of them since something new was due for it.
  private var tries = 0
  /// How long the last life took until it ended, if it never came up.
  private var lastFailure: Int64 = 0

  public init() {}

  public var isExhausted: Bool { ends >= BackOff.timeout }

  /// The child ended after `lived` nanoseconds, and had come up or not; how long to wait, nil:
  /// quarantine.
  public mutating func ended(
    after lived: Int64, cameUp: Bool = false, isAwaited: Bool = false
  ) -> Int64? {
    if lived >= BackOff.health {
      ends = 0
      tries = 0
    }
    ends += 1
    lastFailure = cameUp ? 0 : lived
    if isAwaited { return waiting(steady: cameUp && lived >= BackOff.shortestTry) }
    if isExhausted { return nil }
    return min(BackOff.first << Int64(ends - 1), BackOff.longest)
  }

  /// What worked for a while and was ended from outside comes back at once.
  private mutating func waiting(steady: Bool) -> Int64 {
    if steady {
      tries = 0
      return BackOff.first
    }
    tries += 1
    return min(BackOff.shortestTry << Int64(min(tries, 7) - 1), BackOff.longest)
  }

  /// Something is due for the child, whose last start was at `start`: when to try it, now at the
  /// earliest. A start that takes long to fail is not repeated as often as one that fails at once.
  public mutating func asked(now: Int64, lastStart start: Int64) -> Int64 {
    tries = 0
    // One that spins until its start is given up has a core half of the time at most.
    let pause = max(BackOff.shortestTry, min(lastFailure, BackOff.longest / 2) * 2)
    return max(now, start + pause)
  }

  /// The next start is a fresh one, as after a change of the configuration.
  public mutating func reset() {
    self = BackOff()
  }
}
