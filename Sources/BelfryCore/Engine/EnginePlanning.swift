/// From what an app asks for to when it is due.
extension SchedulerEngine {
  /// A notification's fields, read once (T2).
  struct Reading {
    /// nil: plain, see `SharedPlanTable`.
    var stored: StoredPlan?
    /// An instant in absolute mode, else a wall clock counted as if it showed UTC.
    var anchor: Instant
    var plan: OccurrencePlan
    /// Steps that its rule took to read: finding the end of its COUNT.
    var steps: Int64 = 0
  }

  /// What a notification's fields say, in the terms of `Timetable`.
  private struct Terms {
    var plan: RepeatPlan
    var anchor: Instant
    var zone: ZoneRules
  }

  /// nil: its zone is not loaded. `now`: when it is scheduled.
  private func terms(of notification: Notification, at now: Instant) -> Terms? {
    guard notification.mode != .absolute, let name = notification.timeZone else {
      return Terms(
        plan: notification.plan(reading: .utc),
        anchor: notification.anchor(scheduledAt: now), zone: .utc)
    }
    guard let rules = zones.rules(of: name) else { return nil }
    let effective = notification.mode == .floating ? zones.board.rules ?? .utc : rules
    let anchor: Instant =
      switch notification.fireDate {
      case nil, .some(.distantPast): effective.wall(at: now)
      case .some(.distantFuture): .distantFuture
      case .some(let date): rules.wall(at: date)
      }
    return Terms(plan: notification.plan(reading: rules), anchor: anchor, zone: effective)
  }

  /// When its fireDate says, past or not, of what fires once; nil: its zone is not loaded.
  func instant(of notification: Notification) -> Instant? {
    guard let terms = terms(of: notification, at: .distantPast) else { return nil }
    let isAbsolute = notification.mode == .absolute
    let due = isAbsolute ? terms.anchor : terms.zone.instants(ofWall: terms.anchor).first
    return due.advanced(by: terms.plan.offset.plainLength)
  }

  /// Whether it can be read; if not, what is missing has been asked for: its zone, or what a plugin
  /// knows of its calendar. Throws where that is not to be had.
  func isReady(_ notification: Notification) throws(RequestError) -> Bool {
    guard try isZoneReady(notification), let terms = terms(of: notification, at: now.real)
    else { return false }
    if notification.mode == .floating, !isFar(terms), !zones.isBoardFresh(since: turn.asked.elapsed)
    {
      zones.loadBoard(&turn)
      return false
    }
    return try areDaysKnown(terms.plan, anchor: terms.anchor)
  }

  /// It is to come whatever zone the board is in.
  private func isFar(_ terms: Terms) -> Bool {
    terms.anchor.advanced(by: terms.plan.offset.plainLength)
      > now.real.advanced(by: ReplanSweep.longestTravel)
  }

  /// nil: it is not ready. `purpose`: as in its row; a past date is the instant of scheduling
  /// otherwise (N2), which is `start`, or now.
  func read(
    _ notification: Notification, purpose: RelativeTime.Purpose? = nil, at start: Instant? = nil
  ) -> Reading? {
    if notification.region != nil {
      return Reading(
        stored: nil, anchor: .distantFuture, plan: .plain(anchor: .distantFuture, unit: nil))
    }
    let mode = notification.mode
    if purpose == .atOnce { return atOnce }
    guard var terms = terms(of: notification, at: start ?? now.real) else { return nil }
    if purpose == .notBefore, mode == .absolute, let date = notification.fireDate {
      terms.anchor = date
    }
    if mode == .absolute, let unit = terms.plan.plainUnit {
      return Reading(
        stored: nil, anchor: terms.anchor, plan: .plain(anchor: terms.anchor, unit: unit))
    }
    // A rule is counted through here, once.
    var meter = StepMeter(limit: RuleBudget.count)
    terms.plan = terms.plan.counted(from: terms.anchor, in: terms.zone, &meter)
    guard
      let table = timetable(terms.plan, anchor: terms.anchor, mode: mode, zone: terms.zone)
    else { return nil }
    if mode != .absolute || !terms.plan.offset.isNone, !notification.repeats, purpose == nil,
      let due = table.due(k: 0)?.instant, due <= start ?? now.real
    {
      return atOnce
    }
    let stored = StoredPlan(
      terms.plan, mode: mode, zone: mode == .zoned ? notification.timeZone : nil)
    return Reading(
      stored: stored, anchor: terms.anchor, plan: .table(table), steps: meter.steps)
  }

