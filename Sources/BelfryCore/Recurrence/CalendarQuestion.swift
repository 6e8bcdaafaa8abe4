/// What a plugin that knows a calendar is asked: on which days a repeat falls in it (N6).
///
/// Days are counted from 1970-01-01 = 0 in the proleptic Gregorian calendar. Occurrence k is the
/// anchor + k × every × unit, reckoned in that calendar and always from the anchor (T4). Times of day
/// and zones are not the calendar's business.
public struct CalendarQuestion: Hashable, Sendable {
  /// By its name in ICU, such as `hebrew`.
  public var calendar: String
  public var anchorDay: Int64
  /// One that is as long as the calendar makes it; see `RepeatUnit.dependsOnCalendar`.
  public var unit: RepeatUnit
  /// 1 to `maxEvery`.
  public var every: Int64
  public var monthEnd: MonthEndPolicy
  /// Only occurrences with this k or a later one; 0 to `maxIndex`.
  public var firstIndex: Int64
  /// Only days from this one on.
  public var firstDay: Int64
  /// At most so many, 1 to `maxDays`.
  public var count: Int32
  /// So many days after today's lie those that are to come, since they are due earlier (E4). No plugin
  /// hears of it.
  var lead: Int64 = 0

  public static let maxEvery: Int64 = 1_000_000
  public static let maxIndex: Int64 = 1_000_000
  public static let maxDays: Int32 = 256

  public init(
    calendar: String, anchorDay: Int64, unit: RepeatUnit, every: Int64 = 1,
    monthEnd: MonthEndPolicy = .clamp, firstIndex: Int64 = 0, firstDay: Int64 = .min, count: Int32
  ) {
    self.calendar = calendar
    self.anchorDay = anchorDay
    self.unit = unit
    self.every = every
    self.monthEnd = monthEnd
    self.firstIndex = firstIndex
    self.firstDay = firstDay
    self.count = count
  }

  /// Its numbers are such that it may be put to a plugin.
  public var isSound: Bool {
    unit.dependsOnCalendar && 1...Self.maxEvery ~= every && 0...Self.maxIndex ~= firstIndex
      && 1...Self.maxDays ~= count && Self.daysOfInstants ~= anchorDay
      && firstDay <= Self.daysOfInstants.upperBound
  }

  /// The days that `Instant` reaches, 1678 to 2262, and some more.
  static let daysOfInstants: ClosedRange<Int64> = -106_800...106_800
}

/// One occurrence of a repeat in a plugin's calendar.
public struct CalendarDay: Hashable, Sendable {
  public var k: Int64
  /// As in `CalendarQuestion`.
  public var day: Int64

  public init(k: Int64, day: Int64) {
    self.k = k
    self.day = day
  }
}

/// What a plugin says to a `CalendarQuestion`.
public enum CalendarAnswer: Hashable, Sendable {
  /// In order; `isLast`: none comes after them.
  case days([CalendarDay], isLast: Bool)
  case failed(reason: String)

  /// What cannot be right about it as an answer to `question`; nil: nothing.
  public func nonsense(for question: CalendarQuestion) -> String? {
    guard case .days(let days, _) = self else { return nil }
    guard days.count <= Int(question.count) else {
      return counted(days.count, "day") + ", where "
        + counted(question.count, "was asked for", many: "were asked for")
    }
    var (k, day) = (question.firstIndex - 1, max(question.firstDay, question.anchorDay) - 1)
    // Where the first one is to be known by its index, and where none is left out after it.
    var isNext = question.firstIndex == 0 && question.firstDay <= question.anchorDay
    for next in days {
      if isNext, next.k != k + 1 { return "days that leave occurrences out" }
      isNext = question.monthEnd != .skip
      if next.k == 0, next.day != question.anchorDay {
        return "an occurrence 0 that is not the anchor"
      }
      guard next.k > k, next.day > day else {
        return "days that do not ascend, or lie before what was asked for"
      }
      (k, day) = (next.k, next.day)
    }
    return nil
  }
}

extension RepeatUnit {
  /// It is another length of time in another calendar; what is shorter is the same in every one.
  public var dependsOnCalendar: Bool {
    switch self {
    case .month, .quarter, .year, .yearForWeekOfYear: true
    default: false
    }
  }
}
