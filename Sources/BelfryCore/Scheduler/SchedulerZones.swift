/// Zones: loading them, and planning anew when one changes (T2, T3, T7).
extension Scheduler {
  /// The zone of a name, which may not be loaded.
  func known(_ name: String) -> KnownZone {
    if let zone = zonesByName[name] { return zone }
    let zone = KnownZone(number: ZoneNumber(zones.count), name: name)
    zones.append(zone)
    zonesByName[name] = zone
    return zone
  }

  /// Whether its zone is loaded; if not, it has been asked for.
  ///
  /// Throws where that zone is not to be had.
  func isZoneReady(_ notification: Notification) throws(RequestError) -> Bool {
    guard notification.mode != .absolute, let name = notification.timeZone else { return true }
    let zone = known(name)
    if zone.rules != nil, isFresh(zone) { return true }
    if let reason = zone.reason {
      throw .invalidField(FieldError("timeZone", .unknown, reason))
    }
    load(zone)
    return false
  }

  /// What nothing pending goes by is not watched, so its file may be another by now (T7).
  private func isFresh(_ zone: KnownZone) -> Bool {
    if pending.shapes.users(of: zone.number) > 0 { return true }
    return zone.answered != .min && now.elapsed - zone.answered < Duration.second
  }

  private func load(_ zone: KnownZone) {
    guard !zone.isAsked else { return }
    zone.isAsked = true
    emit(.loadZone(zone.name))
  }

  /// The board's zone was read for what is decided now.
  ///
  /// What is past by it fires at once, and what repeats begins with its next (N2, N5), which no later
  /// change takes back. So nothing near is judged by rules that may be outdated: while nothing floats
  /// the zone is not watched, and a change of one that is watched is noticed some time after it (T7).
  var isBoardFresh: Bool {
    zones[0].answered == now.elapsed
  }

  func loadBoard() {
    guard !zones[0].isAsked else { return }
    zones[0].isAsked = true
    emit(.loadBoardZone)
  }

  // MARK: What comes of it

  func takeZone(_ name: String, _ answer: ZoneAnswer) {
    let zone = known(name)
    zone.isAsked = false
    zone.answered = now.elapsed
    switch answer {
    case .rules(let rules): change(zone, to: rules, name: name)
    case .unavailable(let reason):
      if zone.rules == nil {
        zone.reason = reason
        if pending.shapes.users(of: zone.number) > 0 {
          emit(.log(.error, "\(reason): what goes by it waits"))
        }
      } else {
        emit(.log(.warning, "\(reason): what was read before still holds"))
      }
    }
    resumeWaiting()
    // Who asks again may find it there.
    if zone.rules == nil, !zone.isAsked { zone.reason = nil }
  }

  /// Requests that waited for what they need to be read are looked at again.
  func resumeWaiting() {
    for app in apps.inOrder where !app.waiting.isEmpty {
      serve(app)
    }
    let requests = waitingRequests
    waitingRequests = []
    for waiting in requests { accept(waiting.id, waiting.peer, waiting.request) }
  }

  func takeBoardZone(_ name: String, _ rules: ZoneRules) {
    if let before = zones[0].rules, before != rules { boardHasMoved = true }
    change(zones[0], to: rules, name: name)
    zones[0].answered = now.elapsed
    guard zones[0].isAsked else { return }
    zones[0].isAsked = false
    resumeWaiting()
  }

  private func change(_ zone: KnownZone, to rules: ZoneRules, name: String) {
    zone.reason = nil
    let before = zone.rules
    if let before, before == rules {
      zone.name = name
      return
    }
    // Two changes at once would need three sets of rules.
    while zone.previous != nil { continueWalk() }
    zone.previousName = zone.name
    zone.name = name
    zone.rules = rules
    guard pending.shapes.users(of: zone.number) > 0 else { return }
    zone.previous = before ?? rules
    zone.mark.toggle()
    zone.moved = 0
    zone.seen = 0
    zonesInChange.append(zone.number)
    walkFrom = 1
  }

  // MARK: Planning anew

  /// Whether the rules that an entry is planned by are not the newest.
  func isStale(_ entry: PendingTable.Entry) -> Bool {
    guard entry.shape != 0, !zonesInChange.isEmpty else { return false }
    let shape = pending.shapes[entry.shape]
    guard shape.mode != .absolute else { return false }
    let zone = zones[Int(shape.zone)]
    return zone.previous != nil && entry.traits.contains(.mark) != zone.mark
  }

