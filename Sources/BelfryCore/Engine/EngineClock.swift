/// The clock's life: trust, what is held for want of it, and steps (T8, T9).
extension SchedulerEngine {
  /// How many entries cannot fire by the clock as it is.
  var heldCount: Int { clock.heldCount(of: pending.table.clocked, at: now) }

  // MARK: Trust

  /// What can be told by the time alone: steps, and trust by waiting.
  func keepClock() {
    if let step = clock.noteStep(now) { follow(step) }
    if clock.noteState(now) { release() }
    if clock.reachTrust(now) { tellTrust("it has been plausible for long enough") }
  }

  func takeClock(synchronised: Bool) {
    if clock.take(synchronised: synchronised, &turn) { tellTrust("it is synchronised") }
  }

  /// Lets everything go by the clock as it is; how many that sets free.
  func trustClock() -> Int64 {
    let count = heldCount
    guard !clock.isTrusted else { return 0 }
    clock.trustFromNow()
    tellTrust("told so by an operator", released: count)
    return Int64(count)
  }

  private func tellTrust(_ reason: String, released: Int? = nil) {
    let waiting = released ?? pending.table.held.nodes.count
    let what =
      waiting == 0
      ? "" : "; " + counted(waiting, "held notification goes on", many: "held notifications go on")
    emit(.log(.notice, "the clock is trusted until the next boot: \(reason)\(what)"))
    emit(.trusted)
    release()
  }

  // MARK: What is held

  /// Due, and may not fire by this clock.
  func hold(_ row: StoredNotification, _ node: HeapNode) {
    let id = OccurrenceID(uuid: row.uuid, generation: row.generation, k: index(of: node))
    emit(
      .event(
        WatchEvent(
          kind: .held, app: apps[row.app]?.name ?? "",
          identifier: row.notification.identifier ?? "", occurrence: id, sink: nil, at: now.real,
          due: node.due, handedOver: nil, reason: clock.reason(at: now), missed: 0)))
    pending.hold(row.slot, &turn)
  }

  /// After every change of the clock or of its trust: those that may go by it now do.
  func release() {
    pending.release(&turn) { [clock, now] in clock.holds($0, at: now) }
  }

  /// Puts a node where its due belongs.
  func move(_ node: HeapNode) {
    pending.move(node, &turn)
  }

  /// For the store: what time it is, as far as it is known; a clock that is known to be wrong says
  /// nothing of that, or the next start would believe it (T9).
  public func clockNote(at now: ClockReading) -> StoreRecord {
    .noteClock(
      boot: configuration.boot, ClockReading(real: clock.timeToKeep(at: now), elapsed: now.elapsed))
  }

  /// For the store, at an orderly end: what was only prepared has not been shown (D7).
  public var unshown: [StoreRecord] {
    @export(interface) get {
      (pending.onlyPrepared + snoozes.onlyPrepared + waiting.onlyPrepared).map { id, app in
        .withdrawIntent(id, app: app)
      }
    }
  }

  // MARK: Steps

  private func follow(_ step: ClockMonitor.Step) {
    for (slot, due) in pending.details.elapsedDues { move(slot, by: due) }
    guard step.isSet else { return }
    if step.isBack { undoFold() }
    release()
    if step.isBack || step.isHuge {
      if step.nanoseconds < -Nanoseconds.minute, pending.count > 0 {
        // The newest rows may be ahead of the corrected clock.
        record(clockNote(at: now))
      }
      let back = step.isHuge ? .max : -step.nanoseconds
      sweep.review(back: back, isSynchronised: clock.isSynchronised)
      storeRequests.noteStepBack()
      clock.ask(&turn)
    } else if !clock.isTrusted {
      clock.ask(&turn)
    }
  }

  /// T8, T10: what folded into a next one that may be far away now has not fired.
  private func undoFold() {
    for (slot, oldest) in pending.takeMissed() {
      guard var node = pending.node(of: slot), let first = plan(of: slot)?.successor(of: oldest.k)
      else { continue }
      node.due = first.due
      move(node)
    }
  }

