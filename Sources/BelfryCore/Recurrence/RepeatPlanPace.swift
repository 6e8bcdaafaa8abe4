/// How often, and how long.
extension RepeatPlan {
  /// No two neighbours are known to be closer than this, changes of the clocks aside; that of what
  /// fires once is the longest there is. In nanoseconds.
  public var shortestInterval: Int64 {
    rdates.isEmpty ? pace : Nanoseconds.second
  }

  /// The same of the pattern alone, without the few that RDATE adds.
  public var pace: Int64 {
    switch pattern {
    case .once: return .max
    case .unit(let unit, let every):
      let (length, overflow) = unit.shortestLength.multipliedReportingOverflow(by: every)
      return overflow ? .max : length
    case .rule(let rule): return rule.shortestInterval
    }
  }

  /// The same with a COUNT turned into the last second that it reaches, so that a rule is counted
  /// through once and never again; `zone` is that whose clocks `anchor` shows.
  func counted(from anchor: Instant, in zone: ZoneRules = .utc) -> RepeatPlan {
    var meter = StepMeter()
    return counted(from: anchor, in: zone, &meter)
  }

  /// The same, counting steps; what it gives is of no use where `meter` was spent.
  public func counted(
    from anchor: Instant, in zone: ZoneRules = .utc, _ meter: inout StepMeter
  ) -> RepeatPlan {
    guard case .rule(var rule) = pattern else { return self }
    if let count { rule.end = .count(count) }
    guard case .count(let count) = rule.end else { return self }
    var plan = self
    plan.count = nil
    let last: Int64?
    if countsElapsedRule, zone !== ZoneRules.utc {
      plan.pattern = .rule(rule.endless)
      let elapsed = ElapsedRule(rule.endless, plan, anchor: anchor, zone: zone, &meter)
      let wall = elapsed.time(ofCount: count, &meter).map { elapsed.wall(at: $0) }
      plan.endsInLastPass = wall?.isLastPass ?? false
      last = wall?.second
    } else {
      last = RuleSeries(rule, start: anchor.second, &meter).last
    }
    let (end, isFar) = (last ?? .max).multipliedReportingOverflow(by: Nanoseconds.second)
    // A rule that matches nothing needs no end.
    rule.end = isFar ? .never : .untilWall(Instant(nanoseconds: end))
    plan.pattern = .rule(rule)
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
