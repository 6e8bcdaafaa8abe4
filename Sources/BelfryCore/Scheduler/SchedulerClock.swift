/// The clock's life: trust, what is held for want of it, and steps (T8, T9).
extension Scheduler {
  /// How often the kernel is asked about its clock while something is held.
  static let askInterval = 5 * Duration.second
  /// A step back of up to this fires nothing twice; after a longer one repeats are planned afresh.
  static let shortStep = 3 * Duration.hour
  /// From the easternmost zone to the westernmost one.
  static let longestTravel = 26 * Duration.hour
  /// real − elapsed is constant between two settings of the clock; less than this is the time
  /// between the two readings.
  private static let smallestStep = Duration.millisecond

  /// How many entries cannot fire by the clock as it is.
  var heldCount: Int {
    guard !clock.isTrusted else { return 0 }
    switch clock.state(at: now) {
    case .untrusted: return pending.clocked.once + pending.clocked.repeating
    case .plausible: return pending.clocked.once
    case .synchronised: return 0
    }
  }

  /// What it shows may be wrong by any time.
  var isClockDoubtful: Bool {
    !clock.isTrusted && clock.state(at: now) != .synchronised
  }

  // MARK: Trust

  /// What can be told by the time alone: steps, and trust by waiting.
  func keepClock() {
    noteStep()
    let state = clock.state(at: now)
    if state != lastClockState {
      lastClockState = state
      if !clock.isTrusted, state != .synchronised { release() }
    }
    if clock.reachTrust(now) { tellTrust("it has been plausible for long enough") }
  }

  /// T9: every so often while something is held, never otherwise.
  func askWhileHeld() {
    if heldCount == 0 {
      nextAsk = nil
    } else if now.elapsed >= nextAsk ?? .min {
      askClock()
      nextAsk = now.elapsed + Self.askInterval
    }
  }

  func askClock() {
    lastAsked = now.elapsed
    emit(.askClock)
  }

  /// Before something fires, so that the history tells the state; never a wake-up of its own.
  func refreshClock() {
    let interval = clock.isSynchronised ? 10 * Duration.minute : Duration.minute
    if lastAsked == .min || now.elapsed - lastAsked >= interval { askClock() }
  }

  func takeClock(synchronised: Bool) {
    let was = clock.isSynchronised
    let isNew = clock.take(synchronised: synchronised, now: now)
    if synchronised != was {
      emit(
        .log(
          .info,
          synchronised ? "the clock is synchronised" : "the clock is no longer synchronised"))
    }
    if isNew { tellTrust("it is synchronised") }
  }

  /// Lets everything go by the clock as it is; how many that sets free.
  func trustClock() -> Int64 {
    let count = heldCount
    guard !clock.isTrusted else { return 0 }
    clock.trust()
    tellTrust("told so by an operator", released: count)
    return Int64(count)
  }

  private func tellTrust(_ reason: String, released: Int? = nil) {
    let waiting = released ?? pending.held.nodes.count
    let what = waiting == 0 ? "" : "; \(waiting) held notifications go on"
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
    forgetContent(of: row.slot)
    pending.shift(row.slot, to: .held)
    wasHeld.insert(row.slot)
  }

  /// After every change of the clock or of its trust: those that may go by it now do.
  func release() {
    for node in pending.held.nodes where !clock.holds(pending[node.slot], at: now) {
      move(node)
    }
    // What was passed over because it was held can be prepared now.
    nextPrepare = min(nextPrepare, now.real)
  }

  /// Puts a node where its due belongs; content that is still needed stays (D8).
  func move(_ node: HeapNode) {
    let place = queue(for: node)
    let content = contents[node.slot]
    forgetContent(of: node.slot)
    pending.reschedule(node, at: place)
    guard place == .near else { return }
    if case .loaded(let row, _) = content {
      noteLoaded(row, due: node.due)
    } else {
      toLoad.append(node.slot)
    }
  }

  /// For the books: what time it is, as far as it is known; a clock that is known to be wrong says
  /// nothing of that, or the next start would believe it (T9).
  public func clockNote(at now: Now) -> StoreRecord {
    let isWrong = !clock.isTrusted && clock.state(at: now) == .untrusted
    let real = isWrong ? clock.known : now.real
    return .noteClock(boot: configuration.boot, Now(real: real, elapsed: now.elapsed))
  }

  // MARK: Steps

  private func noteStep() {
    let offset = now.real.nanoseconds(since: Instant(nanoseconds: now.elapsed))
    guard let before = lastOffset else {
      lastOffset = offset
      return
    }
    let (step, isHuge) = offset.subtractingReportingOverflow(before)
    guard isHuge || step.magnitude >= UInt64(Self.smallestStep) else { return }
    lastOffset = offset
    for (slot, due) in relatives { moveRelative(slot, due: due) }
    for slot in notBefore.keys { moveNotBefore(slot) }
    // A clock that runs wrong is no step, or what is held would be written down again and again.
    guard isHuge || step.magnitude >= UInt64(Duration.second) else { return }
    clockSteps += 1
    if step < 0 { unfold() }
    release()
    if step < 0 || isHuge {
      if step < -Duration.minute, pending.count > 0 {
        // The newest rows may be ahead of the corrected clock.
        record(clockNote(at: now))
      }
      review(back: isHuge ? .max : -step)
      askClock()
    } else if !clock.isTrusted {
      askClock()
    }
  }

