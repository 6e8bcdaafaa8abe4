import BelfryCore

extension Notification {
  /// Writes its unit as the rule that says the same, for dates are taken out of rules alone, and
  /// added to them: by the options that are given, or in what is `edited`.
  mutating func writeRepeatAsRule(
    _ given: Invocation, edited: Notification?
  ) throws(CommandError) {
    var options = [OptionName.exdate, .rdate].filter { given.has($0) }
    if let edited, !edited.exdate.isEmpty { options.append(.exdate) }
    if let edited, !edited.rdate.isEmpty { options.append(.rdate) }
    guard let unit = repeatInterval, rules.isEmpty, let option = options.first else { return }
    let dates = "--" + option.rawValue
    if let calendar = pluginCalendar {
      throw .usage(dates + " and --calendar " + calendar + " cannot stand together")
    }
    guard var rule = RecurrenceRule(counting: unit, every: every) else {
      throw .usage(dates + " and --repeat " + unit.name + " cannot stand together; write --rrule")
    }
    switch monthEnd {
    case .clamp: rule.skip = .backward
    case .skip: rule.skip = .omit
    case .roll: rule.skip = .forward
    }
    rrule = rule
    (repeatInterval, every, monthEnd) = (nil, 1, .clamp)
  }
}

extension RecurrenceRule {
  /// nil: no rule says so.
  fileprivate init?(counting unit: RepeatUnit, every: Int64) {
    let months: Int64 = unit == .quarter ? 3 : 1
    guard every >= 1, every <= Limit.interval / months else { return nil }
    switch unit {
    case .second: self.init(.secondly)
    case .minute: self.init(.minutely)
    case .hour: self.init(.hourly)
    case .day, .weekday: self.init(.daily)
    case .week, .weekOfMonth, .weekOfYear, .weekdayOrdinal: self.init(.weekly)
    case .month, .quarter: self.init(.monthly)
    case .year: self.init(.yearly)
    case .yearForWeekOfYear: return nil
    }
    interval = every * months
  }
}
