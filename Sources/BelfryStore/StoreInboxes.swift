import BelfryCore
import BelfrySystem

/// Inboxes: what was pushed into an app, until its limit sends it away (P6 to P9).
extension Store {
  func append(_ push: StoredPush) throws(StoreError) -> PushOutcome {
    var inbox: Inbox
    if let found = try self.inbox(push.app, push.container) {
      inbox = found
    } else if let made = try makeInbox(push.app, push.container) {
      inbox = made
    } else {
      return .tooManyContainers
    }
    let payload = Array(push.payload.utf8)
    guard
      try add(
        push.id, push.kind, payload, push.pruned, at: push.received, to: &inbox)
    else { return .duplicate }
    // What is over its user's share goes, too: a push is never refused for want of it.
    let excess = try excess(of: push.app, adding: Int64(payload.count))
    try evict(from: &inbox, limit: push.limit, toBytes: max(0, inbox.bytes - excess))
    try write(inbox)
    guard let occurrence = push.occurrence else { return .stored(shown: []) }
    let shown = try shown(push.app, occurrence.notification.identifier ?? "")
    try put(occurrence, app: push.app, slot: nil, sinks: nil)
    return .stored(shown: shown)
  }

  /// Whether its inbox has an entry of its id.
  func has(_ push: StoredPush) throws(StoreError) -> Bool {
    guard let inbox = try inbox(push.app, push.container) else { return false }
    return try entry(push.id, in: inbox) != nil
  }

  func fetch(
    _ app: AppNumber, _ container: String, since: InboxToken?, blank: InboxToken, _ limit: Int32
  ) throws(StoreError) -> FetchOutcome {
    guard let inbox = try inbox(app, container) else {
      return since == nil || since == blank ? .page([], blank, moreComing: false) : .foreign
    }
    var position: Int64 = 0
    if let since, since != blank {
      guard since.name == inbox.name, (0...inbox.last).contains(since.position) else {
        return .foreign
      }
      position = since.position
    }
    if since != nil, position < inbox.evicted { return .expired }
    return try page(of: inbox, after: position, limit)
  }

  func markRead(
    _ app: AppNumber, _ container: String, _ ids: [UUIDBits], at now: Instant
  ) throws(StoreError) -> StoreOutcome {
    guard var inbox = try inbox(app, container) else {
      return .markedRead(marked: [], unknown: ids)
    }
    var marked: [UUIDBits] = []
    var unknown: [UUIDBits] = []
    for id in ids {
      guard let original = try entry(id, in: inbox) else {
        unknown.append(id)
        continue
      }
      if original.kind == InboxEntry.readKind { continue }
      try statement(.deleteEntry).bind(original.key).run()
      inbox.entries -= 1
      inbox.bytes -= original.bytes
      _ = try add(id, InboxEntry.readKind, nil, [], at: now, to: &inbox)
      marked.append(id)
    }
    if !marked.isEmpty { try write(inbox) }
    return .markedRead(marked: marked, unknown: unknown)
  }

  // MARK: One inbox

  private func inbox(_ app: AppNumber, _ container: String) throws(StoreError) -> Inbox? {
    let found = try statement(.findInbox).bind(app).bind(container)
    guard try found.step() else { return nil }
    defer { found.reset() }
    return Inbox(found)
  }

  /// nil: the app may not have one more.
  private func makeInbox(_ app: AppNumber, _ container: String) throws(StoreError) -> Inbox? {
    let count = try statement(.countInboxes).bind(app)
    _ = try count.step()
    let (own, newest) = (count.integer(0), count.integer(1))
    count.reset()
    guard own < Int64(InboxLimit.containers) else { return nil }
    guard newest < Inbox.maxNumber else {
      throw StoreError(.content, "all numbers of inboxes have been used")
    }
    let inbox = Inbox(
      number: newest + 1, name: Random.uuid().low, last: 0, evicted: 0, entries: 0, bytes: 0)
    try statement(.addInbox).bind(inbox.number).bind(app).bind(container)
      .bind(Int64(bitPattern: inbox.name)).run()
    return inbox
  }

