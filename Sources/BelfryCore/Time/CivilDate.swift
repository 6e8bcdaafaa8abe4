/// A day of the proleptic Gregorian calendar; year 0 is 1 BC.
///
/// Days are counted from 1970-01-01 = 0. Every function takes years within ±10^12; what comes from
/// an `Instant` lies far inside.
public struct CivilDate: Hashable, Comparable, Sendable {
  public var year: Int64
  /// 1 to 12.
  public var month: Int64
  /// 1 to the length of the month.
  public var day: Int64

  public init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that lies `days` after 1970-01-01.
  public init(days: Int64) {
    // Average years first; the guess is off by one at most, next to a new year.
    var year = 1970 + floorDivide(days * 400, Self.daysIn400Years)
    while Self.firstDay(ofYear: year) > days { year -= 1 }
    while Self.firstDay(ofYear: year + 1) <= days { year += 1 }
    let dayOfYear = days - Self.firstDay(ofYear: year)
    // Months follow 30.6 days on average once February is given 30 days.
    let stretched = dayOfYear + Self.shortfall(ofDay: dayOfYear, year: year)
    let month = (12 * stretched + 373) / 367
    self.init(
      year: year, month: month, day: days - Self.firstDay(ofMonth: month, year: year) + 1)
  }

  /// Days from 1970-01-01 to this day.
  public var days: Int64 {
    Self.firstDay(ofMonth: month, year: year) + day - 1
  }

  /// 1 Monday to 7 Sunday, as ISO 8601 counts.
  public var weekday: Int64 {
    floorModulo(days + 3, 7) + 1
  }

  /// The year and week of ISO 8601 that this day belongs to: weeks begin on Monday, and week 1 has
  /// the year's first Thursday.
  public var isoWeek: (year: Int64, week: Int64) {
    let thursday = days + 4 - weekday
    let year = CivilDate(days: thursday).year
    return (year, (thursday - Self.firstDay(ofYear: year)) / 7 + 1)
  }

  /// The Monday of week 1, in days since 1970.
  public static func firstDay(ofISOYear year: Int64) -> Int64 {
    let january4 = CivilDate(year: year, month: 1, day: 4)
    return january4.days + 1 - january4.weekday
  }

  /// 52 or 53.
  public static func weeks(inISOYear year: Int64) -> Int64 {
    (firstDay(ofISOYear: year + 1) - firstDay(ofISOYear: year)) / 7
  }

  public static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// 28 to 31; `month` is 1 to 12.
  public static func length(ofMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  private static let daysIn400Years: Int64 = 400 * 365 + 97

  private static func firstDay(ofYear year: Int64) -> Int64 {
    let past = year - 1
    let leapDays = floorDivide(past, 4) - floorDivide(past, 100) + floorDivide(past, 400)
    // 477 leap days lie before 1970: 492 - 19 + 4.
    return (year - 1970) * 365 + leapDays - 477
  }

  private static func firstDay(ofMonth month: Int64, year: Int64) -> Int64 {
    let stretched = (367 * month - 362) / 12
    return firstDay(ofYear: year) + stretched - (month > 2 ? (isLeap(year) ? 1 : 2) : 0)
  }

  /// Days that February lacks to 30, for days after it.
  private static func shortfall(ofDay dayOfYear: Int64, year: Int64) -> Int64 {
    let leap = isLeap(year)
    return dayOfYear < (leap ? 60 : 59) ? 0 : (leap ? 1 : 2)
  }
}

/// Division towards minus infinity; `divisor` is positive.
@inline(__always)
func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}

/// The remainder of `floorDivide`, 0 to `divisor` - 1.
@inline(__always)
func floorModulo(_ value: Int64, _ divisor: Int64) -> Int64 {
  let remainder = value % divisor
  return remainder < 0 ? remainder + divisor : remainder
}
