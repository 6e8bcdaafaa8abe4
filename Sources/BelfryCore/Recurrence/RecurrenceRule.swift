/// A recurrence rule: an RRULE of RFC 5545 (3.3.10), with SKIP of RFC 7529.
///
/// Two rules are equal if their canonical texts are. Sets of numbers are masks: bit n stands for n,
/// an empty mask for a part that is not there.
public struct RecurrenceRule: Hashable, Sendable {
  /// FREQ, from the shortest.
  public enum Frequency: Int8, CaseIterable, Comparable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    public static func < (left: Frequency, right: Frequency) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// How the rule ends by itself.
  public enum End: Hashable, Sendable {
    case never
    /// COUNT: so many from the start on.
    case count(Int64)
    /// UNTIL as a date: through the end of that day, counted from 1970.
    case untilDate(days: Int64)
    /// UNTIL as a wall clock, counted as if it showed UTC.
    case untilWall(Instant)
    /// UNTIL in UTC.
    case untilInstant(Instant)
  }

  /// A character of the text that a rule was read from, counted from 1; nil: it was not read.
  /// Equal rules may have been written differently, so any two are equal.
  struct Place: Hashable, Sendable {
    var character: Int?

    static func == (_: Place, _: Place) -> Bool { true }
    func hash(into _: inout Hasher) {}
  }

  /// A weekday with a number: the first, the last but one of its month or year.
  public struct OrdinalDay: Hashable, Comparable, Sendable {
    /// 1 to 53 from the start, -1 to -53 from the end.
    public var ordinal: Int8
    /// 1 Monday to 7 Sunday.
    public var weekday: Int8

    public init(ordinal: Int8, weekday: Int8) {
      self.ordinal = ordinal
      self.weekday = weekday
    }

    public static func < (left: OrdinalDay, right: OrdinalDay) -> Bool {
      (left.ordinal, left.weekday) < (right.ordinal, right.weekday)
    }
  }

  /// SKIP: what becomes of a day that its month or year does not have (RFC 7529, 4.1).
  public enum Skip: Int8, CaseIterable, Sendable {
    case omit, backward, forward
  }

  /// Bounds of what is read.
  public enum Limit {
    /// Bytes of the text.
    public static let text = 8192
    public static let interval: Int64 = 1_000_000_000
    public static let count: Int64 = 1_000_000
  }

  public var frequency: Frequency
  public var interval: Int64 = 1
  public var end = End.never
  /// Where UNTIL stands.
  var untilPlace = Place()
  /// 1 to 12.
  public var months: UInt64 = 0
  /// 1 to 53, and from the end.
  public var weeks: UInt64 = 0
  public var weeksFromEnd: UInt64 = 0
  /// -366 to 366, ascending.
  public var yearDays: [Int16] = []
  /// 1 to 31, and from the end.
  public var monthDays: UInt64 = 0
  public var monthDaysFromEnd: UInt64 = 0
  /// 1 Monday to 7 Sunday, those without a number.
  public var weekdays: UInt64 = 0
  /// Ascending.
  public var ordinalDays: [OrdinalDay] = []
  /// 0 to 23.
  public var hours: UInt64 = 0
  /// 0 to 59.
  public var minutes: UInt64 = 0
  /// 0 to 59: a leap second counts as the second before it (RFC 5545, 3.3.12).
  public var seconds: UInt64 = 0
  /// -366 to 366, ascending.
  public var positions: [Int16] = []
  /// 1 Monday to 7 Sunday.
  public var weekStart: Int8 = 1
  public var skip = Skip.omit

  public init(_ frequency: Frequency) {
    self.frequency = frequency
  }

  /// Whether some part says which days.
  var namesDays: Bool {
    namesMonthDays || weekdays != 0 || !ordinalDays.isEmpty || !yearDays.isEmpty || namesWeeks
  }

  var namesMonthDays: Bool { monthDays | monthDaysFromEnd != 0 }
  var namesWeeks: Bool { weeks | weeksFromEnd != 0 }
}
