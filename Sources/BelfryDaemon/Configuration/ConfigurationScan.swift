import BelfryCore
import BelfrySystem

/// What the worker thread is asked to read of belfry.conf while belfryd runs.
struct ConfigurationScan: Sendable {
  /// Why it is read again.
  enum Cause: Sendable {
    /// It may have changed.
    case change
    /// SIGHUP.
    case signal
    /// A client's request.
    case request(RequestID)

    /// Somebody wants to know what has changed.
    var isAsked: Bool {
      if case .change = self { false } else { true }
    }
  }

  var path: String
  var uid: UInt32
  var zones: ZoneFiles
  /// nil: it is not watched.
  var watch: FolderWatch?
  var cause: Cause

  /// Blocks on the disk.
  func run() -> ConfigurationScanResult {
    // Before it is read, so that no change falls between.
    let way = watch?.follow(file: path) ?? FolderWatch.Way()
    do throws(StartFailure) {
      let loaded = try LoadedConfiguration.load(path, uid: uid)
      if let distrust = loaded.distrust { throw StartFailure(.configuration, distrust) }
      try check(loaded.configuration.zone)
      return ConfigurationScanResult(
        cause: cause, configuration: .success(loaded), way: way)
    } catch {
      return ConfigurationScanResult(cause: cause, configuration: .failure(error), way: way)
    }
  }

  /// `[clock] zone`, as at the start.
  private func check(_ zone: String?) throws(StartFailure) {
    guard let zone else { return }
    do throws(ZoneFileError) {
      _ = try zones.zone(zone)
    } catch {
      throw StartFailure(.configuration, "\(path): [clock] zone: \(error.reason)")
    }
  }
}

/// What came of it.
struct ConfigurationScanResult: Sendable {
  var cause: ConfigurationScan.Cause
  var configuration: Result<LoadedConfiguration, StartFailure>
  /// What is watched.
  var way: FolderWatch.Way
}
