/// What happens at a due instant: late or not (T10), fired, folded or dropped, and what comes next.
extension SchedulerEngine {
  /// What is handed over in one event, in small ones (A2): what more of it is due goes on in the next.
  static let firedAtOnce = 16

  /// Fires what is due and loaded; of a user's late ones one at a time with pauses between.
  ///
  /// Each user's first goes out, however many are due; what another user has due meanwhile is not behind
  /// all the rest.
  func fireDue() {
    isFiring = false
    fireSnoozes()
    var served: Set<UInt32> = []
    for node in dueInTurn() {
      // What was fired before it may have moved it.
      guard pending.table.isNear(node),
        case .loaded(let row, _) = pending.details[node.slot].content
      else { continue }
      let isFirst = served.insert(user(of: node.slot)).inserted
      guard turn.firingRoom > 0 || isFirst else {
        isFiring = true
        break
      }
      if isStale(pending[node.slot]) {
        // Its zone has changed, and its turn had not come.
        replan(node.slot)
      } else if clock.holds(pending[node.slot], at: now) {
        hold(row, node)
      } else if !pending.waitsForIntent(row, node, turn) {
        fire(row, node)
      }
    }
    fireSteps()
  }

  /// What is due: users take turns, and each one's comes in order (N21, D9).
  private func dueInTurn() -> [HeapNode] {
    let due = pending.table.near.prefix { $0.due <= now.real }
    guard due.count > 1 else { return Array(due) }
    var turns = TurnQueue<HeapNode>()
    for (order, node) in due.enumerated() {
      guard case .loaded(let row, _) = pending.details[node.slot].content else { continue }
      turns.insert(
        node, order: Int64(order), user: Int64(user(of: node.slot)),
        Urgency(effectiveLevel(of: row.notification, app: row.app)))
    }
    var inTurn: [HeapNode] = []
    inTurn.reserveCapacity(turns.count)
    while let node = turns.next() { inTurn.append(node) }
    return inTurn
  }

  /// Whose it is (A1).
  func user(of slot: Slot) -> UInt32 {
    apps[pending[slot].app]?.owner ?? 0
  }

  /// When the next late one of a user may be handed over, on the elapsed clock (T10).
  func lateTurn(of user: UInt32) -> Int64 { lateTurns.next(of: user) }

  func takeLateTurn(of user: UInt32) { lateTurns.take(of: user, turn) }

  /// One occurrence that is due, and what of its past it stands for.
  struct Firing {
    var slot: Slot
    var k: Int64
    var due: Instant
    /// The oldest that it stands for.
    var oldest: PlannedOccurrence
    /// How many it stands for, itself not counted.
    var missed: Int64 = 0
    /// The one that follows; nil: there is none.
    var next: PlannedOccurrence?
    /// There may be one that is not known yet (N6).
    var isOpen = false
    /// What before it was passed over (E1, E2).
    var passed: [PassedOver.Run] = []
  }

  /// Unless it has to wait for its turn.
  private func fire(_ row: StoredNotification, _ node: HeapNode) {
    let exceptions = passedOver(row)
    var judged: Firing?
    if let exceptions { judged = judge(row, node, exceptions) } else { judged = newest(row, node) }
    guard let firing = judged else { return }
    let isLate = turn.isLate(firing.due, tolerance: pending.table.tolerance(of: node.slot))
    if let expires = row.notification.expires, expires < now.real,
      isLate || firing.due > expires
    {
      return drop(firing, row, .expired, reason: "expired before it could be shown")
    }
    if isLate {
      if let reason = reasonToDrop(row, due: firing.due) {
        return drop(firing, row, .missed, reason: reason)
      }
      if let next = firing.next, next.due.nanoseconds(since: now.real) <= configuration.grace,
        exceptions?.cause(of: next) == nil
      {
        return fold(firing, row, into: next)
      }
      let user = user(of: node.slot)
      guard now.elapsed >= lateTurn(of: user) else { return }
      takeLateTurn(of: user)
    }
    handOver(firing, row)
  }