  /// What goes by the elapsed clock is due at another instant of the real one (T9).
  func move(_ slot: Slot, by due: ElapsedDue) {
    switch due {
    case .at(let elapsed):
      guard var node = pending.node(of: slot) else { return }
      node.due = turn.realDue(elapsed: elapsed)
      move(node)
    case .notBefore: moveNotBefore(slot)
    }
  }

  /// N2, T9: what a doubtful clock took for past is due at its date, or else when it was scheduled
  /// by the clock as it is now.
  private func moveNotBefore(_ slot: Slot) {
    guard var node = pending.node(of: slot), let date = plan(of: slot)?.planned(0) else { return }
    node.due = restrained(date.due, of: slot)
    if pending.table.place(of: slot) == .held, node.due <= now.real {
      pending.moveHeld(node)
    } else {
      move(node)
    }
  }

  /// What is planned for a slot then is due no sooner than it was scheduled, if its clock was
  /// doubtful.
  func restrained(_ due: Instant, of slot: Slot) -> Instant {
    guard let made = pending.notBefore(of: slot) else { return due }
    return max(due, turn.realDue(elapsed: made))
  }

  /// By the elapsed clock, where that does not only differ from what was `planned` by the time
  /// between two readings.
  func due(of relative: RelativeTime, planned: Instant) -> Instant {
    let due = turn.realDue(elapsed: relative.due)
    if relative.purpose == .notBefore { return max(planned, due) }
    let (apart, isFar) = due.nanoseconds.subtractingReportingOverflow(planned.nanoseconds)
    return !isFar && apart.magnitude < UInt64(ClockMonitor.smallestStep) ? planned : due
  }

  // MARK: Repeats that ran ahead

  /// By a clock that is known to be wrong nothing is planned afresh.
  var isReviewing: Bool { sweep.beyond != nil && !clock.isWrong(at: now) }

  /// T8: what had no due while the start was reviewed has one now.
  func reviewPlanned(_ slot: Slot) {
    // Otherwise the review that is to come will reach it.
    guard sweep.beyond == nil || isReviewing, pending[slot].repeats else { return }
    _ = replanFromNow(slot, ifBeyond: sweep.limitForUnplanned, isFirst: true)
  }

  /// T8, N5: the clock was set back while its row was on its way to the store, so it was planned from a
  /// now that has not come. Nothing of it has fired; where it begins now, nil: where it began.
  func replanFromNow(entered slot: Slot) -> HeapNode? {
    // Otherwise the review that is to come will reach it.
    guard storeRequests.isPlannedAhead, pending[slot].repeats, sweep.beyond == nil || isReviewing,
      replanFromNow(slot, ifBeyond: 0)
    else { return nil }
    return pending.node(of: slot)
  }

  private func travel(of slot: Slot, isFirst: Bool) -> Int64 {
    let isFloating = pending.shape(of: pending[slot])?.mode == .floating
    return sweep.travel(isFloating: isFloating, isFirst: isFirst)
  }

  /// False: nothing of it has fired further than `beyond` ahead of now.
  func replanFromNow(_ slot: Slot, ifBeyond beyond: Int64, isFirst: Bool = false) -> Bool {
    guard canReview(slot, beyond: beyond),
      var node = pending.node(of: slot), node.due > now.real, node.due != .distantFuture,
      let plan = plan(of: slot),
      let last = plan.newest(notAfter: node.due.advanced(by: -1)),
      last.due > now.real.advanced(by: beyond + travel(of: slot, isFirst: isFirst))
    else { return false }
    let newest = plan.newest(notAfter: now.real)
    guard let next = plan.first(after: now.real) else { return false }
    pending.dropContent(of: slot, &turn)
    pending.setMissed(from: nil, of: slot)
    let generation = pending[slot].generation
    pending.setGeneration(generation &+ 1, of: slot)
    record(
      .replanFromNow(
        slot, app: pending[slot].app, generation: Int64(generation),
        firedThrough: newest?.k ?? next.k - 1))
    keepSkips(of: slot, generation: Int64(generation) + 1)
    node.due = next.due
    move(node)
    return true
  }
}
