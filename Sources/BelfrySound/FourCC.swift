/// The four characters that name a chunk or a codec.
struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral {
  var value: UInt32

  init(value: UInt32) {
    self.value = value
  }

  init(stringLiteral text: StaticString) {
    value = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// Whether all four are printable ASCII, as in every name that a program writes.
  var isPrintable: Bool {
    (0..<4).allSatisfy { (0x20...0x7E).contains(value >> ($0 * 8) & 0xFF) }
  }

  /// The four characters; what is not printable becomes `?`.
  var text: String {
    var result = ""
    for shift in [24, 16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: value >> UInt32(shift))
      result.unicodeScalars.append(
        (0x20...0x7E).contains(byte) ? Unicode.Scalar(byte) : Unicode.Scalar(0x3F))
    }
    return result
  }
}
