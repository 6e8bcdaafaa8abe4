import BelfryCore
import BelfryWire

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

  /// `belfry help limits` is a topic; `belfry help sound play` is `belfry sound play --help`.
  static func help(_ context: CommandContext) throws(CommandError) {
    let width = min(context.width ?? 80, 100)
    let words = context.given.operands
    if words.isEmpty, context.json { return try listTopics(context) }
    if words.count == 1, let topic = HelpTopic(rawValue: words[0]) {
      guard context.json else {
        // `sound` is a topic, and two commands.
        let isFamily = CommandTable.families.contains(words[0])
        return try CommandLineTool.write(
          HelpText.topic(topic, width: width)
            + (isFamily ? "\n" + HelpText.family(words[0], width: width) : ""))
      }
      for row in topic.document.rows(of: topic) { try context.say(row) }
      return
    }
    // `sound` is a topic, and two commands.
    if words.count == 2, let topic = HelpTopic(rawValue: words[0]),
      !CommandTable.families.contains(words[0])
    {
      guard let part = topic.document.part(words[1]) else {
        throw .usage(
          "help " + words[0] + " has no part " + FieldError.quoted(words[1]) + " (one of "
            + topic.document.partNames.joined(separator: ", ") + ")")
      }
      guard context.json else {
        return try CommandLineTool.write(HelpText.topic(topic, part, width: width))
      }
      for row in part.rows(of: topic) { try context.say(row) }
      return
    }
    if let word = words.first, !CommandTable.families.contains(word) { throw noTopic(word) }
    switch try CommandLineParser.parse(words + ["--help"]) {
    case .help(let spec): try CommandLineTool.write(HelpText.command(spec, width: width))
    case .helpFamily(let family): try CommandLineTool.write(HelpText.family(family, width: width))
    default: try CommandLineTool.write(HelpText.overview(width: width))
    }
  }

  private static func listTopics(_ context: CommandContext) throws(CommandError) {
    for topic in HelpTopic.allCases {
      try context.say([
        "topic": .string(topic.rawValue), "meaning": .string(topic.document.summary),
      ])
    }
  }

  static func noTopic(_ word: String) -> CommandError {
    .usage(
      "no command or topic " + FieldError.quoted(word)
        + (Synonyms.command(word).map { "; did you mean \($0)?" }
          ?? CommandLineParser.suggestion(word, among: CommandTable.helpWords, prefix: ""))
        + " (belfry help lists them)")
  }

  static func man(_ context: CommandContext) throws(CommandError) {
    let name = context.given.operands.first ?? "belfry"
    guard let text = ManPages.text(of: name) else {
      throw .usage(
        "no man page " + FieldError.quoted(name)
          + CommandLineParser.suggestion(name, among: ManPages.names, prefix: "") + " (one of "
          + ManPages.names.joined(separator: ", ") + ")")
    }
    try CommandLineTool.write(text)
  }
}
