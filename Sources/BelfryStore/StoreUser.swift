import BelfryCore

/// What sinks show and the user puts away, and what is to come again (D11).
extension Store {
  /// Rows that cannot be read are missing from the answer.
  func findShown(
    _ app: AppNumber?, _ identifier: String?, _ id: OccurrenceID?
  ) throws(StoreError) -> StoreOutcome {
    let scan: Statement
    if let app, let identifier {
      scan = try statement(.shownByName).bind(app).bind(identifier)
    } else if let id {
      scan = try statement(.shownByOccurrence).bindParts(id)
    } else if let app {
      scan = try statement(.newestShown).bind(app)
    } else {
      return .shown([], cursor: nil)
    }
    defer { scan.reset() }
    var rows: [ShownOccurrence] = []
    while try scan.step() {
      let shown = ShownDelivery(scan)
      guard app == nil || shown.app == app,
        let notification = readable(scan.blob(10), identifier: shown.identifier)
      else { continue }
      var row = ShownOccurrence(
        shown: shown, due: Instant(nanoseconds: scan.integer(9)), notification: notification)
      row.delivered = scan.optionalInteger(11).map { Instant(nanoseconds: $0) }
      rows.append(row)
    }
    return .shown(rows, cursor: nil)
  }

  func markHandled(
    _ id: OccurrenceID, app: AppNumber, _ identifier: String, _ state: DeliveryState,
    _ reason: String?, sink: String?
  ) throws(StoreError) {
    let shown = try statement(.shownByName).bind(app).bind(identifier)
    var rows: [Int64] = []
    while try shown.step() {
      let delivery = ShownDelivery(shown)
      let isMeant =
        sink == nil
        ? delivery.occurrence.base == id.base : delivery.occurrence == id && delivery.sink == sink
      if isMeant { rows.append(shown.integer(0)) }
    }
    shown.reset()
    for row in rows {
      try statement(.markHandled).bind(state.rawValue).bind(reason).bind(row).run()
    }
  }

  // MARK: Snoozes

  func put(_ stored: StoredSnooze) throws(StoreError) {
    let occurrence = stored.occurrence
    try statement(.putSnooze).bind(occurrence.id.text).bind(stored.app)
      .bind(occurrence.due.nanoseconds).bind(stored.relative)
      .bind(occurrence.notification.identifier ?? "")
      .bind(Content.encode(occurrence.notification)).run()
  }

  /// One that cannot be read is complained of and left out.
  func snoozes() throws(StoreError) -> [StoredSnooze] {
    var found: [StoredSnooze] = []
    let row = try statement(.snoozes)
    defer { row.reset() }
    while try row.step() {
      guard let notification = readable(row.blob(6), identifier: row.text(5)) else { continue }
      guard let id = OccurrenceID(text: row.text(0)),
        let relative = RelativeTime(bytes: row.blob(4))
      else {
        complain(StoreError(.content, "\(row.text(5)): what was snoozed of it").reason)
        continue
      }
      let occurrence = Occurrence(
        id: id, app: row.text(2), notification: notification,
        due: Instant(nanoseconds: row.integer(3)))
      found.append(
        StoredSnooze(
          occurrence, app: AppNumber(truncatingIfNeeded: row.integer(1)), relative: relative))
    }
    return found
  }

  /// What sinks that were down have yet to take back.
  func owed() throws(StoreError) -> [(occurrence: OccurrenceID, sink: String)] {
    var found: [(occurrence: OccurrenceID, sink: String)] = []
    let row = try statement(.owed)
    defer { row.reset() }
    while try row.step() {
      if let id = OccurrenceID(text: row.text(0)) { found.append((id, row.text(1))) }
    }
    return found
  }
}
