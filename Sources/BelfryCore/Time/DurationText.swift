/// Durations as people write and read them; all in nanoseconds.
extension Nanoseconds {
  /// Reads `90s`, `10m`, `1h30m`, `2d`: whole numbers with `d`, `h`, `m`, `s`, each at most once
  /// and in this order; seconds may have a fraction.
  ///
  /// Throws `FieldError` with the name given in `field`.
  public static func parse(_ text: String, field: String) throws(FieldError) -> Int64 {
    guard var reader = ByteReader(text, limit: 128), !reader.isAtEnd else {
      throw malformed(field)
    }
    var (total, smallest) = (Int64(0), Int64.max)
    while !reader.isAtEnd {
      let start = reader
      guard let count = reader.number() else {
        // A number that does not fit reads like none; digits tell them apart.
        throw start.isAtDigit ? tooLong(field) : malformed(field)
      }
      var fraction: Int64 = 0
      let hasFraction = reader.skip(UInt8(ascii: "."))
      if hasFraction {
        guard let billionths = reader.billionths() else { throw malformed(field) }
        fraction = billionths
      }
      guard let unit = unit(&reader), unit < smallest, !hasFraction || unit == second else {
        throw malformed(field)
      }
      smallest = unit
      let (part, tooFar) = count.multipliedReportingOverflow(by: unit)
      let (whole, overflow) = part.addingReportingOverflow(fraction)
      let (sum, overflowing) = total.addingReportingOverflow(whole)
      guard !tooFar, !overflow, !overflowing else { throw tooLong(field) }
      total = sum
    }
    return total
  }

  /// Writes what `parse` reads: `1h30m`, `0.5s`; a minus sign in front of a negative one.
  public static func text(_ duration: Int64) -> String {
    var rest = duration.magnitude
    var text = duration < 0 ? "-" : ""
    for (unit, name) in [(day, "d"), (hour, "h"), (minute, "m")] where rest >= UInt64(unit) {
      text += "\(rest / UInt64(unit))\(name)"
      rest %= UInt64(unit)
    }
    guard rest > 0 || duration == 0 else { return text }
    return text + "\(rest / UInt64(second))\(fraction(rest % UInt64(second)))s"
  }

  /// The distance to an instant in the words of a clock: `in 9 h 12 min`, `now`, `2 d ago`; the two
  /// largest units, rounded to the smaller of them.
  public static func words(_ duration: Int64) -> String {
    let seconds = (duration.magnitude + UInt64(second) / 2) / UInt64(second)
    guard seconds > 0 else { return "now" }
    let words = words(ofSeconds: seconds)
    return duration < 0 ? words + " ago" : "in " + words
  }

  private static func words(ofSeconds seconds: UInt64) -> String {
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return pair(seconds, 60, "min", "s") }
    let minutes = (seconds + 30) / 60
    if minutes < 24 * 60 { return pair(minutes, 60, "h", "min") }
    return pair((minutes + 30) / 60, 24, "d", "h")
  }

  private static func pair(
    _ count: UInt64, _ size: UInt64, _ large: String, _ small: String
  ) -> String {
    let rest = count % size
    return rest == 0 ? "\(count / size) \(large)" : "\(count / size) \(large) \(rest) \(small)"
  }

  private static func fraction(_ nanoseconds: UInt64) -> String {
    guard nanoseconds > 0 else { return "" }
    var digits = Array("\(nanoseconds)".utf8)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    let zeros = 9 - "\(nanoseconds)".utf8.count
    return "." + String(repeating: "0", count: zeros) + String(decoding: digits, as: UTF8.self)
  }

  private static func unit(_ reader: inout ByteReader) -> Int64? {
    if reader.skip(UInt8(ascii: "d")) { return day }
    if reader.skip(UInt8(ascii: "h")) { return hour }
    if reader.skip(UInt8(ascii: "m")) { return minute }
    return reader.skip(UInt8(ascii: "s")) ? second : nil
  }

  private static func malformed(_ field: String) -> FieldError {
    FieldError(field, .malformed, "a duration is written like 90s, 10m, 1h30m or 2d")
  }

  private static func tooLong(_ field: String) -> FieldError {
    FieldError(field, .outOfRange, "a duration is at most 106751 days")
  }
}
