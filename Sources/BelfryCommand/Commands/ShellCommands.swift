import BelfryCore
import BelfryWire

/// Commands that are about this program itself.
enum ShellCommands {
  static func completion(_ context: CommandContext) throws(CommandError) {
    switch context.given.operands[0] {
    case "bash": try write(BashCompletion.script, as: "script", context)
    case "zsh": try write(ZshCompletion.script, as: "script", context)
    case "fish": try write(FishCompletion.script, as: "script", context)
    case let word:
      if let asked = CompletionWords(rawValue: word) {
        for line in asked.list(context) { try context.line(line) }
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
    if (2...3).contains(words.count), let topic = HelpTopic(rawValue: words[0]),
      !CommandTable.families.contains(words[0])
    {
      let part = try part(of: topic, words)
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

  /// A section of the configuration, or a key of it: `sound volume`, `sound.volume`, or `volume` where
  /// it is of one section.
  private static func part(
    of topic: HelpTopic, _ words: [String]
  ) throws(CommandError) -> HelpDocument {
    let document = topic.document
    var words = words
    if words.count == 2, let dot = words[1].firstIndex(of: ".") {
      words = [words[0], String(words[1][..<dot]), String(words[1][dot...].dropFirst())]
    }
    guard let part = document.part(words[1]) else {
      let sections = document.partNames.filter { document.part($0)?.key(words[1]) != nil }
      if words.count == 2, sections.count == 1,
        let key = document.part(sections[0])?.key(words[1])
      {
        return key
      }
      throw .usage(
        "help " + words[0] + " has no part " + FieldError.quoted(words[1])
          + (sections.isEmpty || words.count > 2
            ? " (one of " + document.partNames.joined(separator: ", ") + ")"
            : "; it is a key of " + sections.joined(separator: ", ")
              + " (belfry help \(words[0]) \(sections[0]) \(words[1]))"))
    }
    guard words.count == 3 else { return part }
    guard let key = part.key(words[2]) else {
      throw .usage(
        "help \(words[0]) \(words[1]) has no key \(FieldError.quoted(words[2]))"
          + (part.partNames == ["plugin"]
            ? "; a plugin's own are listed by belfry plugin check FILE"
            : " (belfry help \(words[0]) \(words[1]))"))
    }
    return key
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
    try write(text, as: "page", context)
  }

  /// A file; for `--json` in an object.
  private static func write(
    _ text: String, as name: String, _ context: CommandContext
  ) throws(CommandError) {
    guard context.json else { return try CommandLineTool.write(text) }
    var object = JSONObject()
    object.append(name, .string(text))
    try context.say(object)
  }
}