  /// Plans a stale entry by the newest rules of its zone: the occurrence that was to come is still
  /// the one that comes, so what has fired does not ring again (T2).
  func replan(_ slot: Slot) {
    let entry = pending[slot]
    let shape = pending.shapes[entry.shape]
    let zone = zones[Int(shape.zone)]
    guard var node = pending.node(of: slot), let rules = zone.rules, let before = zone.previous
    else { return }
    let next: Planned?
    var oldest: Planned?
    var traits = entry.traits
    traits.formSymmetricDifference(.mark)
    guard let fresh = plan(shape, entry.anchor, rules) else {
      // Its calendar's days are not known yet either.
      return pending.setTraits(traits, of: slot)
    }
    if traits.remove(.unplanned) != nil {
      next = fresh.pending(firedThrough: unplanned.removeValue(forKey: slot) ?? -1)
    } else if node.due == .distantFuture {
      next = fresh.first(after: now.real)
    } else {
      oldest = missedFrom.removeValue(forKey: slot)
      // What folded into it has not fired either (T10).
      let k = oldest?.k ?? plan(shape, entry.anchor, before)?.index(at: node.due) ?? 0
      next = fresh.successor(of: k)
      zone.seen += 1
    }
    pending.setTraits(traits, of: slot)
    let due = restrained(next?.due ?? .distantFuture, of: slot)
    guard due != node.due || oldest != nil else { return }
    if !entry.traits.contains(.unplanned) { zone.moved += 1 }
    forgetContent(of: slot)
    node.due = due
    move(node)
  }

  /// There is a turn of going through the entries to take now.
  var isWalking: Bool {
    !zonesInChange.isEmpty || isReviewing
  }

  /// A bounded turn of going through all entries: after a change of a zone or a step of the clock.
  func continueWalk() {
    guard isWalking else { return }
    var budget = Self.walkBudget
    while walkFrom <= pending.lastSlot, budget > 0 {
      budget -= visit(walkFrom)
      walkFrom += 1
    }
    if walkFrom > pending.lastSlot { endWalk() }
  }

  /// What one turn may cost: about a millisecond.
  private static let walkBudget = 4096

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
    if let beyond = reviewBeyond, isReviewing, pending[slot].repeats {
      if planAfresh(slot, ifBeyond: beyond) { reviewed += 1 }
      cost += pending[slot].shape == 0 ? 2 : 16
    }
    return cost
  }

  private func endWalk() {
    for number in zonesInChange { endChange(zones[Int(number)]) }
    zonesInChange = []
    if isReviewing { endReview() }
    walkFrom = 1
  }

  private func endChange(_ zone: KnownZone) {
    zone.previous = nil
    guard zone.seen > 0 else { return }
    let what = "\(zone.moved) of \(zone.seen) notifications have come to another time"
    if zone.number > 0 {
      emit(.log(.notice, "the rules of \(zone.name) have changed: \(what)"))
    } else if zone.previousName == zone.name {
      emit(.log(.notice, "the rules of the board's zone \(zone.name) have changed: \(what)"))
    } else {
      emit(
        .log(
          .notice,
          "the board's zone is \(zone.name), was \(zone.previousName ?? "none"): \(what)"))
    }
  }

  // MARK: What is to be watched

  /// Tells which zones pending notifications go by, whenever that changes (T7).
  func tellZonesInUse() {
    // Quiet hours are those of the board's clocks.
    let goesByBoard = showsDates || configuration.sounds.quiet != nil
    guard pending.shapes.zonesHaveChanged || (goesByBoard && watched?.board != true) else { return }
    pending.shapes.zonesHaveChanged = false
    var named: [String] = []
    for zone in zones.dropFirst() where pending.shapes.users(of: zone.number) > 0 {
      named.append(zone.name)
    }
    let board = goesByBoard || pending.shapes.users(of: 0) > 0
    guard watched?.board != board || watched?.named != named else { return }
    watched = (board, named)
    emit(.watchZones(board: board, named: named))
  }

  /// Of restored rows: zones that must be loaded before they can be planned.
  func loadRestoredZones() {
    for zone in zones.dropFirst()
    where zone.rules == nil && pending.shapes.users(of: zone.number) > 0 { load(zone) }
  }
}
