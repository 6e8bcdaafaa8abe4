import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// A store in a folder of its own, worked on synchronously.
final class StoreBench {
  static let start = Instant(nanoseconds: 1_900_000_000 * Nanoseconds.second)

  let folder: String
  var path: String { folder + "/books.sqlite" }
  var options = StoreOptions(now: StoreBench.start)
  private(set) var opened: OpenedStore
  private(set) var keeper: StoreWriter
  private(set) var pending: [PendingSummary] = []
  private(set) var forgotten = 0
  let log = LogLines()

  /// `remembers`: what stands in the log is noted, as belfryd does in its run folder.
  init(
    _ prepare: (String) throws -> Void = { _ in }, vfs: String? = nil, remembers: Bool = false
  ) throws {
    folder = NSTemporaryDirectory() + "belfry-store-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    options.vfs = vfs
    if remembers { options.note = folder + ".note" }
    var rows: [PendingSummary] = []
    var forgotten = 0
    do {
      try prepare(folder + "/books.sqlite")
      opened = try Store.open(
        path: folder + "/books.sqlite", options: options,
        forget: {
          rows = []
          forgotten += 1
        }, pending: { rows.append($0) })
    } catch {
      // Without a bench there is no deinit.
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
    keeper = Self.keep(opened.store, log)
    pending = rows
    self.forgotten = forgotten
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
    if let note = options.note { try? FileManager.default.removeItem(atPath: note) }
  }

  /// Closes and opens again.
  func reopen() throws {
    keeper.close()
    try openAgain()
  }

  /// Ends as kill -9 does: nothing is folded in.
  func kill() {
    opened.store.database.keepLog()
    opened.store.close()
  }

  /// Opens what an earlier life left behind without having closed it.
  func openAgain() throws {
    var rows: [PendingSummary] = []
    opened = try Store.open(
      path: path, options: options, forget: { rows = [] }, pending: { rows.append($0) })
    pending = rows
    keeper = Self.keep(opened.store, log)
  }

  private static func keep(_ store: Store, _ log: LogLines) -> StoreWriter {
    StoreWriter(store) { level, line in log.add(level, line) }
  }

  /// Carries out operations as one group; the answers in order.
  @discardableResult
  func run(_ operations: StoreOperation...) -> [StoreOutcome] { carryOut(operations) }

  @discardableResult
  func run(_ questions: StoreQuestion...) -> [StoreOutcome] {
    carryOut(questions.map { .question($0) })
  }

  @discardableResult
  func run(_ changes: StoreChange...) -> [StoreOutcome] { carryOut(changes.map { .change($0) }) }

  @discardableResult
  func run(_ records: StoreRecord...) -> [StoreOutcome] { carryOut(records.map { .record($0) }) }

  private func carryOut(_ operations: [StoreOperation]) -> [StoreOutcome] {
    keeper.carryOut(operations.map { StoreWriter.Entry(ticket: 1, operation: $0) })
      .map { $0.outcome }
  }

  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  // MARK: Asking

  func register(_ app: AppNumber = 1, _ name: String = "app") {
    run(.registerApp(StoredApp(number: app, name: name, owner: 1000, badge: 0)))
  }

  func listed(_ app: AppNumber = 1) -> [StoredNotification] {
    guard case .listed(let rows, _)? = run(.list(apps: [app], cursor: 0, limit: 1000)).first else {
      return []
    }
    return rows
  }

  func history() -> [HistoryRow] {
    guard case .history(let rows, _)? = run(.history(apps: nil, cursor: 0, limit: 10_000)).first
    else { return [] }
    return rows
  }

  func shown() -> [ShownOccurrence] {
    guard case .shown(let rows, _)? = run(.listShown(apps: nil, cursor: 0, limit: 10_000)).first
    else { return [] }
    return rows
  }

  /// SQLite's own opinion, asked through a connection of its own after closing.
  func integrity() throws -> String {
    keeper.close()
    defer { try? openAgain() }
    return try Database(path: path, vfs: nil).text("PRAGMA integrity_check")
  }
}

final class LogLines: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: [(LogLevel, String)] = []

  func add(_ level: LogLevel, _ line: String) { lock.withLock { stored.append((level, line)) } }
  var lines: [String] { lock.withLock { stored.map { $0.1 } } }
  func contains(_ part: String) -> Bool { lines.contains { $0.contains(part) } }
}

/// A row like the scheduler makes them.
func row(
  _ slot: Slot, _ identifier: String, app: AppNumber = 1, body: String? = nil,
  unit: RepeatUnit? = nil, at seconds: Int64 = 100
) -> StoredNotification {
  var notification = BelfryCore.Notification()
  notification.identifier = identifier
  notification.alertBody = body ?? "body of \(identifier)"
  notification.repeatInterval = unit
  let due = StoreBench.start.advanced(by: seconds * Nanoseconds.second)
  notification.fireDate = due
  return StoredNotification(
    slot: slot, app: app, uuid: UUIDBits(high: UInt64(slot), low: .max), generation: 0,
    sequence: Int64(slot), anchor: due, firedThrough: -1, notification: notification)
}

extension StoredNotification {
  func occurrence(_ k: Int64 = 0) -> Occurrence {
    Occurrence(
      id: OccurrenceID(uuid: uuid, generation: generation, k: k), app: "app",
      notification: notification, due: anchor.advanced(by: k * Nanoseconds.minute))
  }

  func settled(
    _ sink: String, k: Int64 = 0, _ state: DeliveryState = .delivered, reason: String? = nil
  ) -> HistoryRow {
    let occurrence = occurrence(k)
    return HistoryRow(
      app: "app", identifier: identifier, occurrence: occurrence.id, sink: sink,
      due: occurrence.due, handedOver: occurrence.due.advanced(by: 50_000),
      acknowledged: occurrence.due.advanced(by: Nanoseconds.millisecond), state: state,
      reason: reason, attempts: 1)
  }
}
