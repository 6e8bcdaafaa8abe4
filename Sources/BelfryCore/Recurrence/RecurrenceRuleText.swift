extension RecurrenceRule {
  /// The canonical text: parts in one order, numbers ascending, what is the default left out.
  /// `parse` reads it as an equal rule.
  public var text: String {
    @export(interface) get {
      var text = "FREQ=" + frequency.text
      if interval != 1 { text += ";INTERVAL=\(interval)" }
      switch end {
      case .never: break
      case .count(let count): text += ";COUNT=\(count)"
      case .untilDate(let days): text += ";UNTIL=" + Self.date(CivilDate(days: days))
      case .untilWall(let wall): text += ";UNTIL=" + Self.time(wall)
      case .untilInstant(let instant): text += ";UNTIL=" + Self.time(instant) + "Z"
      }
      Self.append("BYMONTH", months, to: &text)
      Self.append("BYWEEKNO", weeks, weeksFromEnd, to: &text)
      Self.append("BYYEARDAY", yearDays.map { "\($0)" }, to: &text)
      Self.append("BYMONTHDAY", monthDays, monthDaysFromEnd, to: &text)
      Self.append("BYDAY", daysText, to: &text)
      Self.append("BYHOUR", hours, to: &text)
      Self.append("BYMINUTE", minutes, to: &text)
      Self.append("BYSECOND", seconds, to: &text)
      Self.append("BYSETPOS", positions.map { "\($0)" }, to: &text)
      if weekStart != 1 { text += ";WKST=" + Self.weekdayNames[Int(weekStart) - 1] }
      if skip != .omit { text += ";RSCALE=GREGORIAN;SKIP=" + skip.text }
      return text
    }
  }

  static let weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  private var daysText: [String] {
    Self.numbers(weekdays).map { Self.weekdayNames[$0 - 1] }
      + ordinalDays.map { "\($0.ordinal)" + Self.weekdayNames[Int($0.weekday) - 1] }
  }

  private static func append(
    _ name: String, _ mask: UInt64, _ fromEnd: UInt64 = 0, to text: inout String
  ) {
    append(
      name, numbers(fromEnd).reversed().map { "-\($0)" } + numbers(mask).map { "\($0)" }, to: &text)
  }

  private static func append(_ name: String, _ values: [String], to text: inout String) {
    guard !values.isEmpty else { return }
    text += ";" + name + "=" + values.joined(separator: ",")
  }

  private static func numbers(_ mask: UInt64) -> [Int] {
    (0..<64).filter { mask >> UInt64($0) & 1 == 1 }
  }

  private static func date(_ date: CivilDate) -> String {
    padded(date.year, 4) + padded(date.month, 2) + padded(date.day, 2)
  }

  private static func time(_ instant: Instant) -> String {
    let time = CivilTime(instant)
    return date(time.date) + "T" + padded(time.hour, 2) + padded(time.minute, 2)
      + padded(time.second, 2)
  }

  private static func padded(_ number: Int64, _ places: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, places - digits.utf8.count)) + digits
  }
}

extension RecurrenceRule.Frequency {
  /// As FREQ has it.
  public var text: String {
    switch self {
    case .secondly: "SECONDLY"
    case .minutely: "MINUTELY"
    case .hourly: "HOURLY"
    case .daily: "DAILY"
    case .weekly: "WEEKLY"
    case .monthly: "MONTHLY"
    case .yearly: "YEARLY"
    }
  }
}

extension RecurrenceRule.Skip {
  /// As SKIP has it.
  public var text: String {
    switch self {
    case .omit: "OMIT"
    case .backward: "BACKWARD"
    case .forward: "FORWARD"
    }
  }
}
