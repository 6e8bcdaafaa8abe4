import BelfryCore

/// History rows of what leaves the scheduled list unfired: cancelled, replaced or discarded (N1, N15, N17).
extension Store {
  /// The rows that one operation leaves.
  struct Leaving {
    let time: ClockStamp?
    private(set) var left: Int

    /// A list of thousands that goes at once must not take the whole history with it.
    static let maxRows = 1_000

    /// `time` nil: it leaves none.
    init(_ time: ClockStamp?) {
      self.time = time
      left = time == nil ? 0 : Self.maxRows
    }

    mutating func takeOne() -> ClockStamp? {
      guard left > 0 else { return nil }
      left -= 1
      return time
    }
  }

  func note(
    _ gone: PendingRow, _ state: DeliveryState, _ reason: String?, _ leaving: inout Leaving
  ) throws(StoreError) {
    guard let time = leaving.takeOne() else { return }
    let next = OccurrenceID(
      uuid: gone.uuid, generation: gone.summary.generation, k: gone.summary.firedThrough + 1)
    try add(
      next, gone.summary.app, gone.identifier, state, reason,
      text: readable(gone.content, identifier: gone.identifier)?.historyText, time)
  }

  /// Of a row that never came into the store.
  func note(
    _ row: StoredNotification, _ state: DeliveryState, _ reason: String?, _ leaving: inout Leaving
  ) throws(StoreError) {
    guard let time = leaving.takeOne() else { return }
    let next = OccurrenceID(uuid: row.uuid, generation: row.generation, k: row.firedThrough + 1)
    try add(
      next, row.app, row.identifier, state, reason, text: row.notification.historyText, time)
  }

  private func add(
    _ id: OccurrenceID, _ app: AppNumber, _ identifier: String, _ state: DeliveryState,
    _ reason: String?, text: String?, _ time: ClockStamp
  ) throws(StoreError) {
    var row = HistoryRow(
      app: "", identifier: identifier, occurrence: id, sink: "", due: time.real, handedOver: nil,
      acknowledged: nil, state: state, reason: reason, attempts: 0)
    row.clock = time.state
    row.text = text
    try add(row, app: app, shown: false, content: nil)
  }
}
