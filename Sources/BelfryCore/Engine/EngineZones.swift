/// Zones: what comes of their answers, and planning anew when one changes (T2, T3, T7).
extension SchedulerEngine {
  /// Whether its zone is loaded; if not, it has been asked for.
  ///
  /// Throws where that zone is not to be had.
  func isZoneReady(_ notification: Notification) throws(RequestError) -> Bool {
    guard notification.mode != .absolute, let name = notification.timeZone else { return true }
    return try zones.isReady(name, &turn) { pending.users(of: $0) }
  }

  func takeZone(_ name: String, _ answer: ZoneAnswer) {
    let zone = zones.noteAnswer(name, now)
    switch answer {
    case .rules(let rules): change(zone, to: rules, name: name)
    case .unavailable(let reason):
      zones.noteUnavailable(zone, reason, isUsed: pending.users(of: zone) > 0, &turn)
    }
    resumeWaiting()
  }

  /// Requests that waited for what they need to be read are looked at again, in slices; then `done`.
  func resumeWaiting(_ done: @escaping () -> Void = {}) {
    let resumption = Resumption(done)
    for app in apps.inOrder where !app.waiting.isEmpty { lineUp(app, resumption) }
    slices.release(resumption) { [unowned(unsafe) self] held in
      turn.asked = held.asked
      accept(held.id, held.peer, held.request)
    }
    resumption.leave()
  }

  func takeBoardZone(_ name: String, _ rules: ZoneRules) {
    if let before = zones.board.rules, before != rules { sweep.noteBoardMoved() }
    change(0, to: rules, name: name)
    if zones.noteBoardAnswer(now) { resumeWaiting() }
  }

  private func change(_ zone: ZoneNumber, to rules: ZoneRules, name: String) {
    // Two changes at once would need three sets of rules.
    if zones.isOther(zone, rules) {
      while zones[zone].previous != nil { continueWalk() }
    }
    let isUsed = pending.users(of: zone) > 0
    if zones.change(zone, to: rules, name: name, isUsed: isUsed) { sweep.restart() }
  }

  // MARK: Planning anew

  /// Whether the rules that an entry is planned by are not the newest.
  func isStale(_ entry: PendingTable.Entry) -> Bool {
    guard zones.isChanging, let shape = pending.shape(of: entry), shape.mode != .absolute
    else { return false }
    return zones.isStale(shape.zone, isMarked: entry.traits.contains(.mark))
  }

  /// Plans a stale entry by the newest rules of its zone: the occurrence that was to come is still
  /// the one that comes, so what has fired does not ring again (T2).
  func replan(_ slot: Slot) {
    let entry = pending[slot]
    guard let shape = pending.shape(of: entry), var node = pending.node(of: slot),
      let rules = zones[shape.zone].rules, let before = zones[shape.zone].previous
    else { return }
    pending.toggleMark(of: slot)
    // nil: its calendar's days are not known yet either.
    guard let fresh = plan(shape, entry.anchor, rules) else { return }
    let next: PlannedOccurrence?
    var oldest: PlannedOccurrence?
    if entry.traits.contains(.unplanned) {
      next = fresh.pending(firedThrough: pending.details[slot].firedThrough ?? -1)
      pending.setPlanned(slot)
    } else if node.due == .distantFuture {
      next = fresh.first(after: now.real)
    } else {
      oldest = pending.details[slot].missedFrom
      pending.setMissed(from: nil, of: slot)
      // What folded into it has not fired either (T10).
      let old = plan(shape, entry.anchor, before)
      let k = oldest?.k ?? old?.index(at: node.due) ?? 0
      next = fresh.successor(of: k, after: now.real, in: old)
      zones.noteSeen(shape.zone)
    }
    let due = restrained(next?.due ?? .distantFuture, of: slot)
    guard due != node.due || oldest != nil else { return }
    if !entry.traits.contains(.unplanned) { zones.noteMoved(shape.zone) }
    pending.dropContent(of: slot, &turn)
    node.due = due
    move(node)
  }

  /// There is a turn of going through the entries to take now.
  var isWalking: Bool { zones.isChanging || isReviewing }

  /// A bounded turn of going through all entries: after a change of a zone or a step of the clock.
  func continueWalk() {
    guard isWalking else { return }
    var budget = ReplanSweep.budget
    while budget > 0, let slot = sweep.takeNext(through: pending.table.lastSlot) {
      budget -= visit(slot)
    }
    guard sweep.isThrough(pending.table.lastSlot) else { return }
    zones.endChanges(&turn)
    if isReviewing {
      sweep.endReview(hasUnplanned: pending.details.unplannedCount > 0, &turn)
    }
    sweep.end()
  }

  /// Returns what it has cost, a look at a slot being 1.
  private func visit(_ slot: Slot) -> Int {
    guard pending.isPending(slot) else { return 1 }
    var cost = 1
    if isStale(pending[slot]) {
      let wasPlanned = !pending[slot].traits.contains(.unplanned)
      replan(slot)
      if !wasPlanned { reviewPlanned(slot) }
      cost += 16
    }
    if let beyond = sweep.beyond, isReviewing, pending[slot].repeats {
      if replanFromNow(slot, ifBeyond: beyond) { sweep.notePlannedAfresh() }
      cost += pending[slot].shape == 0 ? 2 : 16
    }
    return cost
  }

  /// Tells which zones pending notifications go by, whenever that changes (T7).
  func tellZonesInUse() {
    zones.tellInUse(
      haveChanged: pending.takeZoneChange(), hasQuietHours: configuration.sounds.quiet != nil,
      &turn
    ) { pending.users(of: $0) }
  }
}
