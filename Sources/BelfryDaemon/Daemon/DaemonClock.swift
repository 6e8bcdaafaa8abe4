import BelfryCore
import BelfryStore
import BelfrySystem

/// What the scheduler wants to know and to have remembered of the clock (T9).
extension Daemon {
  /// adjtimex(2): no disk, no waiting.
  func askClock() {
    feed(.clockState(synchronised: SystemClock.discipline()?.synchronised ?? false))
  }

  /// Trust holds until the next boot, so it is kept under this boot's number in the run directory.
  func rememberTrust() {
    let path = paths.trust
    let text = Array("\(configuration.scheduler.boot)\n".utf8)
    blockingWorker.run { [logRing] in
      do throws(SystemError) {
        try Files.write(text, to: path)
      } catch {
        logRing.log(.warning, "that the clock is trusted cannot be remembered: \(error.text)")
      }
    }
  }

  /// The end: what has not been shown, and what time it is, for a start without a better clock.
  func noteUnshown() {
    for unshown in scheduler.unshown { record(unshown) }
    guard scheduler.status.pending > 0 else { return }
    record(scheduler.clockNote(at: SystemClock.now()))
  }
}
