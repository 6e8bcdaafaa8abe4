/// The days of a calendar count as a weekday (E3).
public struct AsOn: Hashable, Sendable {
  /// ISO 8601's, as iCalendar writes them in full words.
  public enum Weekday: String, CaseIterable, Sendable {
    case mon, tue, wed, thu, fri, sat, sun

    /// 1 Monday to 7 Sunday.
    public var number: Int64 {
      switch self {
      case .mon: 1
      case .tue: 2
      case .wed: 3
      case .thu: 4
      case .fri: 5
      case .sat: 6
      case .sun: 7
      }
    }

    var word: String {
      switch self {
      case .mon: "Monday"
      case .tue: "Tuesday"
      case .wed: "Wednesday"
      case .thu: "Thursday"
      case .fri: "Friday"
      case .sat: "Saturday"
      case .sun: "Sunday"
      }
    }
  }

  @Bytewise public var calendar: String
  public var weekday: Weekday

  public init(calendar: String, weekday: Weekday) {
    self.calendar = calendar
    self.weekday = weekday
  }
}

extension Notification {
  /// Some of its fields name a calendar of days.
  public var goesByDays: Bool { !exceptOn.isEmpty || !onlyOn.isEmpty || !asOn.isEmpty }

  /// The calendars that it names, each with the field that names it.
  var namedDays: [(field: String, calendar: String)] {
    exceptOn.map { ("exceptOn", $0) } + onlyOn.map { ("onlyOn", $0) }
      + asOn.map { ("asOn", $0.calendar) }
  }

  /// Its rules, every day of the week where calendars say which weekday a day counts as: `DayRule` has
  /// the last word then.
  var rulesOfDays: [RecurrenceRule] {
    guard var rule = rrule, !asOn.isEmpty else { return rules }
    rule.weekdays = RecurrenceRule.everyWeekday
    return [rule]
  }
}

extension RecurrenceRule {
  static let everyWeekday: UInt64 = 0b1111_1110
}
