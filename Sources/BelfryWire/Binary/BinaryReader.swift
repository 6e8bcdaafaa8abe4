import BelfryCore

/// Reads what `BinaryWriter` writes; every length is checked before it is believed.
struct BinaryReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var remaining: Int { bytes.count - position }

  func failure(_ code: WireError.Code, _ reason: String) -> WireError {
    WireError(code, at: Int64(position), reason)
  }

  /// Moves past `count` bytes and gives where they began.
  private mutating func take(_ count: Int, _ what: StaticString) throws(WireError) -> Int {
    guard count <= remaining else { throw failure(.truncated, "\(what): the message ends early") }
    defer { position += count }
    return position
  }

  mutating func byte(_ what: StaticString) throws(WireError) -> UInt8 {
    bytes[try take(1, what)]
  }

  mutating func flag(_ what: StaticString) throws(WireError) -> Bool {
    let value = try byte(what)
    guard value <= 1 else { throw failure(.malformed, "\(what): neither 0 nor 1") }
    return value == 1
  }

  mutating func fixed<T: FixedWidthInteger>(_ what: StaticString) throws(WireError) -> T {
    let start = try take(T.bitWidth / 8, what)
    let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: T.self) }
    return T(littleEndian: value)
  }

  mutating func count(_ what: StaticString) throws(WireError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let next = try byte(what)
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 {
        guard shift < 63 || next <= 1 else { break }
        return value
      }
    }
    throw failure(.malformed, "\(what): number of more than 64 bits")
  }

  /// A number of things that each take `size` bytes or more, so that none is reserved in vain.
  mutating func length(of size: Int = 1, _ what: StaticString) throws(WireError) -> Int {
    let value = try count(what)
    guard value <= UInt64(remaining / size) else {
      throw failure(.truncated, "\(what): longer than the message")
    }
    return Int(value)
  }

  mutating func signed(_ what: StaticString) throws(WireError) -> Int64 {
    let value = try count(what)
    return Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
  }

  mutating func text(_ what: StaticString) throws(WireError) -> String {
    let count = try length(what)
    let start = try take(count, what)
    guard let text = String(validating: bytes[start..<start + count], as: UTF8.self) else {
      throw failure(.badText, "\(what): not UTF-8")
    }
    return text
  }

  /// Bytes of any kind.
  mutating func data(_ what: StaticString) throws(WireError) -> [UInt8] {
    let count = try length(what)
    let start = try take(count, what)
    return Array(bytes[start..<start + count])
  }

  mutating func texts(_ what: StaticString) throws(WireError) -> [String] {
    let count = try length(what)
    var texts: [String] = []
    texts.reserveCapacity(count)
    for _ in 0..<count { texts.append(try text(what)) }
    return texts
  }

  mutating func instant(_ what: StaticString) throws(WireError) -> Instant {
    Instant(nanoseconds: try fixed(what))
  }

  mutating func double(_ what: StaticString) throws(WireError) -> Double {
    Double(bitPattern: try fixed(what))
  }

  mutating func optionalText(_ what: StaticString) throws(WireError) -> String? {
    try flag(what) ? try text(what) : nil
  }

  mutating func optionalSigned(_ what: StaticString) throws(WireError) -> Int64? {
    try flag(what) ? try signed(what) : nil
  }

  mutating func optionalInstant(_ what: StaticString) throws(WireError) -> Instant? {
    try flag(what) ? try instant(what) : nil
  }

  /// The message must end here.
  func end() throws(WireError) {
    guard remaining == 0 else { throw failure(.tooLong, "bytes after the end of the message") }
  }
}
