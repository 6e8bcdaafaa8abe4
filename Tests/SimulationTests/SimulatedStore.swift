import BelfryCore
import SchedulerFixtures

/// What a simulated board stores in.
protocol SimulatedStore: AnyObject {
  /// Called for every operation that has reached the disk, in order.
  var written: (StoreOperation) -> Void { get set }
  /// The disk takes no writes; reads are answered.
  var refuses: Bool { get set }

  /// nil: an operation that is not answered.
  func perform(_ ticket: StoreTicket, _ operation: StoreOperation) -> StoreOutcome?
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
  var queuedEvents: [StoredQueuedEvent] = []
  var snoozes: [StoredSnooze] = []
  var waiting: [WaitingAlert] = []
  var owed: [(occurrence: OccurrenceID, sink: String)] = []
  var lastFix: LocationFix?
  var pauses: [StoredPause] = []
  var skips: [StoredSkips] = []
  var days: [StoredDays] = []
}

/// A store in memory, fast enough for years.
final class MemoryStore: SimulatedStore {
  private let store = FakeStore()
  /// What a refusing disk has not taken, as the store thread holds it.
  private var held: [StoreOperation] = []
  var written: (StoreOperation) -> Void = { _ in }
  var refuses = false {
    didSet { if !refuses { flush() } }
  }

  func perform(_ ticket: StoreTicket, _ operation: StoreOperation) -> StoreOutcome? {
    if operation.isRecord {
      if refuses { held.append(operation) } else { write(operation) }
      return nil
    }
    if operation.isRead { return store.perform(operation) }
    if refuses { return .failed(reason: "no space is left") }
    let outcome = store.perform(operation)
    written(operation)
    return outcome
  }

  private func flush() {
    for operation in held { write(operation) }
    held = []
  }

  private func write(_ operation: StoreOperation) {
    _ = store.perform(operation)
    store.recorded = []
    written(operation)
  }

  func crash() { held = [] }

  func read() -> StoredState {
    let rows = store.rows.values.sorted { $0.slot < $1.slot }
    var state = StoredState(
      apps: store.apps.values.sorted { $0.number < $1.number }, rows: rows,
      summaries: rows.map { store.summary($0) },
      open: store.open.values.sorted { $0.occurrence.id < $1.occurrence.id })
    state.queuedEvents = store.queuedEvents.values.sorted { $0.number < $1.number }
    state.snoozes = store.snoozed.values.sorted { $0.occurrence.id < $1.occurrence.id }
    state.waiting = store.waiting.values.sorted { $0.occurrence.id < $1.occurrence.id }
    state.owed = store.owed
    state.pauses = store.restorablePauses
    state.skips = store.restorableSkips
    state.days = store.days
    state.lastFix = store.lastFix
    return state
  }
}

extension StoreOperation {
  var isRecord: Bool { if case .record = self { true } else { false } }
  var isRead: Bool { if case .question = self { true } else { false } }
}

extension OccurrenceID {
  /// Some order, the same in every run.
  static func < (left: OccurrenceID, right: OccurrenceID) -> Bool {
    (left.uuid.low, left.generation, left.k, left.snooze, left.step)
      < (right.uuid.low, right.generation, right.k, right.snooze, right.step)
  }
}

extension StoredNotification {
  /// Its anchor is what clocks show, and not an instant.
  var isWall: Bool { (plan?.mode ?? .absolute) != .absolute }
}
