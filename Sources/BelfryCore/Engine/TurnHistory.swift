extension Turn {
  /// One of the deliveries of an occurrence has ended: records its history row and tells those who
  /// watch. `clock`: how far the clock can be believed now (T8).
  mutating func end(
    _ firing: FiredOccurrence, clock: ClockState, sink: String, _ state: DeliveryState,
    reason: String?, handedOver: Instant? = nil, attempts: Int32 = 0, shown: Bool = false,
    replaces: [OccurrenceID] = []
  ) {
    let occurrence = firing.occurrence
    let identifier = occurrence.notification.identifier ?? ""
    firing.open -= 1
    if firing.isRecorded {
      var row = HistoryRow(
        app: occurrence.app, identifier: identifier, occurrence: occurrence.id, sink: sink,
        due: occurrence.due, handedOver: handedOver,
        acknowledged: state == .delivered ? now.real : nil, state: state,
        reason: reason ?? (firing.wasHeld ? "was held for the clock" : nil), attempts: attempts)
      row.clock = firing.clock ?? clock
      row.missed = occurrence.missed
      row.missedSince = occurrence.missedSince
      record(
        .settle(
          row, app: firing.app, shown: shown, replaces: replaces, closes: firing.open == 0))
    }
    let isUnknown = state == .unknown
    tell(
      WatchEvent(
        kind: state.event, app: occurrence.app, identifier: identifier,
        occurrence: occurrence.id, sink: sink.isEmpty ? nil : sink, at: now.real,
        due: occurrence.due, handedOver: handedOver,
        reason: isUnknown ? "unknown: \(reason ?? "no answer")" : reason,
        missed: occurrence.missed))
  }
}
