/// Completions for fish, from the tables.
enum FishCompletion {
  static var script: String {
    var lines = [
      "# fish completion for belfry; printed by: belfry completion fish",
      "complete -c belfry -f",
    ]
    for name in OptionTable.common { lines.append("complete -c belfry" + option(name, of: nil)) }
    for family in CommandTable.families {
      let specs = CommandTable.all.filter { $0.family == family }
      let summary =
        specs[0].member == nil
        ? specs[0].summary : specs.compactMap { $0.member }.joined(separator: ", ")
      lines.append(
        "complete -c belfry -n __fish_use_subcommand -a " + family + " -d "
          + ShellQuoting.fish(summary))
      for spec in specs { lines += command(spec) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func command(_ spec: CommandSpec) -> [String] {
    var seen = "__fish_seen_subcommand_from " + spec.family
    var lines: [String] = []
    if let member = spec.member {
      let members = CommandTable.members(of: spec.family).joined(separator: " ")
      lines.append(
        "complete -c belfry -n '" + seen + "; and not __fish_seen_subcommand_from " + members
          + "' -a " + member + " -d " + ShellQuoting.fish(spec.summary))
      seen += "; and __fish_seen_subcommand_from " + member
    }
    for name in spec.options {
      lines.append("complete -c belfry -n '" + seen + "'" + option(name, of: spec.name))
    }
    switch spec.completion {
    case .nothing: break
    case .file: lines.append("complete -c belfry -n '" + seen + "' -F")
    case .commands: lines.append(words(CommandTable.helpWords, seen))
    case .asked(let what): lines.append(words([Self.asking(what)], seen))
    case .words(let words):
      lines.append(Self.words(words, seen))
    }
    return lines
  }

  private static func words(_ words: [String], _ seen: String) -> String {
    "complete -c belfry -n '" + seen + "' -a " + ShellQuoting.fish(words.joined(separator: " "))
  }

  private static func asking(_ what: CompletionWords) -> String {
    "(belfry completion " + what.rawValue + " 2>/dev/null)"
  }

  /// ` -l body -x -d 'the text'`.
  private static func option(_ name: OptionName, of command: String?) -> String {
    let spec = OptionTable.spec(name)
    var text = " -l " + name.rawValue
    if spec.letter != 0 { text += " -s " + String(UnicodeScalar(spec.letter)) }
    if spec.argument != nil {
      switch spec.completion {
      case .nothing: text += " -x"
      case .words(let words): text += " -x -a " + ShellQuoting.fish(words.joined(separator: " "))
      case .file: text += " -r -F"
      case .asked(let what): text += " -x -a " + ShellQuoting.fish(asking(what))
      case .commands:
        text += " -x -a " + ShellQuoting.fish(CommandTable.helpWords.joined(separator: " "))
      }
    }
    return text + " -d " + ShellQuoting.fish(spec.help(of: command))
  }
}
