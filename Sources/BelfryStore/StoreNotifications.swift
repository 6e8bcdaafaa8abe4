import BelfryCore

/// The scheduled list: adding, replacing, cancelling (N1, N15, N16, N17).
extension Store {
  func schedule(
    _ row: StoredNotification, ifAdded limit: LimitAction, at time: ClockStamp?
  ) throws(StoreError) -> StoreOutcome {
    let content = Content.encode(row.notification)
    let bytes = Int64(content.count) + UserShare.row
    let excess = try excess(of: row.app, adding: bytes)
    if excess > 0, try !makesUp(for: excess, row, content, limit) {
      return .overShare(bytes: share.bytes)
    }
    return .scheduled(try schedule(row, content, ifAdded: limit, at: time))
  }

  /// Whether as much goes for it, or nothing comes of it.
  private func makesUp(
    for excess: Int64, _ row: StoredNotification, _ content: [UInt8], _ limit: LimitAction
  ) throws(StoreError) -> Bool {
    if let old = try pendingRow(row.app, row.identifier) {
      return content.count <= old.content.count
    }
    switch limit {
    case .none: return false
    case .discard(let slot):
      return try Int64(pendingRow(slot)?.content.count ?? 0) + UserShare.row >= excess
    case .discardNew, .refuse, .onlyReplace: return true
    }
  }

  private func schedule(
    _ row: StoredNotification, _ content: [UInt8], ifAdded limit: LimitAction,
    at time: ClockStamp?
  ) throws(StoreError) -> StoreOutcome.Scheduled {
    var leaving = Leaving(time)
    // Nearly always it is new: the index that the insertion looks at says so, without a search more.
    if limit == .none, try insert(row, content) {
      return .added(discarded: nil, shown: try shownBefore(row))
    }
    let pending = try pendingRow(row.app, row.identifier)
    // What is of the other kind adds to those of its own (R4).
    if let pending, (pending.summary.side == nil) == (row.side == nil) {
      return try replace(pending, by: row, content, &leaving)
    }
    var discarded: String?
    switch limit {
    case .none: break
    case .discardNew:
      try note(row, .discarded, "limit", &leaving)
      return .discardedNew
    case .refuse: return .refused
    case .onlyReplace: if pending == nil { return .refused }
    case .discard(let slot):
      if let gone = try remove(slot) {
        discarded = gone.identifier
        try note(gone, .discarded, "limit", &leaving)
      }
    }
    if let pending {
      return try replace(pending, by: row, content, discarded: discarded, &leaving)
    }
    _ = try insert(row, content)
    return .added(discarded: discarded, shown: try shownBefore(row))
  }

  func replaceAll(
    _ app: AppNumber, _ rows: [StoredNotification], discarded: [StoredNotification],
    at time: ClockStamp?
  ) throws(StoreError) -> StoreOutcome {
    let contents = rows.map { Content.encode($0.notification) }
    let bytes = contents.reduce(Int64(0)) { $0 + Int64($1.count) + UserShare.row }
    let excess = try excess(of: app, adding: bytes)
    if excess > 0 {
      // The app's own list goes for it, also where its user has too much already.
      let own = try self.bytes(of: app)
      if bytes > own, excess > own { return .overShare(bytes: share.bytes) }
    }
    var leaving = Leaving(time)
    var answers: [StoreOutcome.Scheduled] = []
    var kept = Set<Slot>()
    for (row, content) in zip(rows, contents) {
      if let pending = try pendingRow(app, row.identifier) {
        kept.insert(pending.summary.slot)
        answers.append(try replace(pending, by: row, content, &leaving))
      } else {
        kept.insert(row.slot)
        _ = try insert(row, content)
        answers.append(.added(discarded: nil, shown: try shownBefore(row)))
      }
    }
    var cancelled = StoreOutcome.Cancelled(rows: [])
    for slot in try slots(of: app) where !kept.contains(slot) {
      if let gone = try remove(slot) {
        cancelled.add(gone)
        try note(gone, .cancelled, nil, &leaving)
      }
    }
    for row in discarded { try note(row, .discarded, "limit", &leaving) }
    return .replacedAll(answers, cancelled: cancelled)
  }

