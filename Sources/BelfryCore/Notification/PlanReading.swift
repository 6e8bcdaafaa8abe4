/// A notification's fields as they were read when it was scheduled (T2): all that `Timetable` asks
/// for.
public struct PlanReading: Sendable {
  public var plan: RepeatPlan
  /// An instant in absolute mode, else a wall clock counted as if it showed UTC.
  public var anchor: Instant
  public var mode: ZoneMode
  /// The zone whose clocks say when it fires.
  public var zone: ZoneRules

  /// `days` are what a plugin told of it. Counted through, as when it is scheduled (T6).
  public func timetable(days: CalendarDays? = nil) -> Timetable {
    var meter = StepMeter()
    let counted = plan.counted(from: anchor, in: mode == .absolute ? .utc : zone, &meter)
    return Timetable(
      plan: meter.isSpent ? plan : counted, anchor: anchor, mode: mode, zone: zone, days: days)
  }
}

extension Notification {
  /// What it comes to if it is scheduled at `now`: `named` are the rules of `timeZone`, `board` those
  /// of the board.
  ///
  /// One that fires once and whose time is past is due at once (N2).
  public func reading(
    scheduledAt now: Instant, named: ZoneRules, board: ZoneRules
  ) -> PlanReading {
    var plan = plan(reading: named)
    guard mode != .absolute || !offset.isNone else {
      return PlanReading(plan: plan, anchor: anchor(scheduledAt: now), mode: mode, zone: .utc)
    }
    let zone: ZoneRules = mode == .absolute ? .utc : mode == .floating ? board : named
    let anchor: Instant =
      switch fireDate {
      case nil, .some(.distantPast): zone.wall(at: now)
      case .some(let date): read(date, in: named)
      }
    let reading = PlanReading(plan: plan, anchor: anchor, mode: mode, zone: zone)
    if !repeats, let due = reading.timetable().first(after: .distantPast), due.instant <= now {
      plan.offset = .none
      return PlanReading(plan: plan, anchor: now, mode: .absolute, zone: .utc)
    }
    return reading
  }
}
