import BelfryCore

/// Reads JSON text (RFC 8259) strictly: one value, no comments, no name twice, no NUL and no lone
/// surrogate in a string, no deeper than a limit. A byte order mark before it is skipped, as 8.1
/// allows.
struct JSONParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let depthLimit: Int
  private var valuesLeft: Int
  private var position = 0
  private var depth = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int, valueLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
    valuesLeft = valueLimit
  }

  static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int, valueLimit: Int
  ) throws(WireError) -> JSONValue {
    var parser = JSONParser(bytes, depthLimit: depthLimit, valueLimit: valueLimit)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
    let value = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else {
      throw parser.failure(.malformed, "something follows the value")
    }
    return value
  }

  private func failure(_ code: WireError.Code, _ reason: String) -> WireError {
    WireError(code, at: Int64(position), reason)
  }

  private func unexpected(_ wanted: String) -> WireError {
    position < bytes.count
      ? failure(.malformed, "\(wanted) is missing here")
      : failure(.truncated, "the text ends where \(wanted) should be")
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Moves past spaces and this byte, if it is there.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(WireError) -> JSONValue {
    skipSpace()
    guard position < bytes.count else { throw unexpected("a value") }
    guard valuesLeft > 0 else { throw failure(.tooLong, "too many values for one text") }
    valuesLeft -= 1
    switch bytes[position] {
    case UInt8(ascii: "\""):
      position += 1
      return .string(try string())
    case UInt8(ascii: "{"): return .object(try nested { p throws(WireError) in try p.object() })
    case UInt8(ascii: "["): return .array(try nested { p throws(WireError) in try p.array() })
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return .boolean(try word("true", true))
    case UInt8(ascii: "f"): return .boolean(try word("false", false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw unexpected("a value")
    }
  }

  private mutating func nested<T>(
    _ body: (inout JSONParser) throws(WireError) -> T
  ) throws(WireError) -> T {
    guard depth < depthLimit else {
      throw failure(.tooDeep, "nested more than \(depthLimit) deep")
    }
    position += 1
    depth += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  private mutating func word<T>(_ word: StaticString, _ value: T) throws(WireError) -> T {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count else { throw unexpected("a value") }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] {
      throw unexpected("a value")
    }
    position += count
    return value
  }

  private mutating func array() throws(WireError) -> [JSONValue] {
    var items: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return items }
    repeat {
      do throws(WireError) {
        items.append(try value())
      } catch {
        throw error.within("[\(items.count)]")
      }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw unexpected("a comma or ]") }
    return items
  }

  private mutating func object() throws(WireError) -> JSONObject {
    var members: [JSONObject.Member] = []
    var names = NameSet()
    if take(UInt8(ascii: "}")) { return JSONObject() }
    repeat {
      guard take(UInt8(ascii: "\"")) else { throw unexpected("a member's name in double quotes") }
      let start = position
      let name = try string()
      guard names.insert(name, into: members) else {
        throw WireError(.duplicate, at: Int64(start), "the same name twice", path: name)
      }
      guard take(UInt8(ascii: ":")) else { throw unexpected("a colon") }
      do throws(WireError) {
        members.append(JSONObject.Member(name: name, value: try value()))
      } catch {
        throw error.within(name)
      }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw unexpected("a comma or }") }
    return JSONObject(unique: members)
  }

  private mutating func number() throws(WireError) -> JSONValue {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let whole = position
    skipDigits()
    guard position > whole else { throw unexpected("a digit") }
    guard position == whole + 1 || bytes[whole] != UInt8(ascii: "0") else {
      throw WireError(.malformed, at: Int64(whole), "a number does not begin with 0")
    }
    var isInteger = true
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      let fraction = position
      skipDigits()
      guard position > fraction else { throw unexpected("a digit") }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      let exponent = position
      skipDigits()
      guard position > exponent else { throw unexpected("a digit") }
    }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
    if isInteger {
      // As a double it would come back as another number, of another type (N12).
      guard let integer = DecimalNumber.integer(text) else {
        throw WireError(
          .outOfRange, at: Int64(start),
          "this number is beyond a 64-bit integer; a double has a fraction or an exponent")
      }
      return .integer(integer)
    }
    guard let double = DecimalNumber.double(text) else {
      throw WireError(.malformed, at: Int64(start), "a number beyond the range of a double")
    }
    return .double(double)
  }

  private mutating func skipDigits() {
    while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
  }
}

// MARK: Strings

