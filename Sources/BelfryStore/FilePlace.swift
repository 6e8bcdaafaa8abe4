import BelfryCore
import BelfrySystem

/// Which file stands at the store's path and how much of it there is, so that one that was removed,
/// renamed, replaced or emptied under belfryd is noticed.
///
/// The connection goes on with the file that it has open, whatever happens to its name: all that is
/// written from then on is gone with the process. Costs two stat(2) and a pread(2) for each group of
/// operations. There is no -shm: the log's index is in memory.
final class FilePlace {
  enum Loss {
    /// The file is not where the next start looks for it.
    case file
    /// The link that leads to it leads elsewhere.
    case link
    /// The log alone is not where it was.
    case log
    /// Somebody cut the file or its log: what the log alone had is in memory, if anywhere.
    case content
  }

  struct Identity: Equatable {
    var device: UInt64
    var inode: UInt64

    init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }

    init(_ status: Files.Status) {
      self.init(device: status.device, inode: status.inode)
    }
  }

  private let origin: String
  private let path: String
  private let note: LogNote?
  private let file: Identity?
  /// Neither ever gets shorter, but for the log above its limit.
  private var fileSize: Int64
  private var logSize: Int64 = 0
  /// The last frame of the log, which may be longer: it begins anew without being cut.
  private var lastFrame: Int64 = 0
  /// nil: SQLite has not made it yet.
  private var log: Identity?
  private var openLog: FileDescriptor?

  /// What a log is cut to when it begins anew (`journal_size_limit`).
  static let logLimit: Int64 = 8 << 20

  /// Taken right after the opening. `origin` is the path that was asked for, which may be a link.
  init(_ place: StoreFile) {
    origin = place.origin
    path = place.path
    note = place.note
    let status = Self.status(path)
    file = status.map { Identity($0) }
    fileSize = status?.size ?? 0
    openLog = nil
    take(Self.status(path + "-wal"))
  }

  private static func status(_ path: String) -> Files.Status? {
    try? Files.status(path, follow: false)
  }

  private func take(_ status: Files.Status?) {
    guard log == nil, let status else { return }
    log = Identity(status)
    openLog = try? Files.open(path + "-wal", .read)
  }

  /// nil: all is where it was. `frames`: how many the log has now; 0: all of it is in the file.
  func loss(frames: Int32) -> Loss? {
    let status = Self.status(path)
    guard status.map({ Identity($0) }) == file else { return .file }
    if origin != path, (try? Files.status(origin)).map({ Identity($0) }) != file { return .link }
    let logStatus = Self.status(path + "-wal")
    take(logStatus)
    guard logStatus.map({ Identity($0) }) == log else { return .log }
    let size = logStatus?.size ?? 0
    if (status?.size ?? 0) < fileSize || size < min(logSize, Self.logLimit) || !hasNoHole(size) {
      return .content
    }
    fileSize = max(fileSize, status?.size ?? 0)
    logSize = size
    if frames > 0 { lastFrame = Int64(frames) }
    if let file, let log { note?.write(file: file, log: log, size: size) }
    return nil
  }

  /// The log was folded in.
  func noteGrowth() { fileSize = max(fileSize, Self.status(path)?.size ?? 0) }

  /// SQLite writes on where the log ended, so one that was cut grows again behind a hole: neither its
  /// head nor the last frame that was seen is in one.
  private func hasNoHole(_ size: Int64) -> Bool {
    size == 0 || openLog == nil
      || LogReader.begins(openLog!) && LogReader.hasFrame(openLog!, lastFrame)
  }
}

extension Store {
  /// What is not where the next start looks for it; nil: nothing.
  func loss() -> FilePlace.Loss? {
    file.refusal == nil ? place?.loss(frames: logFrames) : nil
  }

  /// Brings what this connection holds, which is all that was acknowledged, back to the store's
  /// path; returns what was done, for the operator.
  func putBack(_ loss: FilePlace.Loss) throws(StoreError) -> String {
    file.note?.clear()
    do throws(StoreError) {
      switch loss {
      case .log: return try putBackLog()
      case .content: return try putBackContent()
      case .link:
        // Where the next start looks.
        file.path = file.origin
        fallthrough
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

  /// What this connection has in memory is tried first, and is all of it where the books are small.
  private func putBackContent() throws(StoreError) -> String {
    database.keepLog()
    let sentence = "the books or their log were emptied or cut under belfryd"
    do throws(StoreError) {
      let aside = try writeWhole(word: .damaged, mayBeCut: true)
      let kept = aside.map { "; they are kept as \($0)" } ?? ""
      return "\(sentence): nothing is lost, all is written anew\(kept)"
    } catch {
      switch error.code {
      case .full, .readOnly, .noRights: throw error
      default:
        return try recover(StoreError(.damaged, sentence))
          + "; what was acknowledged and stood in the log alone is lost"
      }
    }
  }

  func openFile() throws(StoreError) {
    close()
    database = try Database.written(file.path, file.vfs)
    place = FilePlace(file)
  }

  /// Writes the whole of what this connection holds to a new file, puts that in the store's place and
  /// goes on with it. What stood there is set aside under a name with `word`; returns that name, nil:
  /// there was nothing. `mayBeCut`: the copy is looked at before it counts.
  ///
  /// A kill at any step leaves either the old file or the whole new one for the next start.
  func writeWhole(
    word: DamagedFiles.Word = .replaced, mayBeCut: Bool = false
  ) throws(StoreError) -> String? {
    resetAll()
    let path = file.path
    let whole = StoreFile.whole(path)
    try StoreFile.write(database, whole: path, file.vfs, checks: mayBeCut)
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
    place = FilePlace(file)
    return aside
  }
}

extension StoreFile {
  /// A complete copy on its way into the store's place: newer than what stands there.
  static func whole(_ path: String) -> String { path + "-whole" }

  /// Writes a database to a file beside the store that bears its name only once it is complete.
  fileprivate static func write(
    _ database: Database, whole path: String, _ vfs: String?, checks: Bool
  ) throws(StoreError) {
    let partial = path + "-partial"
    do throws(StoreError) {
      try? Files.remove(partial)
      try IntegrityMark.make(partial)
      let target = try Database(path: partial, vfs: vfs)
      defer { target.close() }
      try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL")
      try target.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -256")
      try target.copy(database)
      if checks, try target.text("PRAGMA integrity_check(1)") != "ok" {
        throw StoreError(.damaged, "copy the books")
      }
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