  private func write(_ inbox: Inbox) throws(StoreError) {
    try statement(.changeInbox).bind(inbox.last).bind(inbox.evicted).bind(inbox.entries)
      .bind(inbox.bytes).bind(inbox.number).run()
  }

  // MARK: Entries

  /// False: it has one of this id.
  private func add(
    _ id: UUIDBits, _ kind: Int64, _ payload: [UInt8]?, _ pruned: [String], at now: Instant,
    to inbox: inout Inbox
  ) throws(StoreError) -> Bool {
    guard inbox.last < Inbox.maxPosition else {
      throw StoreError(.content, "all positions of the inbox have been used")
    }
    let add = try statement(.addEntry).bind(inbox.key(inbox.last + 1)).bind(inbox.number)
      .bind(Int64(bitPattern: id.high)).bind(Int64(bitPattern: id.low)).bind(kind)
      .bind(now.nanoseconds).bind(pruned.isEmpty ? nil : pruned.joined(separator: "\n"))
    if let payload { add.bind(payload) } else { add.bindNull() }
    try add.run()
    guard database.lastChanges > 0 else { return false }
    inbox.last += 1
    inbox.entries += 1
    inbox.bytes += Int64(payload?.count ?? 0)
    return true
  }

  private func entry(
    _ id: UUIDBits, in inbox: Inbox
  ) throws(StoreError) -> (key: Int64, kind: Int64, bytes: Int64)? {
    let found = try statement(.findEntry).bind(inbox.number)
      .bind(Int64(bitPattern: id.high)).bind(Int64(bitPattern: id.low))
    guard try found.step() else { return nil }
    defer { found.reset() }
    return (found.integer(0), found.integer(1), found.integer(2))
  }

  /// The oldest go until the rest fits; the newest stays whatever it takes.
  private func evict(
    from inbox: inout Inbox, limit: Int32, toBytes share: Int64
  ) throws(StoreError) {
    let most = Int64(max(1, limit))
    let maxBytes = min(share, most * InboxLimit.bytesAnEntry)
    guard inbox.entries > most || inbox.bytes > maxBytes else { return }
    let oldest = try statement(.oldestEntries).bind(inbox.key(0)).bind(inbox.key(inbox.last - 1))
    while inbox.entries > most || inbox.bytes > maxBytes, try oldest.step() {
      inbox.evicted = Inbox.position(of: oldest.integer(0))
      inbox.entries -= 1
      inbox.bytes -= oldest.integer(1)
    }
    oldest.reset()
    try statement(.deleteEntries).bind(inbox.key(0)).bind(inbox.key(inbox.evicted)).run()
  }

  private func page(
    of inbox: Inbox, after position: Int64, _ limit: Int32
  ) throws(StoreError) -> FetchOutcome {
    let most = Int(max(1, min(limit, InboxLimit.page)))
    var entries: [InboxEntry] = []
    entries.reserveCapacity(min(most, Int(clamping: inbox.entries)))
    var bytes: Int64 = 0
    var reached = position
    var moreComing = false
    let scan = try statement(.entriesAfter).bind(inbox.key(position + 1))
      .bind(inbox.key(inbox.last))
    defer { scan.reset() }
    while try scan.step() {
      bytes += scan.length(6)
      guard entries.count < most, entries.isEmpty || bytes <= InboxLimit.pageBytes else {
        moreComing = true
        break
      }
      let entry = InboxEntry(scan)
      reached = entry.position
      entries.append(entry)
    }
    return .page(entries, inbox.token(reached), moreComing: moreComing)
  }

  /// What sinks show under an identifier.
  private func shown(
    _ app: AppNumber, _ identifier: String
  ) throws(StoreError) -> [ShownDelivery] {
    var found: [ShownDelivery] = []
    let scan = try statement(.shownByName).bind(app).bind(identifier)
    defer { scan.reset() }
    while try scan.step() { found.append(ShownDelivery(scan)) }
    return found
  }
}
