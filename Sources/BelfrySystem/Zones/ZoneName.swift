import BelfryCore

/// Names of zones: `Europe/Berlin`, `America/Argentina/Ushuaia`, `Etc/GMT+5`.
public enum ZoneName {
  static let longest = 128

  /// Whether a text may be a name at all: parts of letters, digits and `_ + - .` with single slashes
  /// between them, none of them `.` or `..`, 128 bytes at most. It then names nothing outside of the
  /// zone folder.
  public static func isName(_ text: String) -> Bool {
    guard (1...longest).contains(text.utf8.count) else { return false }
    return text.utf8.split(separator: slash, omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.first != UInt8(ascii: ".") && part.allSatisfy { isAllowed($0) }
    }
  }

  /// A zone of one offset as Foundation names it, `GMT+0200` or `GMT-3`, or universal time under its
  /// usual names; nil for any other. They hold where no file of that name is there.
  static func rules(ofFixed name: String) -> ZoneRules? {
    guard !["UTC", "GMT", "Etc/UTC", "Etc/GMT", "Z"].contains(name) else { return .utc }
    let bytes = Array(name.utf8)
    guard name.hasPrefix("GMT"), (5...8).contains(bytes.count) else { return nil }
    let isWest = bytes[3] == UInt8(ascii: "-")
    guard isWest || bytes[3] == UInt8(ascii: "+") else { return nil }
    let digits = bytes[4...]
    guard let number = Int32(String(decoding: digits, as: UTF8.self)) else { return nil }
    let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
    guard (0...18).contains(hours), (0...59).contains(minutes) else { return nil }
    // POSIX counts westwards.
    return try? ZoneRules(posix: "<\(name)>\(isWest ? "" : "-")\(hours):\(minutes)")
  }

  /// The name that stands behind the zone folder in a path; nil where none does.
  static func name(inPath path: String, folder: String) -> String? {
    if path.hasPrefix(folder + "/") {
      let name = String(path.dropFirst(folder.count + 1))
      return isName(name) ? name : nil
    }
    let parts = path.split(separator: "/")
    guard let place = parts.lastIndex(of: "zoneinfo") else { return nil }
    let name = parts[(place + 1)...].joined(separator: "/")
    return isName(name) ? name : nil
  }

  private static let slash = UInt8(ascii: "/")

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
