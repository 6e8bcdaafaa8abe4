import BelfryCore
import BelfrySystem

/// The texts of apps, as their manifests name them (L1).
extension Daemon {
  /// After the manifests have changed.
  func followTables() {
    let language = configuration.scheduler.language
    guard tables.follow(TableSource.all(of: manifests.manifests, language: language)) else {
      return
    }
    do throws(SystemError) {
      if try tables.makeWatch() != nil { try watchTables() }
    } catch {
      log(.warning, "changes of texts are not noticed: \(error.text)")
    }
    tables.reload()
  }

  /// Listens to the keeper's watch, if it has one.
  func watchTables() throws(SystemError) {
    guard let raw = tables.watch?.descriptor else { return }
    _ = try loop.watch(raw, .readable) { [unowned(unsafe) self] _ in
      self.tables.readEvents(now: SystemClock.elapsed())
    }
  }

  /// What the helper read.
  func take(_ reading: StringsScanResult) {
    guard shutdown == nil else { return }
    for changes in tables.take(reading) {
      switch changes {
      case .changed(let app):
        guard let profile = manifests.profiles[app] else { continue }
        log(.info, "\(app): its texts were read")
        feed(.app(tables.completed(profile)))
      case .warning(let text): log(.error, text)
      }
    }
  }
}
