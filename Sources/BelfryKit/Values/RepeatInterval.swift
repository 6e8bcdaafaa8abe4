import Foundation

/// The unit in which a notification repeats (N4); raw values are those of `NSCalendar.Unit`.
///
/// Occurrence *k* is the anchor plus *k* units, always reckoned from the anchor (T4): monthly from
/// 31 January is 28 February, 31 March, 30 April.
public enum RepeatInterval: UInt, CaseIterable, Sendable {
  case year = 4
  /// From the 31st: each month's last day (T4).
  case month = 8
  case day = 16
  /// Elapsed time: neither skips nor doubles where the clocks change (T5).
  case hour = 32
  case minute = 64
  case second = 128
  case week = 256
  /// A day, as with `UILocalNotification`; for Monday to Friday give an `rrule`.
  case weekday = 512
  /// Seven days.
  case weekdayOrdinal = 1024
  /// Three months.
  case quarter = 2048
  case weekOfMonth = 4096
  case weekOfYear = 8192
  /// A year of ISO weeks: the same week and weekday a year later.
  case yearForWeekOfYear = 16384

  /// nil: nothing can repeat every such component (era, nanosecond, …).
  public init?(_ component: Calendar.Component) {
    switch component {
    case .year: self = .year
    case .month: self = .month
    case .day, .dayOfYear: self = .day
    case .hour: self = .hour
    case .minute: self = .minute
    case .second: self = .second
    case .weekday: self = .weekday
    case .weekdayOrdinal: self = .weekdayOrdinal
    case .quarter: self = .quarter
    case .weekOfMonth: self = .weekOfMonth
    case .weekOfYear: self = .weekOfYear
    case .yearForWeekOfYear: self = .yearForWeekOfYear
    default: return nil
    }
  }
}
