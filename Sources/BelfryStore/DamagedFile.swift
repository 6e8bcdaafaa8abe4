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
    let dated = path + ".\(word.rawValue)-" + stamp(now)
    var target = dated
    var number = 2
    while isThere(target) {
      target = dated + "-\(number)"
      number += 1
    }
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
