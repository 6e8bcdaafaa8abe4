import BelfryCore

/// Open occurrences and how their deliveries end (D7, D10).
extension Store {
  func fired(
    _ occurrence: Occurrence, app: AppNumber, slot: Slot?, sinks: [String]
  ) throws(StoreError) {
    try leaveList(occurrence, slot: slot)
    if sinks.isEmpty {
      try statement(.deleteIntent).bind(occurrence.id).run()
      return
    }
    try statement(.markFired).bind(occurrence.due.nanoseconds).bind(occurrence.missed)
      .bind(occurrence.missedSince?.nanoseconds).bind(OccurrenceKey.join(sinks))
      .bind(occurrence.id).run()
    if database.lastChanges == 0 {
      try put(occurrence, app: app, slot: slot, sinks: sinks)
    }
  }

  /// A one-shot leaves the list, a repeat moves on, a region's side with it; a row of another generation stays (N20).
  private func leaveList(_ occurrence: Occurrence, slot: Slot?) throws(StoreError) {
    guard let slot else { return }
    let id = occurrence.id
    if occurrence.notification.firesOnce {
      try statement(.deleteGeneration).bind(slot).bind(id.generation).run()
    } else if let side = occurrence.side {
      try statement(.moveCrossing).bind(id.k).bind(slot).bind(id.generation).bind(side.rawValue)
        .run()
    } else {
      try statement(.moveFiredThrough).bind(id.k).bind(slot).bind(id.generation).run()
    }
  }

  /// Adds an open occurrence; one that is there stays. `sinks` nil: only intended.
  func put(
    _ occurrence: Occurrence, app: AppNumber, slot: Slot?, sinks: [String]?
  ) throws(StoreError) {
    let content = Content.encode(occurrence.notification)
    try statement(.putOccurrence).bind(occurrence.id).bind(app).bind(slot.map { Int64($0) })
      .bind(occurrence.due.nanoseconds).bind(occurrence.missed)
      .bind(occurrence.missedSince?.nanoseconds).bind(sinks.map { OccurrenceKey.join($0) })
      .bind(occurrence.notification.identifier ?? "").bind(content)
      .bind(Int64(occurrence.isForApp ? 1 : 0)).run()
  }

  /// Writes one history row for each (occurrence, sink): a second one overwrites the first.
  func settle(
    _ row: HistoryRow, app: AppNumber, shown: Bool, replaces: [OccurrenceID], closes: Bool
  ) throws(StoreError) {
    var row = row
    if row.reason == nil { row.reason = losses[row.occurrence.uuid] }
    let open = try openOccurrence(row.occurrence)
    var settled = open?.settled ?? []
    // A closed occurrence's second answer comes soon after the first, so no index is kept for it.
    let again = settled.contains(row.sink)
    let reach: Int64? = again ? -1 : open == nil ? 256 : nil
    // What may yet turn out to be shown keeps its content too.
    let content = shown || row.state == .unknown ? open?.content : nil
    if let reach, let id = try historyRow(row, among: reach) {
      try overwrite(id, row, app: app, shown: shown, content: content)
    } else {
      try add(row, app: app, shown: shown, content: content)
    }
    // What the app has taken itself replaces what any sink shows.
    let sink = row.sink == Sink.app ? nil : row.sink
    for older in replaces { try withdraw(older, app: app, row.identifier, sink: sink) }
    guard open != nil else { return }
    if closes {
      try statement(.deleteOccurrence).bind(row.occurrence).run()
    } else if !again {
      settled.append(row.sink)
      try statement(.markSettled).bind(OccurrenceKey.join(settled)).bind(row.occurrence).run()
    }
  }

  private func openOccurrence(
    _ id: OccurrenceID
  ) throws(StoreError) -> (settled: [String], content: [UInt8])? {
    let found = try statement(.findOccurrence).bind(id)
    guard try found.step() else { return nil }
    let row = (OccurrenceKey.split(found.text(0)), found.blob(1))
    found.reset()
    return row
  }

  /// Where the newest rows (so many; -1: all) already tell of this delivery.
  private func historyRow(_ row: HistoryRow, among count: Int64) throws(StoreError) -> Int64? {
    let newest = try statement(.newestHistory).bind(count)
    defer { newest.reset() }
    while try newest.step() {
      if newest.occurrenceID(1) == row.occurrence && newest.text(6) == row.sink {
        return newest.integer(0)
      }
    }
    return nil
  }

  private func overwrite(
    _ id: Int64, _ row: HistoryRow, app: AppNumber, shown: Bool, content: [UInt8]?
  ) throws(StoreError) {
    if let content { historyShares?.add(app, bytes: content.count) }
    let change = try statement(.overwriteHistory).bind(row.handedOver?.nanoseconds)
      .bind(row.acknowledged?.nanoseconds).bind(row.attempts).bind(Int64(shown ? 1 : 0))
      .bind(row.state.rawValue).bind(row.reason)
    change.bindContent(content)
    try change.bind(id).run()
  }

  func add(
    _ row: HistoryRow, app: AppNumber, shown: Bool, content: [UInt8]?
  ) throws(StoreError) {
    let add = try statement(.addHistory).bind(app).bind(row.identifier).bindParts(row.occurrence)
      .bind(row.sink).bind(row.due.nanoseconds).bind(row.handedOver?.nanoseconds)
      .bind(row.acknowledged?.nanoseconds).bind(row.attempts).bind(Int64(shown ? 1 : 0))
      .bind(row.state.rawValue).bind(row.reason).bind(row.clock?.rawValue).bind(row.missed)
      .bind(row.missedSince?.nanoseconds)
    add.bindContent(content)
    try add.bind(row.text).run()
    try trimHistory(newest: row, of: app, bytes: content?.count ?? 0)
  }

  // MARK: What sinks show

  /// Marks what the statement finds as withdrawn, and returns it.
  func withdraw(_ statement: Statement) throws(StoreError) -> [ShownDelivery] {
    var rows: [(id: Int64, shown: ShownDelivery)] = []
    while try statement.step() { rows.append((statement.integer(0), ShownDelivery(statement))) }
    statement.reset()
    for row in rows { try self.statement(.withdrawShown).bind(row.id).run() }
    return rows.map { $0.shown }
  }

  private func withdraw(
    _ occurrence: OccurrenceID, app: AppNumber, _ identifier: String, sink: String?
  ) throws(StoreError) {
    let shown = try statement(.shownByName).bind(app).bind(identifier)
    var ids: [Int64] = []
    while try shown.step() {
      let delivery = ShownDelivery(shown)
      if delivery.occurrence == occurrence && delivery.sink == sink ?? delivery.sink {
        ids.append(shown.integer(0))
      }
    }
    shown.reset()
    for id in ids { try statement(.withdrawShown).bind(id).run() }
  }
}

extension ShownDelivery {
  /// From the columns of `Query.shownColumns`.
  init(_ statement: Statement) {
    self.init(
      occurrence: statement.occurrenceID(3),
      app: AppNumber(truncatingIfNeeded: statement.integer(1)), identifier: statement.text(2),
      sink: statement.text(8))
  }
}
