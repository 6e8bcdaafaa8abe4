import BelfryCore

/// A configuration file: sections of `key = value` lines, each with its line number.
///
/// The grammar, behind a byte order mark if there is one, a line at a time, spaces at both ends ignored:
/// - empty, or beginning with `#` or `;`: nothing (a comment stands on a line of its own);
/// - `[name]` or `[kind:name]`: a section; none may come twice, and none be empty;
/// - `key = value`: the first `=` divides; keys are `[A-Za-z0-9._:-]+`, values any text, taken as it
///   is, quotes included; a key comes once in its section unless the reader says it may repeat.
public struct INIFile: Hashable, Sendable {
  public struct Section: Hashable, Sendable {
    /// `plugin` in `[plugin:NAME]`; the whole header where it has no colon.
    public var kind: String
    /// `NAME` in `[plugin:NAME]`; nil where the header has no colon.
    public var name: String?
    public var line: Int64
    public var entries: [Entry] = []

    /// The header between its brackets.
    public var header: String { name.map { "\(kind):\($0)" } ?? kind }

    /// The value of a key, the last one's if it repeats.
    public subscript(key: String) -> String? {
      entries.last { $0.key == key }?.value
    }
  }

  public struct Entry: Hashable, Sendable {
    public var key: String
    public var value: String
    public var line: Int64
  }

  public private(set) var sections: [Section] = []

  /// Nothing.
  public init() {}

  /// The largest file that is read.
  public static let limit = 256 * 1024

  /// Reads a configuration; `repeatable` are the keys that may come again in one section.
  ///
  /// Errors carry the line as their `place`: text outside UTF-8, control characters, a line that is
  /// none of the three, an entry before any section, a section or key given twice.
  @export(interface)
  public static func parse(
    _ bytes: [UInt8], repeatable: [String] = []
  ) throws(WireError) -> INIFile {
    guard bytes.count <= limit else {
      throw WireError(.tooLong, at: 1, "a configuration has at most 256 KiB")
    }
    var file = INIFile()
    var line: Int64 = 0
    let text = bytes.withoutByteOrderMark
    for raw in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      guard let text = String(validating: trimmed(raw), as: UTF8.self) else {
        throw WireError(.badText, at: line, "not UTF-8")
      }
      for byte in text.utf8 where (byte < 0x20 && byte != 9) || byte == 0x7F {
        throw WireError(.badText, at: line, "a control character")
      }
      try file.read(text, line, repeatable)
    }
    return file
  }

  private mutating func read(
    _ text: String, _ line: Int64, _ repeatable: [String]
  ) throws(WireError) {
    switch text.utf8.first {
    case nil, UInt8(ascii: "#"), UInt8(ascii: ";"): return
    case UInt8(ascii: "["): try begin(text, line)
    default: try add(text, line, repeatable)
    }
  }

  private mutating func begin(_ text: String, _ line: Int64) throws(WireError) {
    guard text.utf8.last == UInt8(ascii: "]") else {
      throw WireError(.malformed, at: line, "the closing ] of the section is missing")
    }
    let header = text.utf8.dropFirst().dropLast()
    let parts = header.split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    var names: [String] = []
    for part in parts {
      let name = INIFile.trimmed(part)
      guard !name.isEmpty else {
        throw WireError(.malformed, at: line, "a section needs a name")
      }
      names.append(String(decoding: name, as: UTF8.self))
    }
    let section = Section(kind: names[0], name: names.count > 1 ? names[1] : nil, line: line)
    for other in sections where other.kind == section.kind && other.name == section.name {
      throw WireError(
        .duplicate, at: line, "[\(section.header)] stands in line \(other.line) already")
    }
    sections.append(section)
  }

  private mutating func add(
    _ text: String, _ line: Int64, _ repeatable: [String]
  ) throws(WireError) {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      throw WireError(.malformed, at: line, "neither [section] nor key = value")
    }
    let key = String(decoding: INIFile.trimmed(text.utf8[..<equals]), as: UTF8.self)
    let rest = text.utf8[text.utf8.index(after: equals)...]
    guard !key.isEmpty, key.utf8.allSatisfy(INIFile.isKeyByte) else {
      throw WireError(.malformed, at: line, "a key has letters, digits and . _ : - only")
    }
    guard !sections.isEmpty else {
      throw WireError(.malformed, at: line, "\(key) stands before any [section]")
    }
    let last = sections.count - 1
    if !repeatable.contains(key) {
      for other in sections[last].entries where other.key == key {
        throw WireError(.duplicate, at: line, "\(key) stands in line \(other.line) already")
      }
    }
    let value = String(decoding: INIFile.trimmed(rest), as: UTF8.self)
    sections[last].entries.append(Entry(key: key, value: value, line: line))
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: ":"), UInt8(ascii: "-"):
      return true
    default: return false
    }
  }

  private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
    var bytes = bytes[...]
    while let byte = bytes.first, byte == 32 || byte == 9 || byte == 13 {
      bytes = bytes.dropFirst()
    }
    while let byte = bytes.last, byte == 32 || byte == 9 || byte == 13 { bytes = bytes.dropLast() }
    return Array(bytes)
  }
}
