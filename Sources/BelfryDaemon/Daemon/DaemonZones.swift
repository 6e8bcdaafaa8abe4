import BelfryCore
import BelfrySystem

/// Zones that the scheduler asks for, and those that change (T7).
extension Daemon {
  /// Without a watch a change is noticed at the next start only, so the log says that.
  func watchZones(board: Bool, named: [String]) {
    guard board || !named.isEmpty else { return endZoneWatch() }
    do throws(SystemError) {
      guard let folders = try zones.follow(board: board, named: named) else { return }
      let watch = try loop.watch(folders.descriptor, .readable) { [unowned(unsafe) self] _ in
        self.zones.readEvents(now: SystemClock.elapsed())
      }
      zoneWatch = (watch, folders)
    } catch {
      log(.warning, "changes of time zones are not noticed: \(error.text)")
    }
  }

  private func endZoneWatch() {
    if let zoneWatch { loop.unwatch(zoneWatch.loop, zoneWatch.folders.descriptor) }
    zoneWatch = nil
    zones.stopFollowing()
  }

  /// What the helper read.
  func take(_ reading: ZoneScanResult, now: Int64) {
    guard shutdown == nil else { return }
    for changes in zones.take(reading, now: now) {
      switch changes {
      case .board(let file):
        feed(.boardZone(file.name, file.rules))
        days.follow(file.rules)
      case .zone(let name, .success(let file)): feed(.zone(name, .rules(file.rules)))
      case .zone(let name, .failure(let error)):
        feed(.zone(name, .unavailable(reason: error.reason)))
      case .warning(let text): log(.warning, text)
      }
    }
  }
}
