/// A few bytes of a header, read as numbers.
///
/// Offsets are the reader's own constants, inside the count that it asked for.
struct HeaderFields {
  let bytes: [UInt8]
  let bigEndian: Bool

  func unsigned16(_ at: Int) -> Int {
    Int(number(at, 2))
  }

  func unsigned32(_ at: Int) -> Int64 {
    Int64(number(at, 4))
  }

  func signed64(_ at: Int) -> Int64 {
    Int64(bitPattern: number(at, 8))
  }

  func float64(_ at: Int) -> Double {
    Double(bitPattern: number(at, 8))
  }

  /// A name; its bytes stand in the same order whatever the numbers' order is.
  func tag(_ at: Int) -> FourCC {
    FourCC(value: bytes[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// An 80-bit extended number as in AIFF's COMM; 0 if it is no whole number from 1 to 2^31.
  func extended80(_ at: Int) -> Int {
    let exponent = Int(number(at, 2)) - 16383
    let mantissa = number(at + 2, 8)
    guard exponent >= 0, exponent < 31, mantissa >> 63 == 1 else { return 0 }
    // One bit below the point rounds to the nearest.
    return Int(clamping: ((mantissa >> UInt64(62 - exponent)) + 1) >> 1)
  }

  private func number(_ at: Int, _ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count {
      value = value << 8 | UInt64(bytes[at + (bigEndian ? index : count - 1 - index)])
    }
    return value
  }
}
