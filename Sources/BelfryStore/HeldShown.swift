import BelfryCore

/// What sinks show, while the disk refuses to hear of it (D8).
extension StoreWriter {
  /// The answer to `findShown` with the records that wait for the disk carried out for the look, and
  /// taken back; nil: none of them matters, or the store cannot even be tried.
  func findShown(_ operation: StoreOperation) -> StoreOutcome? {
    guard case .question(let question) = operation,
      case .findShown(let app, let identifier, let id) = question
    else { return nil }
    let concerned = held.entries.filter { $0.operation.concerns(app, identifier, id) }
    guard !concerned.isEmpty else { return nil }
    defer { store.rollBack() }
    do throws(StoreError) {
      try store.begin()
      for entry in concerned { _ = try store.carryOut(entry.operation) }
      return try store.answer(question)
    } catch {
      return nil
    }
  }
}

extension StoreOperation {
  /// The same of what it records; a question and a change tell of nothing that has happened.
  fileprivate func concerns(
    _ app: AppNumber?, _ identifier: String?, _ id: OccurrenceID?
  ) -> Bool {
    switch self {
    case .record(let record): record.concerns(app, identifier, id)
    case .question, .change: false
    }
  }
}

extension StoreRecord {
  /// Whether it tells of what is shown under this identifier of the app, or this occurrence id.
  fileprivate func concerns(
    _ app: AppNumber?, _ identifier: String?, _ id: OccurrenceID?
  ) -> Bool {
    let isNewest = identifier == nil && id == nil
    switch self {
    case .intend(let occurrence, let number, _), .fired(let occurrence, let number, _, _):
      return occurrence.id.base == id
        || isNewest && number == app
        || identifier != nil && number == app && occurrence.notification.identifier == identifier
    case .settle(let row, let number, _, let replaces, _):
      return row.occurrence.base == id || replaces.contains { $0.base == id }
        || isNewest && number == app
        || identifier != nil && number == app && row.identifier == identifier
    case .markHandled(let occurrence, let number, let name, _, _, _):
      return occurrence.base == id || isNewest && number == app
        || identifier != nil && number == app && name == identifier
    case .forgetApp(let number): return app == nil || number == app
    case .withdrawIntent, .finish, .skip, .replanFromNow, .rebase, .noteClock, .setBadge,
      .limitHistory, .limitBytes, .noteUse, .noteCritical,
      .keepQueuedEvent, .forgetQueuedEvent, .queueWithdrawal, .withdrawalsConfirmed,
      .snooze, .unsnooze, .keepWaitingAlert, .forgetWaitingAlert,
      .register, .setSide, .noteFix, .passOver, .pause, .resume, .setSkips,
      .keepDays:
      return false
    }
  }
}
