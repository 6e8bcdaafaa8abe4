import BelfryCore

/// What goes out to sinks, and what the store hears of it (D7).
extension Ledger {
  func handedOver(_ delivery: Delivery) {
    handOvers += 1
    let id = delivery.occurrence.id
    let key = DeliveryKey(id: id, sink: delivery.sink)
    var what: String {
      "\(Firing(delivery.occurrence).text) to sink \(delivery.sink), attempt \(delivery.attempt)"
    }
    if let before = attemptsNow[key], delivery.attempt != before + 1 {
      fail("D7 attempts", "\(what) follows attempt \(before)")
    }
    if attemptsNow[key] == nil, attempts[key] != nil, possiblyDelivered.contains(id),
      delivery.attempt < 2
    {
      fail("D7 attempts", "\(what) may have been shown in an earlier life")
    }
    if attemptsNow[key] == nil, attempts[key] == nil, delivery.attempt > 1,
      !(mayHaveHad?(id) ?? possiblyDelivered.contains(id)), !isAtOnce(id)
    {
      fail("D7 attempts", "\(what) was never handed over before")
    }
    if settled.contains(key) { fail("D7 twice", "\(what) has ended in the books") }
    if ended.contains(id.uuid) { fail("N15 cancelled", "\(what) after it was cancelled") }
    // What was snoozed has an hour of its own.
    if id.snooze == 0 { checkInLine(delivery) }
    attempts[key] = delivery.attempt
    attemptsNow[key] = delivery.attempt
    checkPrepared(delivery.occurrence)
    meet(delivery.occurrence)
    checkTaken(id)
    if !queues.isEmpty { takesTurn(delivery) }
    fired(Firing(delivery.occurrence))
  }

  /// It is handed over before its intent can stand in the store.
  private func isAtOnce(_ id: OccurrenceID) -> Bool {
    past[id.uuid]?.purpose == .atOnce
      || pending.values.contains { $0.uuid == id.uuid && $0.purpose == .atOnce }
  }

  /// T10: no occurrence goes out for the first time after a newer one.
  private func checkInLine(_ delivery: Delivery) {
    let id = delivery.occurrence.id
    let line = DeliveryKey(
      id: OccurrenceID(uuid: id.uuid, generation: id.generation, k: 0), sink: delivery.sink)
    if delivery.attempt == 1, let newest = newestHanded[line], newest > id.k {
      fail("T10 order", "\(Firing(delivery.occurrence).text) after k \(newest)")
    }
    newestHanded[line] = max(newestHanded[line] ?? id.k, id.k)
  }

  /// D7: what a crash could repeat is known to the store before anybody sees it.
  func checkPrepared(_ occurrence: Occurrence) {
    let name = PromiseName(
      app: occurrence.app, identifier: occurrence.notification.identifier ?? "")
    // Of what is pending still, and for the first time: not of what it has replaced.
    guard let promise = promise(occurrence.id, name), promise.purpose != .atOnce,
      promise.notification.region == nil,
      occurrence.id.generation >= promise.generation,
      occurrence.id.generation > promise.generation || occurrence.id.k > promise.lastK
    else { return }
    if promise.purpose == nil, promise.oracle.zone == nil {
      let before = dues.updateValue(occurrence.due, forKey: occurrence.id)
      if let before, before != occurrence.due {
        fail("D7 due", "\(Firing(occurrence).text) was due at \(RFC3339.text(before))")
      }
    }
    let late = now.real.nanoseconds(since: occurrence.due)
    guard isDiskWell, isQuiet(for: 65 * Nanoseconds.second),
      promise.notification.repeatInterval != .second,
      now.real.nanoseconds(since: promise.enteredAt) > 65 * Nanoseconds.second,
      late <= max(promise.tolerance, Nanoseconds.millisecond)
    else { return }
    if !intended.contains(occurrence.id) {
      fail("D7 intent", "\(Firing(occurrence).text) goes out before the books know of it")
    }
  }

  func acknowledged(_ delivery: Delivery) {
    guard delivery.occurrence.notification.repeatInterval != .second else { return }
    acknowledged.insert(DeliveryKey(id: delivery.occurrence.id, sink: delivery.sink))
  }

  /// The disk has had all that the scheduler had to say.
  func checkRecords() {
    if let key = acknowledged.subtracting(settled).first {
      fail(
        "D7 record", "\(key.id.text) is done at sink \(key.sink), and the books never hear of it")
    }
    acknowledged = []
  }

  /// What has reached the disk.
  func written(_ operation: StoreOperation, sinks: [String: SinkIndex]) {
    switch operation {
    case .record(.settle(let row, _, _, _, _)):
      if let sink = sinks[row.sink] {
        settled.insert(DeliveryKey(id: row.occurrence, sink: sink))
      }
    case .record(.intend(let occurrence, _, _)): intended.insert(occurrence.id)
    case .record(.keepWaitingAlert(let alert)): keptAlerts.insert(alert.occurrence.id)
    case .record(.forgetWaitingAlert(let id, _)): keptAlerts.remove(id)
    case .record(.withdrawIntent(let id, _)): intended.remove(id)
    default: break
    }
  }
}
