import BelfryKit
import Foundation

extension NSCalendar.Unit {
  /// The unit that a notification repeats by; nil: none. Throws for what is not one unit of N4.
  var interval: RepeatInterval? {
    get throws(SchedulerError) {
      guard rawValue != 0 else { return nil }
      if let interval = RepeatInterval(rawValue: rawValue) { return interval }
      let several = rawValue & (rawValue - 1) != 0
      throw SchedulerError(
        .outOfRange, field: "repeatInterval",
        several ? "one unit is allowed, not several" : "nothing can repeat by this unit")
    }
  }

  /// Seven days, as `weekOfYear`: the unit of iOS 4 to 6.
  public static var week: NSCalendar.Unit { NSCalendar.Unit(rawValue: 256) }

  /// The unit that repeats by `component`; nil for those that nothing can repeat by.
  public init?(_ component: Calendar.Component) {
    guard let interval = RepeatInterval(component) else { return nil }
    self.init(rawValue: interval.rawValue)
  }

  /// The component that this unit is; nil for none, several, and `week`.
  var component: Calendar.Component? {
    Self.components.first { NSCalendar.Unit($0) == self }
  }

  private static let components: [Calendar.Component] = [
    .year, .month, .day, .hour, .minute, .second, .weekday, .weekdayOrdinal, .quarter, .weekOfMonth,
    .weekOfYear, .yearForWeekOfYear,
  ]
}

extension UILocalNotification {
  /// `repeatInterval` as a component of `Calendar`; nil: it does not repeat. Setting one that nothing
  /// can repeat by (era, nanosecond, calendar, …) is a fatal error.
  public var repeatComponent: Calendar.Component? {
    get { repeatInterval.component }
    set {
      guard let newValue else {
        repeatInterval = []
        return
      }
      guard let unit = NSCalendar.Unit(newValue) else {
        fatalError("UILocalNotification.repeatComponent: nothing can repeat by \(newValue)")
      }
      repeatInterval = unit
    }
  }
}
