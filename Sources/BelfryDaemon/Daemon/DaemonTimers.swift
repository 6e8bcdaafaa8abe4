import BelfryCore
import BelfryServer
import BelfrySystem
import BelfryWire

/// When the clock wakes: at the soonest deadline, and ahead of what is due (`EarlyWake`).
extension Daemon {
  /// Sets the timers, and says how to wait for them.
  func wait(until next: NextWake) -> Loop.Pace {
    noteComing()
    guard let due = coming?.due else {
      wake(next)
      giveBackMemory(before: next)
      return .wait
    }
    do throws(SystemError) {
      let pace = try loop.wake(next, aheadOf: due)
      if pace == .wait { giveBackMemory(before: next) } else { wakeSinks(SystemClock.now()) }
      return pace
    } catch {
      log(.error, "the timer cannot be set: \(error.text)")
      return .wait
    }
  }

  /// Packs what will be handed over next, and remembers to whom.
  private func noteComing() {
    guard let next = scheduler.coming else { return coming = nil }
    packer.prepare(next.occurrence, next.text)
    coming = next.sinks.isEmpty ? nil : (next.occurrence.due, next.sinks)
  }

  /// The sinks of what is due in a moment wake up with the clock.
  func wakeSinks(_ now: ClockReading) {
    guard let coming, coming.due != wokenFor, loop.early.isNear(coming.due, now: now)
    else { return }
    wokenFor = coming.due
    for sink in coming.sinks { children[Int(sink)].send(.soon, now: now.elapsed) }
  }

  // MARK: The timers

  var nextWake: NextWake {
    var next = scheduler.nextWake
    for child in children {
      next.elapsed = earlier(next.elapsed, child.deadline)
      next.elapsed = earlier(next.elapsed, child.output?.deadline)
    }
    next.elapsed = earlier(next.elapsed, orphans.deadline)
    next.elapsed = earlier(next.elapsed, zones.deadline)
    next.elapsed = earlier(next.elapsed, manifests.deadline)
    next.elapsed = earlier(next.elapsed, tables.deadline)
    next.elapsed = earlier(next.elapsed, days.deadline)
    next.elapsed = earlier(next.elapsed, configurationWatcher.deadline)
    next.elapsed = earlier(next.elapsed, sounds.deadline)
    next.elapsed = earlier(next.elapsed, watchdog?.deadline)
    next.elapsed = earlier(next.elapsed, server.deadline)
    return next
  }

  func wake(_ next: NextWake) {
    do throws(SystemError) {
      try loop.wake(next)
    } catch {
      log(.error, "the timer cannot be set: \(error.text)")
    }
  }

  private func earlier(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one else { return other }
    guard let other else { return one }
    return min(one, other)
  }
}
