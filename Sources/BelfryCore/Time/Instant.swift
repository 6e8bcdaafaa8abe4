/// A point in time: whole nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// The range of an `Int64` is 1677-09-21 to 2262-04-11; `distantPast` and `distantFuture` are its
/// ends and mean "at once" and "never" (N2).
public struct Instant: Comparable, Hashable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  public static let distantPast = Instant(nanoseconds: .min)
  public static let distantFuture = Instant(nanoseconds: .max)

  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// This instant moved by `duration` nanoseconds; sticks at the ends instead of overflowing.
  public func advanced(by duration: Int64) -> Instant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration)
    return overflow ? (duration < 0 ? .distantPast : .distantFuture) : Instant(nanoseconds: sum)
  }

  /// Nanoseconds from `earlier` to this instant; sticks at the ends instead of overflowing.
  public func nanoseconds(since earlier: Instant) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return overflow ? (nanoseconds < earlier.nanoseconds ? .min : .max) : difference
  }
}

/// The two readings of one moment that the scheduler is given with every event.
public struct ClockReading: Hashable, Sendable {
  /// CLOCK_REALTIME: may step either way.
  public var real: Instant
  /// CLOCK_BOOTTIME in nanoseconds: only goes forward; deadlines and retries count in it.
  public var elapsed: Int64

  public init(real: Instant, elapsed: Int64) {
    self.real = real
    self.elapsed = elapsed
  }
}

/// Nanoseconds in the units that the rules speak of.
public enum Nanoseconds {
  public static let microsecond: Int64 = 1000
  public static let millisecond: Int64 = 1_000_000
  public static let second: Int64 = 1_000_000_000
  public static let minute: Int64 = 60 * second
  public static let hour: Int64 = 60 * minute
  public static let day: Int64 = 24 * hour
}
