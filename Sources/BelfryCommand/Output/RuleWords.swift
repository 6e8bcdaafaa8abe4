import BelfryCore

/// A recurrence rule in words: `weekdays`, `the last Fri of the month`, `every year in Nov on the 4th
/// Thu at 07:00, 19:00`. Few words for the usual ones; the others part by part.
enum RuleWords {
  /// `start`: what clocks show when it starts, which says what the rule leaves open; nil: not known.
  static func text(_ rule: RecurrenceRule, from start: CivilTime? = nil) -> String {
    let parts = [
      short(rule, start) ?? parts(rule), times(rule, start).map { " " + $0 }, positions(rule),
      skip(rule), end(rule),
    ]
    return parts.compactMap { $0 }.joined()
  }

  static func every(_ count: Int64, _ unit: String) -> String {
    count == 1 ? "every " + unit : "every " + counted(count, unit)
  }

  /// `Mon`; 1 Monday to 7 Sunday.
  static func day(_ weekday: Int) -> String {
    String(LocalWords.weekdays[(weekday - 1) % 7].prefix(3))
  }

  /// `every week on Monday`, `every 2 weeks on Tue, Sat`; bits 1 to 7, Monday first.
  static func weekly(_ count: Int64, on bits: UInt64) -> String {
    let day = LocalWords.weekdays[bits.trailingZeroBitCount - 1]
    return every(count, "week") + " on " + (bits.nonzeroBitCount == 1 ? day : weekdays(bits))
  }

  /// Of a day that not all months have.
  private static let rareDay = " that has it"

  /// `every month on day 24`; `start` as in `text`, `skip` for a day that not all months have.
  static func monthly(
    _ count: Int64, _ start: CivilTime?, _ skip: RecurrenceRule.Skip
  ) -> String {
    let month = every(count, "month")
    guard let day = start?.date.day else { return month }
    switch skip {
    case .omit where day > 28: return month + " that has a day \(day)"
    case .backward where day > 28: return month + " on day \(day) or the last"
    default: return month + " on day \(day)"
    }
  }

  /// `every year on 24 Dec`.
  static func yearly(
    _ count: Int64, _ start: CivilTime?, _ skip: RecurrenceRule.Skip
  ) -> String {
    let year = every(count, "year")
    guard let date = start?.date else { return year }
    let day = "\(date.day) " + monthNames[Int(date.month) - 1]
    let isRare = date.month == 2 && date.day == 29
    switch skip {
    case .omit where isRare: return year + " that has a " + day
    case .backward where isRare: return year + " on the last day of Feb"
    default: return year + " on " + day
    }
  }

  /// `weekdays`, `weekends`, `Mon-Thu`, `Tue, Sat`; bits 1 to 7, Monday first.
  static func weekdays(_ bits: UInt64) -> String {
    named(bits) ?? runs(numbers(bits)) { day($0) }
  }

  /// Those that say of themselves that they come each week.
  private static func named(_ bits: UInt64) -> String? {
    switch bits {
    case 0b1111_1110: "every day"
    case 0b0011_1110: "weekdays"
    case 0b1100_0000: "weekends"
    default: nil
    }
  }

  // MARK: Which days

  /// nil: it has more parts than that.
  private static func short(_ rule: RecurrenceRule, _ start: CivilTime?) -> String? {
    guard rule.months | rule.weeks | rule.weeksFromEnd == 0, rule.yearDays.isEmpty else {
      return nil
    }
    let parts = [
      rule.weekdays != 0, !rule.ordinalDays.isEmpty, rule.monthDays | rule.monthDaysFromEnd != 0,
    ]
    let count = parts.count { $0 }
    guard count <= 1 else { return nil }
    switch rule.frequency {
    case .daily, .weekly: return byWeekday(rule, start)
    case .monthly: return byMonth(rule, start)
    case .yearly:
      return count == 0 ? yearly(rule.interval, start, rule.skip) : nil
    default: return count == 0 ? every(rule.interval, unit(rule)) : nil
    }
  }

  private static func byWeekday(_ rule: RecurrenceRule, _ start: CivilTime?) -> String? {
    guard rule.ordinalDays.isEmpty, rule.monthDays | rule.monthDaysFromEnd == 0 else { return nil }
    let plain = every(rule.interval, unit(rule))
    if rule.weekdays == 0 {
      guard rule.frequency == .weekly, let start else { return plain }
      return weekly(rule.interval, on: 1 << UInt64(start.date.weekday))
    }
    if rule.interval == 1 {
      return named(rule.weekdays) ?? weekly(1, on: rule.weekdays)
    }
    return rule.frequency == .weekly ? weekly(rule.interval, on: rule.weekdays) : nil
  }

