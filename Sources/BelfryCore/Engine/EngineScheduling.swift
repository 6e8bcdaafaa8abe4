/// Scheduling and the limit (N1, N2, N5, N13, N17).
extension SchedulerEngine {
  /// How many an app may have, and what happens beyond that: as the operator or its manifest says,
  /// else as the caller asks, else the new one is refused.
  func limit(
    of app: String, asked: EngineConfiguration.OnFull? = nil
  ) -> (most: Int32, onFull: EngineConfiguration.OnFull) {
    let limits = limits(of: app)
    let onFull = limits.onFull ?? asked ?? .refuse
    return (limits.notifications ?? onFull.ordinaryLimit, onFull)
  }

  func regionLimit(of app: SchedulerApp) -> Int32 {
    profile(of: app).limits.regions ?? configuration.regions
  }

  /// The row of a notification scheduled now, whose zone is loaded.
  func row(
    _ notification: Notification, _ app: SchedulerApp
  ) throws(RequestError) -> StoredNotification {
    let relative = relative(of: notification)
    let reading = read(notification, purpose: relative?.purpose)
    if let reading { try check(notification, reading) }
    guard let reading, let first = first(of: notification, reading) else {
      throw .invalidField(notification.neverDue(from: reading?.anchor ?? .distantPast))
    }
    // As of PresentNow. With a date that is past, too, it is one that a program schedules again.
    if relative?.purpose == .atOnce, notification.fireDate ?? .distantPast == .distantPast,
      notification.expires ?? .distantFuture < now.real
    {
      throw .invalidField(FieldError("expires", .outOfRange, "it is past already"))
    }
    let isKnownHere =
      notification.mode == .floating || !notification.offset.isNone || notification.fireIn != nil
    if isKnownHere, first.k == 0, first.due > now.real {
      do throws(FieldError) {
        try notification.checkExpiry(due: first.due)
      } catch {
        throw .invalidField(error)
      }
    }
    guard let slot = pending.allot() else {
      throw .limitReached(limit: "memory", value: Int64(PendingTable.maxSlots))
    }
    let uuid = makeUUID()
    var notification = notification
    if notification.identifier == nil { notification.identifier = uuid.text }
    lastSequence += 1
    var row = StoredNotification(
      slot: slot, app: app.number, uuid: uuid, generation: 0, sequence: lastSequence,
      anchor: reading.anchor, firedThrough: reading.plan.firedThrough(before: first),
      notification: notification)
    row.plan = reading.stored
    row.relative = relative
    row.side = notification.region.map { regions.side(of: $0) }
    return row
  }

  /// How it goes by the elapsed clock; nil: it does not.
  private func relative(of notification: Notification) -> RelativeTime? {
    let purpose: RelativeTime.Purpose
    if notification.region != nil {
      return nil
    } else if notification.fireIn != nil {
      purpose = .interval
    } else if isDueAtOnce(notification) {
      purpose = .atOnce
    } else if !notification.repeats, let due = read(notification)?.plan.planned(0)?.due,
      due <= now.real
    {
      purpose = .notBefore
    } else {
      return nil
    }
    return RelativeTime(
      made: now.elapsed, due: now.elapsed + (notification.fireIn ?? 0), boot: configuration.boot,
      isSynchronised: clock.isSynchronised, purpose: purpose)
  }

  private func first(of notification: Notification, _ reading: Reading) -> PlannedOccurrence? {
    if reading.anchor == .distantFuture { return PlannedOccurrence(k: 0, due: .distantFuture) }
    guard notification.repeats else { return reading.plan.planned(0) }
    // N5: what would have been due before now is none of its occurrences.
    return reading.plan.first(after: now.real.advanced(by: -1))
  }

  func node(of row: StoredNotification) -> HeapNode {
    let next = plan(of: row)?.pending(firedThrough: row.firedThrough)
    var due = next?.due ?? .distantFuture
    if let relative = row.relative { due = self.due(of: relative, planned: due) }
    return HeapNode(due: due, sequence: row.sequence, slot: row.slot)
  }

