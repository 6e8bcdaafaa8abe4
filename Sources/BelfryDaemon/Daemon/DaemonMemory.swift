import BelfryServer
import BelfryStore
import BelfryCore
import BelfrySystem

/// Memory that a burst has taken goes back to the system when the burst is over (A2).
///
/// Done at the end of a burst's last turn: nothing is woken for it later (T12).
extension Daemon {
  /// So many bytes of messages, or events worth as much, are a burst. What ends below it is not given
  /// back, and has taken several times its bytes: a flood of many small bursts may leave that much.
  private static let burst = 64 << 10
  /// About what an event allocates and frees.
  static let eventWeight = 256
  /// Giving back takes some milliseconds after the largest bursts, so nothing may be due so soon.
  private static let distance = 100 * Nanoseconds.millisecond

  func giveBackMemory(before next: NextWake) {
    guard !isGivingBack, churn + server.churn >= Self.burst, server.isQuiet, !isSoon(next.real)
    else { return }
    (churn, server.churn, isGivingBack) = (0, 0, true)
    server.shrink()
    // The store answers once it has freed what the burst asked of it.
    askStore { [unowned(unsafe) self] in
      isGivingBack = false
      if isSoon(scheduler.nextWake.real) {
        churn = Self.burst
      } else {
        Process.trimMemory()
      }
    }
    submitEntries()
  }

  private func isSoon(_ due: Instant?) -> Bool {
    guard let due else { return false }
    let left = due.nanoseconds(since: SystemClock.real())
    return left > -Nanoseconds.second && left < Self.distance
  }
}
