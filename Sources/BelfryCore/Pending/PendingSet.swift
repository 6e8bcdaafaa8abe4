/// All pending notifications: when each is due, what else is known of it, and, of those that are due
/// soon, the content.
///
/// What is due soon has its content in memory, so that a disk that does not answer delays nothing
/// (D8); shortly before its due it is prepared.
struct PendingSet {
  /// Most nodes in `near`.
  static let nearCapacity = 1024

  private(set) var table = PendingTable()
  private(set) var details = SlotDetailTable()
  var lookAhead = LookAhead()
  var preparation = Preparation()

  // MARK: Entering and leaving

  mutating func reserve(_ count: Int) {
    table.reserve(count)
  }

  /// A reserved slot; nil: there are as many as there can be.
  mutating func allot() -> Slot? {
    table.allot()
  }

  /// Frees a reserved slot that the store never heard of, or has forgotten.
  mutating func giveBack(_ slot: Slot) {
    _ = details.free(slot)
    table.giveBack(slot)
  }

  /// Frees the slot of one that has left, once `ticket` is answered.
  mutating func retire(_ slot: Slot, until ticket: StoreTicket) {
    table.retire(slot, until: ticket)
  }

  mutating func release(through ticket: StoreTicket) {
    table.release(through: ticket)
  }

  /// Takes a row of the store in; false: it cannot be one.
  mutating func restore(_ entry: PendingTable.Entry, _ node: HeapNode) -> Bool {
    table.restore(entry, node)
  }

  /// To be called once, after the last row.
  mutating func collectFreeSlots() {
    table.collectFreeSlots()
  }

  /// Enters a notification; true: it is due soon, and its content is needed.
  mutating func enter(
    _ entry: PendingTable.Entry, _ node: HeapNode, _ turn: inout Turn
  ) -> Bool {
    let tolerance = entry.shape == 0 ? 0 : table.shapes[entry.shape].tolerance
    let place = place(for: node, tolerance: tolerance, &turn)
    table.enter(entry, node, at: place)
    return place == .near
  }

  /// Takes a notification off the list, and all that is known of it with it; its slot is reserved
  /// until the caller says more. Returns the calendar that it went by.
  mutating func leave(_ slot: Slot) -> KnownDays? {
    table.leave(slot)
    return details.free(slot)
  }

  // MARK: Changes of an entry

  mutating func setGeneration(_ generation: Int32, of slot: Slot) {
    table.setGeneration(generation, of: slot)
  }

  /// It is planned by the rules that were the older ones of its zone, or the newer ones.
  mutating func toggleMark(of slot: Slot) {
    table.setTraits(table[slot].traits.symmetricDifference(.mark), of: slot)
  }

  /// When it is due is not known: its zone is not loaded, or the days of its calendar are missing.
  mutating func setUnplanned(_ slot: Slot, firedThrough k: Int64) {
    details[slot].firedThrough = k
    table.setTraits(table[slot].traits.union(.unplanned), of: slot)
  }

  /// When it is due is known again.
  mutating func setPlanned(_ slot: Slot) {
    details[slot].firedThrough = nil
    table.setTraits(table[slot].traits.subtracting(.unplanned), of: slot)
  }

  mutating func setElapsedDue(_ due: ElapsedDue, of slot: Slot) {
    details[slot].elapsedDue = due
  }

  mutating func setCalendar(_ calendar: KnownDays, of slot: Slot) {
    details[slot].calendar = calendar
  }

  /// The number of a shape, one user more.
  mutating func takeShape(_ shape: SharedPlan) -> SharedPlanTable.Number {
    table.shapes.take(shape)
  }

  /// One user less.
  mutating func dropShape(_ number: SharedPlanTable.Number) {
    table.shapes.drop(number)
  }

  /// True: a zone has come into use, or out of it, since this was asked last.
  mutating func takeZoneChange() -> Bool {
    defer { table.shapes.zonesHaveChanged = false }
    return table.shapes.zonesHaveChanged
  }

  /// The latest-firing notification of an app that counts (N17); the first call takes O(n).
  mutating func latest(of app: AppNumber) -> HeapNode? {
    table.latest(of: app)
  }

  /// All of each of these apps, the soonest first, then in no order; the first call takes O(n).
  mutating func soonest(of apps: [AppNumber]) -> [[HeapNode]] {
    table.followSoonest(of: apps)
    return apps.map { table.soonest(of: $0) }
  }

  // MARK: What happened to it

  /// Occurrences from `oldest` on were missed, and fold into the next one (T10); nil: none.
  mutating func setMissed(from oldest: PlannedOccurrence?, of slot: Slot) {
    if oldest == nil, details[slot].missedFrom == nil { return }
    details[slot].missedFrom = oldest
  }

  mutating func takeMissed() -> [(slot: Slot, oldest: PlannedOccurrence)] {
    details.takeMissed()
  }

  /// False: the store heard of one of its occurrences less than a minute ago, and is spared this one.
  mutating func takesRecord(of slot: Slot, now: Int64) -> Bool {
    if let last = details[slot].lastRecorded, now - last < Nanoseconds.minute { return false }
    details[slot].lastRecorded = now
    return true
  }