  /// False: it has to wait for its zone, or, near the limit of the app, until it can be alone.
  func schedule(
    _ id: RequestID, _ notification: Notification, _ app: SchedulerApp,
    onFull asked: EngineConfiguration.OnFull?
  ) -> Bool {
    let limit = limit(of: app.name, asked: asked)
    let row: StoredNotification
    let isExclusive: Bool
    do throws(RequestError) {
      guard try isReady(notification) else { return false }
      let isAtLimit =
        notification.region == nil
        ? !isDueAtOnce(notification)
          && pending.count(of: app.number) + app.schedulesUnderWay >= limit.most
        : pending.regionCount(of: app.number) + app.schedulesUnderWay >= regionLimit(of: app)
      isExclusive = isAtLimit
      guard !isExclusive || app.schedulesUnderWay == 0 else { return false }
      if isExclusive, pending.hasAtOnce(of: app.number) {
        // It may be about to replace one of them, and would be one more that counts.
        apps.waitForRoom(app)
        return false
      }
      row = try self.row(notification, app)
    } catch {
      refuse(id, error)
      return true
    }
    let action: LimitAction = isExclusive ? actionAtLimit(for: row, app, limit.onFull) : .none
    if case .discard(let slot) = action { app.evictionCandidate = slot }
    app.schedulesUnderWay += 1
    if isExclusive { app.beginAlone() }
    ask(
      .schedule(row, ifAdded: action, at: clockStamp),
      for: .schedule(id, row, isExclusive: isExclusive, most: limit.most))
    intendEarly(row)
    return true
  }

  /// D7: what is due in a moment has its intent written with its row, or the store could hear of it
  /// only after the hand-over.
  private func intendEarly(_ row: StoredNotification) {
    guard row.side == nil, !row.isFast, row.relative == nil || row.relative?.purpose == .interval
    else { return }
    let due = node(of: row).due
    guard due.nanoseconds(since: now.real) < configuration.shortestLead else { return }
    let k = plan(of: row)?.pending(firedThrough: row.firedThrough)?.k ?? row.firedThrough + 1
    let coming = occurrence(of: row, app: row.app, k: k, due: due)
    pending.setEarlyIntent(coming.id, of: row.slot)
    record(.intend(coming, app: row.app, slot: row.slot))
  }

  /// The row came to nothing, or to another's next generation.
  private func forgetEarlyIntent(_ row: StoredNotification, _ outcome: StoreOutcome) {
    guard let id = pending.takeEarlyIntent(of: row.slot) else { return }
    if case .scheduled(.added) = outcome { return }
    record(.withdrawIntent(id, app: row.app))
  }

  /// Those that waited for what is delivered at once to be gone.
  func serveWaiting() {
    for app in apps.endWaitForRoom(isFull: { pending.hasAtOnce(of: $0) }) { serve(app) }
  }

  /// What is delivered at once (N2) is gone before anything could be counted: it neither counts
  /// towards the limit nor sends a pending one away. What a doubtful clock may hold does (T9).
  private func isDueAtOnce(_ notification: Notification) -> Bool {
    guard !notification.repeats, notification.fireIn == nil, notification.region == nil else {
      return false
    }
    if notification.fireDate ?? .distantPast == .distantPast { return true }
    guard !clock.isDoubtful(at: now), let due = read(notification)?.plan.planned(0)?.due
    else { return false }
    return due <= now.real
  }

  /// N17: the latest to fire goes; at the same due, the newer one. R4: which region the board will
  /// cross last nobody knows, so the new one is refused.
  private func actionAtLimit(
    for row: StoredNotification, _ app: SchedulerApp, _ onFull: EngineConfiguration.OnFull
  ) -> LimitAction {
    if row.side != nil || onFull == .refuse { return .refuse }
    guard let latest = pending.latest(of: app.number), node(of: row) < latest else {
      return .discardNew
    }
    return .discard(latest.slot)
  }

