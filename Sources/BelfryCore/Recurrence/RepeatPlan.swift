/// All that makes a notification's occurrences, but the anchor and the zone.
///
/// In floating and zoned mode its instants are wall clocks, counted as if they showed UTC.
public struct RepeatPlan: Hashable, Sendable {
  public enum Pattern: Hashable, Sendable {
    case once
    /// Every so many units, at least 1.
    case unit(RepeatUnit, every: Int64)
  }

  public var pattern: Pattern
  /// None later than this; the last may be at it.
  public var until: Instant?
  /// So many from the anchor on, before anything is taken out: by `exdates`, by a gap that is
  /// skipped, by two that come to the same instant (RFC 5545, 3.3.10: COUNT bounds the rule, and
  /// EXDATE works on what it gives). Months that `MonthEndPolicy.skip` leaves out do not count, as
  /// invalid dates of a rule do not. At least 1.
  public var count: Int64?
  public var gap = GapPolicy.shift
  public var overlap = OverlapPolicy.first
  public var monthEnd = MonthEndPolicy.clamp

  public init(_ pattern: Pattern) {
    self.pattern = pattern
  }

  /// The unit of a plan that is nothing but that, once or every 1, without an end or exceptions: for
  /// such a one in absolute mode `Recurrence` alone tells all occurrences.
  public var plainUnit: RepeatUnit?? {
    guard until == nil, count == nil, monthEnd == .clamp else {
      return nil
    }
    switch pattern {
    case .once: return .some(nil)
    case .unit(let unit, every: 1): return .some(unit)
    default: return nil
    }
  }
}
