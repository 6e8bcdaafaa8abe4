import BelfryCore
import BelfrySystem

/// A notification's repeat in words, for answers and tables: `weekdays, until 2027-07-01, not on
/// holidays`.
struct RepeatWords {
  let board: BoardZone
  let files: ZoneFiles
  /// The zone that was read last: the rows of a list mostly have one.
  private var known: BoardZone?

  init(board: BoardZone, files: ZoneFiles) {
    self.board = board
    self.files = files
  }

  /// `every week on Monday`; nil: it fires once, or the words for its crossing say how often.
  mutating func repeating(_ content: Notification, next: Instant?) -> String? {
    if content.region != nil { return nil }
    let words = text(content, next: next)
    return words == "-" ? nil : words
  }

  /// `-`: it fires once. `next`: when it is due next, as far as that is known.
  mutating func text(_ content: Notification, next: Instant?) -> String {
    if content.region != nil { return content.regionTriggersOnce ? "-" : "every crossing" }
    var text = "-"
    if !content.rules.isEmpty {
      let start = clocks(of: content, at: content.fireDate)
      text = content.rules.map { rule in
        // Where the board's own clocks say otherwise.
        RuleWords.text(rule, from: start)
          + (content.mode == .absolute && rule.namesClocks(start) ? " by UTC" : "")
      }.joined(separator: " + ")
    } else if let unit = content.repeatInterval {
      text = every(content, unit, next)
    }
    var more = dates(content) + Self.days(content)
    if let offset = Self.offset(content.offset) { more.append(offset) }
    if more.isEmpty { return text }
    return (text == "-" ? more : [text] + more).joined(separator: ", ")
  }

  private mutating func every(
    _ content: Notification, _ unit: RepeatUnit, _ next: Instant?
  ) -> String {
    let word = Self.word(unit)
    if let calendar = content.pluginCalendar {
      return RuleWords.every(content.every, word) + " by the \(calendar) calendar"
    }
    let start = clocks(of: content, at: content.fireDate)
    // Where the board's own clocks may say otherwise.
    let byUTC = content.mode == .absolute ? " by UTC" : ""
    let skip: RecurrenceRule.Skip =
      switch content.monthEnd {
      case .clamp: .backward
      case .skip: .omit
      case .roll: .forward
      }
    let mayLack = (start?.date.day ?? 0) > 28
    let rolls = mayLack && skip == .forward ? ", else the day after" : ""
    switch word {
    case "week":
      // What has begun at once has its weekday from then.
      let anchor = content.offset.isNone ? start ?? clocks(of: content, at: next) : start
      guard let start = anchor else { break }
      return RuleWords.weekly(content.every, on: 1 << UInt64(start.date.weekday)) + byUTC
    case "month":
      return RuleWords.monthly(content.every, start, skip) + rolls + (start == nil ? "" : byUTC)
    case "year":
      return RuleWords.yearly(content.every, start, skip) + rolls + (start == nil ? "" : byUTC)
    default: break
    }
    return RuleWords.every(content.every, word)
  }

  /// What a unit amounts to: weekday is a day, and there are four words for a week (N4).
  private static func word(_ unit: RepeatUnit) -> String {
    switch unit {
    case .weekday: "day"
    case .week, .weekdayOrdinal, .weekOfMonth, .weekOfYear: "week"
    case .yearForWeekOfYear: "ISO year"
    default: unit.name
    }
  }

  // MARK: Dates

  private mutating func dates(_ content: Notification) -> [String] {
    var text: [String] = []
    if let count = content.count { text.append(counted(count, "time")) }
    if let end = clocks(of: content, at: content.until) {
      text.append("until " + RuleWords.moment(end, isUTC: content.mode == .absolute))
    }
    if !content.exdate.isEmpty { text.append(counted(content.exdate.count, "date") + " left out") }
    if !content.rdate.isEmpty { text.append(counted(content.rdate.count, "date") + " added") }
    return text
  }

  /// What the clocks that it goes by show; nil: at once, never, or not given.
  private mutating func clocks(of content: Notification, at instant: Instant?) -> CivilTime? {
    guard let instant, instant != .distantPast, instant != .distantFuture else { return nil }
    if content.mode == .absolute { return CivilTime(instant) }
    guard let name = content.timeZone else { return board.civil(instant) }
    if known?.name != name { known = BoardZone.read(name, files) }
    return (known ?? board).civil(instant)
  }

  // MARK: Days and offset

  private static func days(_ content: Notification) -> [String] {
    var text: [String] = []
    if !content.exceptOn.isEmpty {
      text.append("not on " + content.exceptOn.joined(separator: " or "))
    }
    if !content.onlyOn.isEmpty {
      text.append("only on " + content.onlyOn.joined(separator: " or "))
    }
    for one in content.asOn {
      text.append("\(one.calendar) as \(RuleWords.day(Int(one.weekday.number)))")
    }
    return text
  }

  /// `15 min before`; nil: none.
  private static func offset(_ offset: DueOffset) -> String? {
    if offset.isNone { return nil }
    let isBefore = offset.days < 0 || offset.seconds < 0
    var parts: [String] = []
    let days = offset.days.magnitude
    if days > 0 { parts.append(counted(days, "day")) }
    let time = offset.seconds.magnitude
    for (length, unit) in [(UInt64(3600), "h"), (60, "min"), (1, "s")] {
      let count = unit == "h" ? time / length : time / length % 60
      if count > 0 { parts.append("\(count) \(unit)") }
    }
    return parts.joined(separator: " ") + (isBefore ? " before" : " after")
  }
}

extension RecurrenceRule {
  /// Its words name times of day, or go by the day of its start.
  fileprivate func namesClocks(_ start: CivilTime?) -> Bool {
    if frequency >= .daily, hours | minutes | seconds != 0 { return true }
    if frequency == .weekly { return weekdays == 0 }
    return start != nil && frequency >= .monthly && ordinalDays.isEmpty && yearDays.isEmpty
      && weekdays | months | weeks | weeksFromEnd | monthDays | monthDaysFromEnd == 0
  }
}
