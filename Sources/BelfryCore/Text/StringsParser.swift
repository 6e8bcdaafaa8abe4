/// Reads the pairs of a `.strings` file, whose bytes are well-formed UTF-8.
struct StringsParser {
  /// As `StringsTable` keeps them.
  private(set) var pool: [UInt8] = []
  /// Where the pairs begin, as they stand in the file.
  private(set) var places: [UInt32] = []
  private let bytes: [UInt8]
  private var index = 0
  private var text: [UInt8] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    pool.reserveCapacity(bytes.count)
  }

  mutating func parse() throws(StringsError) {
    while let start = try place() {
      guard places.count < StringsTable.maxPairs else {
        throw fault("at most \(StringsTable.maxPairs) pairs are read", at: start)
      }
      try pair()
    }
  }

  /// `key = value;` or `key;`.
  private mutating func pair() throws(StringsError) {
    let start = UInt32(pool.count)
    try read("a key")
    keep()
    // What is missing is missing here, and not where the next pair begins.
    var end = index
    let sign = try place()
    if sign.map({ bytes[$0] }) == UInt8(ascii: "=") {
      index += 1
      guard try place() != nil else { throw fault("the value is missing", at: bytes.count) }
      try read("a value")
      end = index
    } else if sign.map({ bytes[$0] }) != UInt8(ascii: ";") {
      throw fault("an = was expected behind the key", at: end)
    }
    keep()
    let last = try place()
    guard last.map({ bytes[$0] }) == UInt8(ascii: ";") else {
      throw fault("a ; was expected behind the value", at: end)
    }
    index += 1
    places.append(start)
  }

  /// Writes what was read to the pool, its length before it.
  private mutating func keep() {
    var count = text.count
    while count >= 0x80 {
      pool.append(UInt8(count & 0x7F) | 0x80)
      count >>= 7
    }
    pool.append(UInt8(count))
    pool.append(contentsOf: text)
  }

  // MARK: Between the texts

  /// Goes to what comes next behind spaces and comments; nil: the end.
  private mutating func place() throws(StringsError) -> Int? {
    while index < bytes.count {
      if Self.isSpace(bytes[index]) {
        index += 1
      } else if isLineSeparator {
        index += 3
      } else if bytes[index] == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D, !isLineSeparator {
          index += 1
        }
      } else if bytes[index] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        try skipComment()
      } else {
        return index
      }
    }
    return nil
  }

  private mutating func skipComment() throws(StringsError) {
    let start = index
    index += 2
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
        index += 2
        return
      }
      index += 1
    }
    throw fault("this comment has no end", at: start)
  }

  private var next: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

  /// U+2028 or U+2029.
  private var isLineSeparator: Bool {
    index + 2 < bytes.count && bytes[index] == 0xE2 && bytes[index + 1] == 0x80
      && (bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }

  // MARK: Texts

  /// Reads a quoted or a bare text to `text`.
  private mutating func read(_ what: StaticString) throws(StringsError) {
    text.removeAll(keepingCapacity: true)
    let first = bytes[index]
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      return try readQuoted(until: first)
    }
    let start = index
    while index < bytes.count, Self.isBare(bytes[index]) { index += 1 }
    guard index > start else {
      throw fault("\(what) was expected, in quotes unless it is a word", at: start)
    }
    text.append(contentsOf: bytes[start..<index])
  }

  private mutating func readQuoted(until quote: UInt8) throws(StringsError) {
    let start = index
    index += 1
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case quote: return
      case UInt8(ascii: "\\"): try readEscape()
      case 0: throw fault("a text cannot have the character U+0000", at: index - 1)
      default: text.append(byte)
      }
    }
    throw fault("this text has no closing quote", at: start)
  }

  private mutating func readEscape() throws(StringsError) {
    let start = index - 1
    // What ends here is reported as a text without its quote.
    guard index < bytes.count else { return }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "a"): text.append(0x07)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "v"): text.append(0x0B)
    case UInt8(ascii: "U"), UInt8(ascii: "u"): try readUnicode(start)
    case UInt8(ascii: "0")...UInt8(ascii: "7"): try readOctal(byte, start)
    case 0: throw fault("a text cannot have the character U+0000", at: index - 1)
    default: text.append(byte)
    }
  }

  /// One to three digits; what they mean beyond ASCII depends on an encoding that nobody uses.
  private mutating func readOctal(_ first: UInt8, _ start: Int) throws(StringsError) {
    var value = UInt32(first - UInt8(ascii: "0"))
    for _ in 0..<2 {
      guard index < bytes.count, bytes[index] & 0xF8 == UInt8(ascii: "0") else { break }
      value = value << 3 | UInt32(bytes[index] & 7)
      index += 1
    }
    guard value > 0, value < 0x80 else {
      throw fault("in octal a character is from \\1 to \\177; write \\U and four digits", at: start)
    }
    text.append(UInt8(value))
  }

  private mutating func readUnicode(_ start: Int) throws(StringsError) {
    var value = try unit(start)
    if value & 0xFC00 == 0xD800, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] | 0x20 == UInt8(ascii: "u")
    {
      index += 2
      let low = try unit(start)
      guard low & 0xFC00 == 0xDC00 else { throw halfAPair(at: start) }
      value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
    }
    guard value & 0xFFFF_F800 != 0xD800 else { throw halfAPair(at: start) }
    guard value > 0 else {
      throw fault("a text cannot have the character U+0000", at: start)
    }
    text.append(scalar: value)
  }

  private mutating func unit(_ start: Int) throws(StringsError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard index < bytes.count, let digit = Self.hexDigit(bytes[index]) else {
        throw fault("\\U takes four hexadecimal digits", at: start)
      }
      value = value << 4 | digit
      index += 1
    }
    return value
  }

  private func halfAPair(at start: Int) -> StringsError {
    fault("half a surrogate pair; the other half follows as \\U and four digits", at: start)
  }

  private func fault(_ reason: String, at index: Int) -> StringsError {
    StringsError(bytes, at: index, reason)
  }

  private static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
