extension JSONValue {
  /// Appends the value as JSON without spaces: members in their order, doubles in the fewest digits
  /// that read back equal (`1.0`, `1e-07`), everything but quotes, backslashes and control
  /// characters as it is.
  ///
  /// A double that is not finite has no JSON form and becomes `null`.
  @export(interface)
  public func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .boolean(let flag): bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
    case .integer(let number): JSONValue.write(number, to: &bytes)
    case .double(let number):
      bytes.append(contentsOf: number.isFinite ? number.description.utf8 : "null".utf8)
    case .string(let text): JSONValue.write(text, to: &bytes)
    case .array(let items):
      bytes.append(UInt8(ascii: "["))
      var first = true
      for item in items {
        if !first { bytes.append(UInt8(ascii: ",")) }
        first = false
        item.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object): object.write(to: &bytes)
    }
  }

  /// The value as JSON text in UTF-8.
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// The value as JSON text.
  public var text: String {
    String(decoding: encoded, as: UTF8.self)
  }

  static func write(_ number: Int64, to bytes: inout [UInt8]) {
    if number >= 0, number < 10 {
      bytes.append(0x30 + UInt8(number))
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }

  /// Appends a quoted string.
  static func write(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      while true {
        let end = PlainText.end(of: utf8, from: start)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<end]))
        guard end < utf8.count else { break }
        escape(utf8[end], to: &bytes)
        start = end + 1
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 10: bytes.append(UInt8(ascii: "n"))
    case 13: bytes.append(UInt8(ascii: "r"))
    case 9: bytes.append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      bytes.append(contentsOf: "u00".utf8)
      for digit in [byte >> 4, byte & 15] {
        bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      }
    }
  }
}

extension JSONObject {
  /// Appends the object as JSON without spaces.
  @export(interface)
  public func write(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    var first = true
    for member in members {
      if !first { bytes.append(UInt8(ascii: ",")) }
      first = false
      JSONValue.write(member.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      member.value.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
