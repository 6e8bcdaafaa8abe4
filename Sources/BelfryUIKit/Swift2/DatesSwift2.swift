// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

// Dates and calendars as alarm clocks of Swift 1 and 2 reckon with them: `NSDate` in, `NSDate` out.

@available(*, deprecated, renamed: "ComparisonResult")
public typealias NSComparisonResult = ComparisonResult

extension ComparisonResult {
  @available(*, deprecated, renamed: "orderedAscending")
  public static var OrderedAscending: Self { .orderedAscending }
  @available(*, deprecated, renamed: "orderedSame")
  public static var OrderedSame: Self { .orderedSame }
  @available(*, deprecated, renamed: "orderedDescending")
  public static var OrderedDescending: Self { .orderedDescending }
}

extension Date {
  fileprivate var old: NSDate {
    NSDate(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate)
  }

  @available(*, deprecated, message: "compare with a Date")
  public func compare(_ other: NSDate) -> ComparisonResult { compare(other.new) }
}

extension NSDate {
  fileprivate var new: Date {
    Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate)
  }

  @available(*, deprecated, renamed: "addingTimeInterval(_:)")
  public func dateByAddingTimeInterval(_ seconds: TimeInterval) -> NSDate {
    new.addingTimeInterval(seconds).old
  }

  @available(*, deprecated, renamed: "timeIntervalSince(_:)")
  public func timeIntervalSinceDate(_ other: NSDate) -> TimeInterval {
    new.timeIntervalSince(other.new)
  }

  @available(*, deprecated, message: "compare with a Date")
  public func compare(_ other: NSDate) -> ComparisonResult { new.compare(other.new) }

  @available(*, deprecated, renamed: "isEqual(to:)")
  public func isEqualToDate(_ other: NSDate) -> Bool { new == other.new }

  @available(*, deprecated, renamed: "earlierDate(_:)")
  public func earlierDate(_ other: NSDate) -> NSDate { min(new, other.new).old }

  @available(*, deprecated, renamed: "laterDate(_:)")
  public func laterDate(_ other: NSDate) -> NSDate { max(new, other.new).old }
}

@available(*, deprecated, renamed: "NSCalendar.Options")
public typealias NSCalendarOptions = NSCalendar.Options

extension NSCalendar.Options {
  @available(*, deprecated, renamed: "matchStrictly")
  public static var MatchStrictly: Self { .matchStrictly }
  @available(*, deprecated, renamed: "matchNextTime")
  public static var MatchNextTime: Self { .matchNextTime }
  @available(*, deprecated, message: "use []")
  public static var allZeros: Self { [] }
}

extension NSCalendar {
  @available(*, deprecated, renamed: "components(_:from:)")
  public func components(_ units: NSCalendar.Unit, fromDate date: NSDate) -> NSDateComponents {
    let found = components(units, from: date.new)
    let old = NSDateComponents()
    old.calendar = found.calendar
    old.timeZone = found.timeZone
    for (path, component) in Self.fields {
      if let value = found.value(for: component) { old[keyPath: path] = value }
    }
    return old
  }

  private static var fields: [(ReferenceWritableKeyPath<NSDateComponents, Int>, Calendar.Component)]
  {
    [
      (\.era, .era), (\.year, .year), (\.month, .month), (\.day, .day), (\.hour, .hour),
      (\.minute, .minute), (\.second, .second), (\.nanosecond, .nanosecond),
      (\.weekday, .weekday), (\.weekdayOrdinal, .weekdayOrdinal), (\.quarter, .quarter),
      (\.weekOfMonth, .weekOfMonth), (\.weekOfYear, .weekOfYear),
      (\.yearForWeekOfYear, .yearForWeekOfYear),
    ]
  }

  @available(*, deprecated, renamed: "date(from:)")
  public func dateFromComponents(_ components: NSDateComponents) -> NSDate? {
    date(from: components.new)?.old
  }

  @available(*, deprecated, renamed: "date(byAdding:value:to:options:)")
  public func dateByAddingUnit(
    _ unit: NSCalendar.Unit, value: Int, toDate date: NSDate, options: NSCalendar.Options
  ) -> NSDate? {
    self.date(byAdding: unit, value: value, to: date.new, options: options)?.old
  }

  @available(*, deprecated, renamed: "date(byAdding:to:options:)")
  public func dateByAddingComponents(
    _ components: NSDateComponents, toDate date: NSDate, options: NSCalendar.Options
  ) -> NSDate? {
    self.date(byAdding: components.new, to: date.new, options: options)?.old
  }

  @available(*, deprecated, renamed: "date(bySettingHour:minute:second:of:options:)")
  public func dateBySettingHour(
    _ hour: Int, minute: Int, second: Int, ofDate date: NSDate, options: NSCalendar.Options
  ) -> NSDate? {
    self.date(bySettingHour: hour, minute: minute, second: second, of: date.new, options: options)?
      .old
  }

  @available(*, deprecated, renamed: "component(_:from:)")
  public func component(_ unit: NSCalendar.Unit, fromDate date: NSDate) -> Int {
    component(unit, from: date.new)
  }

  @available(*, deprecated, renamed: "startOfDay(for:)")
  public func startOfDayForDate(_ date: NSDate) -> NSDate { startOfDay(for: date.new).old }

  @available(*, deprecated, renamed: "isDateInToday(_:)")
  public func isDateInToday(_ date: NSDate) -> Bool { isDateInToday(date.new) }
}

extension NSDateComponents {
  fileprivate var new: DateComponents {
    var found = DateComponents()
    found.calendar = calendar
    found.timeZone = timeZone
    let fields: [(Calendar.Component, Int)] = [
      (.era, era), (.year, year), (.month, month), (.day, day), (.hour, hour), (.minute, minute),
      (.second, second), (.nanosecond, nanosecond), (.weekday, weekday),
      (.weekdayOrdinal, weekdayOrdinal), (.quarter, quarter), (.weekOfMonth, weekOfMonth),
      (.weekOfYear, weekOfYear), (.yearForWeekOfYear, yearForWeekOfYear),
    ]
    for (component, value) in fields where value != NSDateComponentUndefined {
      found.setValue(value, for: component)
    }
    return found
  }
}

@available(*, deprecated, renamed: "DateFormatter")
public typealias NSDateFormatter = DateFormatter

@available(*, deprecated, renamed: "DateFormatter.Style")
public typealias NSDateFormatterStyle = DateFormatter.Style

extension DateFormatter {
  @available(*, deprecated, renamed: "string(from:)")
  public func stringFromDate(_ date: NSDate) -> String { string(from: date.new) }

  @available(*, deprecated, renamed: "date(from:)")
  public func dateFromString(_ text: String) -> NSDate? { date(from: text)?.old }
}

extension DateFormatter.Style {
  @available(*, deprecated, renamed: "none")
  public static var NoStyle: Self { .none }
  @available(*, deprecated, renamed: "short")
  public static var ShortStyle: Self { .short }
  @available(*, deprecated, renamed: "medium")
  public static var MediumStyle: Self { .medium }
  @available(*, deprecated, renamed: "long")
  public static var LongStyle: Self { .long }
  @available(*, deprecated, renamed: "full")
  public static var FullStyle: Self { .full }
}
