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
    guard !rules.isEmpty else { return self }
    var plan = self
    var counted: [RecurrenceRule] = []
    for place in rules.indices {
      let one = part(place).countedRule(from: anchor, in: zone, &meter)
      counted.append(one.rule)
      if one.endsInLastPass { plan.endsInLastPass |= 1 << UInt8(place) }
    }
    plan.count = nil
    plan.pattern = counted.count == 1 ? .rule(counted[0]) : .rules(counted)
    return plan
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

  /// Of a plan with one rule.
  private func countedRule(
    from anchor: Instant, in zone: ZoneRules, _ meter: inout StepMeter
  ) -> (rule: RecurrenceRule, endsInLastPass: Bool) {
    var rule = rules[0]
    var endsInLastPass = endsInLastPass & 1 == 1
    if let count { rule.end = .count(count) }
    guard case .count(let count) = rule.end else { return (rule, endsInLastPass) }
    var plan = self
    plan.count = nil
    let last: Int64?
    if countsElapsedRule, zone !== ZoneRules.utc {
      plan.pattern = .rule(rule.endless)
      let elapsed = ElapsedRule(rule.endless, plan, anchor: anchor, zone: zone, &meter)
      let wall = elapsed.time(ofCount: count, &meter).map { elapsed.wall(at: $0) }
      endsInLastPass = wall?.isLastPass ?? false
      last = wall?.second
    } else {
      last = RuleSeries(rule, start: anchor.second, &meter).last
    }
    let (end, isFar) = (last ?? .max).multipliedReportingOverflow(by: Nanoseconds.second)
    // A rule that matches nothing needs no end.
    rule.end = isFar ? .never : .untilWall(Instant(nanoseconds: end))
    return (rule, endsInLastPass)
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
