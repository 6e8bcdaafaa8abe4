import BelfryCore

/// T10, D9: many late ones are staggered, and users take turns there too.
///
/// A late alarm that is its user's n-th fires at most n · s after it could, s being the stagger, whatever
/// others have: of theirs go at most n + 1 each before it.
extension Ledger {
  /// The clocks have jumped, a process has started, or the disk is well again.
  func lookForLate() {
    for promise in pending.values { promise.late = nil }
    // After a failed read the scheduler waits a second.
    looksForLateAt = isDiskWell ? now.elapsed + (isQuiet(for: 1) ? 0 : 2 * Nanoseconds.second) : nil
  }

  func noteLate() {
    looksForLateAt = nil
    guard isDiskWell else { return }
    for promise in pending.values
    where promise.notification.region == nil && clock.lets(promise, at: now) {
      guard let due = lateDue(of: promise), isLate(due, promise) else { continue }
      promise.late = (now.elapsed, lateTurns)
    }
  }

  /// The newest that has come; nil: none, or it is not known exactly.
  private func lateDue(of promise: Promise) -> Instant? {
    guard promise.mayReplanAt == nil, promise.mustReplanAt == nil, promise.purpose == nil else {
      return nil
    }
    let k = promise.oracle.newest(from: promise.lastK, notAfter: now.real)
    return k > promise.lastK ? promise.oracle.due(k) : nil
  }

  private func isLate(_ due: Instant, _ promise: Promise) -> Bool {
    now.real.nanoseconds(since: due) > grace + promise.tolerance
  }

  func checkLateTurn(_ promise: Promise, _ firing: Firing) {
    guard isLate(firing.due, promise) else { return }
    let turn = Turn(promise.notification, app: promise.name.app)
    if let late = promise.late, isDiskWell {
      var passed = lateTurns.passed(turn, since: late.turns)
      // Every user has pauses of his own, so that others' alarms only go beside it; and one of theirs
      // may have fired while this one was being read.
      passed.lower = 0
      passed.most -= 1
      if let fault = passed.fault { failTurn("T10 turns", "\(firing.text), late, fires \(fault)") }
      let waited = now.elapsed - late.at
      if waited > stagger * Int64(passed.own + passed.higher) + Nanoseconds.second {
        failTurn(
          "T10 turns",
          "\(firing.text) fires \(Nanoseconds.text(waited)) after it could, as number \(passed.own)"
        )
      }
      loneWaits += passed.own == 1 ? 1 : 0
      maxTurns = passed.own == 1 ? max(maxTurns, passed.all) : maxTurns
    }
    lateTurns.note(turn)
  }
}
