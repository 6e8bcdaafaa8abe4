import BelfryCore

/// Commands that are about this program itself.
enum ShellCommands {
  static func completion(_ context: CommandContext) throws(CommandError) {
    switch context.given.operands[0] {
    case "bash": try CommandLineTool.write(BashCompletion.script)
    case "zsh": try CommandLineTool.write(ZshCompletion.script)
    case "fish": try CommandLineTool.write(FishCompletion.script)
    case let word:
      if let asked = CompletionWords(rawValue: word) {
        for line in asked.list(context) { try context.say(line) }
        return
      }
      throw .usage(
        "SHELL: there are no completions for " + FieldError.quoted(context.given.operands[0])
          + "; one of bash, zsh, fish")
    }
  }

  /// `belfry help sound play` is `belfry sound play --help`.
  static func help(_ context: CommandContext) throws(CommandError) {
    let width = min(context.width ?? 80, 100)
    switch try CommandLineParser.parse(context.given.operands + ["--help"]) {
    case .help(let spec): try CommandLineTool.write(HelpText.command(spec, width: width))
    case .helpFamily(let family): try CommandLineTool.write(HelpText.family(family, width: width))
    default: try CommandLineTool.write(HelpText.overview(width: width))
    }
  }
}
