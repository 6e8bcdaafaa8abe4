import BelfryCore

/// Understands a command line by the tables; what it cannot understand it names, with the nearest
/// thing that exists.
enum CommandLineParser {
  enum Parsed: Sendable {
    case run(Invocation)
    case help(CommandSpec)
    /// A family alone, such as `belfry sound --help`.
    case helpFamily(String)
    case overview
    case version
  }

  /// `arguments` without the program's name.
  static func parse(_ arguments: [String]) throws(CommandError) -> Parsed {
    var options: [GivenOption] = []
    let words = try readOptions(
      OptionTable.common, arguments, inOrder: true, command: nil, into: &options)
    if has(options, .version) { return .version }
    guard let family = words.first else {
      if has(options, .help) { return .overview }
      throw .usage("a command is needed (belfry --help lists them)")
    }
    guard let spec = try findCommand(words, helpWanted: has(options, .help)) else {
      return .helpFamily(family)
    }
    let rest = numbersLast(Array(words.dropFirst(spec.member == nil ? 1 : 2)), spec)
    let operands = try readOptions(
      OptionTable.common + spec.options, rest, inOrder: false, command: spec, into: &options)
    if has(options, .version) { return .version }
    if has(options, .help) { return .help(spec) }
    let invocation = Invocation(command: spec, options: options, operands: operands)
    try checkOperands(invocation)
    return .run(invocation)
  }

  /// A word such as `-33.86,151.21` is no option: of a command that takes one word, it goes behind
  /// a `--`.
  private static func numbersLast(_ words: [String], _ spec: CommandSpec) -> [String] {
    switch spec.operands {
    case .one, .optional: break
    default: return words
    }
    guard !words.contains("--"),
      let place = words.indices.first(where: { index in
        isNegativeNumber(words[index]) && (index == 0 || !takesArgument(words[index - 1]))
      })
    else { return words }
    let rest = words[place...]
    if !rest.contains(where: { $0.hasPrefix("--") }) { return words[..<place] + ["--"] + rest }
    var others = words
    let number = others.remove(at: place)
    return others + ["--", number]
  }

  private static func isNegativeNumber(_ word: String) -> Bool {
    var bytes = word.utf8.makeIterator()
    guard bytes.next() == UInt8(ascii: "-"), let second = bytes.next() else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
  }

  private static func takesArgument(_ word: String) -> Bool {
    OptionTable.all.contains { $0.argument != nil && matches(word, $0) }
  }

  /// nil: help for a family was asked for.
  private static func findCommand(_ words: [String], helpWanted: Bool) throws(CommandError)
    -> CommandSpec?
  {
    let family = words[0]
    if let spec = CommandTable.spec(family) { return spec }
    let members = CommandTable.members(of: family)
    if members.isEmpty {
      throw .usage(
        "no command " + FieldError.quoted(family)
          + (Synonyms.command(family).map { "; did you mean \($0)?" }
            ?? suggestion(family, among: CommandTable.families, prefix: ""))
          + " (belfry --help lists them)")
    }
    guard words.count > 1 else {
      if helpWanted { return nil }
      throw .usage(family + " needs one of: " + members.joined(separator: ", "))
    }
    if words[1] == "--help" || words[1] == "-h" { return nil }
    if let spec = CommandTable.spec(family + " " + words[1]) { return spec }
    let synonym = Synonyms.command(words[1]).flatMap { members.contains($0) ? $0 : nil }
    throw .usage(
      "no command " + FieldError.quoted(family + " " + words[1])
        + (synonym.map { "; did you mean \(family) \($0)?" }
          ?? suggestion(words[1], among: members, prefix: family + " "))
        + " (" + family + " needs one of: " + members.joined(separator: ", ") + ")")
  }

  private static func checkOperands(_ invocation: Invocation) throws(CommandError) {
    let (command, words) = (invocation.command, invocation.operands)
    let most: Int
    switch command.operands {
    case .none: most = 0
    case .optional: most = 1
    case .several, .words: return
    case .one(let name):
      if words.isEmpty { throw .usage(command.name + " needs " + name) }
      most = 1
    }
    guard words.count > most else { return }
    throw .usage(
      command.name + " does not take " + FieldError.quoted(words[most])
        + NeedlessWord.meant(words, taken: most, invocation) + seeHelp(command))
  }

  private static func has(_ options: [GivenOption], _ name: OptionName) -> Bool {
    options.contains { $0.name == name }
  }
}

