import BelfryCore
import BelfrySystem

/// How the books are opened.
public struct BooksOptions: Sendable {
  public var history = HistoryLimits()
  /// A registered SQLite VFS; nil: SQLite's default.
  public var vfs: String?
  /// Dates a file that is set aside.
  public var now: Instant

  public init(now: Instant) {
    self.now = now
  }
}

/// Open books, and what the clock starts from.
public struct OpenedBooks {
  public var books: Books
  public var apps: [StoredApp]
  /// In order of due.
  public var occurrences: [OpenOccurrence]
  /// What time it was when the books were last written (T9).
  public var lastTime: LastTime
  /// What the operator must hear of: books set aside, rows that cannot be read.
  public var warnings: [String]
}

extension Books {
  /// A file that was closed in an orderly way is believed, and so is a larger one: then reading
  /// the pending rows is the check, and an error met later makes the next start check all.
  private static let quickCheckBytes: Int64 = 16 << 20

  /// Opens the books, or makes them; gives every app to `app`, then every pending row to `pending`,
  /// in order of slot.
  ///
  /// A damaged file is set aside under a dated name, never deleted, and a fresh one begun:
  /// `warnings` says so, and `forget` is called for rows that were given before the damage showed.
  /// Throws what cannot be mended here: `newerVersion`, `inUse`, `noRights`, `readOnly`, `full`,
  /// `inputOutput`, `cannotOpen`. Blocks on the disk.
  public static func open(
    path: String, options: BooksOptions, forget: () -> Void, app: (StoredApp) -> Void = { _ in },
    pending: (PendingSummary) -> Void
  ) throws(StoreError) -> OpenedBooks {
    do throws(StoreError) {
      return try openAsIs(path, options, app, pending)
    } catch {
      guard error.code == .damaged else { throw error }
      let aside = try SetAside.move(path, now: options.now)
      forget()
      var opened = try openAsIs(path, options, app, pending)
      opened.warnings.insert(
        """
        \(error.reason): they were set aside as \(aside) and fresh ones begun; \
        what was scheduled is only in that file
        """, at: 0)
      return opened
    }
  }

  private static func openAsIs(
    _ path: String, _ options: BooksOptions, _ app: (StoredApp) -> Void,
    _ pending: (PendingSummary) -> Void
  ) throws(StoreError) -> OpenedBooks {
    let suspicion = try Suspicion(path)
    let database = try Database(path: path, vfs: options.vfs)
    do throws(StoreError) {
      try prepare(database, path)
      if suspicion.isDue(upTo: quickCheckBytes) {
        let verdict = try database.text("PRAGMA quick_check(1)")
        guard verdict == "ok" else { throw StoreError(.damaged, "quick check: \(verdict)") }
      }
      let books = Books(database, limits: options.history)
      let apps = try books.apps()
      for stored in apps { app(stored) }
      let occurrences = try books.openOccurrences()
      try books.eachPending(pending)
      let opened = OpenedBooks(
        books: books, apps: apps, occurrences: occurrences, lastTime: try books.lastTime(),
        warnings: books.takeComplaints())
      suspicion.clear()
      return opened
    } catch {
      database.close()
      throw error
    }
  }

  /// Settings first: an exclusive lock before the first access keeps the log's index in this
  /// process's memory, so that there is no -shm file and no lock call for each transaction.
  private static func prepare(_ database: Database, _ path: String) throws(StoreError) {
    if database.isReadOnly {
      try Suspicion.touch(path)
      throw StoreError(.readOnly, "open \(path)")
    }
    try database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY")
    try database.execute("PRAGMA cache_size = -256; PRAGMA secure_delete = OFF")
    if try database.integer("PRAGMA page_count") == 0 { try database.execute(Schema.foundation) }
    let owner = try database.integer("PRAGMA application_id")
    let tables = try database.integer("SELECT count(*) FROM sqlite_schema")
    guard tables == 0 || owner == Schema.applicationID else {
      throw StoreError(.damaged, "\(path) holds something else")
    }
    try Schema.refuseNewer(database)
    try database.execute("PRAGMA journal_mode = WAL")
    try database.execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 8388608")
    try Schema.bringUp(database)
  }

  // MARK: What the clock starts from

  private func apps() throws(StoreError) -> [StoredApp] {
    var apps: [StoredApp] = []
    let row = try statement(.apps)
    while try row.step() {
      apps.append(
        StoredApp(
          number: AppNumber(truncatingIfNeeded: row.integer(0)), name: row.text(1),
          owner: UInt32(truncatingIfNeeded: row.integer(2)), badge: row.integer(3)))
    }
    row.reset()
    return apps
  }

  private func eachPending(_ body: (PendingSummary) -> Void) throws(StoreError) {
    let row = try statement(.pending)
    while try row.step() {
      let summary = PendingSummary(row)
      if summary.isBroken(row) {
        complain(StoreError(.content, "row \(summary.slot): when it is due").reason)
      }
      body(summary)
    }
    row.reset()
  }

  private func openOccurrences() throws(StoreError) -> [OpenOccurrence] {
    var open: [OpenOccurrence] = []
    let row = try statement(.occurrences)
    defer { row.reset() }
    while try row.step() {
      guard let notification = readable(row.blob(13), identifier: row.text(12)) else { continue }
      var occurrence = Occurrence(
        id: row.occurrenceID(3), app: row.text(1), notification: notification,
        due: Instant(nanoseconds: row.integer(7)))
      occurrence.missed = row.integer(8)
      occurrence.missedSince = row.optionalInteger(9).map { Instant(nanoseconds: $0) }
      open.append(
        OpenOccurrence(
          occurrence: occurrence, app: AppNumber(truncatingIfNeeded: row.integer(0)),
          slot: row.optionalInteger(2).map { Slot(truncatingIfNeeded: $0) },
          sinks: row.optionalText(10).map { OccurrenceKey.split($0) },
          settled: OccurrenceKey.split(row.text(11))))
    }
    return open
  }
}
