import BelfryCore
import BelfryStore
import BelfrySystem

/// The end of the daemon, in steps that together take less than a second: children finish what is in
/// hand, the books are written and closed, and whoever is late is left behind.
final class Stopping {
  private let childrenUntil: Int64
  private let booksUntil: Int64
  private var isClosing = false
  var booksAreClosed = false

  static let childPatience = 550 * Duration.millisecond
  static let patience = 700 * Duration.millisecond

  init(now: Int64) {
    childrenUntil = now + Stopping.childPatience
    booksUntil = now + Stopping.patience
  }

  /// After each burst of the loop.
  func proceed(_ daemon: Daemon) {
    let now = SystemClock.elapsed()
    if !isClosing {
      let areGone = daemon.children.allSatisfy { $0.isGone }
      guard areGone || now >= childrenUntil else { return wake(daemon, at: childrenUntil) }
      for child in daemon.children { child.kill() }
      isClosing = true
      daemon.noteClock()
      daemon.submitEntries()
      close(daemon)
    }
    if booksAreClosed || now >= booksUntil { return daemon.loop.stop() }
    wake(daemon, at: booksUntil)
  }

  private func wake(_ daemon: Daemon, at deadline: Int64) {
    var next = deadline
    for child in daemon.children { next = min(next, child.deadline ?? deadline) }
    daemon.wake(NextWake(real: nil, elapsed: next))
  }

  /// A disk may take longer than we have, so another thread waits for it.
  private func close(_ daemon: Daemon) {
    guard let books = daemon.books else { return booksAreClosed = true }
    let mailbox = daemon.mailbox
    do throws(SystemError) {
      _ = try Thread.start(name: "closing", stackSize: 64 * 1024) {
        books.stop()
        mailbox.send(.booksClosed)
      }
    } catch {
      booksAreClosed = true
    }
  }
}
