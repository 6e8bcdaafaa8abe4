import BelfryCore
import BelfrySystem

/// The board's zone when the daemon starts.
enum ZoneStart {
  /// nil: there is none to be had; the log says why, and the board's zone is universal time, as it is
  /// for libc. A clock that does not start would be worse than one that is off by some hours, so only
  /// a name in the configuration that no zone has is a failure.
  static func board(_ files: ZoneFiles, _ log: LogRing) throws(StartFailure) -> ZoneFile? {
    do throws(ZoneFileError) {
      return try files.board()
    } catch {
      if files.chosen != nil, error.code == .unknown, !files.names().isEmpty {
        throw StartFailure(.configuration, "belfryd: [clock] zone: \(error.reason)")
      }
      log.log(.warning, "\(error.reason); the board's zone is UTC")
      return nil
    }
  }
}
