/// What is passed over at its due instant, since it is paused (E1), to be skipped (E2) or on a day off
/// (E3), and what the list tells of that.
extension SchedulerEngine {
  /// nil: all of it rings.
  func passedOver(_ row: StoredNotification) -> PassedOver? {
    let skips = pending.details[row.slot].skips?.skips
    if pauses.isEmpty, skips == nil, !row.notification.goesByDays { return nil }
    let isCritical = effectiveLevel(of: row.notification, app: row.app) == .critical
    let passed = PassedOver(
      pauses: pauses.concerning(row.slot, of: row.app, isCritical: isCritical),
      skips: skips ?? SkipSet(),
      days: days(of: row.notification, apps[row.app]?.name, plan(of: row.slot)))
    return passed.isEmpty ? nil : passed
  }

  /// What of that which is due fires; nil: nothing does, and all of it was passed over.
  func judge(_ row: StoredNotification, _ node: HeapNode, _ passed: PassedOver) -> Firing? {
    let due = newest(row, node)
    guard pending[node.slot].repeats, let plan = plan(of: node.slot) else {
      let one = PlannedOccurrence(k: 0, due: node.due)
      guard let cause = passed.cause(of: one) else { return due }
      passOver([PassedOver.Run(cause: cause, first: one, last: one, count: 1)], due, row)
      return nil
    }
    // Through what is due, or, while a tolerance is used, the one that comes early.
    let runs = passed.runs(of: plan, from: due.oldest, through: max(now.real, due.due))
    guard let place = runs.lastIndex(where: { $0.cause == nil }) else {
      var last = due
      if let run = runs.last { (last.k, last.due) = (run.last.k, run.last.due) }
      last.next = plan.next(after: PlannedOccurrence(k: last.k, due: last.due))
      last.isOpen = last.next == nil && plan.isOpen
      passOver(runs, last, row)
      return nil
    }
    var firing = due
    let ringing = runs[...place].filter { $0.cause == nil }
    firing.passed = Array(
      runs[...place].filter { $0.cause?.isTold ?? false }.suffix(PassedOver.mostTold))
    (firing.k, firing.due) = (runs[place].last.k, runs[place].last.due)
    firing.oldest = ringing[0].first
    firing.missed = ringing.reduce(-1) { $0 + $1.count }
    firing.next = plan.next(after: runs[place].last)
    firing.isOpen = firing.next == nil && plan.isOpen
    return firing
  }

  /// None of it rings: a one-shot leaves the list, a repeat goes on.
  private func passOver(
    _ runs: [PassedOver.Run], _ firing: Firing, _ row: StoredNotification
  ) {
    turn.firingRoom -= 1
    clearIntents(firing, row, firedThrough: nil)
    let id = OccurrenceID(uuid: row.uuid, generation: row.generation, k: firing.k)
    pending.removeSuspect(id, of: firing.slot)
    let isLast = firing.next == nil && !firing.isOpen
    let told = runs.filter { $0.cause?.isTold ?? false }.suffix(PassedOver.mostTold)
    for run in told {
      tell(run, row)
      record(run, row, finishes: isLast && run.last == told.last?.last)
    }
    if isLast, told.isEmpty {
      record(.finish(firing.slot, app: row.app, generation: row.generation))
    }
    _ = pending.takeHeld(firing.slot)
    dropSkips(firing)
    if isLast { return removeEntry(firing.slot) }
    goOn(firing, row)
  }

  /// What was passed over before that which fires now.
  func recordPassed(_ firing: Firing, _ row: StoredNotification) {
    for run in firing.passed {
      tell(run, row)
      record(run, row, finishes: false)
    }
    if let rest = pending.details[firing.slot].unwritten { write(rest, row, finishes: false) }
    dropSkips(firing)
  }

  /// Of repeats under a minute the store hears once a minute, to spare the flash.
  private func record(_ run: PassedOver.Run, _ row: StoredNotification, finishes: Bool) {
    var run = run
    if let before = pending.details[row.slot].unwritten {
      if before.cause == run.cause {
        run.first = before.first
        run.count += before.count
      } else {
        write(before, row, finishes: false)
      }
    }
    if finishes || shouldRecord(row) {
      write(run, row, finishes: finishes)
    } else {
      pending.setUnwritten(run, of: row.slot)
    }
  }

  private func write(_ run: PassedOver.Run, _ row: StoredNotification, finishes: Bool) {
    if pending.details[row.slot].unwritten != nil { pending.setUnwritten(nil, of: row.slot) }
    var told = HistoryRow(
      app: apps[row.app]?.name ?? "", identifier: row.notification.identifier ?? "",
      occurrence: OccurrenceID(uuid: row.uuid, generation: row.generation, k: run.last.k),
      sink: "", due: run.last.due, handedOver: nil, acknowledged: nil, state: .skipped,
      reason: run.cause?.reason, attempts: 0)
    told.clock = clock.state(at: now)
    told.missed = run.count - 1
    told.missedSince = run.count > 1 ? run.first.due : nil
    if finishes { told.text = row.notification.historyText }
    let repeats = row.plan?.repeats ?? (row.notification.repeatInterval != nil)
    record(
      .passOver(
        told, app: row.app, slot: row.slot, generation: row.generation,
        firedThrough: repeats && row.side == nil ? run.last.k : nil, finishes: finishes,
        pause: run.cause?.row))
  }