  mutating func setEarlyIntent(_ id: OccurrenceID, of slot: Slot) {
    details[slot].earlyIntent = id
  }

  mutating func takeEarlyIntent(of slot: Slot) -> OccurrenceID? {
    details[slot].earlyIntent.map { id in
      details[slot].earlyIntent = nil
      return id
    }
  }

  mutating func setSkips(_ skips: StoredSkips?, of slot: Slot) {
    details[slot].skips = skips
  }

  mutating func setUnwritten(_ run: PassedOver.Run?, of slot: Slot) {
    details[slot].unwritten = run
  }

  mutating func addSuspect(_ id: OccurrenceID, of slot: Slot) {
    details[slot].possiblyDelivered.append(id)
  }

  mutating func noteDueAtOnce(_ slot: Slot) {
    details[slot].wasDueAtOnce = true
  }

  /// It fires, and is no suspect any more.
  mutating func removeSuspect(_ id: OccurrenceID, of slot: Slot) {
    if details[slot].possiblyDelivered.contains(id) { details[slot].removeSuspect(id) }
  }

  /// It is due, and may not fire by this clock (T9).
  mutating func hold(_ slot: Slot, _ turn: inout Turn) {
    dropContent(of: slot, &turn)
    table.shift(slot, to: .held)
    details[slot].wasHeld = true
  }

  /// True: it was held, and fires now.
  mutating func takeHeld(_ slot: Slot) -> Bool {
    guard details[slot].wasHeld else { return false }
    details[slot].wasHeld = false
    return true
  }

  /// After every change of the clock or of its trust: those that may go by it now do.
  mutating func release(_ turn: inout Turn, unless holds: (PendingTable.Entry) -> Bool) {
    for node in table.held.nodes where !holds(table[node.slot]) { move(node, &turn) }
    // What was passed over because it was held can be prepared now.
    preparation.want(at: turn.now.real)
  }

  // MARK: Queues

  func isLate(_ node: HeapNode, _ turn: Turn) -> Bool {
    turn.isLate(node.due, tolerance: table.tolerance(of: node.slot))
  }

  /// The queue for a node; makes room in `near`.
  private mutating func place(
    for node: HeapNode, tolerance given: Int64? = nil, _ turn: inout Turn
  ) -> PendingTable.Place {
    let tolerance = given ?? table.tolerance(of: node.slot)
    if turn.isLate(node.due, tolerance: tolerance) { return .late }
    let horizon = turn.now.real.advanced(by: turn.configuration.readAhead)
    guard node.due <= horizon else { return .far }
    guard table.near.count >= Self.nearCapacity, let last = table.near.last else { return .near }
    guard node < last else { return .far }
    evict(last.slot, to: .far, &turn)
    return .near
  }

  private mutating func evict(_ slot: Slot, to place: PendingTable.Place, _ turn: inout Turn) {
    dropContent(of: slot, &turn)
    table.shift(slot, to: place)
  }

  /// Puts a node where its due belongs; content that is still needed stays (D8).
  mutating func move(_ node: HeapNode, _ turn: inout Turn) {
    let place = place(for: node, &turn)
    let content = details[node.slot].content
    dropContent(of: node.slot, &turn)
    table.reschedule(node, at: place)
    guard place == .near else { return }
    if case .loaded(let row, _) = content {
      noteLoaded(row, due: node.due, turn)
    } else {
      lookAhead.want(node.slot)
    }
  }

  /// It was held for a better clock, and still has to wait for that, whatever its due.
  mutating func moveHeld(_ node: HeapNode) {
    table.reschedule(node, at: .held)
  }

  /// An occurrence has had its turn; `row` is as it has become by that.
  mutating func goOn(_ row: StoredNotification, due: Instant, _ turn: inout Turn) {
    guard var node = table.node(of: row.slot) else { return }
    node.due = due
    _ = details.dropContent(of: row.slot)
    let place = place(for: node, &turn)
    table.reschedule(node, at: place)
    if place == .near { noteLoaded(row, due: due, turn) }
  }

  /// Moves what has come within `readAhead` to `near`; the late ones wait in a heap of their own,
  /// so that however many they are, what is on time finds room. `owner`: whose app it is (A1).
  mutating func refillNear(_ turn: inout Turn, owner: (AppNumber) -> UInt32) {
    // After a step back of the clock they may be in time again.
    for key in table.late.keys {
      while let top = table.late[key]?.first, !isLate(top, turn) {
        table.shift(top.slot, to: .far)
      }
    }
    let horizon = turn.now.real.advanced(by: turn.configuration.readAhead)
    while let top = table.far.first, top.due <= horizon, bringNear(top, &turn) {}
    // T12: whoever is awake takes along what may come now.
    while let top = table.loose.first, top.due <= horizon, bringNear(top, &turn) {}
    refillLate(&turn, owner)
  }

