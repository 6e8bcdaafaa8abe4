import BelfryCore
import BelfrySystem

/// Which file stands at the store's path, so that one that was removed, renamed or replaced under
/// belfryd is noticed.
///
/// The connection goes on with the file that it has open, whatever happens to its name: all that is
/// written from then on is gone with the process. Costs two stat(2) for each group of operations.
/// There is no -shm: the log's index is in memory.
struct FilePlace {
  enum Loss {
    /// The file is not where the next start looks for it.
    case file
    /// The log alone is not.
    case log
  }

  private struct Identity: Equatable {
    var device: UInt64
    var inode: UInt64

    init?(_ path: String) {
      guard let status = try? Files.status(path, follow: true) else { return nil }
      device = status.device
      inode = status.inode
    }
  }

  private let path: String
  private let file: Identity?
  /// nil: SQLite has not made it yet.
  private var log: Identity?

  /// Taken right after the opening.
  init(_ path: String) {
    self.path = path
    file = Identity(path)
    log = Identity(path + "-wal")
  }

  /// nil: all is where it was.
  mutating func loss() -> Loss? {
    if Identity(path) != file { return .file }
    let now = Identity(path + "-wal")
    if log == nil { log = now }
    return now == log ? nil : .log
  }
}

extension Store {
  /// What is not where the next start looks for it; nil: nothing.
  func loss() -> FilePlace.Loss? {
    file.refusal == nil ? place?.loss() : nil
  }

  /// Brings what this connection holds, which is all that was acknowledged, back to the store's
  /// path; returns what was done, for the operator.
  func putBack(_ loss: FilePlace.Loss) throws(StoreError) -> String {
    do throws(StoreError) {
      switch loss {
      case .log: return try putBackLog()
      case .file:
        let other = try writeWhole()
        let words = other.map { ": the file that stands there now is kept as \($0)" } ?? ""
        return """
          the books were removed or replaced under belfryd\(words); all of them are written anew
          """
      }
    } catch {
      throw StoreError(.displaced, error.reason, systemError: error.systemError)
    }
  }

  /// All of the log goes into the file, which is where it was.
  private func putBackLog() throws(StoreError) -> String {
    resetAll()
    guard try database.foldIn() else { throw StoreError(.displaced, "fold in the log") }
    // SQLite removes what has the log's name at closing, whoever made it.
    if DamagedFile.isThere(file.path + "-wal") {
      try? Files.rename(file.path + "-wal", to: file.path + "-wal.replaced")
    }
    try openFile()
    return "the books' log was removed or replaced under belfryd: it is folded in and begun anew"
  }

  func openFile() throws(StoreError) {
    close()
    database = try Database.written(file.path, file.vfs)
    place = FilePlace(file.path)
  }

  /// Writes the whole of what this connection holds to a new file, puts that in the store's place and
  /// goes on with it. What stood there is set aside under a name with `word`; returns that name, nil:
  /// there was nothing.
  ///
  /// A kill at any step leaves either the old file or the whole new one for the next start.
  func writeWhole(word: DamagedFiles.Word = .replaced) throws(StoreError) -> String? {
    resetAll()
    let path = file.path
    let whole = StoreFile.whole(path)
    try StoreFile.write(database, whole: path, file.vfs)
    let other = DamagedFile.isThere(path) || DamagedFile.isThere(path + "-wal")
    let aside = other ? try DamagedFile.move(path, now: SystemClock.real(), word: word) : nil
    close()
    do throws(SystemError) {
      try Files.rename(whole, to: path)
      try Files.open(Files.parent(of: path), .read).sync()
    } catch {
      throw StoreError(.cannotOpen, "rename \(whole)", systemError: error.code)
    }
    database = try Database.written(path, file.vfs)
    place = FilePlace(path)
    return aside
  }
}

extension StoreFile {
  /// A complete copy on its way into the store's place: newer than what stands there.
  static func whole(_ path: String) -> String { path + "-whole" }

  /// Writes a database to a file beside the store that bears its name only once it is complete.
  fileprivate static func write(
    _ database: Database, whole path: String, _ vfs: String?
  ) throws(StoreError) {
    let partial = path + "-partial"
    do throws(StoreError) {
      try? Files.remove(partial)
      try IntegrityMark.touch(partial)
      let target = try Database(path: partial, vfs: vfs)
      defer { target.close() }
      try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL")
      try target.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -256")
      try target.copy(database)
    } catch {
      try? Files.remove(partial)
      throw error
    }
    do throws(SystemError) {
      try Files.open(partial, .readWrite).sync()
      try Files.rename(partial, to: whole(path))
      try Files.open(Files.parent(of: path), .read).sync()
    } catch {
      throw StoreError(.cannotOpen, "write \(partial)", systemError: error.code)
    }
  }
}
