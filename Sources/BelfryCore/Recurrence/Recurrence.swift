/// Repeats by one unit, for absolute instants: arithmetic in UTC (T1, T4).
///
/// Occurrence k is anchor + k × unit, always counted from the anchor, so a month that was clamped
/// to its end does not shorten those after it. `unit` nil means once: only k = 0 exists. An
/// occurrence at `distantFuture` or beyond never comes and is nil. Every function takes bounded
/// time, whatever it is given.
public enum Recurrence {
  /// When occurrence `k` is due; nil for a negative k and past the end of time.
  public static func instant(anchor: Instant, unit: RepeatUnit?, k: Int64) -> Instant? {
    guard k >= 0, anchor != .distantFuture else { return nil }
    guard k > 0, let unit else { return k == 0 ? anchor : nil }
    let found: Instant? =
      switch unit.step {
      case .elapsed(let length): elapsed(anchor, length, k)
      case .months(let count): k > mostMonths ? nil : month(anchor, k * count)
      case .isoYears: k > mostMonths ? nil : isoYear(anchor, k)
      }
    return found == .distantFuture ? nil : found
  }

  /// The first k whose occurrence is due later than `instant`; nil if none ever is.
  public static func firstIndex(anchor: Instant, unit: RepeatUnit?, after instant: Instant)
    -> Int64?
  {
    guard anchor <= instant else { return anchor == .distantFuture ? nil : 0 }
    guard let unit else { return nil }
    // The index of the month or year that `instant` lies in, or of the last elapsed one at it.
    let near = index(of: instant, anchor: anchor, unit: unit)
    guard let due = self.instant(anchor: anchor, unit: unit, k: near) else { return nil }
    if due > instant { return near }
    return self.instant(anchor: anchor, unit: unit, k: near + 1) == nil ? nil : near + 1
  }

  /// The last k whose occurrence is due at `instant` or before; nil if none is.
  public static func newestIndex(anchor: Instant, unit: RepeatUnit?, notAfter instant: Instant)
    -> Int64?
  {
    guard anchor <= instant, anchor != .distantFuture else { return nil }
    guard let unit else { return 0 }
    let near = index(of: instant, anchor: anchor, unit: unit)
    if let due = self.instant(anchor: anchor, unit: unit, k: near), due <= instant { return near }
    return near - 1
  }

  /// `Instant` spans fewer months than this, so a larger k is out of its range in months or years.
  private static let mostMonths: Int64 = 8000

  private static func elapsed(_ anchor: Instant, _ length: Int64, _ k: Int64) -> Instant? {
    // The whole range is twice Int64.max, so the product may need the unsigned half.
    let (way, tooFar) = UInt64(k).multipliedReportingOverflow(by: UInt64(length))
    guard !tooFar, way <= UInt64(bitPattern: Int64.max &- anchor.nanoseconds) else { return nil }
    return Instant(nanoseconds: anchor.nanoseconds &+ Int64(bitPattern: way))
  }

  private static func month(_ anchor: Instant, _ months: Int64) -> Instant? {
    var time = CivilTime(anchor)
    let month = time.date.year * 12 + time.date.month - 1 + months
    time.date.year = floorDivide(month, 12)
    time.date.month = floorModulo(month, 12) + 1
    time.date.day = min(
      time.date.day, CivilDate.length(ofMonth: time.date.month, year: time.date.year))
    return time.instant()
  }

  private static func isoYear(_ anchor: Instant, _ years: Int64) -> Instant? {
    let time = CivilTime(anchor)
    let (year, week) = time.date.isoWeek
    let weeks = min(week, CivilDate.weeks(inISOYear: year + years))
    let days =
      CivilDate.firstDay(ofISOYear: year + years) + (weeks - 1) * 7 + time.date.weekday - 1
    return Instant(days: days, nanosecondOfDay: time.nanosecondOfDay)
  }

  /// The largest k whose unit begins at `instant` or before; `anchor` is not later than `instant`.
  private static func index(of instant: Instant, anchor: Instant, unit: RepeatUnit) -> Int64 {
    switch unit.step {
    case .elapsed(let length):
      let way = UInt64(bitPattern: instant.nanoseconds &- anchor.nanoseconds)
      return Int64(way / UInt64(length))
    case .months(let count):
      let (from, to) = (CivilTime(anchor).date, CivilTime(instant).date)
      return ((to.year - from.year) * 12 + to.month - from.month) / count
    case .isoYears:
      return CivilTime(instant).date.isoWeek.year - CivilTime(anchor).date.isoWeek.year
    }
  }
}

extension RepeatUnit {
  /// How a unit is counted in UTC.
  enum Step {
    /// So many nanoseconds.
    case elapsed(Int64)
    /// So many months, clamped to the month's end.
    case months(Int64)
    /// Years of ISO 8601: same week and weekday, week 53 clamped to 52.
    case isoYears
  }

  var step: Step {
    switch self {
    case .second: .elapsed(Duration.second)
    case .minute: .elapsed(Duration.minute)
    case .hour: .elapsed(Duration.hour)
    case .day, .weekday: .elapsed(Duration.day)
    case .week, .weekdayOrdinal, .weekOfMonth, .weekOfYear: .elapsed(7 * Duration.day)
    case .month: .months(1)
    case .quarter: .months(3)
    case .year: .months(12)
    case .yearForWeekOfYear: .isoYears
    }
  }
}
