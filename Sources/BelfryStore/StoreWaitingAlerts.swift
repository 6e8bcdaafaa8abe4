import BelfryCore

/// What waits for an answer (E6).
extension Store {
  func put(_ stored: WaitingAlert) throws(StoreError) {
    let occurrence = stored.occurrence
    try statement(.putWaitingAlert).bind(occurrence.id.text).bind(stored.app).bind(stored.step)
      .bind(occurrence.due.nanoseconds).bind(stored.began.nanoseconds).bind(stored.relative)
      .bind(occurrence.notification.identifier ?? "")
      .bind(Content.encode(occurrence.notification)).run()
  }

  /// One that cannot be read is complained of and left out.
  func waitingAlerts() throws(StoreError) -> [WaitingAlert] {
    var found: [WaitingAlert] = []
    let row = try statement(.waitingAlerts)
    defer { row.reset() }
    while try row.step() {
      guard let notification = readable(row.blob(8), identifier: row.text(7)) else { continue }
      guard let id = OccurrenceID(text: row.text(0)),
        let relative = RelativeTime(bytes: row.blob(6))
      else {
        complain(StoreError(.content, "\(row.text(7)): what waits for an answer of it").reason)
        continue
      }
      let occurrence = Occurrence(
        id: id, app: row.text(2), notification: notification,
        due: Instant(nanoseconds: row.integer(4)))
      found.append(
        WaitingAlert(
          occurrence, app: AppNumber(truncatingIfNeeded: row.integer(1)),
          step: Int32(truncatingIfNeeded: row.integer(3)), relative: relative,
          began: Instant(nanoseconds: row.integer(5))))
    }
    return found
  }
}
