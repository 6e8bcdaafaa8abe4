import BelfryCore
import BelfrySystem

/// The texts of apps when the daemon starts.
enum StringsStart {
  /// A keeper that has read them; the log says what is wrong with which. Blocks on the disk.
  static func keeper(
    _ sources: [TableSource], uid: UInt32, _ log: LogRing, run: @escaping (StringsScan) -> Void
  ) -> StringsWatcher {
    let keeper = StringsWatcher(uid: uid, run: run)
    guard keeper.follow(sources) else { return keeper }
    do throws(SystemError) {
      _ = try keeper.makeWatch()
    } catch {
      log.log(.warning, "changes of texts are not noticed: \(error.text)")
    }
    for case .warning(let text) in keeper.take(keeper.scan.run()) { log.log(.error, text) }
    return keeper
  }
}

extension TableSource {
  /// What manifests want, in order of the apps' ids; `language` is that of apps that name none.
  static func all(of manifests: [ByteString: AppManifest], language: String?) -> [TableSource] {
    manifests.keys.map { $0.text }.sorted().compactMap { id in
      guard let manifest = manifests[id], let folder = manifest.stringsFolder else { return nil }
      return TableSource(
        app: id, folder: folder, language: manifest.language ?? language ?? "en",
        owner: manifest.owner)
    }
  }
}
