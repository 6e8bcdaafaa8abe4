import BelfryCore
import BelfrySystem

/// What words may have been that a command does not take.
struct NeedlessWord {
  private let words: [String]
  private let given: Invocation

  /// `; did you mean …?`, or nothing. The first so many of `operands` are taken.
  static func meant(_ operands: [String], taken: Int, _ given: Invocation) -> String {
    let word = NeedlessWord(words: Array(operands[taken...]), given: given)
    let whole = operands.joined(separator: " ")
    if given.command.name == "fix", operands.allSatisfy(isNumber) {
      return suggestion(operands.joined(separator: ","))
    }
    let rest = word.words.joined(separator: " ")
    let isOfDays = ["skip", "unskip"].contains(given.command.name)
    if isOfDays, word.isOpen(.at),
      TimeText.day(rest, today: CivilDate(days: 0)) != nil || isTime(rest)
    {
      return suggestion("--at " + ShellQuoting.single(rest))
    }
    if taken > 0, word.isOpen(.at), isTime(whole) {
      return suggestion("--at " + ShellQuoting.single(whole))
    }
    let option = word.goesOn ?? word.number ?? word.trigger ?? word.repeating ?? word.text
    if let option = word.dash ?? option.map({ suggestion($0) }) { return option }
    let others = ["list": "belfry next ", "watch": "belfry history --id "]
    guard operands.count == 1, let other = others[given.command.name] else { return "" }
    return "; for one there is " + other + word.quoted(operands[0])
  }

  private static func suggestion(_ text: String) -> String { "; did you mean " + text + "?" }

  /// Pages on the web make one long dash of two short ones.
  private var dash: String? {
    guard words[0].hasPrefix("\u{2014}") || words[0].hasPrefix("\u{2013}") else { return nil }
    return "; it begins with a long dash"
      + Self.suggestion("--" + String(words[0].dropFirst()))
  }

  /// The option whose argument has blanks, and goes on here.
  private var goesOn: String? {
    for option in given.options {
      let name = "--" + option.name.rawValue + " "
      let parts = [option.argument] + words
      let whole = parts.joined(separator: " ")
      switch option.name {
      case .at, .until, .from, .after, .since, .expires, .rdate:
        if Self.isTime(whole) { return name + ShellQuoting.single(whole) }
      case .inDuration, .realert, .ringFor, .fadeIn, .tolerance:
        if let span = DurationArgument.meant(whole) { return name + span }
      case .weekdays:
        let list = parts.joined(separator: ",")
        if (try? WeekdaysArgument.rule(list)) != nil { return name + list }
      case .region:
        if parts.allSatisfy(Self.isNumber) { return name + parts.joined(separator: ",") }
      case .ladder: if words[0].contains(":") { return name + ShellQuoting.single(whole) }
      default: break
      }
      if option.argument.hasSuffix(",") { return name + ShellQuoting.single(whole) }
    }
    return nil
  }

  /// How many of them, or how exact a place is.
  private var number: String? {
    if given.command.name == "fix", isOpen(.accuracy) {
      return FixCommand.metres(words.joined(separator: " ")).map { "--accuracy " + $0 }
    }
    guard words.count == 1, !words[0].isEmpty, words[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return nil }
    // Of a push it is its size.
    guard given.command.name != "push" else { return nil }
    return isOpen(.number) || isOpen(.limit) ? "-n " + words[0] : nil
  }

  /// When it is due, where nothing says so yet.
  private var trigger: String? {
    guard isOpen(.at), isOpen(.inDuration), isOpen(.now), isOpen(.region) else { return nil }
    if words.count > 1, words[0] == "in" || words[0] == "at" {
      return "--" + words[0] + " " + quoted(words[1])
    }
    if (try? DurationArgument.parse(words[0], "")) != nil { return "--in " + words[0] }
    let time = [words.joined(separator: " "), words[0]].first { Self.isTime($0) }
    return time.map { "--at " + quoted($0) }
  }

  /// How it repeats, or by whose clocks.
  private var repeating: String? {
    if isOpen(.repeatUnit), isOpen(.weekdays), isOpen(.rrule) {
      let meant = Synonyms.option(words[0]).flatMap { $0.hasPrefix("repeat ") ? "--" + $0 : nil }
      if let meant = meant ?? RepeatWord.every(words.joined(separator: " ")) { return meant }
    }
    let isPlace = words[0].contains("/") && words[0].utf8.first.map { 0x41...0x5A ~= $0 } ?? false
    return isPlace && isOpen(.timeZone) ? "--time-zone " + words[0] : nil
  }

  /// The rest of a text, or a text.
  private var text: String? {
    // Of what takes an ID, another word may be one.
    guard case .none = given.command.operands else { return nil }
    // Of what is listed, only one.
    if isOpen(.id), !given.command.options.contains(.body) { return "--id " + quoted(words[0]) }
    guard !isOpen(.body) else { return "--body " + quoted(words.joined(separator: " ")) }
    for name in [OptionName.body, .title] {
      guard let begun = given.value(name), !begun.isEmpty else { continue }
      let longer = "--" + name.rawValue + " " + quoted(begun + " " + words.joined(separator: " "))
      let mayName = words.count == 1 && isOpen(.id) && !begun.contains(" ")
      return mayName ? "--id " + quoted(words[0]) + ", or " + longer : longer
    }
    return nil
  }

  private func quoted(_ text: String) -> String {
    text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 || $0 == 0x3A }
      ? text : ShellQuoting.single(text)
  }

  private func isOpen(_ name: OptionName) -> Bool {
    given.command.options.contains(name) && !given.has(name)
  }

  private static func isNumber(_ text: String) -> Bool {
    (try? PlaceText.number(text, "")) != nil
  }

  private static func isTime(_ text: String) -> Bool {
    let zone = BoardZone(name: "UTC", rules: .utc)
    let now = SystemClock.real()
    return (try? TimeText.read(text, option: .at, now: now, zone: zone)) ?? nil != nil
  }
}
