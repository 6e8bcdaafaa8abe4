import BelfryCore
import BelfrySystem

/// Fresh store with all that can be read of damaged ones, which are set aside and never deleted.
struct StoreRepair {
  let path: String
  /// A registered SQLite VFS; nil: SQLite's default.
  let vfs: String?
  let now: Instant

  /// What is salvaged, until it is in the store's place.
  private var saved: String { path + "-saved" }

  /// Puts what a kill left in the middle of a recovery, or of writing the store anew, in its place.
  ///
  /// A kill between the two renames of `replace` leaves the recovered store beside its place; one
  /// before it leaves them unfinished, while the damaged ones are still in theirs. A copy that is
  /// called whole is whole.
  func finish() throws(StoreError) {
    try? Files.remove(path + "-partial")
    let whole = StoreFile.whole(path)
    do throws(SystemError) {
      if DamagedFile.isThere(whole) {
        if DamagedFile.isThere(path) {
          do throws(StoreError) {
            _ = try DamagedFile.move(path, now: now, word: .replaced)
          } catch {
            throw SystemError(code: error.systemError, operation: error.operation)
          }
        }
        try Files.rename(whole, to: path)
      }
      guard DamagedFile.isThere(saved) else { return }
      if DamagedFile.isThere(path) {
        try Files.remove(saved)
      } else {
        try Files.rename(saved, to: path)
      }
    } catch {
      // On a disk that cannot be written it may stay.
      guard DamagedFile.isThere(path) else {
        throw StoreError(.cannotOpen, "rename \(saved)", systemError: error.code)
      }
    }
  }

  /// Returns what was done, for the operator. Throws the disk's errors, and then all is as it was.
  func replace(_ damage: StoreError) throws(StoreError) -> String {
    let report: Recovery.RecoveryReport
    do throws(StoreError) {
      report = try recovery()
      // What it held may be there again when the device is.
      if report.isBlank { throw StoreError(.inputOutput, "read \(path)") }
    } catch {
      try? Files.remove(saved)
      throw error
    }
    let aside = try DamagedFile.move(path, now: now)
    try finish()
    return "\(damage.reason): they were set aside as \(aside) and fresh ones begun" + report.words
  }

  private func recovery() throws(StoreError) -> Recovery.RecoveryReport {
    try? Files.remove(saved)
    try IntegrityMark.make(saved)
    let target = try Database(path: saved, vfs: vfs)
    defer { target.close() }
    // Whole or not there: no log is needed.
    try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL")
    try target.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -256")
    return try Recovery.copy(from: path, into: target)
  }
}

extension Store {
  /// Damage that shows while they are in use: goes on with fresh ones that have all that can be
  /// read; returns what was done. Throws where they cannot be written: then it goes on in memory.
  func recover(_ damage: StoreError) throws(StoreError) -> String {
    resetAll()
    file.note?.clear()
    close()
    do throws(StoreError) {
      let recovery = StoreRepair(path: file.path, vfs: file.vfs, now: SystemClock.real())
      let sentence = try recovery.replace(damage)
      database = try Database.written(file.path, file.vfs)
      place = FilePlace(file)
      return sentence
    } catch {
      let memory = try Database()
      let report = try Recovery.copy(from: file.path, into: memory)
      database = memory
      file.refusal = error
      file.isDamaged = true
      file.mayBeReplaced = report.unreadable == 0
      throw error
    }
  }

  /// Whether damage is what makes SQLite refuse a statement; costs a look at the whole file.
  func isDamaged(_ error: StoreError) -> Bool {
    if error.code == .damaged { return true }
    guard error.isDamage else { return false }
    do throws(StoreError) {
      try Schema.checkText(database, version: try Schema.version(of: database))
      return try database.text("PRAGMA integrity_check(1)") != "ok"
    } catch {
      return error.isDamage
    }
  }
}
