import BelfryCore
import SchedulerFixtures

/// Books that a simulated board writes to.
protocol SimulatedBooks: AnyObject {
  /// Called for every operation that has reached the disk, in order.
  var written: (BookOperation) -> Void { get set }
  /// The disk takes no writes; reads are answered.
  var refuses: Bool { get set }

  /// nil: an operation that is not answered.
  func perform(_ ticket: BookTicket, _ operation: BookOperation) -> BookOutcome?
  /// The process that had them open is gone, and with it what had not reached the disk.
  func crash()
  /// As a start reads them.
  func read() -> StoredState
}

struct StoredState {
  var apps: [StoredApp] = []
  var rows: [StoredNotification] = []
  var summaries: [PendingSummary] = []
  var open: [OpenOccurrence] = []
  var happenings: [StoredHappening] = []
  var snoozes: [StoredSnooze] = []
  var owed: [(occurrence: OccurrenceID, sink: String)] = []
  var lastFix: LocationFix?
}

/// Books in memory, fast enough for years.
final class MemoryBooks: SimulatedBooks {
  private let books = FakeBooks()
  /// What a refusing disk has not taken, as the book thread holds it.
  private var held: [BookOperation] = []
  var written: (BookOperation) -> Void = { _ in }
  var refuses = false {
    didSet { if !refuses { flush() } }
  }

  func perform(_ ticket: BookTicket, _ operation: BookOperation) -> BookOutcome? {
    if operation.isRecord {
      if refuses { held.append(operation) } else { write(operation) }
      return nil
    }
    if operation.isRead { return books.perform(operation) }
    if refuses { return .failed(reason: "no space is left") }
    let outcome = books.perform(operation)
    written(operation)
    return outcome
  }

  private func flush() {
    for operation in held { write(operation) }
    held = []
  }

  private func write(_ operation: BookOperation) {
    _ = books.perform(operation)
    books.recorded = []
    written(operation)
  }

  func crash() { held = [] }

  func read() -> StoredState {
    let rows = books.rows.values.sorted { $0.slot < $1.slot }
    var state = StoredState(
      apps: books.apps.values.sorted { $0.number < $1.number }, rows: rows,
      summaries: rows.map { books.summary($0) },
      open: books.open.values.sorted { $0.occurrence.id < $1.occurrence.id })
    state.happenings = books.happenings.values.sorted { $0.number < $1.number }
    state.snoozes = books.snoozed.values.sorted { $0.occurrence.id < $1.occurrence.id }
    state.owed = books.owed
    state.lastFix = books.lastFix
    return state
  }
}

extension BookOperation {
  var isRecord: Bool { if case .record = self { true } else { false } }
  var isRead: Bool { if case .question = self { true } else { false } }
}

extension OccurrenceID {
  /// Some order, the same in every run.
  static func < (left: OccurrenceID, right: OccurrenceID) -> Bool {
    (left.uuid.low, left.generation, left.k, left.snooze)
      < (right.uuid.low, right.generation, right.k, right.snooze)
  }
}

extension StoredNotification {
  /// Its anchor is what clocks show, and not an instant.
  var isWall: Bool { (plan?.mode ?? .absolute) != .absolute }
}
