import BelfryCore

/// Writes the little-endian form of worker messages: fixed-width integers, variable-length counts
/// (seven bits a byte, lowest first), text as a count and UTF-8.
struct BinaryWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  mutating func put(_ byte: UInt8) {
    bytes.append(byte)
  }

  mutating func put(_ flag: Bool) {
    bytes.append(flag ? 1 : 0)
  }

  mutating func put(fixed value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(count value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func put(count value: Int) {
    put(count: UInt64(value))
  }

  /// Small numbers of either sign become short.
  mutating func put(signed value: Int64) {
    put(count: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      put(count: utf8.count)
      bytes.append(contentsOf: utf8)
    }
  }

  /// Bytes as they are.
  mutating func put(packed: [UInt8]) {
    bytes.append(contentsOf: packed)
  }

  mutating func put(_ texts: [String]) {
    put(count: texts.count)
    for text in texts { put(text) }
  }

  mutating func put(_ instant: Instant) {
    put(fixed: instant.nanoseconds)
  }

  mutating func put(_ value: Double) {
    put(fixed: value.bitPattern)
  }

  mutating func put(optional text: String?) {
    put(text != nil)
    if let text { put(text) }
  }

  mutating func put(optional value: Int64?) {
    put(value != nil)
    if let value { put(signed: value) }
  }

  mutating func put(optional instant: Instant?) {
    put(instant != nil)
    if let instant { put(instant) }
  }

  /// Overwrites four bytes already written.
  mutating func replace(at position: Int, with value: UInt32) {
    for index in 0..<4 {
      bytes[position + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index)))
    }
  }
}
