import BelfryCore

/// How long to wait before a child that ended is started again: a quarter of a second, then twice as
/// long each time up to a minute; from the start after a minute of health.
public struct BackOff: Hashable, Sendable {
  public static let first = Duration.second / 4
  public static let longest = Duration.minute
  public static let health = Duration.minute
  /// So many ends in a row without health are a quarantine.
  public static let patience = 10

  /// Ends in a row, each without a minute of health before it.
  public private(set) var ends = 0

  public init() {}

  public var isExhausted: Bool { ends >= BackOff.patience }

  /// The child ended after `lived` nanoseconds; how long to wait, nil: quarantine.
  public mutating func ended(after lived: Int64) -> Int64? {
    if lived >= BackOff.health { ends = 0 }
    ends += 1
    if isExhausted { return nil }
    let delay = BackOff.first << Int64(ends - 1)
    return min(delay, BackOff.longest)
  }

  /// The next start is a fresh one, as after a change of the configuration.
  public mutating func reset() {
    ends = 0
  }
}
