/// A date and a time of day, without a zone.
public struct CivilTime: Hashable, Comparable, Sendable {
  public var date: CivilDate
  /// 0 to `Nanoseconds.day` - 1.
  public var nanosecondOfDay: Int64

  public init(date: CivilDate, nanosecondOfDay: Int64) {
    self.date = date
    self.nanosecondOfDay = nanosecondOfDay
  }

  /// What a clock that is `offset` seconds ahead of UTC shows at an instant; offsets of up to a
  /// week either way.
  public init(_ instant: Instant, offset: Int64 = 0) {
    let days = floorDivide(instant.nanoseconds, Nanoseconds.day)
    let inDay = floorModulo(instant.nanoseconds, Nanoseconds.day) + offset * Nanoseconds.second
    date = CivilDate(days: days + floorDivide(inDay, Nanoseconds.day))
    nanosecondOfDay = floorModulo(inDay, Nanoseconds.day)
  }

  public var hour: Int64 { nanosecondOfDay / Nanoseconds.hour }
  public var minute: Int64 { nanosecondOfDay / Nanoseconds.minute % 60 }
  public var second: Int64 { nanosecondOfDay / Nanoseconds.second % 60 }
  public var nanosecond: Int64 { nanosecondOfDay % Nanoseconds.second }

  /// The instant at which a clock `offset` seconds ahead of UTC shows this; nil outside
  /// `Instant`'s range.
  public func instant(offset: Int64 = 0) -> Instant? {
    Instant(days: date.days, nanosecondOfDay: nanosecondOfDay - offset * Nanoseconds.second)
  }

  public static func < (left: CivilTime, right: CivilTime) -> Bool {
    (left.date, left.nanosecondOfDay) < (right.date, right.nanosecondOfDay)
  }
}

extension Instant {
  /// `days` after 1970 and some nanoseconds, which may be negative or more than a day; nil outside
  /// the range.
  init?(days: Int64, nanosecondOfDay: Int64) {
    var days = days + floorDivide(nanosecondOfDay, Nanoseconds.day)
    var rest = floorModulo(nanosecondOfDay, Nanoseconds.day)
    // The first day of the range begins before it does, so days are counted towards zero.
    if days < 0 { (days, rest) = (days + 1, rest - Nanoseconds.day) }
    let (whole, tooFar) = days.multipliedReportingOverflow(by: Nanoseconds.day)
    let (sum, overflow) = whole.addingReportingOverflow(rest)
    guard !tooFar, !overflow else { return nil }
    self.init(nanoseconds: sum)
  }
}