  /// T8, T10: what folded into a next one that may be far away now has not fired.
  private func unfold() {
    let folded = missedFrom
    missedFrom = [:]
    for (slot, oldest) in folded {
      guard var node = pending.node(of: slot), let first = plan(of: slot)?.successor(of: oldest.k)
      else { continue }
      node.due = first.due
      move(node)
    }
  }

  func moveRelative(_ slot: Slot, due: Int64) {
    guard var node = pending.node(of: slot) else { return }
    node.due = turn.realDue(elapsed: due)
    move(node)
  }

  /// N2, T9: what a doubtful clock took for past is due at its date, or else when it was scheduled
  /// by the clock as it is now.
  func moveNotBefore(_ slot: Slot) {
    guard var node = pending.node(of: slot), let date = plan(of: slot)?.planned(0) else { return }
    node.due = restrained(date.due, of: slot)
    if pending.place(of: slot) == .held, node.due <= now.real {
      pending.reschedule(node, at: .held)
    } else {
      move(node)
    }
  }

  /// What is planned for a slot then is due no sooner than it was scheduled, if its clock was
  /// doubtful.
  func restrained(_ due: Instant, of slot: Slot) -> Instant {
    guard !notBefore.isEmpty, let made = notBefore[slot] else { return due }
    return max(due, turn.realDue(elapsed: made))
  }

  /// By the elapsed clock, where that does not only differ from what was `planned` by the time
  /// between two readings.
  func due(of relative: RelativeTime, planned: Instant) -> Instant {
    let due = turn.realDue(elapsed: relative.due)
    if relative.purpose == .notBefore { return max(planned, due) }
    let (apart, isFar) = due.nanoseconds.subtractingReportingOverflow(planned.nanoseconds)
    return !isFar && apart.magnitude < UInt64(Self.smallestStep) ? planned : due
  }

  // MARK: Repeats that ran ahead

  /// After a step back: repeats that fired ahead of the corrected clock are planned afresh, if it
  /// went back far, or was not synchronised when they fired (T8).
  private func review(back step: Int64) {
    let isLong = step > Self.shortStep || !clock.isSynchronised
    reviewBeyond = min(reviewBeyond ?? .max, isLong ? 0 : Self.shortStep)
    walkFrom = 1
    reviewed = 0
    storeRequests.noteStepBack()
  }

  /// By a clock that is known to be wrong nothing is planned afresh.
  var isReviewing: Bool {
    reviewBeyond != nil && (clock.isTrusted || clock.state(at: now) != .untrusted)
  }

  func endReview() {
    if let beyond = reviewBeyond, !unplanned.isEmpty {
      unplannedBeyond = min(unplannedBeyond, beyond)
    }
    reviewBeyond = nil
    isFirstReview = false
    if reviewed > 0 {
      emit(
        .log(
          .notice,
          "\(reviewed) repeats had fired ahead of the corrected clock: planned afresh from now"))
    }
  }

  /// A floating one that fired at its time may look as if it had fired ahead, once its board has
  /// travelled west; a board that was off may have travelled too (T2).
  private func travel(of slot: Slot, isFirst: Bool) -> Int64 {
    let shape = pending[slot].shape
    guard isFirst || isFirstReview || boardHasMoved, shape != 0,
      pending.shapes[shape].mode == .floating
    else { return 0 }
    return Self.longestTravel
  }

  /// T8: what had no due while the start was reviewed has one now.
  func reviewPlanned(_ slot: Slot) {
    // Else the review that is to come sees it.
    guard reviewBeyond == nil || isReviewing, pending[slot].repeats else { return }
    _ = planAfresh(slot, ifBeyond: min(reviewBeyond ?? .max, unplannedBeyond), isFirst: true)
  }

  /// T8, N5: the clock was set back while its row was on its way to the books, so it was planned from a
  /// now that has not come. Nothing of it has fired; where it begins now, nil: where it began.
  func planAfresh(entered slot: Slot) -> HeapNode? {
    // Else the review that is to come sees it.
    guard storeRequests.isPlannedAhead, pending[slot].repeats, reviewBeyond == nil || isReviewing,
      planAfresh(slot, ifBeyond: 0)
    else { return nil }
    return pending.node(of: slot)
  }

  /// False: nothing of it has fired further than `beyond` ahead of now.
  func planAfresh(_ slot: Slot, ifBeyond beyond: Int64, isFirst: Bool = false) -> Bool {
    guard canReview(slot, beyond: beyond),
      var node = pending.node(of: slot), node.due > now.real, node.due != .distantFuture,
      let plan = plan(of: slot),
      let last = plan.newest(notAfter: node.due.advanced(by: -1)),
      last.due > now.real.advanced(by: beyond + travel(of: slot, isFirst: isFirst))
    else { return false }
    let newest = plan.newest(notAfter: now.real)
    guard let next = plan.first(after: now.real) else { return false }
    forgetContent(of: slot)
    missedFrom[slot] = nil
    let generation = pending[slot].generation
    pending.setGeneration(generation &+ 1, of: slot)
    record(
      .planAfresh(
        slot, generation: Int64(generation), firedThrough: newest?.k ?? next.k - 1))
    node.due = next.due
    move(node)
    return true
  }
}
