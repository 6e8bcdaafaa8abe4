import BelfryCore
import CSQLite

/// One connection to an SQLite file, used by one thread at a time.
final class Database {
  private let handle: OpaquePointer
  private let frameCounter: UnsafeMutablePointer<Int32>
  private var isOpen = true
  private let work = Statement.Work()

  /// Opens or creates the file; the first read happens later.
  ///
  /// `vfs`: a registered SQLite VFS; nil: SQLite's default.
  convenience init(path: String, vfs: String?) throws(StoreError) {
    try self.init(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs)
  }

  /// Opens a file that nobody writes meanwhile, to be read alone: nothing on the disk is touched.
  ///
  /// `log` false: what stands in its log does not count.
  convenience init(reading path: String, log: Bool) throws(StoreError) {
    // Without locks, which a file that is open for reading cannot have for itself. SQLite wants a
    // log beside a file that had one when it was written, unless the file is said never to change.
    if log {
      try self.init(path, SQLITE_OPEN_READONLY, "unix-none")
    } else {
      try self.init(Self.immutable(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
    }
  }

  /// An empty database in memory.
  convenience init() throws(StoreError) {
    try self.init(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
  }

  private init(_ name: String, _ flags: Int32, _ vfs: String?) throws(StoreError) {
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(
      name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs)
    guard result == SQLITE_OK, let handle else {
      let error = StoreError(result: result, database: handle, "open \(name)")
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    frameCounter = .allocate(capacity: 1)
    frameCounter.pointee = 0
    csqlite_count_frames(handle, frameCounter)
  }

  deinit {
    close()
    frameCounter.deallocate()
  }

  /// Folds the log into the file and closes it; every `Statement` must be gone.
  func close() {
    guard isOpen else { return }
    isOpen = false
    sqlite3_close_v2(handle)
  }

  /// From now on closing leaves the log as it is: it may be nothing but a hole.
  func keepLog() { if isOpen { csqlite_keep_log(handle) } }

  /// The permissions allow no writing.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  var isInTransaction: Bool { isOpen && sqlite3_get_autocommit(handle) == 0 }

  /// Rows inserted, changed or deleted since the file was opened.
  var totalChanges: Int64 { isOpen ? sqlite3_total_changes64(handle) : 0 }

  /// Rows inserted, changed or deleted by the statement that ran last.
  var lastChanges: Int64 { sqlite3_changes64(handle) }

  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Pages that were looked at since the file was opened, in memory or on the disk.
  var pagesRead: Int64 {
    isOpen ? status(SQLITE_DBSTATUS_CACHE_HIT) + status(SQLITE_DBSTATUS_CACHE_MISS) : 0
  }

  /// What all work has cost: these, and those that were given to be written.
  var cost: Int64 { pagesRead + work.bytes >> 10 }

  private func status(_ what: Int32) -> Int64 {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, what, &current, &highest, 0)
    return Int64(current)
  }

  /// Pages in the log that may not be in the file yet.
  var logFrames: Int32 { frameCounter.pointee }

  /// One that was closed because its file could not be read again.
  private func requireOpen() throws(StoreError) {
    if !isOpen { throw StoreError(.cannotOpen, "the books are closed") }
  }

  func prepare(_ sql: String) throws(StoreError) -> Statement {
    try requireOpen()
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard result == SQLITE_OK, let statement else { throw error(result, sql) }
    return Statement(statement, operation: Self.firstWords(of: sql), work: work)
  }

  /// Runs one or more statements that return nothing of interest.
  func execute(_ sql: String) throws(StoreError) {
    try requireOpen()
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw error(result, sql) }
  }

  /// The first column of the first row as an integer; 0 without a row.
  func integer(_ sql: String) throws(StoreError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// The first column of the first row as text; empty without a row.
  func text(_ sql: String) throws(StoreError) -> String {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : ""
  }

  /// Copies the log into the file as far as it can without waiting.
  func checkpoint() throws(StoreError) {
    try requireOpen()
    var frames: Int32 = 0
    var copied: Int32 = 0
    let result = sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_PASSIVE, &frames, &copied)
    guard result == SQLITE_OK else { throw error(result, "checkpoint") }
    frameCounter.pointee = max(0, frames - copied)
  }

  /// Copies all of the log into the file; false: some of it is still in the log alone.
  func foldIn() throws(StoreError) -> Bool {
    try checkpoint()
    return logFrames == 0
  }

  /// Ends a transaction without its changes, if SQLite has not done so by itself.
  func rollBack() {
    if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  private func error(_ result: Int32, _ sql: String) -> StoreError {
    StoreError(result: result, database: handle, Self.firstWords(of: sql))
  }

  /// Makes this one, which is empty, a copy of another.
  func copy(_ source: Database) throws(StoreError) {
    try source.requireOpen()
    guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw error(sqlite3_errcode(handle), "copy the books")
    }
    let result = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE else { throw error(result, "copy the books") }
  }

  /// SQLite's name for a file that does not change (URI, RFC 3986).
  private static func immutable(_ path: String) -> String {
    var bytes = Array("file:".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"):
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self) + "?immutable=1"
  }

  /// Enough of a statement to know it by.
  private static func firstWords(of sql: String) -> String {
    sql.split(separator: " ", maxSplits: 3).prefix(3).joined(separator: " ")
  }
}
