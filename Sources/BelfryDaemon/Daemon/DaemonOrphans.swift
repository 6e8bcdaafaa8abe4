import BelfryCore
import BelfrySystem

/// What children left behind.
extension Daemon {
  /// A process of ours has ended.
  func noteEnd() {
    orphans.note()
  }

  /// After each burst of the loop.
  func lookForOrphans() {
    guard orphans.begins(now: SystemClock.elapsed()) else { return }
    let living = children.compactMap { $0.life }
    let newest = lives
    blockingWorker.run { [mailbox] in
      mailbox.send(.orphans(killed: Orphans.sweep(living: living, newest: newest)))
    }
  }

  func noteOrphans(_ killed: Int) {
    if killed > 0 {
      log(
        .notice,
        counted(
          killed, "process that a plugin had left behind was ended",
          many: "processes that a plugin had left behind were ended"))
    }
    orphans.ended(killed: killed)
  }
}
