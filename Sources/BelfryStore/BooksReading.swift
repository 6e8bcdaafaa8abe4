import BelfryCore

/// Reading rows and pages of them.
extension Books {
  /// Rows that are gone, and rows that cannot be read, are missing from the answer.
  func load(_ slots: [Slot]) throws(StoreError) -> [StoredNotification] {
    var rows: [StoredNotification] = []
    for slot in slots {
      guard let pending = try pendingRow(slot), var row = readable(pending) else { continue }
      row.shown = try shownBefore(row)
      rows.append(row)
    }
    return rows
  }

  func find(_ app: AppNumber, _ identifier: String) throws(StoreError) -> StoredNotification? {
    try pendingRow(app, identifier).flatMap { readable($0) }
  }

  func list(
    _ apps: [AppNumber]?, after cursor: Int64, _ limit: Int32
  ) throws(StoreError) -> BookOutcome {
    let page = Page(limit)
    let few = try apps.map { apps throws(StoreError) in try fewSlots(of: apps, after: cursor) }
    var rows: [StoredNotification] = []
    if let few = few ?? nil {
      for slot in few.prefix(page.size) {
        if let row = try pendingRow(slot).flatMap({ readable($0) }) { rows.append(row) }
      }
      let more = few.count > page.size
      return .listed(rows, cursor: more ? Int64(few[page.size - 1]) : nil)
    }
    let scan = try statement(.notificationsAfter).bind(cursor)
    defer { scan.reset() }
    while try scan.step() {
      let app = AppNumber(truncatingIfNeeded: scan.integer(1))
      if let apps, !apps.contains(app) { continue }
      if rows.count == page.size { return .listed(rows, cursor: Int64(rows[page.size - 1].slot)) }
      if let row = readable(PendingRow(scan)) { rows.append(row) }
    }
    return .listed(rows, cursor: nil)
  }

  /// The slots of these apps in order, or nil if they are too many to be sorted for each page.
  private func fewSlots(
    of apps: [AppNumber], after cursor: Int64
  ) throws(StoreError) -> [Slot]? {
    let few: Int64 = 4096
    var found: [Slot] = []
    for app in apps {
      let slots = try slots(statement(.slotsOfApp).bind(app).bind(few))
      if Int64(slots.count + found.count) >= few { return nil }
      found += slots
    }
    return found.filter { Int64($0) > cursor }.sorted()
  }

  func listShown(
    _ apps: [AppNumber]?, after cursor: Int64, _ limit: Int32
  ) throws(StoreError) -> BookOutcome {
    let page = Page(limit)
    var rows: [ShownOccurrence] = []
    var last = cursor
    let scan = try statement(.shownAfter).bind(cursor)
    defer { scan.reset() }
    while try scan.step() {
      let shown = ShownDelivery(scan)
      if let apps, !apps.contains(shown.app) { continue }
      if rows.count == page.size { return .shown(rows, cursor: last) }
      last = scan.integer(0)
      guard let notification = readable(scan.blob(10), identifier: shown.identifier) else {
        continue
      }
      let due = Instant(nanoseconds: scan.integer(9))
      rows.append(ShownOccurrence(shown: shown, due: due, notification: notification))
    }
    return .shown(rows, cursor: nil)
  }

  func history(
    _ apps: [AppNumber]?, after cursor: Int64, _ limit: Int32
  ) throws(StoreError) -> BookOutcome {
    let page = Page(limit)
    var rows: [HistoryRow] = []
    var last = cursor
    let scan = try statement(.historyAfter).bind(cursor)
    defer { scan.reset() }
    while try scan.step() {
      let app = AppNumber(truncatingIfNeeded: scan.integer(1))
      if let apps, !apps.contains(app) { continue }
      if rows.count == page.size { return .history(rows, cursor: last) }
      last = scan.integer(0)
      rows.append(HistoryRow(scan))
    }
    return .history(rows, cursor: nil)
  }

  /// What earlier generations of a row left on sinks (N1).
  func shownBefore(_ row: StoredNotification) throws(StoreError) -> [ShownDelivery] {
    guard row.generation > 0 else { return [] }
    var earlier: [ShownDelivery] = []
    let shown = try statement(.shownByName).bind(row.app).bind(row.identifier)
    defer { shown.reset() }
    while try shown.step() {
      let delivery = ShownDelivery(shown)
      if delivery.occurrence.uuid == row.uuid && delivery.occurrence.generation < row.generation {
        earlier.append(delivery)
      }
    }
    return earlier
  }

  private func readable(_ row: PendingRow) -> StoredNotification? {
    guard !row.isBroken else {
      complain(StoreError(.content, "\(row.identifier): when it is due").reason)
      return nil
    }
    return readable(row.content, identifier: row.identifier).map {
      var read = StoredNotification(
        slot: row.summary.slot, app: row.summary.app, uuid: row.uuid,
        generation: row.summary.generation, sequence: row.summary.sequence,
        anchor: row.summary.anchor, firedThrough: row.summary.firedThrough, notification: $0)
      read.relative = row.summary.relative
      read.side = row.summary.side
      read.plan = row.summary.plan
      return read
    }
  }

  /// A row that cannot be read is complained of and left out: it must not hide the others.
  func readable(_ content: [UInt8], identifier: String) -> Notification? {
    do throws(StoreError) {
      return try Content.decode(content, identifier: identifier)
    } catch {
      complain(error.reason)
      return nil
    }
  }

  private struct Page {
    var size: Int
    init(_ limit: Int32) { size = Int(max(1, min(limit, 10_000))) }
  }
}

extension HistoryRow {
  /// From the columns of `Query.historyAfter`.
  init(_ statement: Statement) {
    self.init(
      app: statement.text(9), identifier: statement.text(2), occurrence: statement.occurrenceID(3),
      sink: statement.text(8), due: Instant(nanoseconds: statement.integer(10)),
      handedOver: statement.optionalInteger(11).map { Instant(nanoseconds: $0) },
      acknowledged: statement.optionalInteger(12).map { Instant(nanoseconds: $0) },
      state: DeliveryState(rawValue: statement.text(14)) ?? .unknown,
      reason: statement.optionalText(15),
      attempts: Int32(truncatingIfNeeded: statement.integer(13)))
    clock = statement.optionalText(16).flatMap { ClockState(rawValue: $0) }
    missed = statement.integer(17)
    missedSince = statement.optionalInteger(18).map { Instant(nanoseconds: $0) }
  }
}
