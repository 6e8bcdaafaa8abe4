/// What is known of a notification in `near`.
enum NearContent {
  case loading(BookTicket)
  case loaded(StoredNotification, isPrepared: Bool)
}

/// Reading ahead: what is due soon has its content in memory, so that a disk that does not answer
/// delays nothing (D8); shortly before its due it is prepared.
extension Scheduler {
  /// Most nodes in `near`; how many of them may be late ones that wait for their turn, in all and of
  /// one user and urgency.
  static let nearCapacity = 1024
  static let lateRoom = 256
  static let lateWindow = 16
  /// What has a tolerance is loaded so long before that runs out (T12): a little longer than a disk
  /// may be blocked, since the time before is when others may take it along.
  static let looseAhead = 15 * Duration.second

  func isLate(_ node: HeapNode) -> Bool {
    turn.isLate(node.due, tolerance: pending.tolerance(of: node.slot))
  }

  /// The queue for a node, whose content the caller may have at hand; makes room in `near`.
  func queue(for node: HeapNode, tolerance: Int64) -> PendingTable.Place {
    if turn.isLate(node.due, tolerance: tolerance) { return .late }
    guard node.due <= now.real.advanced(by: configuration.readAhead) else { return .far }
    guard pending.near.count >= Self.nearCapacity, let last = pending.near.last else {
      return .near
    }
    guard node < last else { return .far }
    evict(last.slot, to: .far)
    return .near
  }

  func queue(for node: HeapNode) -> PendingTable.Place {
    queue(for: node, tolerance: pending.tolerance(of: node.slot))
  }

  /// How long before its due an occurrence is prepared.
  var prepareLead: Int64 {
    let twice = slowestStart > .max / 2 ? .max : slowestStart * 2
    return min(max(twice, configuration.shortestLead), configuration.longestLead)
  }

  func noteLoaded(_ row: StoredNotification, due: Instant) {
    contents[row.slot] = .loaded(row, isPrepared: false)
    noteDates(in: row.notification)
    let latest = due.advanced(by: pending.tolerance(of: row.slot))
    nextPrepare = min(nextPrepare, latest.advanced(by: -prepareLead))
  }

  /// Forgets the content of a slot; what was prepared is not any more.
  func forgetContent(of slot: Slot) {
    guard let content = contents.removeValue(forKey: slot) else { return }
    intents[slot] = nil
    guard case .loaded(let row, isPrepared: true) = content, let node = pending.node(of: slot)
    else { return }
    let id = OccurrenceID(uuid: row.uuid, generation: row.generation, k: index(of: node))
    record(.withdrawIntent(id))
  }

  private func evict(_ slot: Slot, to place: PendingTable.Place) {
    forgetContent(of: slot)
    pending.shift(slot, to: place)
  }

  /// Moves what has come within `readAhead` to `near`; the late ones wait in a heap of their own,
  /// so that however many they are, what is on time finds room.
  func refillNear() {
    // After a step back of the clock they may be in time again.
    for key in pending.late.keys {
      while let top = pending.late[key]?.first, !isLate(top) { pending.shift(top.slot, to: .far) }
    }
    let horizon = now.real.advanced(by: configuration.readAhead)
    while let top = pending.far.first, top.due <= horizon, bringNear(top) {}
    // T12: whoever is awake takes along what may come now.
    while let top = pending.loose.first, top.due <= horizon, bringNear(top) {}
    refillLate()
  }

  /// Whose late ones take which share of `near`.
  private struct LateShare: Hashable {
    var user: UInt32
    var isUrgent: Bool
  }

  private func share(of key: PendingTable.LateKey) -> LateShare {
    LateShare(user: apps[key.app]?.owner ?? 0, isUrgent: key.isUrgent)
  }

  /// T10: every user has some of his late ones at hand, whatever others have.
  private func refillLate() {
    var counts: [LateShare: Int] = [:]
    var count = 0
    for node in pending.near.prefix(while: { $0.due <= now.real }) where isLate(node) {
      let share = share(of: pending.lateKey(of: node.slot))
      if counts[share, default: 0] >= Self.lateWindow || count >= Self.lateRoom {
        evict(node.slot, to: .late)
      } else {
        counts[share, default: 0] += 1
        count += 1
      }
    }
    while !pending.late.isEmpty, count < Self.lateRoom, let next = nextLateShare(counts) {
      guard let top = pending.late[next.key]?.first else { return }
      pending.shift(top.slot, to: .near)
      toLoad.append(top.slot)
      counts[next.share, default: 0] += 1
      count += 1
    }
  }

  /// Where to take from next: of whoever has least at hand what is urgent, then what was due first.
  private func nextLateShare(
    _ counts: [LateShare: Int]
  ) -> (key: PendingTable.LateKey, share: LateShare)? {
    var best: (key: PendingTable.LateKey, share: LateShare, count: Int, node: HeapNode)?
    for (key, heap) in pending.late {
      let share = share(of: key)
      let count = counts[share] ?? 0
      guard count < Self.lateWindow, let node = heap.first else { continue }
      if let best {
        if count > best.count { continue }
        if count == best.count, best.share.isUrgent && !share.isUrgent { continue }
        if count == best.count, best.share.isUrgent == share.isUrgent, best.node < node { continue }
      }
      best = (key, share, count, node)
    }
    return best.map { ($0.key, $0.share) }
  }