  private static func byMonth(_ rule: RecurrenceRule, _ start: CivilTime?) -> String? {
    let month = rule.interval == 1 ? "of the month" : "of " + every(rule.interval, "month")
    if rule.weekdays != 0 { return nil }
    if let day = rule.ordinalDays.first {
      return rule.ordinalDays.count == 1 ? Self.ordinalDay(day) + " " + month : nil
    }
    if rule.monthDaysFromEnd == 1 << 1, rule.monthDays == 0 { return "the last day " + month }
    if rule.monthDaysFromEnd == 0, rule.monthDays.nonzeroBitCount == 1 {
      let day = rule.monthDays.trailingZeroBitCount
      return "day \(day) " + month + (day > 28 && rule.skip == .omit ? rareDay : "")
    }
    return rule.monthDays | rule.monthDaysFromEnd == 0
      ? monthly(rule.interval, start, rule.skip) : nil
  }

  private static func parts(_ rule: RecurrenceRule) -> String {
    var text = every(rule.interval, unit(rule))
    if rule.months != 0 {
      text += " in " + runs(numbers(rule.months)) { monthNames[$0 - 1] }
    }
    if rule.weeks | rule.weeksFromEnd != 0 {
      text += " in " + places("week", numbers(rule.weeks), numbers(rule.weeksFromEnd))
    }
    if !rule.yearDays.isEmpty {
      let days = rule.yearDays.map { Int($0) }
      text +=
        " on " + places("day", days.filter { $0 > 0 }, days.filter { $0 < 0 }.map { -$0 })
        + " of the year"
    }
    let hasMonthDays = rule.monthDays | rule.monthDaysFromEnd != 0
    let isOfAll = rule.frequency == .yearly && rule.months == 0
    if hasMonthDays {
      text += " on " + places("day", numbers(rule.monthDays), numbers(rule.monthDaysFromEnd))
      if isOfAll { text += " of each month" }
    }
    var days = rule.ordinalDays.map { ordinalDay($0) }
    if rule.weekdays != 0 { days.insert(weekdays(rule.weekdays), at: 0) }
    guard !days.isEmpty else { return text }
    let isLimit = hasMonthDays || !rule.yearDays.isEmpty || rule.frequency == .daily
    text += (isLimit ? " if it is " : " on ") + days.joined(separator: ", ")
    let isOfWeeks = isOfAll && !isLimit && rule.weekdays != 0
    return isOfWeeks && rule.weeks | rule.weeksFromEnd == 0 ? text + " of each week" : text
  }

  private static func unit(_ rule: RecurrenceRule) -> String {
    switch rule.frequency {
    case .secondly: "second"
    case .minutely: "minute"
    case .hourly: "hour"
    case .daily: "day"
    case .weekly: "week"
    case .monthly: "month"
    case .yearly: "year"
    }
  }

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  // MARK: Times

  /// So many times of a day are written out.
  private static let mostTimes = 6

  /// nil: those of its start, or all.
  private static func times(_ rule: RecurrenceRule, _ start: CivilTime?) -> String? {
    guard rule.hours | rule.minutes | rule.seconds != 0 else { return nil }
    if rule.frequency >= .daily, let clocks = clocks(rule, start) {
      return "at " + clocks.joined(separator: ", ")
    }
    var text: [String] = []
    if rule.hours != 0 { text.append("in " + some("hour", numbers(rule.hours))) }
    if rule.minutes != 0 {
      let word = rule.frequency > .minutely ? "at " : "in "
      text.append(word + some("minute", numbers(rule.minutes)))
    }
    if rule.seconds != 0 {
      let word = rule.frequency > .secondly ? "at " : "in "
      text.append(word + some("second", numbers(rule.seconds)))
    }
    return text.joined(separator: " ")
  }