// Reading options.
extension CommandLineParser {
  /// Adds what is given to `options` and returns the words that are none. `command` nil: what
  /// stands before the command's name.
  private static func readOptions(
    _ known: [OptionName], _ arguments: [String], inOrder: Bool, command: CommandSpec?,
    into options: inout [GivenOption]
  ) throws(CommandError) -> [String] {
    guard let reader = OptionReader.make(known, arguments: arguments) else {
      throw .refused("the command line: too long for the memory there is")
    }
    while true {
      switch reader.next(inOrder: inOrder) {
      case .end(let words): return words
      case .option(let option):
        try checkBeginning(of: option, arguments, known, command)
        try checkArgument(of: option, arguments, known, command)
        try add(option, to: &options, command)
      case .unknown(let text):
        // getopt_long names a letter of `-5m` alone.
        let whole = arguments.first { !$0.hasPrefix("--") && $0.hasPrefix(text) }
        throw unknown(isNegativeNumber(text) ? whole ?? text : text, whole, known, command)
      case .missingArgument(let text):
        let spec = known.map { OptionTable.spec($0) }.first { Self.matches(text, $0) }
        throw .usage(text + " needs " + (spec?.argument ?? "an argument") + seeHelp(command))
      case .needlessArgument(let text): throw .usage(beforeEquals(text) + " takes no argument")
      }
    }
  }

  /// getopt_long takes the beginning of an option for it: not where the word means another one here,
  /// nor for what means everything.
  private static func checkBeginning(
    of option: GivenOption, _ arguments: [String], _ known: [OptionName], _ command: CommandSpec?
  ) throws(CommandError) {
    let (spec, whole) = (OptionTable.spec(option.name), "--" + option.name.rawValue)
    let words = arguments.map { beforeEquals($0) }
    guard !words.contains(where: { matches($0, spec) }),
      let typed = words.first(where: { $0.utf8.count > 2 && whole.hasPrefix($0) })
    else { return }
    let isWide = option.name == .all || option.name == .yes
    let synonym = Synonyms.option(String(typed.dropFirst(2)))
      .flatMap { Self.isKnown($0, known) ? $0 : nil }
    guard isWide || synonym != nil else { return }
    throw .usage(
      "no option " + FieldError.quoted(typed) + "; did you mean --"
        + (synonym ?? option.name.rawValue) + "?" + seeHelp(command))
  }

  /// What people call an option: with or without its argument.
  private static func isKnown(_ synonym: String, _ known: [OptionName]) -> Bool {
    let name = synonym.split(separator: " ")[0]
    return known.contains { $0.rawValue == name }
  }

  /// `--body --in 10m`: the argument was forgotten, and the next option is not it.
  private static func checkArgument(
    of option: GivenOption, _ arguments: [String], _ known: [OptionName], _ command: CommandSpec?
  ) throws(CommandError) {
    let (written, text) = ("--" + option.name.rawValue, option.argument)
    guard text.hasPrefix("--"), known.contains(where: { "--" + $0.rawValue == beforeEquals(text) }),
      !arguments.contains(where: { $0.hasPrefix("--") && $0.hasSuffix("=" + text) })
    else { return }
    let argument = OptionTable.spec(option.name).argument ?? "an argument"
    throw .usage(
      written + " needs " + argument + ", and " + text + " is an option (if it is meant: " + written
        + "=" + text + ")")
  }

  private static func add(
    _ option: GivenOption, to options: inout [GivenOption], _ command: CommandSpec?
  ) throws(CommandError) {
    let spec = OptionTable.spec(option.name)
    if has(options, option.name), !spec.many {
      if spec.argument == nil { return }
      throw .usage("--" + option.name.rawValue + " is given twice" + seeHelp(command))
    }
    options.append(option)
  }

  /// What is wrong with an option that getopt_long did not take: it is the beginning of several,
  /// belongs to another command, or is nothing at all.
  private static func unknown(
    _ text: String, _ word: String?, _ known: [OptionName], _ command: CommandSpec?
  ) -> CommandError {
    let written = beforeEquals(text)
    guard written.utf8.count > 2, written.hasPrefix("--") else {
      let words = word.flatMap { wholeWord($0, known, command) }
      return .usage(words ?? unknownLetter(written, known, command))
    }
    let name = String(written.dropFirst(2))
    let names = known.map { $0.rawValue }
    let begun = names.filter { $0.hasPrefix(name) }
    if begun.count > 1 {
      return .usage(written + " may be --" + begun.joined(separator: ", --"))
    }
    if ["mute", "silent", "quiet", "no-sound"].contains(name), known.contains(.sound) {
      return .usage("no option \(FieldError.quoted(written)): without --sound it is silent")
    }
    let meant = Synonyms.option(name, of: command?.name)
    let synonym = meant.flatMap { Self.isKnown($0, known) ? $0 : nil }
    if synonym == nil, let command, let operand = Synonyms.operand(name) {
      let operands = command.operandText
      if operands.split(whereSeparator: { " .[]".contains($0) }).contains(where: { $0 == operand })
      {
        return .usage(
          "\(command.name) has no \(written); write belfry \(command.name) \(operands)")
      }
    }
    if synonym == nil, let other = OptionName(rawValue: name) {
      return .usage(belongsElsewhere(other, command))
    }
    return .usage(
      "no option " + FieldError.quoted(written)
        + (synonym.map { "; did you mean --\($0)?" } ?? suggestion(name, among: names, prefix: "--"))
        + seeHelp(command))
  }

