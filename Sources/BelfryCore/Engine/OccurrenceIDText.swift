extension UUIDBits {
  /// The 36 characters of RFC 9562, lower case.
  public var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// nil unless `text` is 36 characters of RFC 9562; either case.
  public init?(text: String) {
    guard var reader = ByteReader(text, limit: 36), let uuid = UUIDBits(&reader), reader.isAtEnd
    else { return nil }
    self = uuid
  }

  init?(_ reader: inout ByteReader) {
    let dash = UInt8(ascii: "-")
    guard let a = reader.hexadecimal(8), reader.skip(dash),
      let b = reader.hexadecimal(4), reader.skip(dash),
      let c = reader.hexadecimal(4), reader.skip(dash),
      let d = reader.hexadecimal(4), reader.skip(dash),
      let e = reader.hexadecimal(12)
    else { return nil }
    self.init(high: a << 32 | b << 16 | c, low: d << 48 | e)
  }

  func append(to bytes: inout [UInt8]) {
    for place in 0..<16 {
      if place == 4 || place == 6 || place == 8 || place == 10 { bytes.append(UInt8(ascii: "-")) }
      let half = place < 8 ? high : low
      let byte = UInt8(truncatingIfNeeded: half >> UInt64(56 - place % 8 * 8))
      bytes.append(Self.hexDigit(byte >> 4))
      bytes.append(Self.hexDigit(byte & 15))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

extension OccurrenceID {
  /// `<uuid>.<generation>.<k>`, `.s<n>` when it was snoozed (D7), `.e<n>` of a step (E6).
  public var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `text`.
  public func append(to bytes: inout [UInt8]) {
    uuid.append(to: &bytes)
    bytes.append(UInt8(ascii: "."))
    bytes.append(contentsOf: "\(generation)".utf8)
    bytes.append(UInt8(ascii: "."))
    bytes.append(contentsOf: "\(k)".utf8)
    if snooze > 0 { bytes.append(contentsOf: ".s\(snooze)".utf8) }
    if step > 0 { bytes.append(contentsOf: ".e\(step)".utf8) }
  }

  /// The most bytes of `text`.
  static let longest = 112

  /// nil unless `text` is as `text` writes it; the UUID may be in capitals.
  public init?(text: String) {
    guard var reader = ByteReader(text, limit: Self.longest), let id = OccurrenceID(&reader),
      reader.isAtEnd
    else { return nil }
    self = id
  }

  init?(_ reader: inout ByteReader) {
    let dot = UInt8(ascii: ".")
    guard let uuid = UUIDBits(&reader), reader.skip(dot),
      let generation = reader.canonicalInteger(), generation >= 0, reader.skip(dot),
      let k = reader.canonicalInteger()
    else { return nil }
    self.init(uuid: uuid, generation: generation, k: k)
    guard reader.skip(dot) else { return }
    if reader.skip(UInt8(ascii: "s")) {
      guard let snooze = reader.canonicalCount() else { return nil }
      self.snooze = snooze
      guard reader.skip(dot) else { return }
    }
    guard reader.skip(UInt8(ascii: "e")), let step = reader.canonicalCount() else { return nil }
    self.step = step
  }

  /// The delivery of this occurrence to one sink: `<occurrence>@<sink>` (D7).
  public func deliveryID(sink: String) -> String {
    text + "@" + sink
  }

  /// The parts of a delivery id; nil if it is none.
  public static func parse(deliveryID: String) -> (occurrence: OccurrenceID, sink: String)? {
    guard var reader = ByteReader(deliveryID, limit: longest + 1 + 255),
      let id = OccurrenceID(&reader), reader.skip(UInt8(ascii: "@")), !reader.isAtEnd
    else { return nil }
    return (id, reader.rest())
  }
}

extension ByteReader {
  /// A number of 32 bits from 1 on, as it is written shortest.
  fileprivate mutating func canonicalCount() -> Int32? {
    guard let count = canonicalInteger(), count > 0 else { return nil }
    return Int32(exactly: count)
  }
}