  func cancel(
    _ app: AppNumber, _ identifiers: [String], at time: ClockStamp?
  ) throws(StoreError) -> StoreOutcome.Cancelled {
    var leaving = Leaving(time)
    var cancelled = StoreOutcome.Cancelled(rows: [])
    for identifier in identifiers {
      if let pending = try pendingRow(app, identifier) {
        try statement(.delete).bind(pending.summary.slot).run()
        cancelled.add(pending)
        try note(pending, .cancelled, nil, &leaving)
      }
      let shown = try statement(.shownByName).bind(app).bind(identifier)
      cancelled.shown += try withdraw(shown)
    }
    return cancelled
  }

  func cancelEqual(
    _ app: AppNumber, _ notification: Notification, at time: ClockStamp?
  ) throws(StoreError) -> StoreOutcome.Cancelled {
    let content = Content.encode(notification)
    let digest = Content.digest(content)
    try addDigests(of: app)
    var identifiers: [String] = []
    let equal = try statement(.equalSlots).bind(app).bind(digest).bind(content)
    for slot in try slots(equal) {
      if let pending = try pendingRow(slot) { identifiers.append(pending.identifier) }
    }
    var cancelled = try cancel(app, identifiers, at: time)
    // Also what left the list when it was handed over and is still shown.
    let shown = try statement(.shownByContent).bind(app).bind(digest).bind(content)
    cancelled.shown += try withdraw(shown)
    return cancelled
  }

  /// To rows that an older version wrote, once.
  private func addDigests(of app: AppNumber) throws(StoreError) {
    for row in try digests(statement(.undigested).bind(app)) {
      try statement(.setDigest).bind(row.digest).bind(row.number).run()
    }
    for row in try digests(statement(.undigestedShown).bind(app)) {
      try statement(.setShownDigest).bind(row.digest).bind(row.number).run()
    }
  }

  private func digests(
    _ statement: Statement
  ) throws(StoreError) -> [(number: Int64, digest: Int64)] {
    defer { statement.reset() }
    var rows: [(number: Int64, digest: Int64)] = []
    while try statement.step() {
      rows.append((statement.integer(0), Content.digest(statement.blob(1))))
    }
    return rows
  }

  func cancelAll(
    _ app: AppNumber, at time: ClockStamp?
  ) throws(StoreError) -> StoreOutcome.Cancelled {
    var leaving = Leaving(time)
    var cancelled = StoreOutcome.Cancelled(rows: [])
    for slot in try slots(of: app) {
      if let gone = try remove(slot) {
        cancelled.add(gone)
        try note(gone, .cancelled, nil, &leaving)
      }
    }
    cancelled.shown = try withdraw(try statement(.shownOfApp).bind(app))
    return cancelled
  }

  // MARK: Rows

  /// A pending row with its content undecoded.
  struct PendingRow {
    var summary: PendingSummary
    var uuid: UUIDBits
    var identifier: String
    var content: [UInt8]
    /// Its plan cannot be read, so nobody knows when it is due.
    var isBroken: Bool
  }

  func pendingRow(_ app: AppNumber, _ identifier: String) throws(StoreError) -> PendingRow? {
    try firstRow(statement(.notificationByName).bind(app).bind(identifier))
  }

  func pendingRow(_ slot: Slot) throws(StoreError) -> PendingRow? {
    try firstRow(statement(.notificationBySlot).bind(slot))
  }

  private func firstRow(_ statement: Statement) throws(StoreError) -> PendingRow? {
    guard try statement.step() else { return nil }
    let row = PendingRow(statement)
    statement.reset()
    return row
  }

  /// Every slot of an app, without reading content.
  private func slots(of app: AppNumber) throws(StoreError) -> [Slot] {
    try slots(statement(.slotsOfApp).bind(app).bind(Int64(-1)))
  }

  func slots(_ statement: Statement) throws(StoreError) -> [Slot] {
    var slots: [Slot] = []
    while try statement.step() { slots.append(Slot(truncatingIfNeeded: statement.integer(0))) }
    statement.reset()
    return slots
  }

  /// Of its notifications.
  private func bytes(of app: AppNumber) throws(StoreError) -> Int64 {
    let sum = try statement(.bytesOfApp).bind(app)
    defer { sum.reset() }
    return try sum.step() ? sum.integer(0) : 0
  }

  private func remove(_ slot: Slot) throws(StoreError) -> PendingRow? {
    guard let row = try pendingRow(slot) else { return nil }
    try statement(.delete).bind(slot).run()
    return row
  }

