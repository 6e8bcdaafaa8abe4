/// What a notification's fields say of when it is due, in the terms of `Timetable`.
extension Notification {
  /// T1 to T3; a crossing follows no clock.
  public var mode: ZoneMode {
    timeZone == nil || region != nil ? .absolute : zoneMode ?? .floating
  }

  /// Fires more than once, by the clock.
  public var repeats: Bool {
    repeatInterval != nil || !rules.isEmpty
  }

  /// By days or more, which clocks on the wall may show at another hour.
  public var repeatsByDays: Bool {
    if !rules.isEmpty { return rules.contains { $0.frequency >= .daily } }
    switch repeatInterval {
    case nil, .second, .minute, .hour: return false
    default: return true
    }
  }

  /// The one of `rrule`, or those of `rrules`.
  public var rules: [RecurrenceRule] { rrule.map { [$0] } ?? rrules }

  /// Leaves the scheduled list with its first occurrence (N20, R2).
  public var firesOnce: Bool {
    !repeats && (region == nil || regionTriggersOnce)
  }

  /// The field that says how it repeats, for an error.
  var repeatField: String {
    rrule != nil
      ? "rrule" : !rrules.isEmpty ? "rrules" : repeatInterval != nil ? "repeatInterval" : "fireDate"
  }

  /// How much later than `due`, where it fires once, it may come to share a wake-up (T12): nothing that
  /// could lie beyond `expires`.
  public func tolerance(from due: Instant) -> Int64 {
    guard let expires else { return tolerance }
    let isExact = !repeats && mode == .absolute && offset.isNone
    return isExact && due.advanced(by: tolerance) <= expires ? tolerance : 0
  }

  /// Why it is refused where none of its occurrences is still to come; `anchor` as its plan has it.
  public func neverDue(from anchor: Instant) -> FieldError {
    if !rules.isEmpty, rules.allSatisfy({ $0.ends(before: anchor) }) {
      return rules[0].endsTooSoon(field: rrule == nil ? "rrules[0]" : "rrule")
    }
    if !exdate.isEmpty {
      return FieldError("exdate", .conflict, "nothing would be due that it does not leave out")
    }
    if until != nil { return FieldError("until", .outOfRange, "nothing of it is due before that") }
    return FieldError(repeatField, .outOfRange, "nothing of it would ever be due")
  }

  /// The plan, its instants read as wall clocks of `zone`, which is that of `timeZone`; in absolute
  /// mode it does not matter.
  public func plan(reading zone: ZoneRules) -> RepeatPlan {
    var plan = RepeatPlan(repeatInterval.map { .unit($0, every: every) } ?? .once)
    let rules = rulesOfDays
    if let rule = rules.first { plan.pattern = rules.count == 1 ? .rule(rule) : .rules(rules) }
    plan.exdates = exdate.map { read($0, in: zone) }.ascending
    plan.rdates = rdate.map { read($0, in: zone) }.ascending
    plan.until = until.map { read($0, in: zone) }
    plan.count = count
    plan.gap = gap
    plan.overlap = overlap
    plan.startsInLastPass = fireDate.map { isInLastPass($0, of: zone) } ?? false
    plan.monthEnd = monthEnd
    plan.calendar = pluginCalendar
    plan.offset = offset
    return plan
  }

  /// Throws for a date that RDATE adds on the pass of a wall clock that its repeat does not take (T5):
  /// occurrences are named by what clocks show, so it would come on the other one. `zone` as in `plan`.
  public func checkAddedPasses(reading zone: ZoneRules) throws(FieldError) {
    guard mode != .absolute, overlap == .first else { return }
    let start = fireDate.flatMap { isInLastPass($0, of: zone) ? $0 : nil }
    for (index, date) in rdate.enumerated()
    where date != .distantPast && date != .distantFuture {
      let wall = zone.wall(at: date)
      let passes = zone.instants(ofWall: wall)
      guard passes.first != passes.last else { continue }
      // What begins in the last pass goes on there.
      let takesLast = start.map { wall >= zone.wall(at: $0) && passes.first < $0 } ?? false
      guard (date == passes.first) == takesLast else { continue }
      throw FieldError("rdate[\(index)]", .conflict, Self.otherPass)
    }
  }

  /// Why a date is refused that its repeat would have ring an hour away.
  public static let otherPass =
    "clocks show this time twice, and the repeat takes the other of the two: schedule the date by"
    + " itself, or have the repeat take the last or both (overlap)"

  /// Its repeat takes the first pass of a wall clock that exists twice, and this is the last (T5).
  private func isInLastPass(_ instant: Instant, of zone: ZoneRules) -> Bool {
    guard mode != .absolute, overlap == .first, instant != .distantPast, instant != .distantFuture
    else { return false }
    let passes = zone.instants(ofWall: zone.wall(at: instant))
    return passes.first != passes.last && passes.last == instant
  }

  /// An instant of its fields as its plan has it: in floating and zoned mode what the clocks of
  /// `zone` show then, counted as if they showed UTC (T2).
  func read(_ instant: Instant, in zone: ZoneRules) -> Instant {
    switch (mode, instant) {
    case (.absolute, _), (_, .distantPast), (_, .distantFuture): instant
    default: zone.wall(at: instant)
    }
  }

  /// The calendar that a plugin must be asked about when this repeats; nil: the core's own months
  /// will do (N6).
  public var pluginCalendar: String? {
    guard let repeatCalendar, repeatInterval?.dependsOnCalendar ?? false,
      !Self.gregorianCalendars.contains(repeatCalendar)
    else { return nil }
    return repeatCalendar
  }
}

extension RecurrenceRule {
  /// Its UNTIL, a date or a wall clock, lies before the start, which is read as that is.
  fileprivate func ends(before start: Instant) -> Bool {
    switch end {
    case .untilDate(let days): days < CivilTime(start).date.days
    case .untilWall(let wall): wall.advanced(by: Nanoseconds.second) <= start
    case .never, .count, .untilInstant: false
    }
  }

  func endsTooSoon(field: String) -> FieldError {
    let place = untilPlace.character.map { " (character \($0))" } ?? ""
    return FieldError(
      field, .conflict, "its UNTIL lies before the start, so nothing would ever be due\(place)")
  }
}

extension [Instant] {
  /// Each once.
  var ascending: [Instant] {
    var found: [Instant] = []
    for instant in sorted() where instant != found.last { found.append(instant) }
    return found
  }
}
