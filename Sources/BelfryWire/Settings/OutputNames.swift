import BelfryCore

/// A list of `[output:NAME]` sections by their names, such as `amplifier, kitchen`.
public enum OutputNames {
  /// Each once, in the order of the text; nil: there is none, or something else stands there.
  public static func read(_ text: String) -> [String]? {
    var names: [String] = []
    for word in text.utf8.split(whereSeparator: { $0 == 0x2C || $0 == 0x20 || $0 == 0x09 }) {
      guard let name = String(word), isName(name) else { return nil }
      if !names.contains(where: { ByteString($0) == ByteString(name) }) { names.append(name) }
    }
    return names.isEmpty ? nil : names
  }

  /// 1 to 64 of A-Z a-z 0-9 _ -
  public static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
