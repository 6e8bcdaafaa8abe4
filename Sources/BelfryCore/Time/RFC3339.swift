/// Instants as text with an offset, such as `2026-12-24T08:25:00.5+01:00` (RFC 3339).
public enum RFC3339 {
  /// Reads a time with an offset. Seconds, fraction and the colon of the offset may be left out, a
  /// space may stand for the `T`; digits behind nanoseconds are dropped; a leap second is the second
  /// after it.
  ///
  /// Throws `FieldError` with the name given in `field`.
  @export(interface)
  public static func parse(_ text: String, field: String) throws(FieldError) -> Instant {
    try read(text, field: field).instant
  }

  /// The same with its offset, in seconds east of UTC; nil: `Z` or `-00:00`, which say nothing of any
  /// clock on a wall (RFC 3339, 4.3; RFC 9557, 2).
  public static func read(
    _ text: String, field: String
  ) throws(FieldError) -> (instant: Instant, offset: Int64?) {
    guard var reader = ByteReader(text, limit: 128) else { throw malformed(field) }
    let time = try civilTime(&reader, field)
    guard !reader.isAtEnd else {
      throw FieldError(
        field, .malformed, "an instant ends with its offset from UTC, such as Z or +01:00")
    }
    let offset = try offset(&reader, field)
    guard reader.isAtEnd else { throw malformed(field) }
    guard let instant = time.instant(offset: offset ?? 0) else {
      throw FieldError(field, .outOfRange, "times reach from 1677-09-21 to 2262-04-11")
    }
    return (instant, offset)
  }

  /// Writes an instant as clocks `offset` seconds ahead of UTC show it, with six digits of
  /// fraction, or nine where they are needed; `Z` for an offset of 0.
  ///
  /// An offset is written in whole minutes: one with seconds, or beyond 23:59, is cut to them, and
  /// the time that is written moves with it.
  public static func text(_ instant: Instant, offset: Int64 = 0) -> String {
    let minutes = max(-1439, min(1439, offset / 60))
    let time = CivilTime(instant, offset: minutes * 60)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(35)
    append(time.date.year, 4, to: &bytes)
    append("-", time.date.month, to: &bytes)
    append("-", time.date.day, to: &bytes)
    append("T", time.hour, to: &bytes)
    append(":", time.minute, to: &bytes)
    append(":", time.second, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    if time.nanosecond % 1000 == 0 {
      append(time.nanosecond / 1000, 6, to: &bytes)
    } else {
      append(time.nanosecond, 9, to: &bytes)
    }
    if minutes == 0 {
      bytes.append(UInt8(ascii: "Z"))
    } else {
      append(minutes < 0 ? "-" : "+", abs(minutes) / 60, to: &bytes)
      append(":", abs(minutes) % 60, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func civilTime(
    _ reader: inout ByteReader, _ field: String
  ) throws(FieldError) -> CivilTime {
    guard let year = reader.digits(4) else { throw malformed(field) }
    guard reader.next.map({ $0 < UInt8(ascii: "0") || $0 > UInt8(ascii: "9") }) ?? true else {
      throw FieldError(field, .outOfRange, "a year has four digits")
    }
    guard reader.skip(UInt8(ascii: "-")), let month = reader.digits(2),
      reader.skip(UInt8(ascii: "-")), let day = reader.digits(2),
      reader.skip(UInt8(ascii: "T")) || reader.skip(UInt8(ascii: "t"))
        || reader.skip(UInt8(ascii: " ")),
      let hour = reader.digits(2), reader.skip(UInt8(ascii: ":")), let minute = reader.digits(2)
    else { throw malformed(field) }
    var (second, fraction) = (Int64(0), Int64(0))
    if reader.skip(UInt8(ascii: ":")) {
      guard let seconds = reader.digits(2) else { throw malformed(field) }
      second = seconds
      if reader.skip(UInt8(ascii: ".")) {
        guard let billionths = reader.billionths() else { throw malformed(field) }
        fraction = billionths
      }
    }
    guard (1...12).contains(month),
      (1...CivilDate.length(ofMonth: month, year: year)).contains(day),
      hour <= 23, minute <= 59, second <= 60
    else {
      throw FieldError(field, .outOfRange, "there is no such day or time of day")
    }
    let seconds = hour * 3600 + minute * 60 + second
    return CivilTime(
      date: CivilDate(year: year, month: month, day: day),
      nanosecondOfDay: seconds * Nanoseconds.second + fraction)
  }

  /// nil: it is that of UTC, and of no clock.
  private static func offset(
    _ reader: inout ByteReader, _ field: String
  ) throws(FieldError) -> Int64? {
    if reader.skip(UInt8(ascii: "Z")) || reader.skip(UInt8(ascii: "z")) { return nil }
    let isNegative = reader.skip(UInt8(ascii: "-"))
    guard isNegative || reader.skip(UInt8(ascii: "+")), let hours = reader.digits(2) else {
      throw malformed(field)
    }
    _ = reader.skip(UInt8(ascii: ":"))
    guard let minutes = reader.digits(2) else { throw malformed(field) }
    guard hours <= 23, minutes <= 59 else {
      throw FieldError(field, .outOfRange, "an offset is at most 23:59")
    }
    let seconds = hours * 3600 + minutes * 60
    if isNegative { return seconds == 0 ? nil : -seconds }
    return seconds
  }

  private static func malformed(_ field: String) -> FieldError {
    FieldError(field, .malformed, "a time is written like 2026-12-24T08:25:00Z or …+01:00")
  }

  private static func append(
    _ separator: Unicode.Scalar, _ value: Int64, to bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(truncatingIfNeeded: separator.value))
    append(value, 2, to: &bytes)
  }

  private static func append(_ value: Int64, _ places: Int, to bytes: inout [UInt8]) {
    var divisor: Int64 = 1
    for _ in 1..<places { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }
}
