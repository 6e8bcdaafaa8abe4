/// Reads short texts of a fixed form byte by byte; every function leaves the place where it was
/// when it answers no.
struct ByteReader {
  private let bytes: [UInt8]
  private var index = 0

  /// nil for a text longer than `limit` bytes, so that a huge one is not even copied.
  init?(_ text: String, limit: Int) {
    guard text.utf8.count <= limit else { return nil }
    bytes = Array(text.utf8)
  }

  var isAtEnd: Bool { index == bytes.count }
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  var isAtDigit: Bool { next.map { Self.digit($0) != nil } ?? false }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  /// Exactly `count` decimal digits.
  mutating func digits(_ count: Int) -> Int64? {
    guard index + count <= bytes.count else { return nil }
    var value: Int64 = 0
    for byte in bytes[index..<index + count] {
      guard let digit = Self.digit(byte) else { return nil }
      value = value * 10 + digit
    }
    index += count
    return value
  }

  /// As many decimal digits as there are, at least one; nil too beyond Int64.
  mutating func number() -> Int64? {
    let start = index
    var value: Int64 = 0
    while let byte = next, let digit = Self.digit(byte) {
      let (tens, tooFar) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tens.addingReportingOverflow(digit)
      guard !tooFar, !overflow else {
        index = start
        return nil
      }
      value = sum
      index += 1
    }
    return index > start ? value : nil
  }

  /// A number as we write it: `-` for negative ones, no leading zeros.
  mutating func canonicalInteger() -> Int64? {
    let start = index
    let isNegative = skip(UInt8(ascii: "-"))
    let first = next
    guard let value = isNegative ? negativeNumber() : number(),
      first != UInt8(ascii: "0") || (index == start + 1 && !isNegative)
    else {
      index = start
      return nil
    }
    return value
  }

  /// The fraction behind a decimal point in billionths; digits behind the ninth are dropped.
  mutating func billionths() -> Int64? {
    var (value, places) = (Int64(0), 0)
    while let byte = next, let digit = Self.digit(byte) {
      if places < 9 { value = value * 10 + digit }
      places += 1
      index += 1
    }
    guard places > 0 else { return nil }
    while places < 9 { (value, places) = (value * 10, places + 1) }
    return value
  }

  /// Exactly `count` hexadecimal digits, at most 16.
  mutating func hexadecimal(_ count: Int) -> UInt64? {
    guard index + count <= bytes.count else { return nil }
    var value: UInt64 = 0
    for byte in bytes[index..<index + count] {
      guard let digit = Self.hexDigit(byte) else { return nil }
      value = value << 4 | digit
    }
    index += count
    return value
  }

  /// All that is left.
  mutating func rest() -> String {
    let text = String(decoding: bytes[index...], as: UTF8.self)
    index = bytes.count
    return text
  }

  private mutating func negativeNumber() -> Int64? {
    let start = index
    var value: Int64 = 0
    while let byte = next, let digit = Self.digit(byte) {
      let (tens, tooFar) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tens.subtractingReportingOverflow(digit)
      guard !tooFar, !overflow else { return nil }
      value = sum
      index += 1
    }
    return index > start ? value : nil
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    let value = byte &- UInt8(ascii: "0")
    return value < 10 ? Int64(value) : nil
  }

  private static func hexDigit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
