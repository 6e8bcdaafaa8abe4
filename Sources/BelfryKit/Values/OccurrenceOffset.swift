/// How far from its occurrence a notification is due (E4): negative before it, positive after it.
///
/// Days and weeks are nominal: the same wall clock on another day, also over a change of the clocks.
/// Hours and less are exact. So ``days(_:)`` with 1 is not ``hours(_:)`` with 24.
public struct OccurrenceOffset: Hashable, Sendable {
  public var days: Int
  /// Added after the days, in the same direction.
  public var seconds: Int

  /// Days and seconds that point in two directions are refused when scheduled.
  public init(days: Int = 0, seconds: Int = 0) {
    self.days = days
    self.seconds = seconds
  }

  public static func weeks(_ count: Int) -> OccurrenceOffset {
    OccurrenceOffset(days: times(count, 7))
  }
  public static func days(_ count: Int) -> OccurrenceOffset { OccurrenceOffset(days: count) }
  public static func hours(_ count: Int) -> OccurrenceOffset {
    OccurrenceOffset(seconds: times(count, 3600))
  }
  public static func minutes(_ count: Int) -> OccurrenceOffset {
    OccurrenceOffset(seconds: times(count, 60))
  }
  public static func seconds(_ count: Int) -> OccurrenceOffset { OccurrenceOffset(seconds: count) }

  /// Sticks at the end of the range, which is far more than may be scheduled.
  private static func times(_ count: Int, _ size: Int) -> Int {
    let (product, overflow) = count.multipliedReportingOverflow(by: size)
    return overflow ? (count < 0 ? .min : .max) : product
  }
}
