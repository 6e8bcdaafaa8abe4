/// From what an app asks for to when it is due.
extension Scheduler {
  /// A notification's fields, read once (T2).
  struct Reading {
    /// nil: plain, see `ShapeTable`.
    var stored: StoredPlan?
    /// An instant in absolute mode, else a wall clock counted as if it showed UTC.
    var anchor: Instant
    var plan: EntryPlan
    /// Of a one-shot that is due at once, because that is past (N2).
    var date: Instant?
  }

  /// nil: its zone is not loaded.
  func read(_ notification: Notification) -> Reading? {
    guard notification.mode != .absolute, let name = notification.timeZone else {
      return readAbsolute(notification)
    }
    guard let rules = zonesByName[name]?.rules else { return nil }
    let mode = notification.mode
    let effective = mode == .floating ? zones[0].rules ?? .utc : rules
    let plan = notification.plan(reading: rules)
    let anchor: Instant =
      switch notification.fireDate {
      case nil, .some(.distantPast): effective.wall(at: now.real)
      case .some(.distantFuture): .distantFuture
      case .some(let date): rules.wall(at: date)
      }
    let table = EntryPlan.table(
      Timetable(plan: plan, anchor: anchor, mode: mode, zone: effective))
    if !notification.repeats, let due = table.planned(0)?.due, due <= now.real {
      // N2: at once, which no zone changes.
      return Reading(
        stored: nil, anchor: now.real, plan: .plain(anchor: now.real, unit: nil), date: due)
    }
    let stored = StoredPlan(plan, mode: mode, zone: mode == .zoned ? name : nil)
    return Reading(stored: stored, anchor: anchor, plan: table)
  }

  private func readAbsolute(_ notification: Notification) -> Reading {
    let plan = notification.plan(reading: .utc)
    let anchor = notification.anchor(scheduledAt: now.real)
    if let unit = plan.plainUnit {
      return Reading(
        stored: nil, anchor: anchor, plan: .plain(anchor: anchor, unit: unit),
        date: notification.fireDate)
    }
    let table = Timetable(plan: plan, anchor: anchor, mode: .absolute, zone: .utc)
    return Reading(
      stored: StoredPlan(plan, mode: .absolute, zone: nil), anchor: anchor, plan: .table(table))
  }

  /// The next due instants of a draft, or of what is scheduled (N18).
  func upcoming(
    _ plan: EntryPlan, after: Instant, expires: Instant?, count: Int32
  ) -> [Instant] {
    var found: [Instant] = []
    var next = plan.first(after: after)
    while found.count < Int(min(count, Self.mostOccurrences)), let planned = next,
      planned.due <= expires ?? .distantFuture
    {
      found.append(planned.due)
      next = plan.next(after: planned)
    }
    return found
  }

  // MARK: Entries

  /// The row as an entry, its shape one user more; what holds it is the caller's to say.
  func entry(
    app: AppNumber, generation: Int64, anchor: Instant, unit: RepeatUnit?, stored: StoredPlan?,
    tolerance: Int64, traits: PendingTable.Traits
  ) -> PendingTable.Entry {
    var traits = traits
    if stored?.repeats ?? (unit != nil) { traits.insert(.repeats) }
    var shape: ShapeTable.Number = 0
    if stored != nil || tolerance > 0 {
      let stored = stored ?? StoredPlan(unit)
      let zone = stored.zone.map { known($0) } ?? zones[0]
      if stored.mode != .absolute, zone.mark { traits.insert(.mark) }
      shape = pending.shapes.take(
        PlanShape(
          plan: stored.plan, mode: stored.mode, zone: stored.mode == .absolute ? 0 : zone.number,
          tolerance: tolerance))
    }
    return PendingTable.Entry(
      app: app, generation: generation, anchor: anchor, unit: unit, shape: shape, traits: traits)
  }

  /// nil: its zone is not loaded.
  func plan(of slot: Slot) -> EntryPlan? {
    plan(of: pending[slot])
  }

  func plan(of entry: PendingTable.Entry) -> EntryPlan? {
    guard entry.shape != 0 else { return .plain(anchor: entry.anchor, unit: entry.unit) }
    let shape = pending.shapes[entry.shape]
    guard shape.mode != .absolute else { return plan(shape, entry.anchor, .utc) }
    let zone = zones[Int(shape.zone)]
    let rules = entry.traits.contains(.mark) == zone.mark ? zone.rules : zone.previous
    return rules.map { plan(shape, entry.anchor, $0) }
  }

  func plan(_ shape: PlanShape, _ anchor: Instant, _ rules: ZoneRules) -> EntryPlan {
    if shape.mode == .absolute, let unit = shape.plan.plainUnit {
      return .plain(anchor: anchor, unit: unit)
    }
    return .table(Timetable(plan: shape.plan, anchor: anchor, mode: shape.mode, zone: rules))
  }

  /// The plan of a row that is no entry yet.
  func plan(of row: StoredNotification) -> EntryPlan? {
    guard let stored = row.plan else {
      return .plain(anchor: row.anchor, unit: row.notification.repeatInterval)
    }
    let rules: ZoneRules? =
      switch stored.mode {
      case .absolute: .utc
      case .floating: zones[0].rules
      case .zoned: zonesByName[stored.zone ?? ""]?.rules
      }
    return rules.map {
      .table(Timetable(plan: stored.plan, anchor: row.anchor, mode: stored.mode, zone: $0))
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
