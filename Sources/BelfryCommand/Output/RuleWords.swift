import BelfryCore

/// A notification's repeat in words, for tables: `weekdays, not on holidays`. What has no short words
/// stays as RFC 5545 writes it.
enum RuleWords {
  /// `every week on Monday`; nil: it fires once.
  static func repeating(_ content: Notification) -> String? {
    // The words for a crossing say how often.
    if content.region != nil { return nil }
    let words = text(content)
    return words == "-" ? nil : words
  }

  /// `-`: it fires once.
  static func text(_ content: Notification) -> String {
    if content.region != nil { return content.regionTriggersOnce ? "-" : "every crossing" }
    var text = "-"
    if !content.rules.isEmpty {
      text = content.rules.map { rule($0) }.joined(separator: " + ")
    } else if let unit = content.repeatInterval {
      text = every(content.every, word(unit))
    }
    let more = dates(content) + days(content) + [offset(content.offset)].compactMap { $0 }
    if more.isEmpty { return text }
    return text == "-" ? more.joined(separator: ", ") : ([text] + more).joined(separator: ", ")
  }

  // MARK: Units

  /// What a unit amounts to: weekday is a day, and there are four words for a week (N4).
  private static func word(_ unit: RepeatUnit) -> String {
    switch unit {
    case .weekday: "day"
    case .weekdayOrdinal, .weekOfMonth, .weekOfYear: "week"
    case .yearForWeekOfYear: "ISO year"
    default: unit.name
    }
  }

  private static func every(_ count: Int64, _ unit: String) -> String {
    count == 1 ? "every " + unit : "every " + counted(count, unit)
  }

  // MARK: Rules

  static func rule(_ rule: RecurrenceRule) -> String {
    guard let when = when(rule) else { return rule.text }
    switch rule.end {
    case .never: return when
    case .count(let count): return when + ", " + counted(count, "time")
    case .untilDate(let days): return when + ", until " + CivilDate(days: days).text
    case .untilWall, .untilInstant: return rule.text
    }
  }

  /// nil: there are no short words for it.
  private static func when(_ rule: RecurrenceRule) -> String? {
    // All that has words below is taken out; what is left must be nothing.
    var rest = rule
    (rest.weekdays, rest.ordinalDays) = (0, [])
    (rest.monthDays, rest.monthDaysFromEnd) = (0, 0)
    (rest.interval, rest.end, rest.weekStart) = (1, .never, 1)
    // Where days or less are counted none is missing; a missing one moved back to the month's last is
    // what `--repeat month` does, too.
    let isPlain = rule.frequency != .monthly && rule.frequency != .yearly
    if isPlain || rule.skip == .backward { rest.skip = .omit }
    guard rest == RecurrenceRule(rule.frequency) else { return nil }
    let parts = [
      rule.weekdays != 0, !rule.ordinalDays.isEmpty, rule.monthDays | rule.monthDaysFromEnd != 0,
    ]
    guard parts.count(where: { $0 }) <= 1 else { return nil }
    switch rule.frequency {
    case .daily, .weekly: return byWeekday(rule)
    case .monthly: return byMonth(rule)
    case .yearly where !parts.contains(true): return every(rule.interval, "year")
    case .hourly where !parts.contains(true): return every(rule.interval, "hour")
    case .minutely where !parts.contains(true): return every(rule.interval, "minute")
    case .secondly where !parts.contains(true): return every(rule.interval, "second")
    default: return nil
    }
  }

  private static func byWeekday(_ rule: RecurrenceRule) -> String? {
    guard rule.ordinalDays.isEmpty, rule.monthDays | rule.monthDaysFromEnd == 0 else { return nil }
    let plain = every(rule.interval, rule.frequency == .daily ? "day" : "week")
    if rule.weekdays == 0 { return plain }
    let named = weekdays(rule.weekdays)
    if rule.interval == 1 { return named }
    // Which days every second day falls on is too much for a table.
    return rule.frequency == .weekly ? plain + " on " + named : nil
  }

  private static func byMonth(_ rule: RecurrenceRule) -> String? {
    let month = rule.interval == 1 ? "of the month" : "of " + every(rule.interval, "month")
    if rule.weekdays != 0 { return nil }
    if let day = rule.ordinalDays.first {
      guard rule.ordinalDays.count == 1, let place = ordinal(Int64(day.ordinal)) else { return nil }
      return "the \(place) " + short(Int(day.weekday)) + " " + month
    }
    if rule.monthDaysFromEnd == 1 << 1, rule.monthDays == 0 { return "the last day " + month }
    if rule.monthDaysFromEnd == 0, rule.monthDays.nonzeroBitCount == 1 {
      return "day \(rule.monthDays.trailingZeroBitCount) " + month
    }
    return rule.monthDays | rule.monthDaysFromEnd == 0 ? every(rule.interval, "month") : nil
  }

  private static func ordinal(_ number: Int64) -> String? {
    switch number {
    case 1: "1st"
    case 2: "2nd"
    case 3: "3rd"
    case 4, 5: "\(number)th"
    case -1: "last"
    default: nil
    }
  }

  /// `weekdays`, `weekends`, `Mon-Thu`, `Tue, Sat`; bits 1 to 7, Monday first.
  static func weekdays(_ bits: UInt64) -> String {
    switch bits {
    case 0b1111_1110: return "every day"
    case 0b0011_1110: return "weekdays"
    case 0b1100_0000: return "weekends"
    default: break
    }
    var runs: [String] = []
    var day = 1
    while day <= 7 {
      defer { day += 1 }
      guard bits >> UInt64(day) & 1 == 1 else { continue }
      let first = day
      while day < 7, bits >> UInt64(day + 1) & 1 == 1 { day += 1 }
      switch day - first {
      case 0: runs.append(short(first))
      case 1: runs += [short(first), short(day)]
      default: runs.append(short(first) + "-" + short(day))
      }
    }
    return runs.joined(separator: ", ")
  }

  private static func short(_ weekday: Int) -> String {
    String(LocalWords.weekdays[(weekday - 1) % 7].prefix(3))
  }

  // MARK: Dates, days and offset

  private static func dates(_ content: Notification) -> [String] {
    var text: [String] = []
    if let count = content.count { text.append(counted(count, "time")) }
    if !content.exdate.isEmpty { text.append(counted(content.exdate.count, "date") + " left out") }
    if !content.rdate.isEmpty { text.append(counted(content.rdate.count, "date") + " added") }
    return text
  }

  private static func days(_ content: Notification) -> [String] {
    var text: [String] = []
    if !content.exceptOn.isEmpty {
      text.append("not on " + content.exceptOn.joined(separator: " or "))
    }
    if !content.onlyOn.isEmpty {
      text.append("only on " + content.onlyOn.joined(separator: " or "))
    }
    for one in content.asOn {
      text.append("\(one.calendar) as \(short(Int(one.weekday.number)))")
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
