/// What can be asked about pending notifications.
extension PendingSet {
  /// What has a tolerance is loaded so long before that runs out (T12): a little longer than a disk
  /// may be blocked, since the time before is when others may take it along.
  static let looseAhead = 15 * Nanoseconds.second

  subscript(slot: Slot) -> PendingTable.Entry { table[slot] }

  var count: Int { table.count }
  func count(of app: AppNumber) -> Int32 { table.count(of: app) }
  func regionCount(of app: AppNumber) -> Int32 { table.regionCount(of: app) }
  func criticalCount(of app: AppNumber) -> Int32 { table.criticalCount(of: app) }
  func hasAtOnce(of app: AppNumber) -> Bool { table.hasAtOnce(of: app) }
  var regionCounts: [AppNumber: Int32] { table.regionCounts }
  func isPending(_ slot: Slot) -> Bool { table.isPending(slot) }
  func node(of slot: Slot) -> HeapNode? { table.node(of: slot) }
  func node(of slot: Slot, sequence: Int64) -> HeapNode? {
    table.node(of: slot, sequence: sequence)
  }

  /// How a notification is planned; nil: plainly, see `SharedPlanTable`.
  func shape(of entry: PendingTable.Entry) -> SharedPlan? {
    entry.shape == 0 ? nil : table.shapes[entry.shape]
  }

  /// How many entries go by a zone.
  func users(of zone: ZoneNumber) -> Int { table.shapes.users(of: zone) }

  /// When it goes by the elapsed clock: no sooner than this, on that clock (N2, T9).
  func notBefore(of slot: Slot) -> Int64? {
    if case .notBefore(let made) = details[slot].elapsedDue { return made }
    return nil
  }

  /// How many are prepared.
  var preparedCount: Int {
    table.near.count { node in
      if case .loaded(_, preparedAs: .some) = details[node.slot].content { true } else { false }
    }
  }

  /// What was prepared in this life and has not come: the store need not take it for shown (D7).
  var onlyPrepared: [(OccurrenceID, app: AppNumber)] {
    table.near.compactMap { node in
      guard case .loaded(let row, preparedAs: let id?) = details[node.slot].content, !row.isFast,
        !details[node.slot].possiblyDelivered.contains(id)
      else { return nil }
      return (id, app: row.app)
    }
  }

  /// Not for repeats under a minute, nor for those that will fire as a newer occurrence.
  func writesIntent(_ row: StoredNotification, _ node: HeapNode, _ turn: Turn) -> Bool {
    guard table[node.slot].repeats else { return true }
    return !row.isFast && !isLate(node, turn)
  }

  // MARK: The next wake

  /// `lateTurn`: when the owner of a slot may have the next late one, on the elapsed clock.
  func nextWake(_ turn: Turn, lateTurn: (Slot) -> Int64) -> NextWake {
    let now = turn.now.real
    // What was to be prepared may have been cancelled since (T12).
    var real = table.near.isEmpty ? .distantFuture : preparation.next
    var elapsed = lookAhead.nextWake
    if preparation.isUnfinished { elapsed = min(elapsed ?? .max, turn.now.elapsed) }
    for node in table.near {
      guard case .loaded = details[node.slot].content else { continue }
      if node.due > now {
        if node.due >= real { break }
        real = min(real, table.latest(of: node))
        continue
      }
      if details[node.slot].intentTicket != nil {
        // The answer wakes, or the end of its tolerance.
        real = min(real, table.latest(of: node))
        continue
      }
      // It is due, and still here: late, and waiting for its turn.
      elapsed = min(elapsed ?? .max, lateTurn(node.slot))
    }
    let readAhead = turn.configuration.readAhead
    if table.near.count < Self.nearCapacity {
      if let first = table.far.first, first.due != .distantFuture {
        real = min(real, first.due.advanced(by: -readAhead))
      }
      // T12: the first one whose time runs out wakes for all that may come by then.
      if let first = table.windows.first, first.due != .distantFuture {
        real = min(real, first.due.advanced(by: -min(readAhead, Self.looseAhead)))
      }
    }
    var wake = NextWake(real: real == .distantFuture ? nil : real, elapsed: elapsed)
    wake.alarm = nextAlarm(turn)
    return wake
  }

  /// T11: awake and prepared when it is due; if it falls asleep once more, again at its due.
  private func nextAlarm(_ turn: Turn) -> Instant? {
    let now = turn.now.real
    guard var due = table.waking.first?.due else { return nil }
    if due <= now {
      // Late or held, and no reason to be woken.
      due = table.waking.nodes.lazy.map { $0.due }.filter { $0 > now }.min() ?? .distantFuture
    }
    guard due != .distantFuture else { return nil }
    let before = due.advanced(by: -preparation.lead(turn.configuration))
    return before > now ? before : due
  }
}

extension PendingSet {
  /// What has a tolerance and comes when somebody is awake was not prepared before that: while its
  /// tolerance lasts, its intent comes first, or a crash could repeat it as if it never had been
  /// shown (D7).
  mutating func waitsForIntent(
    _ row: StoredNotification, _ node: HeapNode, _ turn: Turn
  ) -> Bool {
    guard table.tolerance(of: node.slot) > 0, turn.now.real < table.latest(of: node) else {
      return false
    }
    if case .loaded(_, preparedAs: .some) = details[node.slot].content {
      return details[node.slot].intentTicket != nil
    }
    guard writesIntent(row, node, turn) else { return false }
    preparation.want(at: turn.now.real)
    return true
  }
}
