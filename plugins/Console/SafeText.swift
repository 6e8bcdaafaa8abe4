/// Text from strangers, made fit for a terminal: nothing in it can move the cursor, change a setting
/// or reorder what stands beside it.
enum SafeText {
  /// What a control character becomes, so that one can see that there was one.
  static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// The lines of `text`. Line ends of every kind divide; tabs become spaces; other controls of C0
  /// and C1 (ESC, BEL, CSI among them) become U+FFFD; directional and other invisible formatting
  /// goes, save the joiners that emoji and scripts need.
  static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var lastWasReturn = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A where lastWasReturn: break
      case 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029:
        lines.append(String(line))
        line = String.UnicodeScalarView()
      case 0x09: line.append(" ")
      case 0..<0x20, 0x7F...0x9F: line.append(replacement)
      default: if !isInvisible(scalar.value) { line.append(scalar) }
      }
      lastWasReturn = scalar.value == 0x0D
    }
    lines.append(String(line))
    return lines
  }

  /// The same on one line.
  static func line(_ text: String) -> String {
    lines(text).joined(separator: " ")
  }

  private static func isInvisible(_ value: UInt32) -> Bool {
    switch value {
    case 0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x180B...0x180F, 0x3164, 0xFEFF, 0xFFA0: true
    // Zero-width space, direction marks; but not the joiners 200C and 200D.
    case 0x200B, 0x200E, 0x200F: true
    // Embeddings, overrides and isolates; invisible operators; deprecated controls.
    case 0x202A...0x202E, 0x2060...0x206F: true
    case 0xFFF0...0xFFFC, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: true
    // Tags, private use, and what will never be a character.
    case 0xE000...0xF8FF, 0xFDD0...0xFDEF, 0xE0000...0xE00FF, 0xE01F0...0x10FFFF: true
    default: value & 0xFFFE == 0xFFFE
    }
  }
}
