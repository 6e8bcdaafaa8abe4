import BelfryCore

/// What sinks show, while the disk refuses to hear of it (D8).
extension BookKeeper {
  /// The answer to `findShown` with the records that wait for the disk carried out for the look, and
  /// taken back; nil: none of them matters, or the books cannot even be tried.
  func findShown(_ operation: BookOperation) -> BookOutcome? {
    guard case .question(let question) = operation,
      case .findShown(let app, let identifier, let id) = question
    else { return nil }
    let concerned = held.filter { $0.operation.concerns(app, identifier, id) }
    guard !concerned.isEmpty else { return nil }
    defer { books.rollBack() }
    do throws(StoreError) {
      try books.begin()
      for entry in concerned { _ = try books.carryOut(entry.operation) }
      return try books.answer(question)
    } catch {
      return nil
    }
  }
}

extension BookOperation {
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
    switch self {
    case .intend(let occurrence, let number, _), .fired(let occurrence, let number, _, _):
      return occurrence.id == id
        || identifier != nil && number == app && occurrence.notification.identifier == identifier
    case .settle(let row, let number, _, let replaces, _):
      return row.occurrence == id || replaces.contains { $0 == id }
        || identifier != nil && number == app && row.identifier == identifier
    case .putAway(let occurrence, let number, let name, _, _):
      return occurrence == id || identifier != nil && number == app && name == identifier
    case .forgetApp(let number): return app == nil || number == app
    case .withdrawIntent, .finish, .skip, .planAfresh, .rebase, .noteClock, .setBadge, .noteUse,
      .noteCritical, .keepHappening, .forgetHappening, .owe, .paidOff, .snooze, .unsnooze,
      .register, .setSide, .noteFix:
      return false
    }
  }
}