  /// `-body`, and an identifier that begins with a dash; nil: it is a letter alone, or a number.
  private static func wholeWord(
    _ word: String, _ known: [OptionName], _ command: CommandSpec?
  ) -> String? {
    guard word.utf8.count > 2, !isNegativeNumber(word), let command else { return nil }
    let name = beforeEquals(String(word.dropFirst()))
    if known.contains(where: { $0.rawValue == name }) {
      return "no option " + FieldError.quoted("-" + name) + "; did you mean --\(name)?"
        + seeHelp(command)
    }
    guard command.operandText.drop(while: { $0 == "[" }).hasPrefix("ID") else { return nil }
    return "no option \(FieldError.quoted(word)); if it is an ID: belfry \(command.name) -- "
      + ShellQuoting.single(word)
  }

  /// `-a` for `--all`, where at most two options begin so.
  private static func unknownLetter(
    _ written: String, _ known: [OptionName], _ command: CommandSpec?
  ) -> String {
    if written == "-a", command?.name == "list" { return "list shows all: leave -a out" }
    if written == "-V" { return "no option \"-V\"; did you mean --version?" + seeHelp(command) }
    if let option = Synonyms.letter(written), known.contains(option) {
      return "no option " + FieldError.quoted(written) + "; did you mean --\(option.rawValue)?"
        + seeHelp(command)
    }
    let letters = written.utf8.dropFirst()
    // `-5m`, of a command that takes spans.
    let number = String(written.dropFirst())
    if isNegativeNumber(written), let span = DurationArgument.span(number) {
      return "no option \(FieldError.quoted(written)); did you mean \(span)?" + seeHelp(command)
    }
    let meant = known.filter { letters.count == 1 && $0.rawValue.utf8.first == letters.first }
    let names = meant.map { "--" + $0.rawValue }.joined(separator: " or ")
    let hint = (1...2).contains(meant.count) ? "; did you mean \(names)?" : ""
    return "no option " + FieldError.quoted(written) + hint + seeHelp(command)
  }

  private static func belongsElsewhere(_ option: OptionName, _ command: CommandSpec?) -> String {
    let owners = CommandTable.all.filter { $0.options.contains(option) }.map { $0.name }
    let written = "--" + option.rawValue
    if let command, option == .all, ["list", "history"].contains(command.name) {
      return command.name + " shows all: leave --all out"
    }
    guard let command else {
      return written + " stands after its command: belfry "
        + (option == .all ? "COMMAND" : owners.first ?? "") + " " + written
    }
    return command.name + " has no " + written + "; it belongs to "
      + owners.joined(separator: ", ")
  }

  private static func matches(_ text: String, _ spec: OptionSpec) -> Bool {
    text == "--" + spec.name.rawValue
      || spec.letter != 0 && Array(text.utf8) == [UInt8(ascii: "-"), spec.letter]
  }

  private static func beforeEquals(_ text: String) -> String {
    String(text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)[0])
  }

  private static func seeHelp(_ command: CommandSpec?) -> String {
    " (belfry " + (command.map { $0.name + " " } ?? "") + "--help)"
  }

  /// `; did you mean …?`, or nothing.
  static func suggestion(_ word: String, among candidates: [String], prefix: String) -> String {
    meant(word, among: candidates).map { "; did you mean " + prefix + $0 + "?" } ?? ""
  }

  /// The one that begins so, else the nearest.
  static func meant(_ word: String, among candidates: [String]) -> String? {
    let begun = candidates.filter { word.utf8.count > 2 && $0.utf8.starts(with: word.utf8) }
    return begun.count == 1 ? begun[0] : NameSuggestion.nearest(to: word, among: candidates)
  }
}
