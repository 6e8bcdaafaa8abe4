/// Breaks safe text into lines of so many columns.
enum Wrapping {
  /// Breaks at spaces where it can and between characters where it must; `columns` nil: not at all.
  static func wrap(_ text: String, columns: Int?) -> [String] {
    guard let columns, columns > 0 else { return [text] }
    var lines: [String] = []
    var line = ""
    var width = 0
    for word in words(text) {
      let wordWidth = ColumnWidth.of(word)
      if width + wordWidth > columns, width > 0 {
        lines.append(trimmed(line))
        (line, width) = ("", 0)
        if word == " " { continue }
      }
      guard wordWidth > columns else {
        line += word
        width += wordWidth
        continue
      }
      for character in word {
        let next = ColumnWidth.of(character)
        if width + next > columns, width > 0 {
          lines.append(line)
          (line, width) = ("", 0)
        }
        line.append(character)
        width += next
      }
    }
    lines.append(trimmed(line))
    return lines
  }

  /// The words, and each space as a word of its own.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    for character in text {
      guard character == " " else {
        word.append(character)
        continue
      }
      if !word.isEmpty { words.append(word) }
      words.append(" ")
      word = ""
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