  /// nil: too many, or the start is not known, which says the rest.
  private static func clocks(_ rule: RecurrenceRule, _ start: CivilTime?) -> [String]? {
    let parts: [(bits: UInt64, own: Int64?)] = [
      (rule.hours, start?.hour), (rule.minutes, start?.minute), (rule.seconds, start?.second),
    ]
    var clocks: [Int64] = [0]
    for (bits, own) in parts {
      let values = bits != 0 ? numbers(bits).map { Int64($0) } : own.map { [$0] } ?? []
      clocks = clocks.flatMap { clock in values.map { clock * 60 + $0 } }
      guard !clocks.isEmpty, clocks.count <= mostTimes else { return nil }
    }
    let hasSeconds = clocks.contains { $0 % 60 != 0 }
    return clocks.map { clock in
      let parts = [clock / 3600, clock / 60 % 60] + (hasSeconds ? [clock % 60] : [])
      return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
  }

  // MARK: The rest

  private static func positions(_ rule: RecurrenceRule) -> String? {
    if rule.positions.isEmpty { return nil }
    let words = rule.positions.map { ordinal(Int($0)) }
    return ", only the " + words.joined(separator: ", ")
  }

  /// What becomes of days that a month does not have, where the words for the day do not say it.
  private static func skip(_ rule: RecurrenceRule) -> String? {
    guard rule.frequency >= .monthly else { return nil }
    let namesDay = rule.monthDays | rule.monthDaysFromEnd != 0 || !rule.yearDays.isEmpty
    let namesOthers = rule.weekdays | rule.weeks | rule.weeksFromEnd != 0
    guard namesDay || !namesOthers && rule.ordinalDays.isEmpty else { return nil }
    switch rule.skip {
    case .omit: return nil
    case .backward: return namesDay ? ", else the day before" : nil
    case .forward: return ", else the day after"
    }
  }

  private static func end(_ rule: RecurrenceRule) -> String? {
    switch rule.end {
    case .never: nil
    case .count(let count): ", " + counted(count, "time")
    case .untilDate(let days): ", until " + CivilDate(days: days).text
    case .untilWall(let wall): ", until " + moment(CivilTime(wall))
    case .untilInstant(let instant): ", until " + moment(CivilTime(instant), isUTC: true)
    }
  }

  /// `2027-01-31 07:00`; a date alone where it is the last of a day by its own clocks.
  static func moment(_ time: CivilTime, isUTC: Bool = false) -> String {
    let text = time.date.text + " " + LocalWords.clock(time)
    if isUTC { return text + "Z" }
    return time.nanosecondOfDay < Nanoseconds.day - Nanoseconds.second ? text : time.date.text
  }

  // MARK: Numbers

  private static func numbers(_ bits: UInt64) -> [Int] {
    (0..<64).filter { bits >> UInt64($0) & 1 == 1 }
  }

  /// `1, 3-5`: three and more that follow each other are one.
  private static func runs(_ numbers: [Int], _ word: (Int) -> String) -> String {
    var words: [String] = []
    var place = 0
    while place < numbers.count {
      var last = place
      while last + 1 < numbers.count, numbers[last + 1] == numbers[last] + 1 { last += 1 }
      if last - place < 2 {
        words += numbers[place...last].map(word)
      } else {
        words.append(word(numbers[place]) + "-" + word(numbers[last]))
      }
      place = last + 1
    }
    return words.joined(separator: ", ")
  }

  /// `hour 7`, `hours 7, 9-12`.
  private static func some(_ unit: String, _ numbers: [Int]) -> String {
    unit + (numbers.count > 1 ? "s " : " ") + runs(numbers) { "\($0)" }
  }

  /// `day 1, 15`, `the 2nd last day`.
  private static func places(_ unit: String, _ fromStart: [Int], _ fromEnd: [Int]) -> String {
    var words = fromStart.isEmpty ? [] : [unit + " " + runs(fromStart) { "\($0)" }]
    words += fromEnd.sorted(by: >).map { "the " + ordinal(-$0) + " " + unit }
    return words.joined(separator: ", ")
  }

  private static func ordinalDay(_ day: RecurrenceRule.OrdinalDay) -> String {
    "the " + ordinal(Int(day.ordinal)) + " " + Self.day(Int(day.weekday))
  }

  /// `1st`, `22nd`, `last`, `2nd last`.
  private static func ordinal(_ number: Int) -> String {
    if number == -1 { return "last" }
    if number < 0 { return ordinal(-number) + " last" }
    let isTeen = 11...13 ~= number % 100
    switch isTeen ? 0 : number % 10 {
    case 1: return "\(number)st"
    case 2: return "\(number)nd"
    case 3: return "\(number)rd"
    default: return "\(number)th"
    }
  }
}
