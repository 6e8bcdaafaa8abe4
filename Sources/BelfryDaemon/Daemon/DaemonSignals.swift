import BelfryCore
import BelfrySystem

/// Signals, and stopping.
extension Daemon {
  func take(_ signal: Signal) {
    switch signal {
    case .terminate, .interrupt: stop()
    case .hangup: if shutdown == nil { configurationWatcher.read(.signal) }
    case .child: noteEnd()
    case .kill: break
    }
  }

  func stop() {
    guard shutdown == nil else { return }
    notifier.shutdown()
    log(.info, "stopping")
    let now = SystemClock.elapsed()
    shutdown = Shutdown(now: now)
    for child in children { child.stop(now: now) }
  }
}
