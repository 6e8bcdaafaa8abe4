import BelfryCore

extension InterruptionLevel {
  /// Its word in a payload.
  var payloadWord: String { self == .timeSensitive ? "time-sensitive" : rawValue }

  init?(payloadWord word: String) {
    guard let level = Self.allCases.first(where: { $0.payloadWord.utf8.elementsEqual(word.utf8) })
    else { return nil }
    self = level
  }

  /// The same where only letters count, large or small: `timeSensitive`, `TIME_SENSITIVE` (P1).
  init?(oddWord word: String) {
    let letters = Self.letters(word)
    guard let level = Self.allCases.first(where: { Self.letters($0.rawValue) == letters }) else {
      return nil
    }
    self = level
  }

  private static func letters(_ word: String) -> [UInt8] {
    word.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") && $0 != 0x20 }
      .map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
  }
}
