import BelfryCore

/// How many columns text takes on a terminal (Unicode's East Asian Width, wide and fullwidth, and
/// emoji take two; marks that combine take none).
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    text.reduce(0) { $0 + width($1) }
  }

  /// Outside text made fit for a terminal: control characters and those that turn the direction
  /// of writing become U+FFFD.
  static func safe(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      shown.unicodeScalars.append(isUnsafe(scalar.value) ? "\u{FFFD}" : scalar)
    }
    return shown
  }

  /// The longest beginning that fits, with an ellipsis if anything was cut.
  static func cut(_ text: String, to width: Int) -> String {
    if of(text) <= width { return text }
    var shown = ""
    var used = 0
    for character in text {
      let wide = self.width(character)
      if used + wide > width - 1 { break }
      shown.append(character)
      used += wide
    }
    return shown + "…"
  }

  /// `word`, divided so that nothing is wider than `width` but a single character.
  static func pieces(of word: Substring, width: Int) -> [String] {
    var pieces: [String] = []
    var (piece, used) = ("", 0)
    for character in word {
      let wide = self.width(character)
      if used > 0, used + wide > width {
        pieces.append(piece)
        (piece, used) = ("", 0)
      }
      piece.append(character)
      used += wide
    }
    return pieces + [piece]
  }

  static func padded(_ text: String, to width: Int, right: Bool) -> String {
    let missing = max(0, width - of(text))
    let space = String(repeating: " ", count: missing)
    return right ? space + text : text + space
  }

  /// A character is as wide as its widest scalar; U+FE0F asks for the emoji form.
  private static func width(_ character: Character) -> Int {
    var widest = 0
    for scalar in character.unicodeScalars {
      if scalar.value == 0xFE0F { return 2 }
      widest = max(widest, width(scalar.value))
    }
    return widest
  }

  private static func width(_ scalar: UInt32) -> Int {
    if scalar < 0x300 { return scalar < 0x20 || scalar == 0xAD ? 0 : 1 }
    if contains(zero, scalar) { return 0 }
    return contains(wide, scalar) ? 2 : 1
  }

  private static func isUnsafe(_ scalar: UInt32) -> Bool {
    scalar < 0x20 || scalar >= 0x7F && scalar < 0xA0
      || scalar >= 0x202A && scalar <= 0x202E || scalar >= 0x2066 && scalar <= 0x2069
      || scalar == 0x2028 || scalar == 0x2029
  }

  private static func contains(_ ranges: [(UInt32, UInt32)], _ scalar: UInt32) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if scalar > ranges[middle].1 { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && scalar >= ranges[low].0
  }

  private static let zero: [(UInt32, UInt32)] = [
    (0x300, 0x36F), (0x483, 0x489), (0x591, 0x5BD), (0x610, 0x61A), (0x64B, 0x65F),
    (0x1160, 0x11FF), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x200B, 0x200F), (0x202A, 0x202E),
    (0x2060, 0x2069), (0x20D0, 0x20FF), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0xFEFF, 0xFEFF),
    (0xE0000, 0xE0FFF),
  ]

  private static let wide: [(UInt32, UInt32)] = [
    (0x1100, 0x115F), (0x231A, 0x231B), (0x23E9, 0x23EC), (0x23F0, 0x23F0), (0x23F3, 0x23F3),
    (0x25FD, 0x25FE), (0x2614, 0x2615), (0x2648, 0x2653), (0x267F, 0x267F), (0x2693, 0x2693),
    (0x26A1, 0x26A1), (0x26AA, 0x26AB), (0x26BD, 0x26BE), (0x26C4, 0x26C5), (0x26CE, 0x26CE),
    (0x26D4, 0x26D4), (0x26EA, 0x26EA), (0x26F2, 0x26F3), (0x26F5, 0x26F5), (0x26FA, 0x26FA),
    (0x26FD, 0x26FD), (0x2705, 0x2705), (0x270A, 0x270B), (0x2728, 0x2728), (0x274C, 0x274C),
    (0x274E, 0x274E), (0x2753, 0x2755), (0x2757, 0x2757), (0x2795, 0x2797), (0x27B0, 0x27B0),
    (0x27BF, 0x27BF), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55), (0x2E80, 0x303E),
    (0x3041, 0x33FF), (0x3400, 0x4DBF), (0x4E00, 0xA4CF), (0xA960, 0xA97F), (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF), (0xFE30, 0xFE6F), (0xFF00, 0xFF60), (0xFFE0, 0xFFE6), (0x16FE0, 0x18CFF),
    (0x1AFF0, 0x1B2FF), (0x1F004, 0x1F004), (0x1F0CF, 0x1F0CF), (0x1F18E, 0x1F18E),
    (0x1F191, 0x1F19A), (0x1F1E6, 0x1F202), (0x1F210, 0x1F23B), (0x1F240, 0x1F265),
    (0x1F300, 0x1F320), (0x1F32D, 0x1F335), (0x1F337, 0x1F37C), (0x1F37E, 0x1F393),
    (0x1F3A0, 0x1F3CA), (0x1F3CF, 0x1F3D3), (0x1F3E0, 0x1F3F0), (0x1F3F4, 0x1F3F4),
    (0x1F3F8, 0x1F43E), (0x1F440, 0x1F440), (0x1F442, 0x1F4FC), (0x1F4FF, 0x1F53D),
    (0x1F54B, 0x1F54E), (0x1F550, 0x1F567), (0x1F57A, 0x1F57A), (0x1F595, 0x1F596),
    (0x1F5A4, 0x1F5A4), (0x1F5FB, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F6CC, 0x1F6CC),
    (0x1F6D0, 0x1F6D2), (0x1F6D5, 0x1F6D7), (0x1F6DC, 0x1F6DF), (0x1F6EB, 0x1F6EC),
    (0x1F6F4, 0x1F6FC), (0x1F7E0, 0x1F7EB), (0x1F7F0, 0x1F7F0), (0x1F90C, 0x1F93A),
    (0x1F93C, 0x1F945), (0x1F947, 0x1F9FF), (0x1FA70, 0x1FAFF), (0x20000, 0x2FFFD),
    (0x30000, 0x3FFFD),
  ]
}
