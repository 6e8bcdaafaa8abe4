/// Reads the bytes of a zone file (RFC 8536; tzfile(5)), believing none of them.
struct TZifReader {
  /// The counts of a header, in its order.
  private struct Header {
    var version: UInt8
    var universal: Int64
    var standard: Int64
    var leaps: Int64
    var times: Int64
    var types: Int64
    var letters: Int64

    /// Bytes of the data block behind it.
    func size(ofTime size: Int64) -> Int64 {
      times * (size + 1) + types * 6 + letters + leaps * (size + 4) + standard + universal
    }
  }

  /// What the reference implementation takes, and several times what any zone has.
  private static let maxTimes: Int64 = 2000
  private static let maxTypes: Int64 = 250
  private static let maxLetters: Int64 = 512

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func read() throws(ZoneError) -> ZoneTable {
    var header = try readHeader()
    guard header.version > 0 else { return try readBlock(header, size: 4) }
    // The first block is for readers that know only 32 bits.
    _ = try take(header.size(ofTime: 4))
    header = try readHeader()
    guard header.version > 0 else {
      throw ZoneError(.malformed, "the second header is of version 1")
    }
    var table = try readBlock(header, size: 8)
    if let zone = try readFooter() { zone.append(to: &table) }
    return table
  }

  private mutating func readHeader() throws(ZoneError) -> Header {
    guard bytes.count - place >= 5, bytes[place..<place + 4].elementsEqual("TZif".utf8) else {
      throw ZoneError(.notZoneFile, "it does not begin like a zone file (TZif)")
    }
    let version = bytes[place + 4]
    // Later versions only append (tzfile(5)), so that what is read here stays where it is.
    guard version == 0 || (version >= UInt8(ascii: "2") && version <= UInt8(ascii: "9")) else {
      throw ZoneError(.notZoneFile, "its version, byte \(version), is not known")
    }
    _ = try take(20)
    return Header(
      version: version, universal: try count(), standard: try count(), leaps: try count(),
      times: try count(), types: try count(), letters: try count())
  }

  private mutating func readBlock(
    _ header: Header, size: Int64
  ) throws(ZoneError) -> ZoneTable {
    try check(header)
    let times = try take(header.times * size)
    let order = try take(header.times)
    let types = try take(header.types * 6)
    let letters = try take(header.letters)
    _ = try take(header.standard + header.universal)
    let kinds = try readTypes(types, letters)
    var table = ZoneTable(kinds[0])
    var last: Int64?
    for (index, kind) in order.enumerated() {
      let from = times.startIndex + index * Int(size)
      let time = Self.integer(times[from..<from + Int(size)])
      if let last, time <= last {
        throw ZoneError(.malformed, "transition \(index + 1) is not after the one before it")
      }
      guard Int(kind) < kinds.count else {
        throw ZoneError(
          .malformed, "transition \(index + 1) is to type \(kind), which is not there")
      }
      table.append(kinds[Int(kind)], from: time)
      last = time
    }
    return table
  }

  private func check(_ header: Header) throws(ZoneError) {
    guard header.leaps == 0 else {
      throw ZoneError(
        .leapSeconds,
        "it counts leap seconds, which clocks here do not; use the file outside of `right/`")
    }
    guard header.types > 0, header.letters > 0 else {
      throw ZoneError(.malformed, "it has no time type")
    }
    guard header.times <= Self.maxTimes, header.types <= Self.maxTypes,
      header.letters <= Self.maxLetters
    else { throw ZoneError(.tooLarge, "it has more transitions or types than any zone") }
    guard header.standard == 0 || header.standard == header.types,
      header.universal == 0 || header.universal == header.types
    else { throw ZoneError(.malformed, "its counts of types contradict each other") }
  }

  private func readTypes(
    _ types: ArraySlice<UInt8>, _ letters: ArraySlice<UInt8>
  ) throws(ZoneError) -> [ZonePeriod] {
    var kinds: [ZonePeriod] = []
    var rest = types
    while !rest.isEmpty {
      let offset = Self.integer(rest.prefix(4))
      let (isDST, name) = (rest[rest.startIndex + 4], rest[rest.startIndex + 5])
      rest = rest.dropFirst(6)
      guard offset >= -89_999, offset <= 93_599 else {
        throw ZoneError(.malformed, "an offset of \(offset) seconds is out of range")
      }
      guard isDST <= 1 else { throw ZoneError(.malformed, "a time type is neither DST nor not") }
      kinds.append(
        ZonePeriod(
          offset: Int32(offset), isDST: isDST == 1,
          abbreviation: try abbreviation(letters.dropFirst(Int(name)))))
    }
    return kinds
  }

  private func abbreviation(_ letters: ArraySlice<UInt8>) throws(ZoneError) -> String {
    guard let end = letters.firstIndex(of: 0) else {
      throw ZoneError(.malformed, "an abbreviation does not end")
    }
    let name = letters[..<end]
    guard name.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
      throw ZoneError(.malformed, "an abbreviation is not printable")
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The rule for times behind the last transition; nil for an empty one.
  private mutating func readFooter() throws(ZoneError) -> PosixZone? {
    guard let opening = try take(1).first, opening == 0x0A else {
      throw ZoneError(.malformed, "its footer does not begin with a new line")
    }
    let rest = bytes[place...].prefix(PosixZone.longest + 1)
    guard let end = rest.firstIndex(of: 0x0A) else {
      throw rest.count > PosixZone.longest
        ? ZoneError(.tooLarge, "its footer has more than \(PosixZone.longest) bytes")
        : ZoneError(.cut, "it ends within its footer")
    }
    return end == rest.startIndex ? nil : try PosixZone(rest[..<end])
  }

  private mutating func count() throws(ZoneError) -> Int64 {
    Self.integer(try take(4)) & 0xFFFF_FFFF
  }

  private mutating func take(_ count: Int64) throws(ZoneError) -> ArraySlice<UInt8> {
    guard count <= Int64(bytes.count - place) else {
      throw ZoneError(.cut, "it ends before what its header announces")
    }
    let taken = bytes[place..<place + Int(count)]
    place += Int(count)
    return taken
  }

  /// Big-endian, signed, of 4 or 8 bytes.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
    var value: UInt64 = 0
    for byte in bytes { value = value << 8 | UInt64(byte) }
    return bytes.count == 4
      ? Int64(Int32(truncatingIfNeeded: value)) : Int64(truncatingIfNeeded: value)
  }
}
