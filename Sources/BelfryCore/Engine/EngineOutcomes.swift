/// The store's answers, and the replies that wait for them.
extension SchedulerEngine {
  func take(_ outcome: StoreOutcome, for ticket: StoreTicket) {
    guard let waiting = storeRequests.beginAnswer(ticket) else { return }
    take(outcome, ticket, waiting)
    let isSliced = slices.takes(ticket)
    storeRequests.endAnswer(ticket, isSliced: isSliced)
    releaseSlots()
  }

  private func take(_ outcome: StoreOutcome, _ ticket: StoreTicket, _ waiting: Awaited) {
    switch waiting {
    case .registration(let number): takeRegistered(outcome, number)
    case .schedule(let id, let row, let isExclusive, let most):
      takeScheduled(outcome, id, row, isExclusive: isExclusive, most: most)
      serve(row.app)
    case .cancel(let id, let number, let selection):
      let gone = handled.endQuestion()
      if let app = apps[number] {
        takeCancelled(outcome, ticket, id, selection, app, without: gone)
      }
    case .replaceAll(let id, let number, let rows, let discarded):
      if let app = apps[number] {
        takeReplacedAll(outcome, ticket, id, app, rows, discarded: discarded)
        serve(app)
      }
    case .load(let slots):
      switch outcome {
      case .loaded(let rows): takeLoaded(rows, asked: slots, ticket: ticket)
      case .loadedPartly(let rows, let unread):
        // D8: a row that the disk does not give now is not gone.
        takeLoaded(rows, asked: slots.filter { !unread.contains($0) }, ticket: ticket)
        pending.loadFailed(unread, ticket, turn)
      default: pending.loadFailed(slots, ticket, turn)
      }
    case .intents(let slots): pending.noteIntentsStored(slots, ticket)
    case .find(let id, let number, let identifier, let count, let after):
      takeFound(outcome, id, number, identifier, count: count, after: after)
    case .page(let id, let uid):
      if case .listed(let rows, let cursor) = outcome {
        tellPage(rows, cursor, id, of: uid)
      } else {
        inTurn(id, of: uid) { $0.takePage(outcome, id) }
      }
    case .regions(let slots): takeRegions(outcome, asked: slots)
    case .response(let source, let number, let target, let response):
      takeResponse(outcome, source, number, target, response)
    case .barrier(let id, let reply): emit(.reply(id, reply))
    case .stored(let id, let reply):
      if case .failed(let reason) = outcome {
        refuse(id, .storeUnavailable(reason: reason + "; it is done, and a restart forgets it"))
      } else {
        emit(.reply(id, reply))
      }
    case .presented(let id, var reply):
      if case .failed(let reason) = outcome {
        reply.warnings.append(reason + "; it is shown, but a restart forgets it")
      }
      emit(.reply(id, .scheduled(reply)))
    case .replaced(let firing): withdraw(outcome, replacedBy: firing)
    case .forget(let number): takeForgotten(outcome, number)
    case .takeOver(let number, let answer): takeTakenOver(outcome, number, answer)
    case .push(let number): takePushed(outcome, number)
    case .inbox(let id, let uid): inTurn(id, of: uid) { $0.takeInbox(outcome, id) }
    case .everyday(let step): take(outcome, step)
    }
  }

  /// What an answer of the store costs its user is done in a slice of his (A2).
  private func inTurn(
    _ id: RequestID, of uid: UInt32, _ take: @escaping (SchedulerEngine) -> Void
  ) {
    let work = SlicedWork(id, ticket: nil, drop: {}) { [unowned(unsafe) self] budget in
      budget = 0
      take(self)
      return true
    }
    slices.add(work, of: uid)
  }

  private func serve(_ number: AppNumber) {
    if let app = apps[number] { serve(app) }
  }

  private func takeRegistered(_ outcome: StoreOutcome, _ number: AppNumber) {
    guard let app = apps[number] else { return }
    if case .failed(let reason) = outcome {
      app.registrationState = .none
      let waiting = app.waiting.filter { !$0.isPush }
      app.waiting = []
      carryOut(pushes.giveUp(of: app.number, reason: reason))
      // As if it had not been used: whoever comes next may be its owner.
      apps.remove(app)
      for work in waiting { refuse(work.id, .storeUnavailable(reason: reason)) }
    } else {
      app.registrationState = .done
      serve(app)
    }
  }

  private func takeFound(
    _ outcome: StoreOutcome, _ id: RequestID, _ number: AppNumber, _ identifier: String,
    count: Int32, after: Instant?
  ) {
    switch outcome {
    case .found(let row?):
      tellNext(id, of: apps[number]?.owner ?? 0, row, count: count, after: after)
    case .found(nil): refuse(id, .notFound(identifier: identifier))
    case .failed(let reason): refuse(id, .storeUnavailable(reason: reason))
    default: emit(.log(.error, "the books answered `find` by something else"))
    }
  }

