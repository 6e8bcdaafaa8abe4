/// How far from its occurrence a notification is due (E4): negative before it, positive after it.
///
/// Days are nominal: the same wall clock on another day, as T5 has it where that does not exist or
/// comes twice. Seconds are exact, and come after the days. Both point in one direction, because
/// that is what RFC 5545 can write.
public struct DueOffset: Hashable, Sendable {
  /// A week is seven of them.
  public var days: Int64
  public var seconds: Int64

  public init(days: Int64 = 0, seconds: Int64 = 0) {
    self.days = days
    self.seconds = seconds
  }

  /// Due is the occurrence itself.
  public static let none = DueOffset()
  /// Days, either way.
  public static let most: Int64 = 366

  public var isNone: Bool { self == .none }

  /// Where no clock changes, in nanoseconds.
  public var plainLength: Int64 { days * Nanoseconds.day + seconds * Nanoseconds.second }

  /// Throws where it is too long, or its parts point in two directions.
  public func check(field: String = "offset") throws(FieldError) {
    let most = Self.most
    guard abs(days.clamped) <= most, abs(seconds.clamped) <= most * 86400,
      abs(days * 86400 + seconds) <= most * 86400
    else { throw Self.tooLong(field) }
    guard days.signum() * seconds.signum() >= 0 else {
      throw FieldError(
        field, .conflict, "its days and its time point in two directions: write it as one duration")
    }
  }

  private static func tooLong(_ field: String) -> FieldError {
    FieldError(field, .outOfRange, "it must be between -\(most) and +\(most) days")
  }

  // MARK: Text

  /// As RFC 5545 writes it (3.3.6), in one form for equal values: `-PT15M`, `P1D`, `-P1W`.
  public var text: String {
    let sign = days < 0 || seconds < 0 ? "-P" : "P"
    let days = days.magnitude
    let time = seconds.magnitude
    if days > 0, days % 7 == 0, time == 0 { return sign + "\(days / 7)W" }
    var text = sign
    if days > 0 { text += "\(days)D" }
    if time == 0 { return days > 0 ? text : "PT0S" }
    text += "T"
    let (hours, minutes, rest) = (time / 3600, time / 60 % 60, time % 60)
    if hours > 0 { text += "\(hours)H" }
    // Minutes stand between hours and seconds, even if there are none (RFC 5545's grammar).
    if minutes > 0 || hours > 0 && rest > 0 { text += "\(minutes)M" }
    if rest > 0 { text += "\(rest)S" }
    return text
  }

  /// Reads a duration of RFC 5545: `-PT15M`, `P1DT12H`, `+P2W`; capitals do not count.
  ///
  /// Throws `FieldError` with the name given in `field`.
  @export(interface)
  public static func parse(
    _ text: String, field: String = "offset"
  ) throws(FieldError) -> DueOffset {
    let capitals = text.utf8.prefix(65).map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }
    guard var reader = ByteReader(String(decoding: capitals, as: UTF8.self), limit: 64) else {
      throw malformed(field)
    }
    let isNegative = reader.skip(UInt8(ascii: "-"))
    if !isNegative { _ = reader.skip(UInt8(ascii: "+")) }
    guard reader.skip(UInt8(ascii: "P")) else { throw malformed(field) }
    var offset = try parts(&reader, field)
    guard reader.isAtEnd else { throw malformed(field) }
    if isNegative { offset = DueOffset(days: -offset.days, seconds: -offset.seconds) }
    try offset.check(field: field)
    return offset
  }

  /// Each at most once, from the largest: weeks stand alone.
  private static func parts(
    _ reader: inout ByteReader, _ field: String
  ) throws(FieldError) -> DueOffset {
    let units: [(letter: UInt8, days: Int64, seconds: Int64)] = [
      (UInt8(ascii: "W"), 7, 0), (UInt8(ascii: "D"), 1, 0), (UInt8(ascii: "H"), 0, 3600),
      (UInt8(ascii: "M"), 0, 60), (UInt8(ascii: "S"), 0, 1),
    ]
    var offset = DueOffset()
    var (place, isTime) = (0, false)
    while !reader.isAtEnd {
      if !isTime, reader.skip(UInt8(ascii: "T")) {
        (place, isTime) = (2, true)
        guard !reader.isAtEnd else { throw malformed(field) }
      }
      let start = reader
      guard let count = reader.number() else {
        throw start.isAtDigit ? tooLong(field) : malformed(field)
      }
      let last = isTime ? units.count : 2
      guard count <= 1_000_000_000,
        let found = (place..<last).first(where: { reader.next == units[$0].letter })
      else { throw count > 1_000_000_000 ? tooLong(field) : malformed(field) }
      _ = reader.skip(units[found].letter)
      offset.days += count * units[found].days
      offset.seconds += count * units[found].seconds
      place = found + 1
      if found == 0 { return offset }
    }
    guard place > 0 else { throw malformed(field) }
    return offset
  }

  private static func malformed(_ field: String) -> FieldError {
    FieldError(
      field, .malformed,
      "a duration of RFC 5545 is wanted: -PT15M, 15 minutes before; P1D, a day after; -P1W")
  }
}

extension Int64 {
  /// So that its magnitude and its sums fit.
  fileprivate var clamped: Int64 { Swift.max(-(1 << 40), Swift.min(1 << 40, self)) }
}
