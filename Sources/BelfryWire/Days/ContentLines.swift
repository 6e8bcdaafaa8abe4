/// A property of iCalendar: `DTSTART;VALUE=DATE:20261224` (RFC 5545, 3.1).
struct ContentLine {
  /// Where it begins, from 1.
  var number: Int64
  /// In capitals.
  var name: String
  var value: ArraySlice<UInt8>

  /// The value as text without what escapes stand for (RFC 5545, 3.3.11).
  var text: String {
    var plain: [UInt8] = []
    var isEscaped = false
    for byte in value {
      if isEscaped {
        plain.append(byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N") ? 0x20 : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        plain.append(byte)
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  /// The value in capitals.
  var word: String {
    String(decoding: DaysFileParser.trimmed(value).map { Self.capital($0) }, as: UTF8.self)
  }

  static func capital(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 0x20 : byte
  }
}

/// The lines of an iCalendar file: unfolded, ended by CR LF or by LF alone; blank ones are left out.
struct ContentLines {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  /// The number of the line at `place`.
  private(set) var number: Int64 = 1

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// nil: the end.
  mutating func next() throws(DaysError) -> ContentLine? {
    while place < bytes.endIndex {
      let start = number
      var line = physical()
      if place < bytes.endIndex, isFolded {
        var whole = Array(line)
        while place < bytes.endIndex, isFolded { whole += physical().dropFirst() }
        line = whole[...]
      }
      if DaysFileParser.trimmed(line).isEmpty { continue }
      return try Self.property(line, start)
    }
    return nil
  }

  private var isFolded: Bool {
    bytes[place] == UInt8(ascii: " ") || bytes[place] == UInt8(ascii: "\t")
  }

  private mutating func physical() -> ArraySlice<UInt8> {
    let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    var line = bytes[place..<end]
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    place = min(end + 1, bytes.endIndex)
    number += 1
    return line
  }

  /// Parameters are of no use to us: what a time is, its own form says.
  private static func property(
    _ line: ArraySlice<UInt8>, _ number: Int64
  ) throws(DaysError) -> ContentLine {
    guard !line.contains(0),
      let end = line.firstIndex(where: { !isNameByte($0) }), end > line.startIndex
    else { throw malformed(number) }
    var isQuoted = false
    var colon: Int?
    for index in line[end...].indices {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if line[index] == UInt8(ascii: ":"), !isQuoted {
        colon = index
        break
      }
    }
    guard line[end] == UInt8(ascii: ":") || line[end] == UInt8(ascii: ";"), let colon else {
      throw malformed(number)
    }
    let name = String(
      decoding: line[..<end].map { ContentLine.capital($0) }, as: UTF8.self)
    return ContentLine(number: number, name: name, value: line[(colon + 1)...])
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
  }

  private static func malformed(_ number: Int64) -> DaysError {
    DaysError(line: number, "this is no property of iCalendar, such as SUMMARY:Christmas")
  }
}