  private func tell(_ run: PassedOver.Run, _ row: StoredNotification) {
    let id = OccurrenceID(uuid: row.uuid, generation: row.generation, k: run.last.k)
    turn.tell(
      WatchEvent(
        kind: .skipped, app: apps[row.app]?.name ?? "",
        identifier: row.notification.identifier ?? "", occurrence: id, sink: nil, at: now.real,
        due: run.last.due, handedOver: nil, reason: run.cause?.reason, missed: run.count - 1))
  }

  /// Those that lie behind are not needed any more.
  private func dropSkips(_ firing: Firing) {
    guard var skips = pending.details[firing.slot].skips else { return }
    let plan = plan(of: firing.slot)
    skips.skips.removeAll(through: firing.k) { k in
      // Where clocks change, one with a lower k may come later.
      plan?.planned(k).map { $0.due <= firing.due } ?? true
    }
    pending.setSkips(skips.skips.isEmpty ? nil : skips, of: firing.slot)
  }

  /// What calendars say of a notification (E3); nil: it names none, or none that is known.
  func days(
    of notification: Notification, _ app: String?, _ plan: OccurrencePlan?
  ) -> DayRule? {
    guard notification.goesByDays else { return nil }
    var zone = zones.board.rules ?? .utc
    if notification.mode == .zoned, let name = notification.timeZone {
      zone = zones.rules(of: name) ?? zone
    }
    return days.rule(of: notification, app: app, zone: zone, plan)
  }

  /// Takes in what the store has kept of a calendar; before the first event.
  public func restore(_ stored: StoredDays) { days.restore(stored) }

  private var today: Int64 {
    floorDivide((zones.board.rules ?? .utc).wall(at: now.real).nanoseconds, Nanoseconds.day)
  }

  /// Nothing is computed ahead by calendars: what is due is judged by what they say then.
  func take(_ files: [DaysFile]) { days.take(files, today: today, &turn) }

  /// The operator's calendars, and those of the apps that a peer may see.
  public func listedDays(for peer: Peer) -> [ListedDays] {
    days.all(today: today).filter { row in
      row.app.map { seesAll(peer) || owner(of: $0) == peer.uid } ?? true
    }
  }

  // MARK: What has no due instant of its own

  /// What is shown at once, or comes as a push, or by a crossing: the pause that it falls into now.
  func pause(
    of notification: Notification, _ app: AppNumber, slot: Slot? = nil
  ) -> PassedOver.Cause? {
    if pauses.isEmpty { return nil }
    let isCritical = effectiveLevel(of: notification, app: app) == .critical
    return pauses.concerning(slot, of: app, isCritical: isCritical)
      .last(at: now.real).map { .pause($0) }
  }

  /// It ends as skipped, without ever having been in the list, or staying there.
  func passOver(
    _ occurrence: Occurrence, _ cause: PassedOver.Cause, app: AppNumber, isRecorded: Bool = true
  ) {
    let firing = FiredOccurrence(occurrence, app: app, isRecorded: isRecorded)
    firing.open = 1
    end(firing, sink: "", .skipped, reason: cause.reason)
  }

  // MARK: Telling

  /// What rings next of a pending notification, and what does not before.
  func ringing(
    _ row: StoredNotification, _ node: HeapNode, _ passed: PassedOver
  ) -> (next: Instant?, passed: [PassedRun]) {
    var budget = Self.sliceBudget
    return ringing(row, node, passed, &budget)
  }

  /// The same, and what it took off a slice's budget.
  func ringing(
    _ row: StoredNotification, _ node: HeapNode, _ passed: PassedOver, _ budget: inout Int
  ) -> (next: Instant?, passed: [PassedRun]) {
    guard node.due != .distantFuture else { return (nil, []) }
    guard pending[node.slot].repeats, let plan = plan(of: node.slot) else {
      let one = PlannedOccurrence(k: 0, due: node.due)
      guard let cause = passed.cause(of: one) else { return (node.due, []) }
      return (nil, [PassedRun(first: one.due, last: one.due, reason: cause.reason)])
    }
    let first = PlannedOccurrence(k: plan.index(at: node.due), due: node.due)
    var meter = StepMeter(limit: 2 * RuleBudget.search)
    let (next, runs) = meter.spend(&budget) { passed.ringing(in: plan, from: first, &$0) }
    return (next?.due, runs)
  }

  /// N18: answers with what rings, and what does not on the way, in slices of its user (A2).
  func tellUpcoming(
    _ id: RequestID, of uid: UInt32, _ plan: OccurrencePlan, _ passed: PassedOver?, after: Instant,
    expires: Instant?, count: Int32, zone: String?
  ) {
    var walk = UpcomingWalk(
      plan, passed, after: after, expires: expires, count: min(count, Self.maxOccurrences),
      zoneName: zone ?? zones.board.name)
    let work = SlicedWork(id, ticket: nil, drop: {}) { [unowned(unsafe) self] budget in
      guard walk.advance(&budget) else { return false }
      if walk.isSpent {
        refuse(id, .invalidField(Self.costsTooMuch))
      } else {
        emit(.reply(id, .occurrences(walk.found, passed: walk.passedRuns)))
      }
      return true
    }
    slices.add(work, of: uid)
  }

  private static let costsTooMuch = FieldError(
    "count", .outOfRange,
    "finding so many takes more than \(RuleBudget.list) steps: ask for fewer, and for later ones with "
      + "`after`")
}
