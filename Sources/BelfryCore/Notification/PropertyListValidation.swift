extension PropertyList {
  /// Throws if `userInfo` is too large, too deep, holds a number that is none or a NUL character;
  /// the error has the path of the key (N12).
  static func check(userInfo: [ByteString: PropertyList]) throws(FieldError) {
    guard !userInfo.isEmpty else { return }
    let whole = PropertyList.dictionary(userInfo)
    do throws(FieldError) {
      try whole.check(depth: 1)
    } catch {
      throw error.under(field: "userInfo")
    }
    let size = whole.encodedSize
    guard size <= Notification.Limit.userInfo else {
      throw FieldError(
        "userInfo", .tooLong,
        "at most \(Notification.Limit.userInfo) bytes are allowed, not \(size) (as JSON)")
    }
  }

  private func check(depth: Int) throws(FieldError) {
    switch self {
    case .string(let text): try Self.checkText(text)
    case .double(let number):
      guard number.isFinite else {
        throw FieldError("", .outOfRange, "a double must be a finite number")
      }
    case .integer, .boolean, .date, .data: break
    case .array(let elements):
      try Self.checkDepth(depth)
      for (index, element) in elements.enumerated() {
        do throws(FieldError) {
          try element.check(depth: depth + 1)
        } catch {
          throw error.under(index: index)
        }
      }
    case .dictionary(let pairs):
      try Self.checkDepth(depth)
      for (key, element) in pairs {
        do throws(FieldError) {
          try Self.checkText(key.text)
          try element.check(depth: depth + 1)
        } catch {
          throw error.under(key: key.text)
        }
      }
    }
  }

  private static func checkDepth(_ depth: Int) throws(FieldError) {
    guard depth <= Notification.Limit.depth else {
      throw FieldError(
        "", .outOfRange,
        "at most \(Notification.Limit.depth) arrays and dictionaries may lie inside each other")
    }
  }

  private static func checkText(_ text: String) throws(FieldError) {
    guard !text.utf8.contains(0) else {
      throw FieldError("", .malformed, "a text must not contain the NUL character")
    }
  }

  /// Bytes of this value as JSON on the wire in its shortest form, with the tags of dates and data
  /// and the escapes of JSON; linear in the value's size.
  public var encodedSize: Int {
    switch self {
    case .string(let text): Self.size(of: text)
    case .integer(let number): Self.size(of: number)
    case .double(let number): "\(number == 0 ? 0 : number)".utf8.count
    case .boolean(let flag): flag ? 4 : 5
    case .date(let instant): #"{"$date":}"#.utf8.count + Self.size(of: instant.microseconds)
    case .data(let bytes): #"{"$data":""}"#.utf8.count + (bytes.count + 2) / 3 * 4
    case .array(let elements):
      elements.reduce(max(2, elements.count + 1)) { $0 + $1.encodedSize }
    case .dictionary(let pairs):
      pairs.reduce(max(2, 2 * pairs.count + 1)) {
        $0 + Self.size(of: $1.key.text) + ($1.key.utf8.first == UInt8(ascii: "$") ? 1 : 0)
          + $1.value.encodedSize
      }
    }
  }

  private static func size(of number: Int64) -> Int {
    var (digits, rest) = (number < 0 ? 2 : 1, number.magnitude)
    while rest >= 10 { (digits, rest) = (digits + 1, rest / 10) }
    return digits
  }

  private static func size(of text: String) -> Int {
    text.utf8.reduce(2) { $0 + size(ofCharacter: $1) }
  }

  /// RFC 8259 section 7, as `JSONValue.write` escapes: quotation mark, backslash, tab and line ends
  /// by a letter, what else lies below the space by its number.
  private static func size(ofCharacter byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): 2
    case 0x09, 0x0A, 0x0D: 2
    case ..<0x20: 6
    default: 1
    }
  }
}
