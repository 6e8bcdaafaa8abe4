import BelfryCore

/// An occurrence that has fired.
struct Firing {
  var id: OccurrenceID
  var name: PromiseName
  var due: Instant
  var missed: Int64

  init(_ occurrence: Occurrence) {
    id = occurrence.id
    name = PromiseName(
      app: occurrence.app, identifier: occurrence.notification.identifier ?? "")
    due = occurrence.due
    missed = occurrence.missed
  }

  /// Of what became of a delivery; nil: it does not say when that was due.
  init?(_ event: WatchEvent) {
    guard let id = event.occurrence, let due = event.due else { return nil }
    self.id = id
    name = PromiseName(app: event.app, identifier: event.identifier)
    self.due = due
    missed = event.missed
  }

  var text: String { "\(name.identifier) \(id.text) due \(RFC3339.text(due))" }
}

/// When occurrences fire, and as which (T4, T8, T10, N21).
extension Ledger {
  /// The scheduler has let an occurrence fire: its first hand-over, its record, its end, or its place
  /// in a sink's queue.
  func fired(_ firing: Firing) {
    let (id, name) = (firing.id, firing.name)
    // A step may come where a kill has left the store without its occurrence (E6).
    if name.identifier.hasPrefix("now") || id.step > 0 { return }
    guard let promise = promise(id, name), id.generation >= promise.generation,
      id.generation > promise.generation || id.k > promise.lastK
    else { return }
    firings += 1
    freshFirings.append(id)
    if promise.notification.region != nil { return crossed(promise, firing) }
    var what: String { firing.text }
    if firing.due > now.real { fail("T10 early", "\(what) fires at \(RFC3339.text(now.real))") }
    if let due = promise.elapsedDue, now.elapsed < due - Promise.unseenStep {
      fail("T10 early", "\(what) fires \(Nanoseconds.text(due - now.elapsed)) early")
    }
    if promise.notification.fireIn == nil,
      !promise.mayBeDue(id.k, at: firing.due, now: now)
    {
      fail(
        "T4 due",
        "\(what), and not \(promise.oracle.due(id.k).map { RFC3339.text($0) } ?? "never")"
      )
    }
    if id.generation != promise.generation { checkReplan(promise, firing) }
    checkPassing(promise, firing)
    if !clock.lets(promise, at: now) {
      fail("T9 held", "\(what) fires by a clock that nobody trusts")
    }
    checkLateness(promise, firing)
    // What repeats by the second is written down too seldom for its order to be seen.
    if promise.notification.repeatInterval != .second { checkOrder(promise, firing) }
    checkBurst(promise, firing)
    if !queues.isEmpty { checkLateTurn(promise, firing) }
    promise.advance(to: id, at: now, isSynchronised: clock.isSynchronised)
    dropSkips(of: promise, through: id.k)
    if promise.oracle.next(after: id.k) == nil { end(name) }
  }

  /// T8: the same occurrences come again under another generation.
  private func checkReplan(_ promise: Promise, _ firing: Firing) {
    var what: String { firing.text }
    replans += 1
    guard let step = promise.mayReplanAt else {
      return fail(
        "T8 twice",
        "\(what) after \(promise.generation).\(promise.lastK), planned afresh "
          + "without cause")
    }
    if firing.due < step {
      fail("T8 twice", "\(what) was past at the step back to \(RFC3339.text(step))")
    }
  }

  private func checkLateness(_ promise: Promise, _ firing: Firing) {
    var what: String { firing.text }
    let late = now.real.nanoseconds(since: firing.due)
    if promise.repeats, let next = nextRinging(promise, after: firing.id.k, through: now.real),
      next.due <= now.real
    {
      fail("T10 newest", "\(what) fires at \(RFC3339.text(now.real)), when a newer one has come")
    }
    if firing.missed > promise.oracle.count(after: promise.lastRung, before: firing.id.k),
      firing.id.generation == promise.generation
    {
      fail("T10 missed", "\(what) says \(firing.missed) missed after k \(promise.lastK)")
    }
    if late > grace + promise.tolerance, !mayFire(promise.notification.late ?? policy, late) {
      fail("T10 late", "\(what) fires \(late / Nanoseconds.second) s late")
    }
    guard isQuiet(for: 65 * Nanoseconds.second), promise.notification.fireIn == nil else { return }
    // What goes by the elapsed clock may be woken by the real one, which runs wrong by 500 ppm at most.
    let isElapsed = promise.elapsedDue != nil || promise.notBefore != nil
    let wrong = isElapsed ? promise.tolerance / 2000 : 0
    if late > promise.tolerance + wrong + Nanoseconds.millisecond {
      fail("T10 on time", "\(what) fires \(Nanoseconds.text(late)) late on a quiet board")
    }
  }

  private func checkOrder(_ promise: Promise, _ firing: Firing) {
    // What replaces another and is due at once is read from the store first.
    guard isQuiet(for: 65 * Nanoseconds.second), promise.notification.fireIn == nil,
      firing.due == now.real, promise.enteredAt < now.real, promise.tolerance == 0
    else { return }
    // Others have turns of their own, and what is more urgent goes first (D9).
    let turn = Turn(promise.notification, app: firing.name.app)
    if let last = lastOnTime[turn], last.at == now, last.order > promise.order {
      fail("N21 order", "\(firing.text) fires after one that was scheduled later")
    }
    lastOnTime[turn] = (now, promise.order)
  }

  func mayFire(_ policy: LatePolicy, _ late: Int64) -> Bool {
    switch policy {
    case .fire: true
    case .drop: false
    case .seconds(let most): late <= most * Nanoseconds.second
    }
  }

  private func checkBurst(_ promise: Promise, _ firing: Firing) {
    guard let before = promise.rangAt, promise.repeats, before.elapsed > quietSince else {
      return
    }
    let last = promise.oracle.last(through: firing.id.k - 1)?.due
    let apart = last.map { firing.due.nanoseconds(since: $0) } ?? grace
    let least = min(grace, apart - promise.tolerance)
    if now.elapsed - before.elapsed < least - Nanoseconds.millisecond {
      fail(
        "T10 burst",
        "\(firing.text) fires \(Nanoseconds.text(now.elapsed - before.elapsed)) after the last")
    }
  }

  /// An occurrence ends without a hand-over.
  func dropped(_ event: WatchEvent, _ id: OccurrenceID) {
    let name = PromiseName(app: event.app, identifier: event.identifier)
    guard let promise = promise(id, name) else { return }
    let late = now.real.nanoseconds(since: event.due ?? now.real)
    if event.kind == .missed {
      let policy = promise.notification.late ?? policy
      if late <= grace || mayFire(policy, late) {
        fail(
          "T10 dropped",
          "\(name.identifier) \(id.text) is missed, \(late / Nanoseconds.second) s late"
        )
      }
      if id.generation != promise.generation, promise.mayReplanAt == nil {
        fail("T8 twice", "\(name.identifier) \(id.text) is missed, planned afresh without cause")
      }
      promise.advance(to: id, at: now, isSynchronised: clock.isSynchronised)
    } else if let expires = promise.notification.expires, expires < now.real {
      return end(name)
    } else {
      fail("N19 expired", "\(name.identifier) \(id.text) expires too soon")
    }
    if promise.oracle.next(after: id.k) == nil { end(name) }
  }
}
