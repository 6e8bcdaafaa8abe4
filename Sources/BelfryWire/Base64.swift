/// Base 64 with the standard alphabet and padding (RFC 4648 section 4).
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let left = min(3, bytes.count - index)
      var group = UInt32(bytes[index]) << 16
      if left > 1 { group |= UInt32(bytes[index + 1]) << 8 }
      if left > 2 { group |= UInt32(bytes[index + 2]) }
      for place in 0..<4 {
        let six = UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * place)) & 63
        text.append(place <= left ? letter(six) : UInt8(ascii: "="))
      }
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// nil unless `text` is exactly what `encode` writes: padded, without line ends, unused bits 0.
  static func decode(_ text: String) -> [UInt8]? {
    let letters = Array(text.utf8)
    guard letters.count % 4 == 0 else { return nil }
    guard !letters.isEmpty else { return [] }
    var padding = letters[letters.count - 1] == UInt8(ascii: "=") ? 1 : 0
    if padding == 1, letters[letters.count - 2] == UInt8(ascii: "=") { padding = 2 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count / 4 * 3)
    var (group, bits) = (UInt32(0), 0)
    for letter in letters[..<(letters.count - padding)] {
      guard let six = value(letter) else { return nil }
      group = group << 6 | UInt32(six)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
        group &= (1 << UInt32(bits)) - 1
      }
    }
    return group == 0 ? bytes : nil
  }

  private static func letter(_ six: UInt8) -> UInt8 {
    switch six {
    case 0..<26: UInt8(ascii: "A") + six
    case 26..<52: UInt8(ascii: "a") + six - 26
    case 52..<62: UInt8(ascii: "0") + six - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  private static func value(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