  /// What it will fire as from its next due on, or later than `after` if that is later; where that is
  /// past, also what its plan has had since.
  private func tellNext(
    _ id: RequestID, of uid: UInt32, _ row: StoredNotification, count: Int32, after: Instant?
  ) {
    // Of one with a region nobody knows when the board will cross it.
    guard let node = pending.node(of: row.slot, sequence: row.sequence), row.side == nil else {
      return emit(.reply(id, .occurrences([], passed: [])))
    }
    let past =
      lookingBack(row.notification, to: after)
      ?? max(node.due.advanced(by: -1), after ?? .distantPast)
    var plan = plan(of: node.slot)
    if row.relative != nil, plan?.planned(0)?.due != node.due {
      // A relative one has moved with every step of the clock since.
      plan = .plain(anchor: node.due, unit: nil)
    }
    guard let plan else { return emit(.reply(id, .occurrences([], passed: []))) }
    tellUpcoming(
      id, of: uid, plan, passedOver(row), after: past, expires: row.notification.expires,
      count: count, zone: row.plan?.zone)
  }

  /// `after` where that is past; nil: it is not, or nobody knows what was (N6).
  func lookingBack(_ notification: Notification, to after: Instant?) -> Instant? {
    guard let after, after < now.real, notification.pluginCalendar == nil else { return nil }
    return after
  }

  /// In slices, since days off and skips of many a row can be costly to look through.
  private func tellPage(
    _ rows: [StoredNotification], _ cursor: Int64?, _ id: RequestID, of uid: UInt32
  ) {
    var told: [ListedNotification] = []
    var place = 0
    let work = SlicedWork(id, ticket: nil, drop: {}) { [unowned(unsafe) self] budget in
      while place < rows.count {
        guard budget > 0 else { return false }
        if var row = listed(rows[place], &budget) {
          row.next = row.next.flatMap { row.notification.shown(at: $0) }
          told.append(row)
        }
        place += 1
        budget -= Self.rowCost / 4
      }
      emit(.reply(id, .listed(told, cursor: cursor)))
      return true
    }
    slices.add(work, of: uid)
  }

  private func takePage(_ outcome: StoreOutcome, _ id: RequestID) {
    switch outcome {
    case .shown(let rows, let cursor):
      let listed = rows.map { row in
        var listed = ListedNotification(
          app: apps[row.shown.app]?.name ?? "", notification: row.notification, next: nil,
          state: .fired, occurrence: row.shown.occurrence)
        listed.due = row.due
        listed.sink = row.shown.sink
        return listed
      }
      emit(.reply(id, .listed(listed, cursor: cursor)))
    case .history(let rows, let cursor): emit(.reply(id, .history(rows, cursor: cursor)))
    case .failed(let reason): refuse(id, .storeUnavailable(reason: reason))
    default: emit(.log(.error, "the books answered a listing by something else"))
    }
  }

  /// nil: it has fired since the store was asked.
  private func listed(_ row: StoredNotification, _ budget: inout Int) -> ListedNotification? {
    guard
      let node = pending.node(
        of: row.slot, sequence: row.sequence)
    else { return nil }
    var listed = ListedNotification(
      app: apps[row.app]?.name ?? "", notification: row.notification,
      next: node.due == .distantFuture ? nil : node.due, state: .scheduled)
    if clock.holds(pending[row.slot], at: now) {
      (listed.state, listed.reason) = (.held, clock.reason(at: now))
      if let passed = passedOver(row) {
        (listed.next, listed.passed) = ringing(row, node, passed, &budget)
      }
      return listed
    }
    let unlocated = row.side == nil ? nil : apps[row.app].flatMap { reasonUnlocated($0) }
    if let reason = reasonUnplanned(row.slot) ?? unlocated {
      (listed.next, listed.state, listed.reason) = (nil, .held, reason)
      return listed
    }
    if case .loaded(_, preparedAs: .some) = pending.details[row.slot].content {
      listed.state = .prepared
    }
    if let passed = passedOver(row) { tell(passed, row, node, in: &listed, &budget) }
    if row.notification.goesByDays, listed.reason == nil {
      listed.reason = days.problem(of: row.notification, app: listed.app)
    }
    listed.reason = listed.reason ?? row.loss
    if let next = listed.next,
      listed.reason == nil
        || listed.state != .paused && row.notification.shown(at: next) == nil
    {
      listed.reason =
        row.notification.outlived(due: max(next, now.real)).first
        ?? missing(of: row.notification, row.app).first
    } else if row.side != nil {
      listed.reason = listed.reason ?? missing(of: row.notification, row.app).first
    }
    listed.silence = silence(of: row.notification, row.app, at: listed.next ?? now.real)
    return listed
  }

  /// What of it does not ring, and what does instead (E1, E2).
  private func tell(
    _ passed: PassedOver, _ row: StoredNotification, _ node: HeapNode,
    in listed: inout ListedNotification, _ budget: inout Int
  ) {
    (listed.next, listed.passed) = ringing(row, node, passed, &budget)
    let first = PlannedOccurrence(k: index(of: node), due: node.due)
    let pause = passed.pauses.last(at: now.real) ?? passed.pauses.last(at: node.due)
    guard let pause else {
      // That it is none of its days is nothing to tell.
      if let cause = passed.cause(of: first), cause.isTold { listed.reason = cause.reason }
      return
    }
    listed.state = .paused
    listed.reason = pause.reason
  }
}