  /// A repeat fires as its newest occurrence that has come (T10).
  func newest(_ row: StoredNotification, _ node: HeapNode) -> Firing {
    guard pending[node.slot].repeats, let plan = plan(of: node.slot) else {
      return Firing(
        slot: node.slot, k: 0, due: node.due, oldest: PlannedOccurrence(k: 0, due: node.due))
    }
    let first = PlannedOccurrence(k: plan.index(at: node.due), due: node.due)
    let following = plan.next(after: first)
    var newest = first
    var next = following
    if let following, following.due <= now.real {
      newest = plan.newest(notAfter: now.real) ?? following
      next = plan.next(after: newest)
    }
    let oldest = pending.details[node.slot].missedFrom ?? first
    return Firing(
      slot: node.slot, k: newest.k, due: newest.due, oldest: oldest,
      missed: plan.count(from: oldest, before: newest), next: next,
      isOpen: next == nil && plan.isOpen)
  }

  private func reasonToDrop(_ row: StoredNotification, due: Instant) -> String? {
    let app = apps[row.app]?.name ?? ""
    let policy = row.notification.late ?? profile(of: app).limits.late ?? configuration.late
    return policy.reasonToDrop(late: now.real.nanoseconds(since: due))
  }

  private func handOver(_ firing: Firing, _ row: StoredNotification) {
    turn.firingRoom -= row.notification.firingCost
    let app = row.app
    var fired = occurrence(of: row, app: app, k: firing.k, due: firing.due)
    fired.missed = firing.missed
    fired.missedSince = firing.missed > 0 ? firing.oldest.due : nil
    recordPassed(firing, row)
    let isRecorded = shouldRecord(row)
    clearIntents(firing, row, firedThrough: firing.k)
    pending.removeSuspect(fired.id, of: firing.slot)
    let wasAtOnce = pending.details[firing.slot].wasDueAtOnce
    let wasHeld = pending.takeHeld(firing.slot)
    goOn(firing, row)
    deliver(
      fired, app: app, slot: firing.slot, shown: row.shown,
      attempt: handOvers.attempts(fired.id, isAtOnce: wasAtOnce), isRecorded: isRecorded,
      wasHeld: wasHeld, only: nil)
    dropSnoozes(before: fired.id)
    if row.notification.repeats, firing.next == nil, !firing.isOpen {
      record(.finish(firing.slot, app: row.app, generation: row.generation))
    }
  }

  /// Repeats under a minute are recorded once a minute, to spare the flash.
  func shouldRecord(_ row: StoredNotification) -> Bool {
    !row.isFast || pending.takesRecord(of: row.slot, now: now.elapsed)
  }

  /// It ends without a hand-over: a history row, an event, and the next one's turn.
  private func drop(
    _ firing: Firing, _ row: StoredNotification, _ state: DeliveryState, reason: String
  ) {
    turn.firingRoom -= 1
    var dropped = occurrence(of: row, app: row.app, k: firing.k, due: firing.due)
    dropped.missed = firing.missed
    dropped.missedSince = firing.missed > 0 ? firing.oldest.due : nil
    recordPassed(firing, row)
    clearIntents(firing, row, firedThrough: nil)
    pending.removeSuspect(dropped.id, of: firing.slot)
    let isRecorded = shouldRecord(row)
    // What has expired now will not be shown later either.
    let isLast = state == .expired || (firing.next == nil && !firing.isOpen)
    // Before its row moves on, or a crash between the two would leave no trace of it.
    let told = FiredOccurrence(dropped, app: row.app, isRecorded: isRecorded || isLast)
    told.open = 1
    end(told, sink: "", state, reason: reason)
    if isLast {
      removeEntry(firing.slot)
      record(.finish(firing.slot, app: row.app, generation: row.generation))
    } else {
      if isRecorded {
        record(
          .skip(
            firing.slot, app: row.app, generation: row.generation, firedThrough: firing.k))
      }
      goOn(firing, row)
    }
  }

