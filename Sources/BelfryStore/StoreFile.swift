import BelfryCore
import BelfrySystem

/// The file that the store is, and whether it can be written.
struct StoreFile {
  /// The path that was asked for; a link there leads to `path`.
  let origin: String
  /// Where the file itself is, with all that belongs to it.
  var path: String
  /// A registered SQLite VFS; nil: SQLite's default.
  let vfs: String?
  /// Why it cannot be written at the moment; nil: it can.
  var refusal: StoreError?
  /// What is read stands in memory, salvaged from it: it is not to be written over.
  var isDamaged = false
  /// All that the damaged file holds is in memory: fresh store may take its place.
  var mayBeReplaced = false

  /// What a start is to find of the log; nil: nobody remembers it.
  let note: LogNote?

  init(origin: String, path: String, vfs: String?, note: LogNote?) {
    self.origin = origin
    self.path = path
    self.vfs = vfs
    self.note = note
  }

  /// What stands in it, to be read alone; an older schema is brought up in memory, and without a
  /// file there is nothing.
  func read() throws(StoreError) -> Database {
    guard DamagedFile.isThere(path) else {
      let empty = try Database()
      try Schema.bringUp(empty)
      return empty
    }
    let database = try Database(reading: path, log: IntegrityMark.hasLog(path))
    do throws(StoreError) {
      try database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY")
      try database.execute("PRAGMA cache_size = -256")
      try database.refuseForeign(path)
      let version = try Schema.version(of: database)
      try Schema.checkText(database, version: version)
      if version == Schema.steps.count { return database }
      let copy = try Database()
      try copy.copy(database)
      try Schema.bringUp(copy)
      database.close()
      return copy
    } catch {
      database.close()
      throw error
    }
  }
}

extension Database {
  /// The store for writing, of the newest schema.
  ///
  /// Settings first: an exclusive lock before the first access keeps the log's index in this
  /// process's memory, so that there is no -shm file and no lock call for each transaction.
  static func written(_ path: String, _ vfs: String?) throws(StoreError) -> Database {
    let database = try Database(path: path, vfs: vfs)
    do throws(StoreError) {
      try database.prepareForWriting(path)
      return database
    } catch {
      database.close()
      throw error
    }
  }

  private func prepareForWriting(_ path: String) throws(StoreError) {
    if isReadOnly {
      try IntegrityMark.touch(path)
      throw StoreError(.readOnly, "open \(path)")
    }
    try execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY")
    try execute("PRAGMA cache_size = -256; PRAGMA secure_delete = OFF")
    if try integer("PRAGMA page_count") == 0 { try execute(Schema.foundation) }
    try refuseForeign(path)
    try Schema.checkText(self, version: try Schema.version(of: self))
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 8388608")
    try Schema.bringUp(self)
    // What was just made is in no memory once the opening is over, should somebody empty the log.
    if logFrames > 0 { _ = try foldIn() }
  }

  fileprivate func refuseForeign(_ path: String) throws(StoreError) {
    let owner = try integer("PRAGMA application_id")
    let tables = try integer("SELECT count(*) FROM sqlite_schema")
    guard tables == 0 || owner == Schema.applicationID else {
      throw StoreError(.damaged, "\(path) holds something else")
    }
  }
}

extension Store {
  /// Where the disk could not be written: tries it anew, and goes on with the file itself if it can
  /// be by now (D8).
  func writeAgain() throws(StoreError) {
    guard let refusal = file.refusal else { return }
    if file.isDamaged {
      guard file.mayBeReplaced else { throw refusal }
      try writeFromMemory()
      return
    }
    // A cheap try first, that leaves what is open alone.
    try IntegrityMark.touch(file.path)
    close()
    do throws(StoreError) {
      database = try Database.written(file.path, file.vfs)
      file.refusal = nil
      place = FilePlace(file)
    } catch {
      database = try file.read()
      throw error
    }
  }

  /// What was salvaged into memory, because there was no room for it on the disk, goes there.
  private func writeFromMemory() throws(StoreError) {
    // A cheap try first.
    try IntegrityMark.touch(file.path + "-partial")
    let aside = try writeWhole(word: .damaged)
    file.refusal = nil
    file.isDamaged = false
    complain(
      "the books are written again, with what was saved; the damaged ones are \(aside ?? "gone")")
  }
}