  /// False: there is no room for it.
  private mutating func bringNear(_ node: HeapNode, _ turn: inout Turn) -> Bool {
    let place = place(for: node, &turn)
    if place == .far { return false }
    table.shift(node.slot, to: place)
    if place == .near { lookAhead.want(node.slot) }
    return true
  }

  /// T10: every user has some of their late ones at hand, whatever others have.
  private mutating func refillLate(_ turn: inout Turn, _ owner: (AppNumber) -> UInt32) {
    var shares = LateShares()
    for node in table.near.prefix(while: { $0.due <= turn.now.real }) where isLate(node, turn) {
      if !shares.admit(table.lateKey(of: node.slot), owner) { evict(node.slot, to: .late, &turn) }
    }
    while let key = shares.next(of: table.late, owner), let top = table.late[key]?.first {
      table.shift(top.slot, to: .near)
      lookAhead.want(top.slot)
      _ = shares.admit(key, owner)
    }
  }

  // MARK: Content

  /// Forgets the content of a slot; what was prepared is not any more.
  mutating func dropContent(of slot: Slot, _ turn: inout Turn) {
    if case .loaded(let row, let prepared?) = details.dropContent(of: slot) {
      turn.record(.withdrawIntent(prepared, app: row.app))
      if row.notification.soundName != nil { turn.emit(.unprepare(prepared)) }
    }
  }

  mutating func noteLoaded(_ row: StoredNotification, due: Instant, _ turn: Turn) {
    details[row.slot].content = .loaded(row, preparedAs: nil)
    let latest = due.advanced(by: table.tolerance(of: row.slot))
    preparation.want(at: latest.advanced(by: -preparation.lead(turn.configuration)))
  }

  /// Those to ask the store for now.
  mutating func takeToLoad(_ turn: Turn) -> [Slot] {
    lookAhead.take(turn).filter { table.place(of: $0) == .near && details[$0].content == nil }
  }

  mutating func noteLoading(_ slots: [Slot], _ ticket: StoreTicket) {
    for slot in slots { details[slot].content = .loading(ticket) }
  }

  /// The store's answer; returns those of `asked` that it does not know.
  mutating func takeLoaded(
    _ rows: [StoredNotification], asked: [Slot], _ ticket: StoreTicket, _ turn: Turn
  ) -> [Slot] {
    for var row in rows where isLoading(row.slot, ticket) {
      if let node = table.node(of: row.slot, sequence: row.sequence) {
        // A refusing disk gives what it last took, which may be from before it was planned afresh.
        let current = table[row.slot].generation
        if Int32(truncatingIfNeeded: row.generation) != current { row.generation = Int64(current) }
        noteLoaded(row, due: node.due, turn)
      }
    }
    return asked.filter { isLoading($0, ticket) }
  }

  private func isLoading(_ slot: Slot, _ ticket: StoreTicket) -> Bool {
    if case .loading(ticket) = details[slot].content { return true }
    return false
  }

  /// The disk did not give these.
  mutating func loadFailed(_ slots: [Slot], _ ticket: StoreTicket, _ turn: Turn) {
    lookAhead.delay(turn)
    for slot in slots where isLoading(slot, ticket) {
      details[slot].content = nil
      lookAhead.want(slot)
    }
  }

  // MARK: Preparing

  /// Those to be prepared now, a slice of them (A2): what is due within the lead.
  mutating func takeToPrepare(
    _ turn: Turn, unless holds: (PendingTable.Entry) -> Bool
  ) -> Preparation.Slice {
    var slice = Preparation.Slice()
    guard preparation.begin(turn) else { return slice }
    // A little further than asked, so that neighbours share a wake-up and a transaction.
    let lead = preparation.lead(turn.configuration)
    let end = turn.now.real.advanced(by: lead + lead / 4)
    for node in table.near {
      guard case .loaded(let row, preparedAs: nil) = details[node.slot].content else { continue }
      guard node.due <= end else {
        preparation.want(at: table.latest(of: node).advanced(by: -lead))
        if node.due.advanced(by: -lead) >= preparation.next { break }
        continue
      }
      // T9: what is held has no due instant to be ready for.
      if holds(table[node.slot]) { continue }
      slice.isAnyDue = true
      // What is to fire as a newer occurrence may yet be itself, after a step back.
      if table[node.slot].repeats, isLate(node, turn) { continue }
      if slice.entries.count == Preparation.sliceSize {
        preparation.goOn(turn)
        break
      }
      slice.entries.append((row, node))
    }
    return slice
  }

  mutating func notePrepared(_ row: StoredNotification, as id: OccurrenceID) {
    details[row.slot].content = .loaded(row, preparedAs: id)
  }

  /// Whether the intents of these stand in the store is what this question tells (T12, D7).
  mutating func noteIntentsAsked(_ slots: [Slot], _ ticket: StoreTicket) {
    for slot in slots { details[slot].intentTicket = ticket }
  }

  mutating func noteIntentsStored(_ slots: [Slot], _ ticket: StoreTicket) {
    for slot in slots where details[slot].intentTicket == ticket {
      details[slot].intentTicket = nil
    }
  }
}
