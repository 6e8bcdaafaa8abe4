/// Folds text to a width.
enum TextWrapper {
  /// Lines of `text`, broken at spaces, none wider than `width` columns unless a word is; `breaks`:
  /// also within such a word.
  static func lines(_ text: String, width: Int, breaks: Bool = false) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(separator: " ") {
      let wide = DisplayWidth.of(String(word))
      if used > 0, used + 1 + wide > width {
        lines.append(line)
        (line, used) = ("", 0)
      }
      if used > 0 {
        line += " "
        used += 1
      }
      if breaks, wide > width {
        var pieces = DisplayWidth.pieces(of: word, width: width)
        line = pieces.removeLast()
        used = DisplayWidth.of(line)
        lines += pieces
        continue
      }
      line += word
      used += wide
    }
    if used > 0 { lines.append(line) }
    return lines
  }
}
