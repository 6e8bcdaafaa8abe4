import BelfryCore

/// Times and durations of iCalendar (RFC 5545, 3.3.4 to 3.3.6).
enum EventTimeReader {
  /// `20261224`, `20261224T180000`, or with Z: then what `zone` shows.
  static func time(
    _ value: ArraySlice<UInt8>, _ line: Int64, _ zone: ZoneRules
  ) throws(DaysError) -> EventTime {
    let text = DaysFileParser.trimmed(value)
    let isUTC = text.last == UInt8(ascii: "Z") || text.last == UInt8(ascii: "z")
    let digits = isUTC ? text.dropLast() : text
    let start = digits.startIndex
    guard digits.count == 8 && !isUTC || digits.count == 15,
      let year = number(digits[start..<start + 4]),
      let month = number(digits[start + 4..<start + 6]), (1...12).contains(month),
      let day = number(digits[start + 6..<start + 8]),
      (1...CivilDate.length(ofMonth: month, year: year)).contains(day)
    else { throw malformed(text, line) }
    let date = CivilDate(year: year, month: month, day: day)
    var time = CivilTime(date: date, nanosecondOfDay: 0)
    if digits.count == 15 {
      let mark = digits[start + 8]
      guard mark == UInt8(ascii: "T") || mark == UInt8(ascii: "t"),
        let hour = number(digits[start + 9..<start + 11]), hour < 24,
        let minute = number(digits[start + 11..<start + 13]), minute < 60,
        let second = number(digits[start + 13..<start + 15]), second <= 60
      else { throw malformed(text, line) }
      time.nanosecondOfDay =
        hour * Nanoseconds.hour + minute * Nanoseconds.minute
        + min(second, 59) * Nanoseconds.second
    }
    guard DayCalendar.Limit.days.contains(date.days), let wall = time.instant() else {
      throw DaysError(line: line, "days reach from 1700-01-01 to 2261-12-31")
    }
    return EventTime(wall: isUTC ? zone.wall(at: wall) : wall, isDate: digits.count == 8)
  }

  private static func malformed(_ text: ArraySlice<UInt8>, _ line: Int64) -> DaysError {
    let shown = FieldError.quoted(String(decoding: text.prefix(32), as: UTF8.self))
    return DaysError(
      line: line, shown + " is no time of iCalendar: write 20261224 or 20261224T180000")
  }

  /// `P1W`, `P2D`, `PT90M` and the like, in nanoseconds; one below zero is none.
  static func duration(_ value: ArraySlice<UInt8>, _ line: Int64) throws(DaysError) -> Int64 {
    var text = DaysFileParser.trimmed(value)
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { text = text.dropFirst() }
    guard let begin = text.first, ContentLine.capital(begin) == UInt8(ascii: "P"), text.count > 2
    else { throw malformedDuration(line) }
    var sum: Int64 = 0
    var digits: Int64?
    var isTime = false
    for byte in text.dropFirst() {
      let unit: Int64
      switch ContentLine.capital(byte) {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = (digits ?? 0) * 10 + Int64(byte - 0x30)
        guard digits ?? 0 < 1_000_000_000 else { throw malformedDuration(line) }
        continue
      case UInt8(ascii: "T") where !isTime && digits == nil:
        isTime = true
        continue
      case UInt8(ascii: "W") where !isTime: unit = 7 * Nanoseconds.day
      case UInt8(ascii: "D") where !isTime: unit = Nanoseconds.day
      case UInt8(ascii: "H") where isTime: unit = Nanoseconds.hour
      case UInt8(ascii: "M") where isTime: unit = Nanoseconds.minute
      case UInt8(ascii: "S") where isTime: unit = Nanoseconds.second
      default: throw malformedDuration(line)
      }
      guard let count = digits else { throw malformedDuration(line) }
      let (part, tooMany) = count.multipliedReportingOverflow(by: unit)
      let (whole, tooLong) = sum.addingReportingOverflow(part)
      guard !tooMany, !tooLong else { throw malformedDuration(line) }
      (sum, digits) = (whole, nil)
    }
    guard digits == nil else { throw malformedDuration(line) }
    return isNegative ? 0 : sum
  }

  private static func malformedDuration(_ line: Int64) -> DaysError {
    DaysError(line: line, "this is no duration of iCalendar: write P2D or PT90M")
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for byte in digits {
      guard byte &- 0x30 < 10 else { return nil }
      number = number * 10 + Int64(byte - 0x30)
    }
    return number
  }
}
