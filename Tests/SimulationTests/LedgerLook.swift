import BelfryCore

/// What can be seen from outside while all is well, held against what was promised.
extension Ledger {
  /// The scheduled list of an app, read while nothing is under way.
  func listed(_ app: String, _ rows: [ListedNotification]) {
    var missing = pending.filter { $0.key.app == app }
    for row in rows {
      let name = PromiseName(app: app, identifier: row.notification.identifier ?? "")
      guard let promise = missing.removeValue(forKey: name) else {
        fail("N16 list", "\(name.identifier) of \(app) is listed and was not promised")
        continue
      }
      checkNext(promise, row)
      checkHeld(promise, row)
    }
    for name in missing.keys {
      fail("lost", "\(name.identifier) of \(app) was promised and is not listed")
    }
    // What is delivered at once does not count.
    let counted = pending.values.count {
      $0.name.app == app && $0.purpose != .atOnce && $0.notification.region == nil
    }
    if counted > Int(limit) { fail("N17 limit", "\(counted) are listed") }
  }

  private func checkNext(_ promise: Promise, _ row: ListedNotification) {
    if promise.notification.region != nil {
      if row.next != nil { fail("N18 next", "\(promise.name.identifier) waits for a crossing") }
      return
    }
    guard promise.notification.fireIn == nil else { return }
    if hasExceptions(promise) { return checkRinging(promise, row) }
    guard let expected = promise.next(at: now.real) else {
      guard let next = row.next else { return }
      // T8: what has fired to its end ahead of a corrected clock may come once more.
      let k = promise.oracle.newest(from: promise.lastK, notAfter: next)
      if promise.mayReplanAt == nil || promise.oracle.due(k) != next {
        fail("N18 next", "\(promise.name.identifier) has nothing to come")
      }
      return
    }
    // What was missed may have been folded into the one that comes.
    let newest = promise.oracle.newest(from: promise.lastK, notAfter: now.real)
    let folded = promise.oracle.next(after: newest)?.due ?? expected.due
    var latest = max(expected.due, folded)
    var first = expected.due
    if let window = promise.dueWindow(expected.due, now: now) {
      (first, latest) = (window.lowerBound, window.upperBound)
    }
    if promise.mayReplanAt != nil {
      first = .distantPast
      latest = max(latest, promise.oracle.next(after: promise.lastK)?.due ?? latest)
      // T10: folded, after a step forward.
      if promise.mustReplanAt != nil { latest = max(expected.due, folded) }
    }
    guard let next = row.next else {
      if promise.isOver(at: latest) { return }
      return fail(
        "N18 next",
        "\(promise.name.identifier) has no next, and comes at "
          + RFC3339.text(expected.due))
    }
    if promise.isOver(at: next) {
      fail("N19 expired", "\(promise.name.identifier) expires before \(RFC3339.text(next))")
    }
    if next < first || next > latest {
      fail(
        "N18 next",
        "\(promise.name.identifier) is said to come at \(RFC3339.text(next)), "
          + "expected \(RFC3339.text(expected.due)) after k \(promise.lastK)")
    }
  }

  private func checkHeld(_ promise: Promise, _ row: ListedNotification) {
    // After a reboot it goes by the clock if that was good when it was made.
    if promise.notification.fireIn != nil, promise.elapsedDue == nil { return }
    let isHeld = !clock.lets(promise, at: now)
    if row.state == .held, !isHeld {
      fail("T9 held", "\(promise.name.identifier) is held, and could fire")
    }
    guard isHeld, let next = row.next?.advanced(by: promise.tolerance), next < now.real,
      isQuiet(for: timeout)
    else { return }
    if row.state != .held || row.reason == nil {
      fail("T9 held", "\(promise.name.identifier) is \(row.state), and cannot fire by this clock")
    }
  }

  /// After all that is due has had its time.
  func lookForLost() {
    guard isQuiet(for: timeout) else { return }
    for promise in pending.values
    where promise.notification.region == nil && clock.lets(promise, at: now) {
      let isOver: Bool
      if let due = promise.elapsedLatest ?? promise.elapsedDue {
        isOver = now.elapsed - due > timeout
      } else if promise.notification.fireIn == nil, let next = nextTold(promise) {
        isOver = now.real.nanoseconds(since: next.due) > timeout + promise.tolerance
      } else {
        isOver = false
      }
      if isOver {
        fail(
          "lost",
          "\(promise.name.identifier) of \(promise.name.app), after k \(promise.lastK), "
            + "has not fired at \(RFC3339.text(now.real))")
      }
    }
  }

  /// The scheduler sees the clocks as they have come to be by running, however wrong: no step, and
  /// what any later step is measured from (T8).
  func clockRan() { lastOffset = offset }

  private var offset: Int64 { now.real.nanoseconds(since: Instant(nanoseconds: now.elapsed)) }

