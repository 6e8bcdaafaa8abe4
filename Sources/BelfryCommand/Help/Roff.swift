import BelfryCore

/// Writes the roff of man pages, in its man macros.
enum Roff {
  /// The lines with which every page begins.
  static func head(_ name: String, _ section: Int, _ summary: String) -> [String] {
    [
      ".TH \"" + escaped(name).uppercased() + "\" \(section) \"\" \"belfry " + Version.text
        + "\" \"Belfry\"", ".SH NAME", escaped(name) + " \\- " + escaped(summary),
    ]
  }

  /// A word, and a paragraph behind it.
  static func paragraph(_ head: String, _ text: String) -> [String] {
    [".TP", ".B " + escaped(head), line(text)]
  }

  static func example(_ lines: [String]) -> [String] {
    [".RS", ".EX"] + lines.map { line($0) } + [".EE", ".RE"]
  }

  static func seeAlso(_ pages: [(name: String, section: Int)]) -> [String] {
    guard !pages.isEmpty else { return [] }
    return [".SH SEE ALSO"]
      + pages.enumerated().map { index, page in
        ".BR " + escaped(page.name) + " (\(page.section))" + (index + 1 < pages.count ? "," : "")
      }
  }

  /// A line of text: a dot or quote at its beginning would be a request.
  static func line(_ text: String) -> String {
    let line = escaped(text)
    return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  static func escaped(_ text: String) -> String {
    var line = ""
    for character in text {
      switch character {
      case "\\": line += "\\e"
      case "-": line += "\\-"
      case "'": line += "\\(aq"
      case "\"": line += "\\(dq"
      case "^": line += "\\(ha"
      case "~": line += "\\(ti"
      case "…": line += "..."
      default: line.append(character)
      }
    }
    return line
  }
}
