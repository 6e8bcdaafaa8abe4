/// Why a `.strings` table cannot be used (L1).
public struct StringsError: Error, Hashable, Sendable {
  /// Both from 1; columns count characters as Unicode does, tabs as one. 0: of the whole file.
  public var line: Int64
  public var column: Int64
  /// One sentence without a full stop.
  public var reason: String

  public init(line: Int64 = 0, column: Int64 = 0, _ reason: String) {
    self.line = line
    self.column = column
    self.reason = reason
  }

  /// `line:column: reason`, to stand behind the file's name and a colon.
  public var text: String { line == 0 ? " \(reason)" : "\(line):\(column): \(reason)" }

  /// The fault at a place in UTF-8.
  init(_ bytes: [UInt8], at index: Int, _ reason: String) {
    var (line, column) = (Int64(1), Int64(1))
    var previous: UInt8 = 0
    for byte in bytes[..<min(index, bytes.count)] {
      if byte == 0x0A || byte == 0x0D {
        if byte == 0x0D || previous != 0x0D { line += 1 }
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      previous = byte
    }
    self.init(line: line, column: column, reason)
  }
}
