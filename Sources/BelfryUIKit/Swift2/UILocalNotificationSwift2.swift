// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

/// Carries the properties whose types were Foundation's classes.
public protocol UILocalNotificationSwift2: AnyObject {}

extension UILocalNotificationSwift2 where Self: UILocalNotification {
  @available(*, deprecated, message: "fireDate is a Date")
  public var fireDate: NSDate? {
    get {
      (self as UILocalNotification).fireDate.map {
        NSDate(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate)
      }
    }
    set {
      (self as UILocalNotification).fireDate = newValue.map {
        Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate)
      }
    }
  }

  @available(*, deprecated, message: "timeZone is a TimeZone")
  public var timeZone: NSTimeZone? {
    get {
      (self as UILocalNotification).timeZone.flatMap { NSTimeZone(name: $0.identifier) }
    }
    set {
      (self as UILocalNotification).timeZone = newValue.flatMap { TimeZone(identifier: $0.name) }
    }
  }

  @available(*, deprecated, message: "repeatCalendar is a Calendar")
  public var repeatCalendar: NSCalendar? {
    get {
      (self as UILocalNotification).repeatCalendar.flatMap {
        NSCalendar(identifier: NSCalendar.Identifier(rawValue: "\($0.identifier)"))
      }
    }
    set {
      (self as UILocalNotification).repeatCalendar = newValue.map { $0 as Calendar }
    }
  }
}

/// The units as Swift 1 and 2 spelled them.
@available(*, deprecated, renamed: "NSCalendar.Unit")
public typealias NSCalendarUnit = NSCalendar.Unit

extension NSCalendar.Unit {
  @available(*, deprecated, renamed: "year")
  public static var Year: Self { .year }
  @available(*, deprecated, renamed: "year")
  public static var CalendarUnitYear: Self { .year }
  @available(*, deprecated, renamed: "month")
  public static var Month: Self { .month }
  @available(*, deprecated, renamed: "month")
  public static var CalendarUnitMonth: Self { .month }
  @available(*, deprecated, renamed: "day")
  public static var Day: Self { .day }
  @available(*, deprecated, renamed: "day")
  public static var CalendarUnitDay: Self { .day }
  @available(*, deprecated, renamed: "hour")
  public static var Hour: Self { .hour }
  @available(*, deprecated, renamed: "hour")
  public static var CalendarUnitHour: Self { .hour }
  @available(*, deprecated, renamed: "minute")
  public static var Minute: Self { .minute }
  @available(*, deprecated, renamed: "minute")
  public static var CalendarUnitMinute: Self { .minute }
  @available(*, deprecated, renamed: "second")
  public static var Second: Self { .second }
  @available(*, deprecated, renamed: "second")
  public static var CalendarUnitSecond: Self { .second }
  @available(*, deprecated, renamed: "weekday")
  public static var Weekday: Self { .weekday }
  @available(*, deprecated, renamed: "weekday")
  public static var CalendarUnitWeekday: Self { .weekday }
  @available(*, deprecated, renamed: "weekdayOrdinal")
  public static var WeekdayOrdinal: Self { .weekdayOrdinal }
  @available(*, deprecated, renamed: "weekdayOrdinal")
  public static var CalendarUnitWeekdayOrdinal: Self { .weekdayOrdinal }
  @available(*, deprecated, renamed: "quarter")
  public static var Quarter: Self { .quarter }
  @available(*, deprecated, renamed: "quarter")
  public static var CalendarUnitQuarter: Self { .quarter }
  @available(*, deprecated, renamed: "weekOfMonth")
  public static var WeekOfMonth: Self { .weekOfMonth }
  @available(*, deprecated, renamed: "weekOfMonth")
  public static var CalendarUnitWeekOfMonth: Self { .weekOfMonth }
  @available(*, deprecated, renamed: "weekOfYear")
  public static var WeekOfYear: Self { .weekOfYear }
  @available(*, deprecated, renamed: "weekOfYear")
  public static var CalendarUnitWeekOfYear: Self { .weekOfYear }
  @available(*, deprecated, renamed: "yearForWeekOfYear")
  public static var YearForWeekOfYear: Self { .yearForWeekOfYear }
  @available(*, deprecated, renamed: "yearForWeekOfYear")
  public static var CalendarUnitYearForWeekOfYear: Self { .yearForWeekOfYear }
  @available(*, deprecated, renamed: "week")
  public static var Week: Self { .week }
  @available(*, deprecated, renamed: "week")
  public static var CalendarUnitWeek: Self { .week }
  @available(*, deprecated, renamed: "era")
  public static var Era: Self { .era }
  @available(*, deprecated, renamed: "era")
  public static var CalendarUnitEra: Self { .era }
}
