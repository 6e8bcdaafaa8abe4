/// COUNT: so many from the anchor on, before EXDATE, what is skipped (E2) and days off (E3) take any
/// out. What the gap policy or the month's end leaves out is not counted (T6).
extension RepeatPlan {
  /// The same with a COUNT turned into the last wall clock that it reaches, so that it is counted
  /// through once and never again, whatever zone the board comes to; `zone` is that whose clocks
  /// `anchor` shows.
  func counted(from anchor: Instant, in zone: ZoneRules = .utc) -> RepeatPlan {
    var meter = StepMeter()
    return counted(from: anchor, in: zone, &meter)
  }

  /// The same, counting steps; what it gives is of no use where `meter` was spent.
  public func counted(
    from anchor: Instant, in zone: ZoneRules = .utc, _ meter: inout StepMeter
  ) -> RepeatPlan {
    guard !rules.isEmpty else { return countedUnit(from: anchor, in: zone, &meter) }
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

  /// Of a unit; without gaps its indices are the count.
  private func countedUnit(
    from anchor: Instant, in zone: ZoneRules, _ meter: inout StepMeter
  ) -> RepeatPlan {
    guard gap == .skip, calendar == nil, !countsElapsedTime, let count,
      case .unit(let unit, let every) = pattern
    else { return self }
    let recurrence = Recurrence(anchor: anchor, unit: unit, every: every, monthEnd: monthEnd)
    var plan = self
    plan.count = nil
    guard let last = recurrence.instant(k: recurrence.index(ofCount: count)),
      let end = plan.end(last, behindGapsOf: zone, from: anchor, &meter)
    else { return plan }
    plan.until = min(end, until ?? .distantFuture)
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
    var last: Int64?
    if countsElapsedRule, zone !== ZoneRules.utc {
      plan.pattern = .rule(rule.endless)
      let elapsed = ElapsedRule(rule.endless, plan, anchor: anchor, zone: zone, &meter)
      let wall = elapsed.time(ofCount: count, &meter).map { elapsed.wall(at: $0) }
      endsInLastPass = wall?.isLastPass ?? false
      last = wall?.second
    } else {
      last = RuleSeries(rule, start: anchor.second, &meter).last
      plan.pattern = .rule(rule.endless)
      if let second = last, let wall = plan.wall(ofSecond: second, anchor),
        case let end = plan.end(wall, behindGapsOf: zone, from: anchor, &meter), end != wall
      {
        last = end?.second
      }
    }
    rule.end = Self.end(last ?? .max)
    return (rule, endsInLastPass)
  }

  /// As an UNTIL that can be written, whose years are 1678 to 2261. One before them leaves nothing to
  /// come either way, one behind them is never reached, and a rule that matches nothing needs none.
  private static func end(_ second: Int64) -> RecurrenceRule.End {
    let first = CivilDate(year: 1678, month: 1, day: 1).days * 86400
    let behind = CivilDate(year: 2262, month: 1, day: 1).days * 86400
    if second >= behind || second == .min { return .never }
    return .untilWall(Instant(second: max(second, first)))
  }

  /// Where a COUNT ends that came to `last` before the gaps of `zone` were looked at; nil: there are
  /// fewer. Of a plan without COUNT.
  private func end(
    _ last: Instant, behindGapsOf zone: ZoneRules, from anchor: Instant, _ meter: inout StepMeter
  ) -> Instant? {
    guard gap == .skip, zone !== ZoneRules.utc else { return last }
    var bare = self
    (bare.exdates, bare.rdates) = ([], [])
    let series = WallSeries(bare, anchor: anchor, until: .distantFuture)
    var last = last
    var place = anchor.advanced(by: -Timetable.farthest)
    while let change = zone.transition(after: place), meter.take(),
      change.instant <= last.advanced(by: Timetable.farthest)
    {
      place = change.instant
      let seconds = (Int64(change.before.offset), Int64(change.after.offset))
      guard seconds.0 < seconds.1 else { continue }
      var wall = place.advanced(by: seconds.0 * Nanoseconds.second)
      let end = place.advanced(by: seconds.1 * Nanoseconds.second)
      while let one = series.first(onOrAfter: wall, &meter), one.wall < end, one.wall <= last {
        wall = one.wall.advanced(by: 1)
        guard case .skipped = zone.resolve(wall: one.wall) else { continue }
        guard let next = series.first(onOrAfter: last.advanced(by: 1), &meter) else { return nil }
        last = next.wall
      }
    }
    return last
  }

  /// The wall clock of a rule's whole second.
  private func wall(ofSecond second: Int64, _ anchor: Instant) -> Instant? {
    RuleWalls(nil, self, anchor: anchor, until: .distantFuture).wall(second: second)
  }
}
