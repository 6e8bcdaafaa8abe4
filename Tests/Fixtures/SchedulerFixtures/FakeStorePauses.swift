import BelfryCore

/// What is paused and skipped, as the store keeps it.
extension FakeStore {
  struct PauseRun: Hashable {
    var pause: Int64
    var uuid: UUIDBits
  }

  /// One row for each notification and pause.
  func passOver(_ row: HistoryRow, _ app: AppNumber, _ pause: Int64?) {
    let key = DeliveryKey(occurrence: row.occurrence, sink: row.sink)
    guard let pause else {
      history[key] = row
      return
    }
    let run = PauseRun(pause: pause, uuid: row.occurrence.uuid)
    var new = row
    if let before = pauseRuns[run], let old = history.removeValue(forKey: before) {
      new.missed += old.missed + 1
      new.missedSince = old.missedSince ?? old.due
    }
    history[key] = new
    pauseRuns[run] = key
  }

  /// What the scheduler is told of them at its start; what belongs to rows that are gone is not told.
  public func restorePauses(into engine: SchedulerEngine) {
    for pause in restorablePauses { engine.restore(pause) }
    for skips in restorableSkips { engine.restore(skips) }
    for days in days { engine.restore(days) }
  }

  func keep(_ stored: StoredDays) {
    days.removeAll { $0.app == stored.app && $0.name == stored.name }
    if !stored.days.isEmpty { days.append(stored) }
  }

  public var restorablePauses: [StoredPause] {
    pauses.values.sorted { $0.number < $1.number }.filter { pause in
      guard case .notification(_, let slot, let uuid) = pause.scope else { return true }
      return rows[slot]?.uuid == uuid
    }
  }

  public var restorableSkips: [StoredSkips] {
    skips.values.filter { skips in
      rows[skips.slot]?.uuid == skips.uuid && rows[skips.slot]?.generation == skips.generation
    }.sorted { $0.slot < $1.slot }
  }
}

extension StoredPause {
  /// The app whose it is; nil: everybody's.
  var app: AppNumber? {
    switch scope {
    case .everything: nil
    case .app(let app), .notification(let app, _, _): app
    }
  }
}
