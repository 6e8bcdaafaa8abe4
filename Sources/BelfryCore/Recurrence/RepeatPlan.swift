/// All that makes a notification's occurrences, but the anchor and the zone.
///
/// In floating and zoned mode its instants are wall clocks, counted as if they showed UTC.
public struct RepeatPlan: Hashable, Sendable {
  public enum Pattern: Hashable, Sendable {
    case once
    /// Every so many units, at least 1.
    case unit(RepeatUnit, every: Int64)
    case rule(RecurrenceRule)
    /// The union of several, each counted from the anchor (E5); at least two.
    case rules([RecurrenceRule])
  }

  /// Most rules of one plan (E5).
  public static let mostRules = 8

  public var pattern: Pattern
  /// None later than this; the last may be at it.
  public var until: Instant?
  /// So many from the anchor on, before anything is taken out by `exdates`, or by two that come to the
  /// same instant (RFC 5545, 3.3.10: COUNT bounds the rule, and EXDATE works on what it gives). What
  /// `GapPolicy.skip` and `MonthEndPolicy.skip` leave out does not count, as invalid dates of a rule
  /// do not: `counted` sees to the gaps. At least 1.
  public var count: Int64?
  /// EXDATE: taken out, by their whole second; ascending. Only with a rule.
  public var exdates: [Instant] = []
  /// RDATE: added, by their whole second; ascending. Only with a rule.
  public var rdates: [Instant] = []
  public var gap = GapPolicy.shift
  public var overlap = OverlapPolicy.first
  /// The anchor was an instant of the last pass of a wall clock that exists twice: occurrence 0 keeps
  /// that pass wherever its wall clock comes twice (T5).
  public var startsInLastPass = false
  /// Of rules by the hour or below, bit n for rule n: it ends with the last pass of what its UNTIL
  /// shows, where that comes twice, because its COUNT was counted through to there.
  var endsInLastPass: UInt8 = 0
  public var monthEnd = MonthEndPolicy.clamp
  /// A plugin's calendar, in which the unit is counted; nil: the Gregorian one (N6).
  public var calendar: String?
  /// Each occurrence is due so far from itself (E4). All else here speaks of occurrences.
  public var offset = DueOffset.none

  public init(_ pattern: Pattern) {
    self.pattern = pattern
  }

  /// The unit of a plan that is nothing but that, once or every 1, without an end or exceptions: for
  /// such a one in absolute mode `Recurrence` alone tells all occurrences.
  public var plainUnit: RepeatUnit?? {
    guard until == nil, count == nil, exdates.isEmpty, rdates.isEmpty, monthEnd == .clamp,
      calendar == nil, offset.isNone
    else { return nil }
    switch pattern {
    case .once: return .some(nil)
    case .unit(let unit, every: 1): return .some(unit)
    default: return nil
    }
  }

  /// Its rules; empty: it has none.
  public var rules: [RecurrenceRule] {
    switch pattern {
    case .once, .unit: []
    case .rule(let rule): [rule]
    case .rules(let rules): rules
    }
  }

  /// What to ask a plugin for the occurrences from `firstIndex` and `firstDay` on; nil: nothing, the
  /// Gregorian calendar will do.
  public func question(
    anchor: Instant, firstIndex: Int64, firstDay: Int64, count: Int32
  ) -> CalendarQuestion? {
    guard let calendar, case .unit(let unit, let every) = pattern, unit.dependsOnCalendar else {
      return nil
    }
    return CalendarQuestion(
      calendar: calendar, anchorDay: CivilTime(anchor).date.days, unit: unit, every: every,
      monthEnd: monthEnd, firstIndex: firstIndex, firstDay: firstDay, count: count)
  }
}
