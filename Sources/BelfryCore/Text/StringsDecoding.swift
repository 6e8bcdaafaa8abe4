/// The bytes of a `.strings` file as UTF-8: it may be that, or UTF-16 of either order, each with or
/// without a byte order mark. What begins a table is ASCII, so a zero in one of the first two bytes
/// tells the order of UTF-16.
enum StringsDecoding {
  static func utf8(_ bytes: [UInt8]) throws(StringsError) -> [UInt8] {
    if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes, from: 2, low: 0) }
    if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes, from: 2, low: 1) }
    if bytes.starts(with: "bplist".utf8) || bytes.starts(with: "<?xml".utf8) {
      throw StringsError(
        "this is a property list of another form; a table has lines such as \"key\" = \"text\";")
    }
    if bytes.count > 1, (bytes[0] == 0) != (bytes[1] == 0) {
      return try utf16(bytes, from: 0, low: bytes[0] == 0 ? 1 : 0)
    }
    let text = Array(bytes.withoutByteOrderMark)
    if let fault = firstFault(text) {
      throw StringsError(text, at: fault, "not UTF-8, and no byte order mark of UTF-16 before it")
    }
    return text
  }

  /// The index of the first byte that does not belong to well-formed UTF-8 (Unicode, table 3-7).
  private static func firstFault(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        let length = length(bytes, at: index)
        if length == 0 { return index }
        index += length
      }
      return nil
    }
  }

  /// 0: no character begins here.
  private static func length(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let first = bytes[index]
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF
    let length: Int
    switch first {
    case ..<0x80: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { lowest = 0xA0 }
      if first == 0xED { highest = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { lowest = 0x90 }
      if first == 0xF4 { highest = 0x8F }
    default: return 0
    }
    guard bytes.count - index >= length, bytes[index + 1] >= lowest, bytes[index + 1] <= highest
    else { return 0 }
    for place in index + 2..<max(index + length, index + 2) where bytes[place] & 0xC0 != 0x80 {
      return 0
    }
    return length
  }

  /// `low`: which of two bytes is the low one.
  private static func utf16(
    _ bytes: [UInt8], from start: Int, low: Int
  ) throws(StringsError) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var high: UInt32?
    var index = start
    while index + 1 < bytes.count {
      let unit = UInt32(bytes[index + 1 - low]) << 8 | UInt32(bytes[index + low])
      index += 2
      if let first = high {
        guard unit & 0xFC00 == 0xDC00 else { break }
        text.append(scalar: 0x10000 + (first & 0x3FF) << 10 + unit & 0x3FF)
        high = nil
      } else if unit & 0xFC00 == 0xD800 {
        high = unit
      } else if unit & 0xFC00 == 0xDC00 {
        throw StringsError(text, at: text.count, "half a surrogate pair of UTF-16")
      } else {
        text.append(scalar: unit)
      }
    }
    guard high == nil else {
      throw StringsError(text, at: text.count, "half a surrogate pair of UTF-16")
    }
    guard index == bytes.count else {
      throw StringsError(text, at: text.count, "the file ends within a character of UTF-16")
    }
    return text
  }
}

extension [UInt8] {
  /// Appends a character as UTF-8; it is no surrogate.
  mutating func append(scalar value: UInt32) {
    func rest(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(value >> shift & 0x3F) }
    switch value {
    case ..<0x80: append(UInt8(value))
    case ..<0x800:
      append(0xC0 | UInt8(value >> 6))
      append(rest(0))
    case ..<0x10000:
      append(0xE0 | UInt8(value >> 12))
      append(rest(6))
      append(rest(0))
    default:
      append(0xF0 | UInt8(value >> 18 & 7))
      append(rest(12))
      append(rest(6))
      append(rest(0))
    }
  }
}
