import BelfryCore

/// Which clocks a notification goes by, and what it means by them (T1 to T3).
extension Ledger {
  /// In which its dates are read.
  private func reading(_ notification: Notification) -> ZoneRules {
    notification.timeZone.flatMap { zones[$0] } ?? .utc
  }

  /// nil: it goes by no zone.
  func effectiveZone(_ notification: Notification) -> ZoneRules? {
    switch notification.mode {
    case .absolute: nil
    case .floating: zone
    case .zoned: reading(notification)
    }
  }

  /// What it means by what its zone's file said before it was replaced in the last second; nil: it was
  /// not. Then it goes by the new one, as all do.
  func oracle(
    _ notification: Notification, from date: Instant, readBefore now: ClockReading
  ) -> DueOracle? {
    guard let name = notification.timeZone, let (old, at) = replacedZones[name],
      now.elapsed - at <= Nanoseconds.second + Nanoseconds.millisecond
    else { return nil }
    let rules = zones[name]
    zones[name] = old
    defer { zones[name] = rules }
    return oracle(notification, from: date)
  }

  /// What a notification that has a date means if it is read now.
  func oracle(_ notification: Notification, from date: Instant) -> DueOracle {
    var plan = RepeatPlan(notification.pattern)
    plan.count = notification.count
    plan.gap = notification.gap
    plan.overlap = notification.overlap
    plan.monthEnd = notification.monthEnd
    plan.offset = notification.offset
    let zone = effectiveZone(notification)
    func read(_ instant: Instant) -> Instant {
      zone == nil ? instant : reading(notification).wall(at: instant)
    }
    // T5: the instant names its pass.
    if zone != nil, plan.overlap == .first, date != .distantPast, date != .distantFuture,
      case .twice(_, let last) = reading(notification).resolve(wall: read(date)), last == date
    {
      plan.startsInLastPass = true
    }
    plan.until = notification.until.map(read)
    plan.exdates = notification.exdate.map(read).sorted()
    plan.rdates = notification.rdate.map(read).sorted()
    return DueOracle(counted(plan, from: read(date), in: zone), anchor: read(date), zone: zone)
  }

  /// What a gap leaves out is not counted (T6): one by one, to the wall clock that is the last.
  private func counted(
    _ plan: RepeatPlan, from anchor: Instant, in zone: ZoneRules?
  ) -> RepeatPlan {
    var (plan, endless) = (plan, plan)
    var count = plan.count
    if case .rule(var rule) = plan.pattern, case .count(let own) = rule.end {
      count = own
      rule.end = .never
      endless.pattern = .rule(rule)
    }
    guard plan.gap == .skip, let zone, var left = count else { return plan }
    (endless.count, endless.until, endless.offset) = (nil, nil, .none)
    (endless.exdates, endless.rdates) = ([], [])
    let oracle = DueOracle(endless, anchor: anchor, zone: zone)
    var (k, wall) = (Int64.min, nil as Instant?)
    while left > 0, let next = oracle.next(after: k) {
      let shown = zone.wall(at: next.due)
      if shown != wall { left -= 1 }
      (k, wall) = (next.k, shown)
    }
    (plan.pattern, plan.count) = (endless.pattern, nil)
    guard left == 0, let wall else { return plan }
    if case .rule(var rule) = plan.pattern {
      rule.end = .untilWall(wall)
      plan.pattern = .rule(rule)
    } else {
      plan.until = min(wall, plan.until ?? .distantFuture)
    }
    return plan
  }

  /// When a one-shot is due by its fire date, which may be past (N2); nil: it has none.
  func date(of notification: Notification) -> Instant? {
    notification.fireDate.flatMap { oracle(notification, from: $0).due(0) }
  }

  /// The board is somewhere else, or a zone has other rules (T2, T7).
  func moveZones() {
    disturb()
    for promise in Array(pending.values) + Array(past.values) where promise.oracle.zone != nil {
      promise.move(to: effectiveZone(promise.notification), at: now.real)
    }
  }
}

extension Notification {
  var pattern: RepeatPlan.Pattern {
    if !rrules.isEmpty { return .rules(rrules) }
    if var rule = rrule, !asOn.isEmpty {
      // Which weekday a day counts as is up to calendars, so it may be any.
      rule.weekdays = 0b1111_1110
      return .rule(rule)
    }
    return rrule.map { .rule($0) } ?? repeatInterval.map { .unit($0, every: every) } ?? .once
  }
}
