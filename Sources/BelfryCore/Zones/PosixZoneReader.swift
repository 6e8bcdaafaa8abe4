/// Reads the parts of a POSIX zone text.
struct PosixZoneReader {
  private let text: ArraySlice<UInt8>
  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) {
    self.text = text
    rest = text
  }

  var isAtEnd: Bool { rest.isEmpty }

  func isAt(_ sign: Unicode.Scalar) -> Bool {
    rest.first == UInt8(truncatingIfNeeded: sign.value)
  }

  mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard isAt(sign) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func expect(_ sign: Unicode.Scalar) throws(ZoneError) {
    guard skip(sign) else { throw error("lacks a dot, a comma or a bracket") }
  }

  /// `CET`, or `<+03>` with digits and signs.
  mutating func name() throws(ZoneError) -> String {
    let isQuoted = skip("<")
    let name = rest.prefix { Self.isLetter($0) || (isQuoted && Self.isSignOrDigit($0)) }
    guard name.count >= 3 else { throw error("has a name of fewer than three letters") }
    rest = rest.dropFirst(name.count)
    if isQuoted { try expect(">") }
    return String(decoding: name, as: UTF8.self)
  }

  /// Seconds west of UTC: `-1`, `5:30`, at most 24:59:59.
  mutating func offset() throws(ZoneError) -> Int32 {
    Int32(try time(hours: 24))
  }

  /// `M3.5.0/-1`: a day, and 02:00 if no time is given.
  mutating func yearlyTime() throws(ZoneError) -> YearlyTime {
    let day: YearlyTime.Day
    if skip("M") {
      let month = try number(1...12)
      try expect(".")
      let week = try number(1...5)
      try expect(".")
      day = .weekday(month: month, week: week, day: try number(0...6))
    } else if skip("J") {
      day = .julian(try number(1...365))
    } else {
      day = .ordinal(try number(0...365))
    }
    return YearlyTime(day: day, time: skip("/") ? try time(hours: 167) : 7200)
  }

  func error(_ what: String) -> ZoneError {
    ZoneError(.malformed, "the zone text `\(printable)` \(what)")
  }

  private mutating func time(hours: Int64) throws(ZoneError) -> Int64 {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    var seconds = try number(0...hours) * 3600
    if skip(":") {
      seconds += try number(0...59) * 60
      if skip(":") { seconds += try number(0...59) }
    }
    return isNegative ? -seconds : seconds
  }

  private mutating func number(_ range: ClosedRange<Int64>) throws(ZoneError) -> Int64 {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard !digits.isEmpty else { throw error("lacks a number") }
    guard digits.count <= 3 else { throw error("has a number that is too large") }
    rest = rest.dropFirst(digits.count)
    var value: Int64 = 0
    for digit in digits { value = value * 10 + Int64(digit - UInt8(ascii: "0")) }
    guard range.contains(value) else { throw error("has a number out of range") }
    return value
  }

  /// For the log: what is not printable ASCII comes from a broken file.
  private var printable: String {
    let bytes = text.prefix(64).map { $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
  }

  private static func isSignOrDigit(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
  }
}
