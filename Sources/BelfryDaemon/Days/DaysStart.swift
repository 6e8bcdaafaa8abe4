import BelfryCore
import BelfrySystem

/// The calendars of days when the daemon starts.
enum DaysStart {
  /// A watcher that has read them; the log says what is wrong with which. Blocks on the disk.
  static func watcher(
    _ folders: [DaysFolder], uid: UInt32, zone: ZoneRules, _ log: LogRing,
    run: @escaping (DaysScan) -> Void
  ) -> DaysWatcher {
    var watch: FolderWatch?
    do throws(SystemError) {
      watch = try FolderWatch()
    } catch {
      log.log(.warning, "changes of calendars are not noticed: \(error.text)")
    }
    let watcher = DaysWatcher(folders, uid: uid, zone: zone, watch: watch, run: run)
    for case .warning(let text) in watcher.take(watcher.scan.run()) { log.log(.error, text) }
    return watcher
  }
}

extension DaysFolder {
  /// The operator's, and those that manifests name, in order of the apps' ids.
  static func all(_ paths: Paths, _ manifests: [ByteString: AppManifest]) -> [DaysFolder] {
    [DaysFolder(path: paths.days)]
      + manifests.keys.map { $0.text }.sorted().compactMap { id in
        manifests[id]?.daysFolder.map {
          DaysFolder(path: $0, app: id, owner: manifests[id]?.owner)
        }
      }
  }
}
