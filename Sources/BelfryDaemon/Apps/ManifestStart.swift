import BelfryCore
import BelfrySystem

/// The manifests when the daemon starts.
enum ManifestStart {
  /// A keeper that has read them; the log says what is wrong with which. Blocks on the disk.
  static func keeper(
    _ folders: [ManifestFolder], uid: UInt32, _ log: LogRing,
    run: @escaping (ManifestScan) -> Void
  ) -> ManifestWatcher {
    var watch: FolderWatch?
    do throws(SystemError) {
      watch = try FolderWatch()
    } catch {
      log.log(.warning, "changes of manifests are not noticed: \(error.text)")
    }
    let keeper = ManifestWatcher(folders, uid: uid, watch: watch, run: run)
    for change in keeper.take(keeper.scan.run()) {
      switch change {
      case .problem(let text): log.log(.error, text)
      case .oddity(let text): log.log(.warning, text)
      case .app, .gone: break
      }
    }
    return keeper
  }
}
