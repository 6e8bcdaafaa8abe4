import BelfryCore

/// Reading rows and pages of them.
extension Store {
  /// Rows that are gone, and rows whose content makes no sense, are missing from the answer; those
  /// that the disk does not give are named, and do not hide the others.
  func load(_ slots: [Slot]) throws(StoreError) -> StoreOutcome {
    var rows: [StoredNotification] = []
    var unread: [Slot] = []
    for slot in slots {
      do throws(StoreError) {
        guard let pending = try pendingRow(slot), var row = readable(pending) else { continue }
        row.shown = try shownBefore(row)
        rows.append(row)
      } catch {
        guard error.concernsTheDisk else { throw error }
        resetAll()
        unread.append(slot)
        let what = "row \(slot) of the scheduled list cannot be read now and is tried again"
        complain("\(what): \(error.reason)")
      }
    }
    return unread.isEmpty ? .loaded(rows) : .loadedPartly(rows, unread: unread)
  }

  func find(_ app: AppNumber, _ identifier: String) throws(StoreError) -> StoredNotification? {
    try pendingRow(app, identifier).flatMap { readable($0) }
  }

  /// Those that are there, in the order of the identifiers.
  func find(
    _ app: AppNumber, _ identifiers: [String]
  ) throws(StoreError) -> [StoredNotification] {
    var rows: [StoredNotification] = []
    for identifier in identifiers {
      if let row = try find(app, identifier) { rows.append(row) }
    }
    return rows
  }

  func list(
    _ apps: [AppNumber]?, after cursor: Int64, _ limit: Int32
  ) throws(StoreError) -> StoreOutcome {
    var page = Page(limit)
    let few = try apps.map { apps throws(StoreError) in try fewSlots(of: apps, after: cursor) }
    var rows: [StoredNotification] = []
    if let few = few ?? nil {
      for (place, slot) in few.enumerated() {
        if page.isFull(place) { return .listed(rows, cursor: Int64(few[place - 1])) }
        guard let pending = try pendingRow(slot) else { continue }
        page.bytes += pending.content.count
        if let row = readable(pending) { rows.append(row) }
      }
      return .listed(rows, cursor: nil)
    }
    let scan = try statement(.notificationsAfter).bind(cursor)
    defer { scan.reset() }
    while try scan.step() {
      let app = AppNumber(truncatingIfNeeded: scan.integer(1))
      if let apps, !apps.contains(app) { continue }
      if let last = rows.last, page.isFull(rows.count) {
        return .listed(rows, cursor: Int64(last.slot))
      }
      let pending = PendingRow(scan)
      page.bytes += pending.content.count
      if let row = readable(pending) { rows.append(row) }
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
  ) throws(StoreError) -> StoreOutcome {
    var page = Page(limit)
    var rows: [ShownOccurrence] = []
    var last = cursor
    let scan = try statement(.shownAfter).bind(cursor)
    defer { scan.reset() }
    while try scan.step() {
      let shown = ShownDelivery(scan)
      if let apps, !apps.contains(shown.app) { continue }
      if page.isFull(rows.count) { return .shown(rows, cursor: last) }
      last = scan.integer(0)
      let content = scan.blob(10)
      page.bytes += content.count
      guard let notification = readable(content, identifier: shown.identifier) else { continue }
      let due = Instant(nanoseconds: scan.integer(9))
      rows.append(ShownOccurrence(shown: shown, due: due, notification: notification))
    }
    return .shown(rows, cursor: nil)
  }

  func history(
    _ apps: [AppNumber]?, after cursor: Int64, _ limit: Int32
  ) throws(StoreError) -> StoreOutcome {
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

  /// What sinks show under a row's identifier: of its earlier generations (N1), and of what had the
  /// identifier before it (N15).
  func shownBefore(_ row: StoredNotification) throws(StoreError) -> [ShownDelivery] {
    do throws(StoreError) {
      return try shownUnderName(of: row)
    } catch {
      guard error.concernsTheDisk else { throw error }
      // D8: its alert is worth more than what it would take the place of.
      resetAll()
      complain("what is shown under \(row.identifier) cannot be read, and stays: \(error.reason)")
      return []
    }
  }

  private func shownUnderName(
    of row: StoredNotification
  ) throws(StoreError) -> [ShownDelivery] {
    var earlier: [ShownDelivery] = []
    let shown = try statement(.shownByName).bind(row.app).bind(row.identifier)
    defer { shown.reset() }
    // The oldest come first; what a repeat has shown itself may be many more (A2).
    var left = 1024
    while left > 0, try shown.step() {
      left -= 1
      let delivery = ShownDelivery(shown)
      let id = delivery.occurrence
      if id.uuid != row.uuid || id.generation < row.generation { earlier.append(delivery) }
    }
    return earlier
  }

  private func readable(_ row: PendingRow) -> StoredNotification? {
    guard !row.isBroken else {
      complain(StoreError(.content, "\(row.identifier): when it is due").reason)
      return nil
    }
    guard let (content, loss) = read(row.content, identifier: row.identifier) else { return nil }
    var notification = content
    if loss != nil { mend(&notification, by: row.summary) }
    var read = StoredNotification(
      slot: row.summary.slot, app: row.summary.app, uuid: row.uuid,
      generation: row.summary.generation, sequence: row.summary.sequence,
      anchor: row.summary.anchor, firedThrough: row.summary.firedThrough,
      notification: notification)
    read.relative = row.summary.relative
    read.side = row.summary.side
    read.plan = row.summary.plan
    read.loss = loss
    losses[row.uuid] = loss
    return read
  }

  /// What the row itself knows of the time goes before what its content has lost.
  private func mend(_ notification: inout Notification, by summary: PendingSummary) {
    if let unit = summary.unit { notification.repeatInterval = unit }
    if notification.fireDate == nil, summary.plan == nil, summary.relative == nil,
      summary.side == nil
    {
      notification.fireDate = summary.anchor
    }
  }

  /// Of a damaged row, what can be read (D8).
  func readable(_ content: [UInt8], identifier: String) -> Notification? {
    read(content, identifier: identifier)?.notification
  }

  /// A row of which nothing can be read is complained of and left out: it must not hide the others.
  private func read(
    _ content: [UInt8], identifier: String
  ) -> (notification: Notification, loss: String?)? {
    do throws(StoreError) {
      return (try Content.decode(content, identifier: identifier), nil)
    } catch {
      guard let salvaged = Content.salvage(content, identifier: identifier) else {
        complain(error.reason)
        return nil
      }
      if told.count < 256, told.insert(identifier).inserted {
        complain("\(identifier) is \(salvaged.loss); what is left of it rings")
      }
      return salvaged
    }
  }

  private struct Page {
    var size: Int
    /// Of contents so far: what is one reply of many rows must not take the clock long to write (A2).
    var bytes = 0
    static let maxBytes = 256 * 1024

    /// After so many rows.
    func isFull(_ rows: Int) -> Bool { rows >= size || (rows > 0 && bytes >= Self.maxBytes) }

    init(_ limit: Int32) { size = Int(max(1, min(limit, 10_000))) }
  }
}

extension HistoryRow {
  /// From the columns of `HistoryQuery.historyAfter`.
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
    text = statement.optionalText(19)
  }
}