  /// The next one is due in a moment and stands for this one too.
  private func fold(_ firing: Firing, _ row: StoredNotification, into next: PlannedOccurrence) {
    turn.firingRoom -= 1
    clearIntents(firing, row, firedThrough: nil)
    pending.setMissed(from: firing.oldest, of: firing.slot)
    reschedule(firing, row, to: next)
  }

  /// A one-shot leaves the list, a repeat takes up its next occurrence.
  func goOn(_ firing: Firing, _ row: StoredNotification) {
    pending.setMissed(from: nil, of: firing.slot)
    guard let next = firing.next else {
      if firing.isOpen { return awaitDays(firing.slot, firedThrough: firing.k) }
      return removeEntry(firing.slot)
    }
    reschedule(firing, row, to: next)
    keepDays(of: firing.slot)
  }

  private func reschedule(_ firing: Firing, _ row: StoredNotification, to next: PlannedOccurrence) {
    var rest = row
    rest.firedThrough = firing.k
    rest.shown = []
    pending.goOn(rest, due: next.due, &turn)
  }

  /// Takes back intents under ids that will not be handed over: an older occurrence than the one
  /// that fires, or one that does not fire at all.
  func clearIntents(_ firing: Firing, _ row: StoredNotification, firedThrough k: Int64?) {
    let details = pending.details[firing.slot]
    guard case .loaded(_, let prepared) = details.content else { return }
    guard let node = pending.node(of: firing.slot) else { return }
    let id = OccurrenceID(uuid: row.uuid, generation: row.generation, k: index(of: node))
    let wasIntended = details.possiblyDelivered.contains(id) || (prepared != nil && !row.isFast)
    if wasIntended, id.k != k {
      pending.removeSuspect(id, of: firing.slot)
      record(.withdrawIntent(id, app: row.app))
    }
  }

  /// Takes a notification off the list with all that is known of it.
  func leave(_ slot: Slot) {
    if let known = pending.leave(slot) { calendars.remove(slot, from: known) }
    regions.remove(slot)
  }

  /// Takes a notification off the list; its slot is free once the store has caught up.
  func removeEntry(_ slot: Slot) {
    leaveForGood(slot)
    pending.retire(slot, until: storeRequests.lastTicket)
    if storeRequests.isEmpty { pending.release(through: storeRequests.lastTicket) }
  }

  /// Takes off the list what the store does not know any more. Its slot is not used again in this life:
  /// the row may still stand there, unreadable.
  func lose(_ slot: Slot) {
    emit(.log(.error, "the books have lost the pending notification in row \(slot)"))
    leaveForGood(slot)
  }

  private func leaveForGood(_ slot: Slot) {
    if let app = apps[pending[slot].app] {
      if app.evictionCandidate == slot { app.evictionCandidate = nil }
      noteUse(of: app)
    }
    leave(slot)
    pauses.leave(slot, &turn)
  }
}

extension LatePolicy {
  /// Of what is late by so many nanoseconds; nil: it fires.
  func reasonToDrop(late: Int64) -> String? {
    switch self {
    case .fire: return nil
    case .drop: break
    case .seconds(let most):
      let (limit, overflow) = most.multipliedReportingOverflow(by: Nanoseconds.second)
      if overflow || late <= limit { return nil }
    }
    return "late by \(late / Nanoseconds.second) s"
  }
}

extension StoredNotification {
  /// Repeats by less than a minute: not every one is written down.
  var isFast: Bool { pace < Nanoseconds.minute }

  /// The least time between two of its occurrences, in nanoseconds.
  var pace: Int64 { (plan ?? StoredPlan(notification.repeatInterval)).plan.pace }
}

extension Notification {
  /// A small one costs 1, a large one more.
  var firingCost: Int { 1 + weight / 4096 }
}
