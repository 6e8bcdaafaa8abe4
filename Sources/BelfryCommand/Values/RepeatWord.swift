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
    throw .usage("--repeat: " + FieldError.unknownName(word, among: units, what: "unit"))
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
    case "era", "nanosecond": "nothing can repeat every " + word
    default: nil
    }
  }
}
