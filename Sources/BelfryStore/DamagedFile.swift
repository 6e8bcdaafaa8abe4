import BelfryCore
import BelfrySystem

/// A damaged store under a dated name, where a person can look at it.
enum DamagedFile {
  /// Renames the file and what belongs to it, and returns the new path; never over another.
  ///
  /// `word` says in its name what it is.
  static func move(
    _ path: String, now: Instant, word: DamagedFiles.Word = .damaged
  ) throws(StoreError) -> String {
    let target = free(path, now, word)
    do throws(SystemError) {
      // The log first: a file without its log is whole, a log beside a fresh file is not.
      for suffix in DamagedFiles.companions + [""] where isThere(path + suffix) {
        try Files.rename(path + suffix, to: target + suffix)
      }
      try Files.open(Files.parent(of: path), .read).sync()
    } catch {
      throw StoreError(.cannotOpen, "set aside \(path)", systemError: error.code)
    }
    try? Files.remove(IntegrityMark.mark(of: path))
    return target
  }

  /// Renames one of the files of the store at `path`, which is none of Belfry's; returns its new path.
  static func move(one: String, of path: String, now: Instant) throws(StoreError) -> String {
    let target = free(path, now, .replaced)
    do throws(SystemError) {
      try Files.rename(one, to: target)
    } catch {
      throw StoreError(.cannotOpen, "set aside \(one)", systemError: error.code)
    }
    return target
  }

  /// A dated name that nothing has.
  private static func free(_ path: String, _ now: Instant, _ word: DamagedFiles.Word) -> String {
    Files.free(path + ".\(word.rawValue)-" + stamp(now))
  }

  static func isThere(_ path: String) -> Bool {
    (try? Files.status(path, follow: false)) != nil
  }

  /// Such as 20261121T090500Z.
  private static func stamp(_ now: Instant) -> String {
    let time = CivilTime(now)
    func digits(_ value: Int64, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    return digits(time.date.year, 4) + digits(time.date.month, 2) + digits(time.date.day, 2) + "T"
      + digits(time.hour, 2) + digits(time.minute, 2) + digits(time.second, 2) + "Z"
  }
}
