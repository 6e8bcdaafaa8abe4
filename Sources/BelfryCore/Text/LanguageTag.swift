/// Language tags such as `de-AT` (BCP 47), as far as choosing texts needs them.
public enum LanguageTag {
  /// A tag in its usual capitals, `_` taken for `-`; nil: it is none, which is letters, digits and
  /// hyphens, each part of 1 to 8, the first of 2 or 3 letters.
  public static func canonical(_ text: String) -> String? {
    guard text.utf8.count <= 35 else { return nil }
    var tag: [UInt8] = []
    var isFirst = true
    for part in text.utf8.split(omittingEmptySubsequences: false, whereSeparator: isHyphen) {
      guard (1...8).contains(part.count), part.allSatisfy({ isLetter($0) || isDigit($0) }),
        !isFirst || ((2...3).contains(part.count) && part.allSatisfy(isLetter))
      else { return nil }
      if !isFirst { tag.append(UInt8(ascii: "-")) }
      for (index, byte) in part.enumerated() {
        let isCapital = !isFirst && (part.count == 2 || (part.count == 4 && index == 0))
        tag.append(!isLetter(byte) ? byte : isCapital ? byte & ~0x20 : byte | 0x20)
      }
      isFirst = false
    }
    return String(decoding: tag, as: UTF8.self)
  }

  /// The tag of a locale such as `de_AT.UTF-8@euro` (locale(7)); nil for `C`, `POSIX` and what is
  /// none.
  public static func ofLocale(_ locale: String) -> String? {
    let name = locale.utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
    guard name.count > 1 else { return nil }
    let text = String(decoding: Array(name), as: UTF8.self)
    return ByteString(text) == "POSIX" ? nil : canonical(text)
  }

  /// The languages in which a text is looked for, the best one first: de-AT, then de. Chinese of a
  /// place is looked for in that place's script, and never in the other one.
  public static func fallbacks(_ tag: String) -> [String] {
    guard let tag = canonical(tag) else { return [] }
    var found: [String] = []
    var rest = Array(tag.utf8)
    while !rest.isEmpty {
      found.append(String(decoding: rest, as: UTF8.self))
      guard let hyphen = rest.lastIndex(of: UInt8(ascii: "-")) else { break }
      rest.removeSubrange(hyphen...)
    }
    guard found.last.map({ ByteString($0) }) == "zh" else { return found }
    let script = scriptOfChinese(tag)
    if !found.contains(where: { ByteString($0) == ByteString(script) }) {
      found.insert(script, at: found.count - 1)
    }
    // Plain zh stands for the simplified script.
    if ByteString(script) == "zh-Hant" { found.removeLast() }
    return found
  }

  private static func scriptOfChinese(_ tag: String) -> String {
    for part in tag.utf8.split(whereSeparator: isHyphen) {
      switch ByteString(String(decoding: Array(part), as: UTF8.self)) {
      case "Hans": return "zh-Hans"
      case "Hant", "TW", "HK", "MO": return "zh-Hant"
      default: continue
      }
    }
    return "zh-Hans"
  }

  private static func isHyphen(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