  /// False: the app has one of that identifier, and nothing was done.
  private func insert(_ row: StoredNotification, _ content: [UInt8]) throws(StoreError) -> Bool {
    try statement(.insert).bind(row.slot).bind(row.app).bind(row.generation).bind(row.sequence)
      .bind(row.anchor.nanoseconds).bind(row.notification.repeatInterval?.rawValue ?? 0)
      .bind(row.firedThrough).bind(row.relative).bind(row.wakes).bind(row.plan)
      .bind(row.tolerance).bind(row.side?.rawValue)
      .bind(Int64(bitPattern: row.uuid.high)).bind(Int64(bitPattern: row.uuid.low))
      .bind(row.identifier).bind(content).bind(Content.digest(content)).run()
    return database.lastChanges > 0
  }

  /// N1: the same in all fields stays as it is; otherwise slot and uuid stay, the rest is new.
  private func replace(
    _ pending: PendingRow, by row: StoredNotification, _ content: [UInt8],
    discarded: String? = nil, _ leaving: inout Leaving
  ) throws(StoreError) -> StoreOutcome.Scheduled {
    if pending.content == content { return .unchanged(pending.summary, uuid: pending.uuid) }
    let generation = pending.summary.generation + 1
    try statement(.replace).bind(generation).bind(row.sequence).bind(row.anchor.nanoseconds)
      .bind(row.notification.repeatInterval?.rawValue ?? 0).bind(row.firedThrough)
      .bind(row.relative).bind(row.wakes).bind(row.plan).bind(row.tolerance)
      .bind(row.side?.rawValue).bind(content).bind(Content.digest(content))
      .bind(pending.summary.slot).run()
    try note(pending, .replaced, nil, &leaving)
    var new = row
    new.uuid = pending.uuid
    new.generation = generation
    return .replaced(
      previous: pending.summary, uuid: pending.uuid, generation: generation,
      shown: try shownBefore(new), discarded: discarded)
  }
}

extension Store.PendingRow {
  /// From the columns of `Query.notificationColumns`.
  init(_ statement: Statement) {
    summary = PendingSummary(statement)
    uuid = statement.uuid(14)
    identifier = statement.text(16)
    content = statement.blob(17)
    isBroken = summary.isBroken(statement)
    let mayHaveRegion = summary.side != nil || summary.anchor == .distantFuture
    summary.goBy(hasRegion: mayHaveRegion && Content.hasRegion(content))
  }
}

extension StoreOutcome.Cancelled {
  mutating func add(_ gone: Store.PendingRow) {
    rows.append(gone.summary)
    identifiers.append(gone.identifier)
  }
}

extension PendingSummary {
  /// From the columns of `Query.summaryColumns`.
  init(_ statement: Statement) {
    self.init(
      slot: Slot(truncatingIfNeeded: statement.integer(0)),
      app: AppNumber(truncatingIfNeeded: statement.integer(1)),
      generation: statement.integer(2), sequence: statement.integer(3),
      anchor: Instant(nanoseconds: statement.integer(4)),
      unit: RepeatUnit(rawValue: Int32(truncatingIfNeeded: statement.integer(5))),
      firedThrough: statement.integer(6))
    relative = statement.isNull(7) ? nil : RelativeTime(bytes: statement.blob(7))
    isUrgent = statement.integer(8) != 0
    plan = StoredPlan(
      mode: statement.integer(9), zone: statement.optionalText(10), text: statement.optionalText(11)
    )
    tolerance = statement.integer(12)
    side = statement.optionalInteger(13).map { RegionSide(rawValue: $0) ?? .unknown }
    if isBroken(statement) {
      // It keeps its place until it is replaced or cancelled, and is never due.
      anchor = .distantFuture
      unit = nil
      firedThrough = -1
    }
  }

  /// Its content tells whether it goes by a region (D8): a number beside that is soon damaged.
  mutating func goBy(hasRegion: Bool) { side = hasRegion ? side ?? .unknown : nil }

  /// There is a plan in the store, and it is not one.
  func isBroken(_ statement: Statement) -> Bool { plan == nil && !statement.isNull(11) }
}

extension StoredNotification {
  /// The scheduler sets it on every row (N1).
  var identifier: String { notification.identifier ?? "" }

  /// The column `wakes`.
  var wakes: Int64 { notification.interruptionLevel.isUrgent ? 1 : 0 }
}