  func takeScheduled(
    _ outcome: StoreOutcome, _ id: RequestID, _ row: StoredNotification, isExclusive: Bool,
    most: Int32
  ) {
    forgetEarlyIntent(row, outcome)
    guard let app = apps[row.app] else { return }
    app.schedulesUnderWay -= 1
    if isExclusive { app.endAlone() }
    let evictionCandidate = app.evictionCandidate
    app.evictionCandidate = nil
    switch outcome {
    case .scheduled(let scheduled):
      let entered = enter(scheduled, row)
      let reply = reply(
        to: scheduled, entered, row, app, evictionCandidate: evictionCandidate, most)
      let identifier = row.notification.identifier ?? ""
      if !scheduled.isListed || !takeOver(identifier, into: app, then: (id, reply)) {
        emit(.reply(id, reply))
      }
    default:
      guard let refusal = outcome.refusal else {
        return emit(.log(.error, "the books answered a schedule request by something else"))
      }
      pending.giveBack(row.slot)
      refuse(id, refusal)
    }
  }

  private func reply(
    to outcome: StoreOutcome.Scheduled, _ entered: (node: HeapNode?, lost: LostSkips?),
    _ row: StoredNotification,
    _ app: SchedulerApp, evictionCandidate: Slot?, _ most: Int32
  ) -> Reply {
    var reply = ScheduleReply(
      identifier: row.notification.identifier ?? "", scheduled: true, unchanged: false,
      replaced: false, occurrence: nil, next: nil, discarded: [])
    reply.demotion = demotion(of: row.notification, app)
    reply.sounds = namedSounds(of: row.notification, app)
    var name = (uuid: row.uuid, generation: row.generation)
    switch outcome {
    case .added(let discarded, _):
      reply.discarded = leave(discarded, evictionCandidate, app)
    case .replaced(_, let uuid, let generation, _, let discarded):
      reply.replaced = true
      reply.discarded = leave(discarded, evictionCandidate, app)
      name = (uuid, generation)
    case .unchanged(let summary, let uuid):
      reply.unchanged = true
      name = (uuid, summary.generation)
    case .discardedNew:
      reply.scheduled = false
      tellLeft(reply.identifier, app, .discarded, due: node(of: row).due, reason: "limit")
      return .scheduled(reply)
    case .refused:
      return .refused(
        row.side == nil
          ? .limitReached(limit: "notifications", value: Int64(most))
          : .limitReached(limit: "regions", value: Int64(regionLimit(of: app))))
    }
    if !reply.unchanged { noteTime(of: row, in: &reply) }
    if let lost = entered.lost { reply.warnings.append(lost.words) }
    if let entered = entered.node {
      if pending[entered.slot].generation != Int32(truncatingIfNeeded: name.generation) {
        name.generation += 1
      }
      var row = row
      row.slot = entered.slot
      note(row, entered, in: &reply)
      reply.occurrence = OccurrenceID(
        uuid: name.uuid, generation: name.generation, k: index(of: entered))
    }
    return .scheduled(reply)
  }

  /// What the limit has sent away leaves; its identifier, if it was still there.
  private func leave(
    _ discarded: String?, _ evictionCandidate: Slot?, _ app: SchedulerApp
  ) -> [String] {
    guard let discarded, let evictionCandidate, let node = pending.node(of: evictionCandidate)
    else { return [] }
    pending.dropContent(of: evictionCandidate, &turn)
    removeEntry(evictionCandidate)
    tellLeft(discarded, app, .discarded, due: node.due, reason: "limit")
    return [discarded]
  }

  /// Tells those who watch that one has left the scheduled list unfired; `due`: when it was next.
  func tellLeft(
    _ identifier: String, _ app: SchedulerApp, _ kind: WatchEvent.Kind, due: Instant,
    reason: String? = nil
  ) {
    emit(
      .event(
        WatchEvent(
          kind: kind, app: app.name, identifier: identifier, occurrence: nil, sink: nil,
          at: now.real, due: due == .distantFuture ? nil : due, handedOver: nil,
          reason: reason, missed: 0)))
  }

