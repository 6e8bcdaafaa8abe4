import BelfryWire

/// What `--help` prints, from the tables.
enum HelpText {
  static func overview(width: Int) -> String {
    var lines = TextWrapper.lines(
      "belfry - notifications that fire on time, on a board", width: width)
    lines += ["", "Usage: belfry COMMAND [OPTION..]", ""]
    lines += columns(
      CommandTable.all.map { (heading($0), $0.summary) }, width: width)
    lines.append("")
    lines += columns(optionRows(OptionTable.common), width: width)
    lines += ["", "Topics of belfry help TOPIC:"]
    lines += columns(
      HelpTopic.allCases.map { ($0.rawValue, $0.document.summary) }, width: width)
    for paragraph in [
      "belfry COMMAND --help says more, with examples.",
      "Exit status: 0 done, 1 refused, 2 wrong usage, 3 no daemon.",
    ] {
      lines += [""] + TextWrapper.lines(paragraph, width: width)
    }
    return text(lines)
  }

  static func command(_ spec: CommandSpec, width: Int) -> String {
    var lines = TextWrapper.lines("belfry " + spec.name + " - " + spec.summary, width: width)
    lines += [""] + usage(spec, width: width)
    for paragraph in spec.details { lines += [""] + TextWrapper.lines(paragraph, width: width) }
    for group in OptionSpec.Group.allCases where group != .common {
      let rows = optionRows(spec.options, of: spec.name, group: group)
      if !rows.isEmpty { lines += ["", group.title + ":"] + columns(rows, width: width) }
    }
    lines += ["", "Everywhere:"] + columns(optionRows(OptionTable.common), width: width)
    if !spec.examples.isEmpty { lines += ["", "Examples:"] }
    for example in spec.examples {
      lines.append("  " + example.line)
      lines += TextWrapper.lines(example.says, width: width - 6).map { "      " + $0 }
    }
    return text(lines)
  }

  /// `part`: of the topic, in its place.
  static func topic(_ topic: HelpTopic, _ part: HelpDocument? = nil, width: Int) -> String {
    let document = part ?? topic.document
    var lines = TextWrapper.lines(topic.rawValue + " - " + document.summary, width: width)
    var terms: [(String, String)] = []
    for block in document.blocks {
      if case .term(let word, let meaning) = block {
        terms.append((word, meaning))
        continue
      }
      lines += columns(terms, width: width)
      terms = []
      switch block {
      case .heading(let text): lines += ["", text + ":"]
      case .text(let text): lines += [""] + TextWrapper.lines(text, width: width)
      case .keys(let section, let keys):
        lines += ["", section]
        lines += columns(keys.map { ($0.name, HelpDocument.words(of: $0)) }, width: width)
      case .example(let example): lines += [""] + example.map { "  " + $0 }
      case .term: break
      }
    }
    return text(lines + columns(terms, width: width))
  }

  static func family(_ family: String, width: Int) -> String {
    let members = CommandTable.all.filter { $0.family == family }
    var lines = ["Usage: belfry " + family + " COMMAND [OPTION..]", ""]
    lines += columns(
      members.map { (heading($0), $0.summary) }, width: width)
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
    return TextWrapper.lines("Usage: belfry " + words, width: width)
  }

  private static func optionRows(
    _ names: [OptionName], of command: String? = nil, group: OptionSpec.Group? = nil
  ) -> [(String, String)] {
    names.map { OptionTable.spec($0) }.filter { group == nil || $0.group == group }.map {
      (written($0), $0.help(of: command))
    }
  }

  /// Two columns; the right one is folded.
  private static func columns(_ rows: [(String, String)], width: Int) -> [String] {
    var left = 0
    // Where two columns have no room, the right one goes below the left one.
    let most = width < 60 ? 2 : 28
    for row in rows { left = max(left, min(DisplayWidth.of(row.0), most)) }
    var lines: [String] = []
    for row in rows {
      let folded = TextWrapper.lines(row.1, width: max(20, width - left - 4))
      var head = "  " + DisplayWidth.padded(row.0, to: left, right: false) + "  "
      if DisplayWidth.of(row.0) > left {
        lines += TextWrapper.lines(row.0, width: width - 2).map { "  " + $0 }
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
