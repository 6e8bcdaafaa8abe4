import BelfryCore
import BelfryStore
import BelfrySystem

/// The end of the daemon, in steps that together take less than a second: children finish what is in
/// hand, the store is written and closed, and whoever is late is left behind.
final class Shutdown {
  private let childrenUntil: Int64
  private let storeUntil: Int64
  private var isClosing = false
  var storeAreClosed = false

  static let childTimeout = 550 * Nanoseconds.millisecond
  static let timeout = 700 * Nanoseconds.millisecond

  init(now: Int64) {
    childrenUntil = now + Shutdown.childTimeout
    storeUntil = now + Shutdown.timeout
  }

  /// After each burst of the loop.
  func proceed(_ daemon: Daemon) {
    let now = SystemClock.elapsed()
    if !isClosing {
      let areGone = daemon.children.allSatisfy { $0.isGone }
      guard areGone || now >= childrenUntil else { return wake(daemon, at: childrenUntil) }
      for child in daemon.children { child.kill() }
      isClosing = true
      _ = daemon.takeAnswers(wholly: true)
      daemon.noteUnshown()
      daemon.submitEntries()
      close(daemon)
    }
    if storeAreClosed || now >= storeUntil { return daemon.loop.stop() }
    wake(daemon, at: storeUntil)
  }

  private func wake(_ daemon: Daemon, at deadline: Int64) {
    var next = deadline
    for child in daemon.children { next = min(next, child.deadline ?? deadline) }
    daemon.wake(NextWake(real: nil, elapsed: next))
  }

  /// A disk may take longer than we have, so another thread waits for it.
  private func close(_ daemon: Daemon) {
    guard let store = daemon.store else { return storeAreClosed = true }
    let mailbox = daemon.mailbox
    daemon.reader.run {
      store.stop()
      mailbox.send(.storeClosed)
    }
  }
}
