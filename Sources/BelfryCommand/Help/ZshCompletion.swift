/// Completions for zsh, from the tables.
enum ZshCompletion {
  static var script: String {
    var lines = ["#compdef belfry", "# printed by: belfry completion zsh", ""]
    lines += [
      "_belfry_ask() {", "  local -a found",
      "  found=(${(f)\"$(belfry completion $1 2>/dev/null)\"})", "  compadd -a found", "}", "",
      "_belfry() {",
    ]
    lines += [
      "  local context state state_descr line", "  typeset -A opt_args", "  _arguments -C \\",
    ]
    for name in OptionTable.common { lines.append("    " + option(name, of: nil) + " \\") }
    lines += ["    '1:command:->command' '*::argument:->argument'", "  case $state in"]
    lines += ["  command)", "    local -a commands", "    commands=("]
    for family in CommandTable.families {
      lines.append("      " + ShellQuoting.single(family + ":" + summary(family)))
    }
    lines += ["    )", "    _describe command commands ;;", "  argument)", "    case $line[1] in"]
    for family in CommandTable.families { lines += familyCase(family) }
    lines += ["    esac ;;", "  esac", "}", "", "_belfry \"$@\""]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func familyCase(_ family: String) -> [String] {
    let specs = CommandTable.all.filter { $0.family == family }
    guard specs[0].member != nil else {
      return ["    " + family + ")"] + arguments(specs[0], indent: "      ") + ["      ;;"]
    }
    var lines = [
      "    " + family + ")", "      if (( CURRENT == 2 )); then", "        local -a members",
    ]
    lines.append("        members=(")
    for spec in specs {
      lines.append(
        "          " + ShellQuoting.single((spec.member ?? "") + ":" + spec.summary))
    }
    lines += ["        )", "        _describe command members", "        return", "      fi"]
    // The member's own words begin behind it.
    lines += ["      shift words; (( CURRENT-- ))", "      case $words[1] in"]
    for spec in specs {
      lines.append("      " + (spec.member ?? "") + ")")
      lines += arguments(spec, indent: "        ") + ["        ;;"]
    }
    return lines + ["      esac ;;"]
  }

  private static func arguments(_ spec: CommandSpec, indent: String) -> [String] {
    var parts = (OptionTable.common + spec.options).map { option($0, of: spec.name) }
    switch (spec.operands, spec.completion) {
    case (.none, _): break
    case (_, .file): parts.append("'*:file:_files'")
    case (_, .words(let words)):
      parts.append(
        ShellQuoting.single("1:" + spec.operandText + ":(" + words.joined(separator: " ") + ")"))
    case (_, .asked(let what)):
      parts.append(
        ShellQuoting.single(
          "*:" + ShellQuoting.zshDescription(spec.operandText) + ":{_belfry_ask " + what.rawValue
            + "}"))
    case (_, .commands):
      parts.append(
        ShellQuoting.single(
          "1:command:(" + CommandTable.helpWords.joined(separator: " ") + ")"))
    case (_, .nothing):
      parts.append(
        ShellQuoting.single("*:" + ShellQuoting.zshDescription(spec.operandText) + ":"))
    }
    return [indent + "_arguments \\"]
      + parts.enumerated().map {
        indent + "  " + $0.element + ($0.offset + 1 < parts.count ? " \\" : "")
      }
  }

  /// `'--body[the text]:TEXT:'`.
  private static func option(_ name: OptionName, of command: String?) -> String {
    let spec = OptionTable.spec(name)
    var text = "--" + name.rawValue + (spec.argument == nil ? "" : "=")
    text += "[" + ShellQuoting.zshDescription(spec.help(of: command)) + "]"
    guard let argument = spec.argument else { return ShellQuoting.single(text) }
    text += ":" + ShellQuoting.zshDescription(argument) + ":"
    switch spec.completion {
    case .nothing: break
    case .words(let words): text += "(" + words.joined(separator: " ") + ")"
    case .file: text += "_files"
    case .asked(let what): text += "{_belfry_ask " + what.rawValue + "}"
    case .commands: text += "(" + CommandTable.helpWords.joined(separator: " ") + ")"
    }
    return ShellQuoting.single(text)
  }

  private static func summary(_ family: String) -> String {
    let specs = CommandTable.all.filter { $0.family == family }
    if specs[0].member == nil { return specs[0].summary }
    return specs.compactMap { $0.member }.joined(separator: ", ")
  }
}