  /// Follows in memory what the store has made of a row; what rings by now goes on (N15, E6). The node that stands for it now, and what is no
  /// longer skipped of it.
  func enter(
    _ outcome: StoreOutcome.Scheduled, _ row: StoredNotification
  ) -> (node: HeapNode?, lost: LostSkips?) {
    switch outcome {
    case .added(_, let shown):
      var row = row
      row.shown = shown
      return (enter(row, hasContent: !sinkQueues.hasAny(of: name(of: row))), nil)
    case .replaced(let previous, let uuid, let generation, let shown, _):
      pending.giveBack(row.slot)
      var row = row
      row.slot = previous.slot
      row.uuid = uuid
      row.generation = generation
      row.shown = shown
      // N21: what is due at once cannot read from the store first, or a newer one would overtake it.
      let hasContent = node(of: row).due <= now.real && isUnmoved(previous, by: row)
      keepSide(of: &row, from: previous)
      let skips = skipsToCarry(of: previous.slot)
      leaveReplaced(previous, row.notification.identifier ?? "")
      let node = enter(row, hasContent: hasContent)
      // A plan of its own may have begun with it.
      let lost = skips.flatMap {
        carry($0, to: row.slot, generation: Int64(pending[row.slot].generation))
      }
      return (node, lost)
    case .unchanged(let summary, _):
      pending.giveBack(row.slot)
      return (pending.node(of: summary.slot, sequence: summary.sequence), nil)
    case .discardedNew, .refused:
      pending.giveBack(row.slot)
      return (nil, nil)
    }
  }

  /// Nothing that the store did not know can be shown of it by now.
  private func isUnmoved(_ old: PendingSummary, by row: StoredNotification) -> Bool {
    guard let node = pending.node(of: old.slot, sequence: old.sequence),
      index(of: node) == old.firedThrough + 1
    else { return false }
    return !sinkQueues.hasAny(of: name(of: row))
  }

  private func name(of row: StoredNotification) -> NotificationName {
    NotificationName(row.app, row.notification.identifier ?? "")
  }

  /// The old one may have fired since; then its slot has been waiting for this.
  private func leaveReplaced(_ old: PendingSummary, _ identifier: String) {
    guard let node = pending.node(of: old.slot, sequence: old.sequence) else { return }
    pending.dropContent(of: old.slot, &turn)
    leave(old.slot)
    if let app = apps[old.app] { tellLeft(identifier, app, .replaced, due: node.due) }
  }

  /// What goes by the elapsed clock does not wait for a better one (N2, T9).
  func traits(of purpose: RelativeTime.Purpose) -> PendingTable.Traits {
    switch purpose {
    case .interval: [.relative, .unheld]
    case .atOnce: [.relative, .unheld, .atOnce]
    case .notBefore: []
    }
  }

  /// T11: whether a sleeping board is woken for it.
  func wakes(isUrgent: Bool) -> PendingTable.Traits {
    let urgency: PendingTable.Traits = isUrgent ? .urgent : []
    switch configuration.wake {
    case .urgent: return isUrgent ? [.urgent, .wakes] : []
    case .all: return urgency.union(.wakes)
    case .never: return urgency
    }
  }

  private func enter(_ row: StoredNotification, hasContent: Bool) -> HeapNode {
    let node = node(of: row)
    var entry = entry(
      app: row.app, generation: row.generation, anchor: row.anchor,
      unit: row.notification.repeatInterval, stored: row.plan,
      tolerance: row.tolerance,
      traits: row.side == nil
        ? wakes(isUrgent: row.notification.interruptionLevel.isUrgent) : [.region, .unheld])
    if row.notification.interruptionLevel == .critical { entry.traits.insert(.critical) }
    if let relative = row.relative {
      entry.traits.formUnion(traits(of: relative.purpose))
      pending.setElapsedDue(relative.elapsedDue, of: row.slot)
    }
    let isNear = pending.enter(entry, node, &turn)
    if node.due == .distantFuture, plan(of: row) == nil {
      // What was known when it was asked for has been forgotten since.
      pending.setUnplanned(row.slot, firedThrough: row.firedThrough)
    }
    if entry.traits.contains(.critical) {
      noteCritical(row.slot, sequence: row.sequence, row.notification.identifier, row.app)
    }
    if row.side != nil { regions.enter(row) }
    noteCalendar(of: row.slot, row.plan, anchor: row.anchor)
    if isNear {
      enterNear(row, due: node.due, hasContent: hasContent)
    }
    return replanFromNow(entered: row.slot) ?? node
  }

  private func enterNear(_ row: StoredNotification, due: Instant, hasContent: Bool) {
    guard hasContent else { return pending.lookAhead.want(row.slot) }
    noteDates(in: row.notification)
    pending.noteLoaded(row, due: due, turn)
  }
}
