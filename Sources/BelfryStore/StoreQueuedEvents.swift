import BelfryCore

/// What the user did, until the app has taken it (D3, D4).
extension Store {
  func keep(_ stored: StoredQueuedEvent) throws(StoreError) {
    let queuedEvent = stored.queuedEvent
    let occurrence = queuedEvent.occurrence
    var kind: Int64 = 0
    var action: String?
    var text: String?
    switch queuedEvent.kind {
    // A dismissal is never kept.
    case .activated, .dismissed: break
    case .pushed: kind = 3
    case .handleAction(let identifier, let typed, let mode):
      kind = mode == .foreground ? 1 : 2
      action = identifier
      text = typed
    }
    try statement(.keepQueuedEvent).bind(stored.number).bind(stored.app).bind(kind).bind(action)
      .bind(text).bind(stored.attempt).bind(stored.since.nanoseconds)
      .bind(queuedEvent.delivered?.nanoseconds).bind(occurrence.id.text)
      .bind(occurrence.due.nanoseconds).bind(occurrence.missed)
      .bind(occurrence.missedSince?.nanoseconds).bind(occurrence.notification.identifier ?? "")
      .bind(Content.encode(occurrence.notification)).run()
  }

  /// In order of happening; one that cannot be read is complained of and left out.
  func queuedEvents() throws(StoreError) -> [StoredQueuedEvent] {
    var found: [StoredQueuedEvent] = []
    let row = try statement(.queuedEvents)
    defer { row.reset() }
    while try row.step() {
      guard let id = OccurrenceID(text: row.text(8)),
        let notification = readable(row.blob(13), identifier: row.text(12))
      else { continue }
      var occurrence = Occurrence(
        id: id, app: row.text(14), notification: notification,
        due: Instant(nanoseconds: row.integer(9)))
      occurrence.missed = row.integer(10)
      occurrence.missedSince = row.optionalInteger(11).map { Instant(nanoseconds: $0) }
      let delivered = row.optionalInteger(7).map { Instant(nanoseconds: $0) }
      found.append(
        StoredQueuedEvent(
          number: row.integer(0), app: AppNumber(truncatingIfNeeded: row.integer(1)),
          queuedEvent: QueuedEvent(kind(row), occurrence, delivered: delivered),
          attempt: Int32(truncatingIfNeeded: row.integer(5)),
          since: Instant(nanoseconds: row.integer(6))))
    }
    return found
  }

  private func kind(_ row: Statement) -> QueuedEvent.Kind {
    let kind = row.integer(2)
    if kind == 0 { return .activated }
    if kind == 3 { return .pushed }
    return .handleAction(
      identifier: row.text(3), text: row.optionalText(4), kind == 1 ? .foreground : .background)
  }
}
