/// What `--help` prints, from the tables.
enum HelpText {
  static func overview(width: Int) -> String {
    var lines = [
      "belfry - notifications that fire on time, on a board", "",
      "Usage: belfry COMMAND [OPTION..]", "",
    ]
    lines += columns(
      CommandTable.all.filter { !$0.later }.map { (heading($0), $0.summary) }, width: width)
    lines.append("")
    lines += columns(optionRows(OptionTable.common), width: width)
    lines += [
      "", "belfry COMMAND --help says more, with examples. Not in this build yet:",
    ]
    let later = CommandTable.all.filter { $0.later }.map { $0.name }.joined(separator: ", ")
    lines += TextWrapper.lines(later, width: width - 2).map { "  " + $0 }
    lines += ["", "Exit status: 0 done, 1 refused, 2 wrong usage, 3 no daemon."]
    return text(lines)
  }

  static func command(_ spec: CommandSpec, width: Int) -> String {
    var lines = TextWrapper.lines("belfry " + spec.name + " - " + spec.summary, width: width)
    lines += [""] + usage(spec, width: width)
    if spec.later { lines += ["", "Not in this build: it exits 1."] }
    for paragraph in spec.details { lines += [""] + TextWrapper.lines(paragraph, width: width) }
    for group in OptionSpec.Group.allCases where group != .common {
      let rows = optionRows(spec.options, group: group)
      if !rows.isEmpty { lines += ["", group.title + ":"] + columns(rows, width: width) }
    }
    lines += ["", "Everywhere:"] + columns(optionRows(OptionTable.common), width: width)
    if !spec.examples.isEmpty { lines += ["", "Examples:"] }
    for example in spec.examples { lines += ["  " + example.line, "      " + example.says] }
    return text(lines)
  }

  static func family(_ family: String, width: Int) -> String {
    let members = CommandTable.all.filter { $0.family == family }
    var lines = ["Usage: belfry " + family + " COMMAND [OPTION..]", ""]
    lines += columns(
      members.map { (heading($0), $0.summary + ($0.later ? " (not in this build)" : "")) },
      width: width)
    return text(lines)
  }

  /// `--body TEXT`, with the letter in front where there is one.
  static func written(_ spec: OptionSpec) -> String {
    let letter =
      spec.letter == 0 ? "" : "-" + String(UnicodeScalar(spec.letter)) + ", "
    return letter + "--" + spec.name.rawValue + (spec.argument.map { " " + $0 } ?? "")
  }

  private static func heading(_ spec: CommandSpec) -> String {
    spec.name + (spec.operandText.isEmpty ? "" : " " + spec.operandText)
  }

  private static func usage(_ spec: CommandSpec, width: Int) -> [String] {
    let words =
      heading(spec) + (spec.options.isEmpty ? "" : " [OPTION..]")
    return ["Usage: belfry " + words]
  }

  private static func optionRows(_ names: [OptionName], group: OptionSpec.Group? = nil)
    -> [(String, String)]
  {
    names.map { OptionTable.spec($0) }.filter { group == nil || $0.group == group }.map {
      (written($0), $0.help + ($0.later ? " (not in this build)" : ""))
    }
  }

  /// Two columns; the right one is folded.
  private static func columns(_ rows: [(String, String)], width: Int) -> [String] {
    var left = 0
    for row in rows { left = max(left, min(DisplayWidth.of(row.0), 28)) }
    var lines: [String] = []
    for row in rows {
      let folded = TextWrapper.lines(row.1, width: max(20, width - left - 4))
      var head = "  " + DisplayWidth.padded(row.0, to: left, right: false) + "  "
      if DisplayWidth.of(row.0) > left {
        lines.append("  " + row.0)
        head = String(repeating: " ", count: left + 4)
      }
      for (index, line) in folded.enumerated() {
        lines.append((index == 0 ? head : String(repeating: " ", count: left + 4)) + line)
      }
    }
    return lines
  }

  private static func text(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }
}