  /// The clock was set, or may have been: T8 lets a step forward plan nothing afresh.
  func clockSet() {
    let step = (lastOffset ?? offset).subtractingReportingOverflow(offset).partialValue
    lastOffset = offset
    if step > -Nanoseconds.millisecond { review(step: step) }
  }

  /// A process has just started, or the clock can be believed now: what was not looked at before is.
  func review(step: Int64 = 0) {
    for promise in pending.values {
      promise.noteStepBack(
        of: step, at: now, isSynchronised: clock.isSynchronised,
        isHeld: !clock.lets(promise, at: now))
    }
  }
}

/// What replies say.
extension Ledger {
  /// A reply's next, for a request that was carried out between two instants of a steady clock.
  func checkNext(
    _ reply: ScheduleReply, _ notification: Notification, oracle: DueOracle, from: Instant,
    to: Instant
  ) {
    if notification.region != nil {
      if reply.next != nil { fail("N18 next", "\(reply.identifier) waits for a crossing") }
      return
    }
    let (next, k) = (reply.next ?? .distantFuture, reply.occurrence?.k ?? 0)
    if let fireIn = notification.fireIn {
      if next < from.advanced(by: fireIn) || next > to.advanced(by: fireIn) {
        fail("T9 relative", "\(reply.identifier) is due at \(RFC3339.text(next))")
      }
    } else if !notification.repeats {
      let date = (oracle.zone == nil ? date(of: notification) : oracle.due(0)) ?? from
      if next < max(date, from) || next > max(date, to) {
        fail("N2 next", "\(reply.identifier) is due at \(RFC3339.text(next))")
      }
    } else {
      let (due, before) = (oracle.due(k), oracle.last(through: k - 1)?.due ?? .distantPast)
      // N19: of what expires before it there is no next.
      let isOver = due.map { notification.expires ?? .distantFuture < $0 } ?? false
      if (isOver ? nil : due) != reply.next || next < from || before >= to {
        fail("N5 next", "\(reply.identifier) is due first at \(RFC3339.text(next)), k \(k)")
      }
    }
  }

  /// What is to be written of a notification that is scheduled now: which clock it goes by.
  func checkRelative(_ notification: Notification, _ relative: RelativeTime?) {
    let identifier = notification.identifier ?? ""
    if let relative, relative.made != now.elapsed || relative.due < now.elapsed {
      return fail("T9 relative", "\(identifier) was made at \(relative.made)")
    }
    if let fireIn = notification.fireIn {
      if relative?.due != now.elapsed + fireIn || relative?.purpose != .interval {
        fail("T9 relative", "\(identifier) is due at \(relative?.due ?? 0)")
      }
      return
    }
    var purpose: RelativeTime.Purpose?
    if !notification.repeats, notification.region == nil {
      let isUntrusted = !clock.isTrusted && !clock.isSynchronised
      if notification.fireDate == nil {
        purpose = .atOnce
      } else if let date = date(of: notification), date <= now.real {
        purpose = isUntrusted ? .notBefore : .atOnce
      }
    }
    if relative?.purpose != purpose {
      fail("N2 at once", "\(identifier): \(String(describing: relative?.purpose))")
    }
  }

  /// A row that the replacement of a whole list has made or left.
  func adopt(_ row: StoredNotification, _ name: PromiseName, request: RequestID) {
    if let promise = pending[name], promise.uuid == row.uuid,
      promise.notification == row.notification
    {
      return
    }
    if let gone = past[row.uuid], gone.generation == row.generation { return }
    let before = pending[name]
    enter(row, name, request: request)
    pending[name]?.side = row.side ?? .unknown
    keepSide(from: before, of: name)
  }

  /// As the store has it; since when it counts is known only by what it says.
  func enter(_ row: StoredNotification, _ name: PromiseName, request: RequestID = 0) {
    let plan = row.plan?.plan ?? RepeatPlan(row.notification.pattern)
    let zone = row.isWall ? effectiveZone(row.notification) : nil
    enter(
      name, uuid: row.uuid, generation: row.generation, row.notification,
      DueOracle(plan, anchor: row.anchor, zone: zone), purpose: row.relative?.purpose,
      lastK: row.firedThrough, request: request)
    pending[name]?.elapsedDue = nil
    pending[name]?.side = row.side ?? .unknown
    guard let relative = row.relative, relative.purpose != .interval else { return }
    // Of an earlier boot: its coming into this one has not been written down.
    let due = relative.boot == boot ? relative.due : now.elapsed
    pending[name]?.isFromBefore = relative.boot != boot
    if relative.purpose == .atOnce {
      pending[name]?.elapsedDue = due
    } else {
      pending[name]?.notBefore = due...due
    }
  }

  /// A process starts; `died`: when the last boot ended, if the elapsed clock begins anew.
  func starts(died: Int64? = nil) {
    if died != nil { lastOffset = nil }
    startSnoozes(died: died)
    startAlerts(isOtherBoot: died != nil)
    for promise in Array(pending.values) + Array(past.values) {
      promise.restarted(died: died, elapsed: now.elapsed)
    }
  }
}