  /// False: there is no room for it.
  private func bringNear(_ node: HeapNode) -> Bool {
    let place = queue(for: node)
    if place == .far { return false }
    pending.shift(node.slot, to: place)
    if place == .near { toLoad.append(node.slot) }
    return true
  }

  func loadNear() {
    guard !toLoad.isEmpty, now.elapsed >= loadNotBefore else { return }
    let slots = toLoad.filter { pending.place(of: $0) == .near && contents[$0] == nil }
    toLoad = []
    guard !slots.isEmpty else { return }
    let ticket = ask(.load(slots), for: .load(slots))
    for slot in slots { contents[slot] = .loading(ticket) }
  }

  func takeLoaded(_ rows: [StoredNotification], asked slots: [Slot], ticket: BookTicket) {
    for var row in rows {
      guard case .loading(ticket) = contents[row.slot] else { continue }
      if let node = pending.node(of: row.slot, sequence: row.sequence) {
        // A refusing disk gives what it last took, which may be from before it was planned afresh.
        let current = pending[row.slot].generation
        if Int32(truncatingIfNeeded: row.generation) != current { row.generation = Int64(current) }
        noteLoaded(row, due: node.due)
      }
    }
    for slot in slots {
      guard case .loading(ticket) = contents[slot] else { continue }
      contents[slot] = nil
      forgetMemory(of: slot)
      emit(.log(.error, "the books have lost the pending notification in row \(slot)"))
      pending.leave(slot)
      pending.retire(slot, until: storeRequests.lastTicket)
    }
  }

  func loadFailed(_ slots: [Slot], ticket: BookTicket) {
    loadNotBefore = now.elapsed + Duration.second
    for slot in slots {
      guard case .loading(ticket) = contents[slot] else { continue }
      contents[slot] = nil
      toLoad.append(slot)
    }
  }

  /// Writes the intents of what is due within the lead, and has its sinks made ready.
  func prepareNear() {
    guard now.real >= nextPrepare else { return }
    nextPrepare = .distantFuture
    // A little further than asked, so that neighbours share a wake-up and a transaction.
    let lead = prepareLead
    let end = now.real.advanced(by: lead + lead / 4)
    var patient: [Slot] = []
    for node in pending.near {
      guard case .loaded(let row, isPrepared: false) = contents[node.slot] else { continue }
      guard node.due <= end else {
        nextPrepare = min(nextPrepare, pending.latest(of: node).advanced(by: -lead))
        if node.due.advanced(by: -lead) >= nextPrepare { break }
        continue
      }
      // T9: what is held has no due instant to be ready for.
      if clock.holds(pending[node.slot], at: now) { continue }
      refreshClock()
      // What is to fire as a newer occurrence may yet be itself, after a step back.
      if pending[node.slot].repeats, isLate(node) { continue }
      contents[node.slot] = .loaded(row, isPrepared: true)
      guard writesIntents(row, node) else { continue }
      prepare(row, node)
      if now.real < pending.latest(of: node) { patient.append(node.slot) }
    }
    askForIntents(patient)
  }

  private func askForIntents(_ slots: [Slot]) {
    let slots = slots.filter { pending.tolerance(of: $0) > 0 }
    guard !slots.isEmpty else { return }
    let ticket = ask(.load([]), for: .intents(slots))
    for slot in slots { intents[slot] = ticket }
  }

  /// What has a tolerance and comes when somebody is awake was not prepared before that: while its
  /// tolerance lasts, its intent comes first, or a crash could repeat it as if it never had been
  /// shown (D7).
  func waitsForIntent(_ row: StoredNotification, _ node: HeapNode) -> Bool {
    guard pending.tolerance(of: node.slot) > 0, now.real < pending.latest(of: node) else {
      return false
    }
    if case .loaded(_, isPrepared: true) = contents[node.slot] { return intents[node.slot] != nil }
    guard writesIntents(row, node) else { return false }
    nextPrepare = min(nextPrepare, now.real)
    return true
  }

  /// Not for repeats under a minute, nor for those that will fire as a newer occurrence.
  private func writesIntents(_ row: StoredNotification, _ node: HeapNode) -> Bool {
    guard pending[node.slot].repeats else { return true }
    return !row.isFast && !isLate(node)
  }

  private func prepare(_ row: StoredNotification, _ node: HeapNode) {
    let entry = pending[node.slot]
    let coming = occurrence(of: row, app: entry.app, k: index(of: node), due: node.due)
    record(.intend(coming, app: entry.app, slot: node.slot))
    let parts = parts(of: coming, entry.app)
    for sink in sinks where wants(sink.sink, parts) {
      // A plugin that is up is as ready as it can be.
      if sink.sink.kind == .speaker || !sink.isUp { emit(.prepare(sink.index, coming)) }
    }
  }

  /// What will be handed over next, once it is prepared and unless something happens before.
  public var coming: (occurrence: Occurrence, text: AlertText)? {
    guard let node = pending.near.first,
      case .loaded(let row, isPrepared: true) = contents[node.slot]
    else { return nil }
    let occurrence = occurrence(of: row, app: row.app, k: index(of: node), due: node.due)
    return (occurrence, text(of: row.notification, row.app))
  }

  func occurrence(
    of row: StoredNotification, app: AppNumber, k: Int64, due: Instant
  ) -> Occurrence {
    Occurrence(
      id: OccurrenceID(uuid: row.uuid, generation: row.generation, k: k),
      app: apps[app]?.name ?? "", notification: row.notification, due: due)
  }
}
