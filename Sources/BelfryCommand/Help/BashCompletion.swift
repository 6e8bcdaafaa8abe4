import BelfryCore

/// Completions for bash, from the tables.
enum BashCompletion {
  static var script: String {
    var lines = [
      "# bash completion for belfry; printed by: belfry completion bash",
      // compgen would expand what a name has in it.
      "_belfry_ask() {",
      "  local word",
      "  while IFS= read -r word; do",
      "    [[ $word == \"$current\"* ]] && COMPREPLY+=(\"$(printf %q \"$word\")\")",
      "  done < <(belfry ${given[@]+\"${given[@]}\"} completion \"$1\" 2>/dev/null)",
      "}",
      "_belfry_files() {",
      "  compopt -o filenames 2>/dev/null",
      "  mapfile -t COMPREPLY < <(compgen -f -- \"$current\")",
      "}",
      "_belfry() {",
      "  local current=${COMP_WORDS[COMP_CWORD]} given=() command= member= option= word",
      // Bash splits `--app=kiosk` into three words.
      "  [ \"$current\" = = ] && current=",
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
      "    if [ -n \"$option\" ]; then",
      "      [ \"$word\" = = ] && continue",
      "      case $option in --app|--socket) given+=(\"$option\" \"$word\") ;; esac",
      "      option=; continue",
      "    fi",
      "    case $word in",
      "      " + withArgument + ") option=$word ;;",
      "      -*) ;;",
      "      *) if [ -z \"$command\" ]; then command=$word",
      "        elif [ -z \"$member\" ]; then member=$word; fi ;;",
      "    esac",
      "  done",
      "  COMPREPLY=()",
      "  case $option in",
    ]
    lines += argumentCases
    lines += ["  esac", "  case $command in", "    '')"]
    lines.append("      " + reply(CommandTable.families + written(OptionTable.common)))
    lines.append("      return ;;")
    for family in CommandTable.families { lines += familyCase(family) }
    lines += ["  esac", "}", "complete -F _belfry belfry"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func patterns(_ spec: OptionSpec) -> String {
    "--" + spec.name.rawValue
      + (spec.letter == 0 ? "" : "|-" + String(UnicodeScalar(spec.letter)))
  }

  private static var withArgument: String {
    OptionTable.all.filter { $0.argument != nil }.map { patterns($0) }.joined(separator: "|")
  }

  /// What to offer behind an option that takes an argument.
  private static var argumentCases: [String] {
    var lines: [String] = []
    for spec in OptionTable.all where spec.argument != nil {
      let head = "    " + patterns(spec) + ") "
      switch spec.completion {
      case .nothing: lines.append(head + "return ;;")
      case .words(let words): lines.append(head + reply(words) + "; return ;;")
      case .file: lines.append(head + files + "; return ;;")
      case .asked(let what): lines.append(head + "_belfry_ask " + what.rawValue + "; return ;;")
      case .commands: lines.append(head + reply(CommandTable.helpWords) + "; return ;;")
      }
    }
    return lines
  }

  private static func familyCase(_ family: String) -> [String] {
    let specs = CommandTable.all.filter { $0.family == family }
    var lines = ["    " + family + ")"]
    if specs[0].member == nil {
      lines += ["      " + offer(specs[0])]
    } else {
      lines += ["      case $member in"]
      for spec in specs {
        lines.append("        " + (spec.member ?? "") + ") " + offer(spec) + " ;;")
      }
      lines += ["        *) " + reply(specs.compactMap { $0.member }) + " ;;", "      esac"]
    }
    return lines + ["      return ;;"]
  }

  /// Options where a dash was typed, else what the operands may be.
  private static func offer(_ spec: CommandSpec) -> String {
    let options = reply(written(OptionTable.common + spec.options))
    switch spec.completion {
    case .nothing: return options
    case .words(let words):
      return "case $current in -*) " + options + " ;; *) " + reply(words) + " ;; esac"
    case .asked(let what):
      return "case $current in -*) " + options + " ;; *) _belfry_ask " + what.rawValue + " ;; esac"
    case .commands:
      return "case $current in -*) " + options + " ;; *) " + helpWords + " ;; esac"
    case .file: return "case $current in -*) " + options + " ;; *) " + files + " ;; esac"
    }
  }

  /// Topics and commands, and behind one of them its parts.
  private static var helpWords: String {
    let families = CommandTable.families.filter { !CommandTable.members(of: $0).isEmpty }
    let topics = HelpTopic.allCases.filter {
      !$0.document.partNames.isEmpty && !families.contains($0.rawValue)
    }
    let parts =
      families.map { ($0, CommandTable.members(of: $0)) }
      + topics.map { ($0.rawValue, $0.document.partNames) }
    return "case $member in "
      + parts.map { $0.0 + ") " + reply($0.1) + " ;; " }.joined()
      + "*) " + reply(CommandTable.helpWords) + " ;; esac"
  }

  private static let files = "_belfry_files"

  private static func reply(_ words: [String]) -> String {
    "COMPREPLY=($(compgen -W " + ShellQuoting.single(words.joined(separator: " "))
      + " -- \"$current\"))"
  }

  private static func written(_ options: [OptionName]) -> [String] {
    options.map { "--" + $0.rawValue }
  }
}
