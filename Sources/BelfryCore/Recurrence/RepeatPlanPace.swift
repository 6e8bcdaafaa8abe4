/// How often, and how long.
extension RepeatPlan {
  /// No two neighbours are known to be closer than this, changes of the clocks aside; that of what
  /// fires once is the longest there is. In nanoseconds.
  public var shortestInterval: Int64 {
    rdates.isEmpty && rules.count < 2 ? pace : Nanoseconds.second
  }

  /// The same of the pattern alone, without the few that RDATE adds; of several rules that of the
  /// fastest.
  public var pace: Int64 {
    switch pattern {
    case .once: return .max
    case .unit(let unit, let every):
      let (length, overflow) = unit.shortestLength.multipliedReportingOverflow(by: every)
      return overflow ? .max : length
    case .rule, .rules: return rules.map { $0.shortestInterval }.min() ?? .max
    }
  }

  /// What one of its rules is alone: without the others, and without what RDATE adds to them.
  func part(_ place: Int) -> RepeatPlan {
    var plan = self
    plan.pattern = .rule(rules[place])
    plan.endsInLastPass = endsInLastPass >> UInt8(place) & 1
    guard rules.count > 1 else { return plan }
    plan.rdates = []
    plan.offset = .none
    return plan
  }
}

extension RepeatUnit {
  /// Of the shortest there is, in nanoseconds.
  fileprivate var shortestLength: Int64 {
    switch self {
    case .second: Nanoseconds.second
    case .minute: Nanoseconds.minute
    case .hour: Nanoseconds.hour
    case .day, .weekday: Nanoseconds.day
    case .week, .weekOfMonth, .weekOfYear, .weekdayOrdinal: 7 * Nanoseconds.day
    case .month: 28 * Nanoseconds.day
    case .quarter: 89 * Nanoseconds.day
    case .year, .yearForWeekOfYear: 354 * Nanoseconds.day
    }
  }
}

extension RecurrenceRule {
  /// By the finest of its parts; several of one part may be neighbours.
  fileprivate var shortestInterval: Int64 {
    let interval = min(interval, 1_000_000)
    if seconds.nonzeroBitCount > 1 { return Nanoseconds.second }
    if frequency == .secondly { return interval * Nanoseconds.second }
    if minutes.nonzeroBitCount > 1 { return Nanoseconds.minute }
    if frequency == .minutely { return interval * Nanoseconds.minute }
    if hours.nonzeroBitCount > 1 { return Nanoseconds.hour }
    if frequency == .hourly { return interval * Nanoseconds.hour }
    return Nanoseconds.day
  }
}