  /// Throws for dates that it cannot keep, and where a rule costs more than its budget (A2).
  func check(_ notification: Notification, _ reading: Reading) throws(RequestError) {
    if let name = notification.timeZone, let rules = zones.rules(of: name) {
      do throws(FieldError) {
        try notification.checkAddedPasses(reading: rules)
      } catch {
        throw .invalidField(error)
      }
    }
    guard case .table(let table) = reading.plan else { return }
    let now = now.real.advanced(by: -1)
    guard reading.steps < RuleBudget.count,
      table.plan.isWithinBudget(table, anchor: reading.anchor, now: now)
    else { throw .invalidField(RuleBudget.refusal(table.plan)) }
  }

  /// N2: which no zone changes.
  private var atOnce: Reading {
    Reading(stored: nil, anchor: now.real, plan: .plain(anchor: now.real, unit: nil))
  }

  // MARK: Entries

  /// The row as an entry, its shape one user more; what holds it is the caller's to say.
  func entry(
    app: AppNumber, generation: Int64, anchor: Instant, unit: RepeatUnit?, stored: StoredPlan?,
    tolerance: Int64, traits: PendingTable.Traits
  ) -> PendingTable.Entry {
    var traits = traits
    if stored?.repeats ?? (unit != nil) { traits.insert(.repeats) }
    var shape: SharedPlanTable.Number = 0
    if stored != nil || tolerance > 0 {
      let stored = stored ?? StoredPlan(unit)
      let zone = stored.zone.map { zones.number(of: $0) } ?? 0
      if stored.mode != .absolute, zones[zone].mark { traits.insert(.mark) }
      shape = pending.takeShape(
        SharedPlan(
          plan: stored.plan, mode: stored.mode, zone: stored.mode == .absolute ? 0 : zone,
          tolerance: min(tolerance, stored.plan.shortestInterval / 2)))
    }
    return PendingTable.Entry(
      app: app, generation: generation, anchor: anchor, unit: unit, shape: shape, traits: traits)
  }

  /// nil: its zone is not loaded, or the days of its calendar are not known.
  func plan(of slot: Slot) -> OccurrencePlan? {
    plan(of: pending[slot])
  }

  func plan(of entry: PendingTable.Entry) -> OccurrencePlan? {
    guard let shape = pending.shape(of: entry) else {
      return .plain(anchor: entry.anchor, unit: entry.unit)
    }
    guard shape.mode != .absolute else { return plan(shape, entry.anchor, .utc) }
    return zones.rules(of: shape.zone, isMarked: entry.traits.contains(.mark))
      .flatMap { plan(shape, entry.anchor, $0) }
  }

  func plan(_ shape: SharedPlan, _ anchor: Instant, _ rules: ZoneRules) -> OccurrencePlan? {
    if shape.mode == .absolute, let unit = shape.plan.plainUnit {
      return .plain(anchor: anchor, unit: unit)
    }
    return timetable(shape.plan, anchor: anchor, mode: shape.mode, zone: rules).map { .table($0) }
  }

  /// The plan of a row that is no entry yet.
  func plan(of row: StoredNotification) -> OccurrencePlan? {
    guard let stored = row.plan else {
      return .plain(anchor: row.anchor, unit: row.notification.repeatInterval)
    }
    return timetable(of: stored, anchor: row.anchor).map { .table($0) }
  }

  func timetable(of stored: StoredPlan, anchor: Instant) -> Timetable? {
    zone(of: stored).flatMap {
      timetable(stored.plan, anchor: anchor, mode: stored.mode, zone: $0)
    }
  }

  /// Whose clocks it goes by; nil: it is not loaded.
  func zone(of stored: StoredPlan) -> ZoneRules? {
    switch stored.mode {
    case .absolute: .utc
    case .floating: zones.board.rules
    case .zoned: zones.rules(of: stored.zone ?? "")
    }
  }

  /// The occurrence that a pending node stands for.
  func index(of node: HeapNode) -> Int64 {
    plan(of: node.slot)?.index(at: node.due) ?? 0
  }
}

extension StoredPlan {
  /// That of a plain entry.
  init(_ unit: RepeatUnit?) {
    self.init(RepeatPlan(unit.map { .unit($0, every: 1) } ?? .once), mode: .absolute, zone: nil)
  }
}
