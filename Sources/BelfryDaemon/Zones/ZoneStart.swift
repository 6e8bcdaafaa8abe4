import BelfryCore
import BelfrySystem

/// The board's zone when the daemon starts.
enum ZoneStart {
  /// nil: there is none to be had; the log says why, and the board's zone is universal time, as it is
  /// for libc. A clock that does not start would be worse than one that is off by some hours, so only
  /// a name in the configuration that no zone has is a failure.
  ///
  /// A file that is just being replaced is read again: by UTC, what floats could be due at once, hours
  /// before its time (T2).
  static func board(
    _ files: ZoneFiles, _ log: LogRing, tries: Int = ZoneStart.tries
  ) throws(StartFailure) -> ZoneFile? {
    do throws(ZoneFileError) {
      return try read(files, tries)
    } catch {
      if files.chosen != nil, error.code == .unknown, !files.names().isEmpty {
        throw StartFailure(.configuration, "belfryd: [clock] zone: \(error.reason)")
      }
      log.log(.warning, "\(error.reason); the board's zone is UTC")
      return nil
    }
  }

  private static let pause = 50 * Nanoseconds.millisecond
  /// How often it is read again: one that is missing once, as on a board that has none.
  static let tries = 10

  private static func read(
    _ files: ZoneFiles, _ tries: Int
  ) throws(ZoneFileError) -> ZoneFile {
    var left = tries
    while true {
      do throws(ZoneFileError) {
        return try files.board()
      } catch {
        if error.code == .unknown { left = min(left, 1) }
        guard left > 0, files.chosen == nil else { throw error }
        left -= 1
        Process.sleep(pause)
      }
    }
  }
}
