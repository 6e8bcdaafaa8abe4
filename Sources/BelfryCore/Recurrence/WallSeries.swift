/// The wall clocks of a plan, in order, before any zone has its say.
struct WallSeries: Sendable {
  /// One of them.
  struct Occurrence {
    /// A unit's index from the anchor, a rule's whole second.
    var key: Int64
    /// Counted as if it showed UTC.
    var wall: Instant
    var because: Due.Because = []
  }

  private enum Kind {
    case unit(UnitWalls)
    case rule(RuleWalls)
    case calendar(CalendarSeries)
  }

  private let kind: Kind

  /// With `days`, what a plugin's calendar told of it, nothing else is known; `hasRule` false: of a
  /// rule only what RDATE adds, as of several rules, which are asked one by one.
  init(
    _ plan: RepeatPlan, anchor: Instant, until: Instant, days: CalendarDays? = nil,
    hasRule: Bool = true
  ) {
    if let days {
      let lastIndex = plan.count.map { $0 - 1 } ?? .max
      kind = .calendar(
        CalendarSeries(days, anchor: anchor, until: until, lastIndex: lastIndex))
      return
    }
    switch plan.pattern {
    case .once:
      kind = .unit(UnitWalls(Recurrence(anchor: anchor, unit: nil), plan, until: until))
    case .unit(let unit, let every):
      let recurrence = Recurrence(
        anchor: anchor, unit: unit, every: every, monthEnd: plan.monthEnd)
      kind = .unit(UnitWalls(recurrence, plan, until: until))
    case .rules: kind = .rule(RuleWalls(nil, plan, anchor: anchor, until: until))
    case .rule(let rule):
      kind = .rule(RuleWalls(hasRule ? rule : nil, plan, anchor: anchor, until: until))
    }
  }

  /// In a plugin's calendar.
  var calendar: CalendarSeries? {
    if case .calendar(let series) = kind { series } else { nil }
  }

  /// The first that shows `wall` or later; nil also where `meter` was spent.
  func first(onOrAfter wall: Instant, _ meter: inout StepMeter) -> Occurrence? {
    switch kind {
    case .unit(let unit):
      _ = meter.take()
      return unit.first(onOrAfter: wall)
    case .rule(let rule): return rule.first(onOrAfter: wall, &meter)
    case .calendar(let calendar):
      _ = meter.take()
      return calendar.first(onOrAfter: wall)
    }
  }

  /// Whether a rule, or RDATE, has it, also where EXDATE takes it out.
  func gives(_ wall: Instant, _ meter: inout StepMeter) -> Bool {
    if case .rule(let rule) = kind { rule.gives(wall, &meter) } else { false }
  }

  /// nil if there is none with this key.
  func occurrence(key: Int64) -> Occurrence? {
    switch kind {
    case .unit(let unit): unit.occurrence(key: key)
    case .rule(let rule): rule.occurrence(key: key)
    case .calendar(let calendar): calendar.occurrence(key: key)
    }
  }

  /// What a key shows, also if it was taken out or lies behind the end.
  func wall(key: Int64) -> Instant? {
    switch kind {
    case .unit(let unit): unit.recurrence.instant(k: key)
    case .rule(let rule): rule.wall(second: key)
    case .calendar(let calendar): calendar.wall(key: key)
    }
  }

  /// How many lie in a stretch, where that can be told at once; nil: where not.
  func count(after first: Instant, through last: Instant) -> Int64? {
    switch kind {
    case .unit(let unit): unit.count(after: first, through: last)
    case .rule: nil
    case .calendar(let calendar): calendar.count(after: first, through: last)
    }
  }
}
