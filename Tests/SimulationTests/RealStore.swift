import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// The real store on a temporary file. A crash takes the files as they are; what the process still
/// held is gone.
final class RealStore: SimulatedStore {
  private let folder: URL
  private var life = 0
  private var store: Store
  private var keeper: StoreWriter
  /// What the keeper holds while the disk refuses, in order.
  private var held: [StoreOperation] = []
  private var waiting: [StoreWriter.Entry] = []
  var written: (StoreOperation) -> Void = { _ in }
  var refuses = false {
    didSet { if refuses != oldValue { setRefusal() } }
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "belfry-life-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    (store, keeper) = try Self.open(folder.appending(path: "0"))
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func open(_ file: URL) throws -> (Store, StoreWriter) {
    let opened = try Store.open(
      path: file.path, options: StoreOptions(now: LifeShape.start), forget: {}, pending: { _ in })
    for warning in opened.warnings { Issue.record("the books were opened with: \(warning)") }
    // Lives end by crashes of the process, not of the kernel: what is written need not be synced.
    try opened.store.database.execute("PRAGMA synchronous = OFF")
    // A life's disk may refuse for longer than records are held; what is dropped then is not lost
    // by a crash, which is what is looked for here.
    let keeper = StoreWriter(opened.store, heldLimit: .max) { level, text in
      let isExpected = text.contains("records are held") || text.contains("written again")
      if level == .error, !isExpected { Issue.record("the books say: \(text)") }
    }
    return (opened.store, keeper)
  }

  /// Records are written with what follows them, as the store thread does.
  func perform(_ ticket: StoreTicket, _ operation: StoreOperation) -> StoreOutcome? {
    if operation.isRecord {
      if refuses { held.append(operation) } else { written(operation) }
      waiting.append(StoreWriter.Entry(ticket: 0, operation: operation))
      if waiting.count == 64 { write() }
      return nil
    }
    waiting.append(StoreWriter.Entry(ticket: ticket, operation: operation))
    let outcome = write().last?.outcome
    if !operation.isRead, !refuses { written(operation) }
    return outcome
  }

  @discardableResult
  private func write() -> [StoreWriter.Answer] {
    defer { waiting = [] }
    return keeper.carryOut(waiting)
  }

  private func setRefusal() {
    // What was taken before was taken.
    write()
    do {
      try store.database.execute("PRAGMA query_only = \(refuses ? "ON" : "OFF")")
    } catch {
      Issue.record("\(error)")
    }
    guard !refuses else { return }
    keeper.retry()
    #expect(!keeper.isHolding)
    for operation in held { written(operation) }
    held = []
  }

  func crash() {
    write()
    do {
      let (old, new) = (folder.appending(path: "\(life)"), folder.appending(path: "\(life + 1)"))
      try copy(to: new)
      store.close()
      remove(old)
      life += 1
      held = []
      (store, keeper) = try Self.open(new)
      if refuses { setRefusal() }
    } catch {
      Issue.record("\(error)")
    }
  }

  /// The files as they are now, while the store is open.
  private func copy(to new: URL) throws {
    let old = folder.appending(path: "\(life)")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: old.path + suffix) {
      try FileManager.default.copyItem(atPath: old.path + suffix, toPath: new.path + suffix)
    }
  }

  private func remove(_ file: URL) {
    for suffix in ["", "-wal"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
  }

  func read() -> StoredState {
    var state = StoredState()
    write()
    do {
      let copied = folder.appending(path: "read")
      try copy(to: copied)
      let opened = try Store.open(
        path: copied.path, options: StoreOptions(now: LifeShape.start), forget: {},
        pending: { state.summaries.append($0) })
      state.apps = opened.apps
      state.open = opened.occurrences
      state.queuedEvents = opened.queuedEvents
      state.snoozes = opened.snoozes
      state.waiting = opened.waiting
      state.owed = opened.owed
      state.pauses = opened.pauses
      state.skips = opened.skips
      state.days = opened.days
      state.lastFix = opened.lastFix
      if case .listed(let rows, nil) = try opened.store.list(nil, after: 0, 10_000) {
        state.rows = rows
      } else {
        Issue.record("the list has more than a page")
      }
      opened.store.close()
      remove(copied)
    } catch {
      Issue.record("\(error)")
    }
    return state
  }
}

@Suite struct StoreSimulationTests {
  @Test func D7_D8_N15_N17_livesWithTheRealBooks() {
    let fresh = Lives.freshSeeds(SimulationTests.fresh > 0 ? 1 : 0)
    Lives([101, 102, 104, 105] + fresh).lead("real books") { Self.store }
  }

  @Test func D1_D7_D11_R3_livesAmongAppsWithTheRealBooks() {
    Lives([103, 105], hasApps: true).lead("real books, apps") { Self.store }
  }

  private static var store: any SimulatedStore {
    do { return try RealStore() } catch { fatalError("no temporary books: \(error)") }
  }
}
