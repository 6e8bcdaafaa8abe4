import BelfryCore
import BelfrySystem

/// Calendars of days (E3).
extension Daemon {
  func watchDays() throws(SystemError) {
    guard let raw = days.descriptor else { return }
    _ = try loop.watch(raw, .readable) { [unowned(unsafe) self] _ in
      self.days.readEvents(now: SystemClock.elapsed())
    }
  }

  /// Manifests may name other folders.
  func followDays() { days.follow(DaysFolder.all(paths, manifests.manifests)) }

  /// What the helper read.
  func take(_ result: DaysScanResult) {
    guard shutdown == nil else { return }
    for change in days.take(result) {
      switch change {
      case .files(let files):
        log(.info, "calendars of days were read: \(files.count)")
        feed(.days(files))
      case .warning(let text): log(.error, text)
      }
    }
  }
}