extension JSONParser {
  /// The string whose opening quote has been passed.
  private mutating func string() throws(WireError) -> String {
    let start = position
    try skipPlain()
    if bytes[position] == UInt8(ascii: "\"") {
      defer { position += 1 }
      return try text(start..<position)
    }
    var utf8 = Array(bytes[start..<position])
    while bytes[position] != UInt8(ascii: "\"") {
      try escape(into: &utf8)
      let start = position
      try skipPlain()
      utf8.append(contentsOf: bytes[start..<position])
    }
    position += 1
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw WireError(.badText, at: Int64(start), "not UTF-8")
    }
    return text
  }

  /// Moves to the next quote or backslash.
  private mutating func skipPlain() throws(WireError) {
    position = PlainText.end(of: bytes, from: position)
    guard position < bytes.count else { throw unexpected("a closing quote") }
    guard bytes[position] >= 0x20 else {
      throw failure(.badText, "a control character in a string must be written as an escape")
    }
  }

  private func text(_ range: Range<Int>) throws(WireError) -> String {
    let utf8 = UnsafeBufferPointer(rebasing: bytes[range])
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw WireError(.badText, at: Int64(range.lowerBound), "not UTF-8")
    }
    return text
  }

  private mutating func escape(into utf8: inout [UInt8]) throws(WireError) {
    guard bytes.count - position >= 2 else { throw failure(.truncated, "the escape is cut") }
    let letter = bytes[position + 1]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): utf8.append(letter)
    case UInt8(ascii: "b"): utf8.append(8)
    case UInt8(ascii: "f"): utf8.append(12)
    case UInt8(ascii: "n"): utf8.append(10)
    case UInt8(ascii: "r"): utf8.append(13)
    case UInt8(ascii: "t"): utf8.append(9)
    case UInt8(ascii: "u"):
      try unicode(into: &utf8)
      return
    default: throw failure(.malformed, "no such escape")
    }
    position += 2
  }

  private mutating func unicode(into utf8: inout [UInt8]) throws(WireError) {
    let first = try unit(at: position)
    guard first != 0 else { throw failure(.badText, "NUL has no place in text") }
    var scalar = first
    if first & 0xF800 == 0xD800 {
      guard first < 0xDC00, bytes.count - position >= 12,
        bytes[position + 6] == UInt8(ascii: "\\"), bytes[position + 7] == UInt8(ascii: "u"),
        case let second = try unit(at: position + 6), second & 0xFC00 == 0xDC00
      else { throw failure(.badText, "half of a surrogate pair") }
      scalar = 0x10000 + ((first & 0x3FF) << 10) + (second & 0x3FF)
      position += 6
    }
    position += 6
    guard let character = Unicode.Scalar(scalar) else {
      throw failure(.badText, "not a character")
    }
    utf8.append(contentsOf: UTF8.encode(character)!)
  }

  /// The number in `\uXXXX` at an offset.
  private func unit(at offset: Int) throws(WireError) -> UInt32 {
    guard bytes.count - offset >= 6 else { throw failure(.truncated, "the escape is cut") }
    var value: UInt32 = 0
    for index in offset + 2..<offset + 6 {
      let byte = bytes[index]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - 0x30
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - 0x57
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - 0x37
      default: throw failure(.malformed, "four hexadecimal digits are missing")
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

/// What stands in a JSON string as it is: all but quotes, backslashes and control characters.
enum PlainText {
  /// Where the first byte is that needs an escape, or that ends the string; `count` if there is none.
  static func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let raw = UnsafeRawBufferPointer(bytes)
    var place = start
    // Eight bytes at a time while none of them is such.
    while bytes.count - place >= 8 {
      let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let slash = word ^ (ones &* 0x5C)
      let found =
        ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash)
        | ((word &- (ones &* 0x20)) & ~word)
      if found & tops != 0 { break }
      place += 8
    }
    while place < bytes.count, bytes[place] >= 0x20, bytes[place] != UInt8(ascii: "\""),
      bytes[place] != UInt8(ascii: "\\")
    {
      place += 1
    }
    return place
  }
}

/// Finds a name that comes twice: by comparing while there are few, then with a set.
private struct NameSet {
  private var names: Set<ByteString> = []

  mutating func insert(_ name: String, into members: [JSONObject.Member]) -> Bool {
    if members.count < 16 {
      for member in members where member.name == name { return false }
      return true
    }
    if names.isEmpty {
      for member in members { names.insert(member.name) }
    }
    return names.insert(name).inserted
  }
}

extension WireError {
  /// The same, one level further out; a long path keeps its outer part.
  func within(_ part: String) -> WireError {
    var error = self
    let joint = path.isEmpty || path.utf8.first == UInt8(ascii: "[") ? "" : "."
    error.path = part + joint + path
    guard error.path.utf8.count > 200 else { return error }
    error.path = String(error.path.unicodeScalars.prefix(100)) + "…"
    return error
  }
}

extension JSONValue {
  /// Objects and arrays within each other that `parse` accepts.
  public static let depthLimit = 128

  /// Reads one JSON text.
  ///
  /// Errors name the offset and, inside a value, its path. Nothing is guessed: `NaN`, names given
  /// twice, lone surrogates, `\u0000`, text that is not UTF-8 and numbers beyond a double are
  /// refused. `valueLimit` bounds what reading costs: many small values take far longer than few.
  @export(interface)
  public static func parse(
    _ bytes: [UInt8], depthLimit: Int = JSONValue.depthLimit, valueLimit: Int = .max
  ) throws(WireError) -> JSONValue {
    try bytes.withUnsafeBufferPointer { buffer throws(WireError) in
      try JSONParser.parse(buffer, depthLimit: depthLimit, valueLimit: valueLimit)
    }
  }

  /// Reads JSON text.
  @export(interface)
  public static func parse(_ text: String) throws(WireError) -> JSONValue {
    try parse(Array(text.utf8))
  }
}
