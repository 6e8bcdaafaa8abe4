import BelfryCore

/// What `--repeat` may say: the units of the wire, but for two whose names promise something else.
enum RepeatWord {
  /// Smallest first. To `NSCalendar`, whose names they are, weekday is every day and weekdayOrdinal
  /// every week: whoever writes them here means neither.
  static let units = [
    "second", "minute", "hour", "day", "week", "weekOfMonth", "weekOfYear", "month", "quarter",
    "year", "yearForWeekOfYear",
  ]

  static func parse(_ word: String) throws(CommandError) -> RepeatUnit {
    if let meant = instead(of: word) {
      throw .usage("--repeat: " + FieldError.quoted(word) + " is no unit; " + meant)
    }
    for unit in RepeatUnit.allCases where unit.name == word { return unit }
    let quoted = FieldError.quoted(word)
    if word.utf8.contains(UInt8(ascii: "=")) {
      throw .usage("--repeat: \(quoted) is no unit; a rule is given as --rrule")
    }
    if let cron = RuleHint.cron(word) {
      throw .usage("--repeat: \(quoted) is a line of cron, not a unit" + cron)
    }
    let begins = word.utf8.first.map { 0x30...0x39 ~= $0 } ?? false
    let isNear = !begins && NameSuggestion.nearest(to: word, among: units) != nil
    if !isNear, let meant = every(word) {
      throw .usage("--repeat: " + FieldError.quoted(word) + " is no unit; write " + meant)
    }
    throw .usage(
      "--repeat: " + FieldError.unknownName(word, among: units, what: "unit")
        + (isNear ? "" : "; write second, minute, hour, day, week, month, quarter or year"))
  }

  /// The options for `2h`, `every 2 weeks`, `mon-fri`, where a unit or a number should stand.
  static func every(_ text: String) -> String? {
    var words = text.lowercased().split(separator: " ")
    if words.first == "every" { words.removeFirst() }
    guard !words.isEmpty else { return nil }
    if (try? WeekdaysArgument.rule(words.joined(separator: ","))) != nil {
      return "--weekdays " + words.joined(separator: ",")
    }
    let digits = words.joined().prefix { "0" <= $0 && $0 <= "9" }
    let rest = words.joined().dropFirst(digits.count)
    let isLetter = rest.utf8.count == 1 && !digits.isEmpty
    let unit = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"].first {
      rest == $0 || rest == $0 + "s" || isLetter && $0.hasPrefix(rest)
    }
    guard let unit else { return nil }
    return "--repeat " + unit + (digits.isEmpty ? "" : " --every " + digits)
  }

  /// What `--repeat` says for a unit.
  static func word(of unit: RepeatUnit) -> String {
    switch unit {
    case .weekday: "day"
    case .weekdayOrdinal: "week"
    default: unit.name
    }
  }

  /// What to write for a word that is no unit, though something is meant by it.
  private static func instead(of word: String) -> String? {
    switch word.lowercased() {
    case "weekday", "weekdays", "workday", "workdays":
      "for workdays write --weekdays mon-fri, for every day --repeat day"
    case "weekend", "weekends":
      "write --weekdays sat,sun"
    case "weekdayordinal":
      "for every week write --repeat week, for such as the last Friday of each month"
        + " --rrule 'FREQ=MONTHLY;BYDAY=-1FR'"
    case "secondly": "did you mean second?"
    case "minutely": "did you mean minute?"
    case "hourly": "did you mean hour?"
    case "daily", "everyday": "did you mean day?"
    case "weekly": "did you mean week?"
    case "monthly": "did you mean month?"
    case "quarterly": "did you mean quarter?"
    case "yearly", "annually": "did you mean year?"
    case "biweekly", "fortnight", "fortnightly": "write --repeat week --every 2"
    case "era", "nanosecond": "nothing can repeat every " + word
    default: nil
    }
  }
}
