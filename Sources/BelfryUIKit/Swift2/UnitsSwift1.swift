// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

/// The units by the names that iOS 2 gave them, which Swift 1 had too.
extension NSCalendar.Unit {
  /// No unit.
  @available(*, deprecated, message: "use []")
  public static var allZeros: Self { [] }
  @available(*, deprecated, renamed: "era")
  public static var EraCalendarUnit: Self { .era }
  @available(*, deprecated, renamed: "year")
  public static var YearCalendarUnit: Self { .year }
  @available(*, deprecated, renamed: "month")
  public static var MonthCalendarUnit: Self { .month }
  @available(*, deprecated, renamed: "day")
  public static var DayCalendarUnit: Self { .day }
  @available(*, deprecated, renamed: "hour")
  public static var HourCalendarUnit: Self { .hour }
  @available(*, deprecated, renamed: "minute")
  public static var MinuteCalendarUnit: Self { .minute }
  @available(*, deprecated, renamed: "second")
  public static var SecondCalendarUnit: Self { .second }
  @available(*, deprecated, renamed: "week")
  public static var WeekCalendarUnit: Self { .week }
  @available(*, deprecated, renamed: "weekday")
  public static var WeekdayCalendarUnit: Self { .weekday }
  @available(*, deprecated, renamed: "weekdayOrdinal")
  public static var WeekdayOrdinalCalendarUnit: Self { .weekdayOrdinal }
  @available(*, deprecated, renamed: "quarter")
  public static var QuarterCalendarUnit: Self { .quarter }
  @available(*, deprecated, renamed: "weekOfMonth")
  public static var WeekOfMonthCalendarUnit: Self { .weekOfMonth }
  @available(*, deprecated, renamed: "weekOfYear")
  public static var WeekOfYearCalendarUnit: Self { .weekOfYear }
  @available(*, deprecated, renamed: "yearForWeekOfYear")
  public static var YearForWeekOfYearCalendarUnit: Self { .yearForWeekOfYear }
}
