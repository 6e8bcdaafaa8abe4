/// Changing fields of what is scheduled (E7), while no other request of the app is under way: nobody's
/// change gets lost between two.
extension SchedulerEngine {
  func takeEdit(
    _ outcome: StoreOutcome, _ work: SchedulerApp.Work, _ app: SchedulerApp,
    _ asked: EverydayRequest
  ) {
    app.endAlone()
    guard case .edit(let identifier, let change) = asked else { return serve(app) }
    switch outcome {
    case .found(let row?):
      if !edit(FoundRow(row), change, work.id, app) {
        // Every answer is a turn of its own, and a zone that was read in another is read again. So it
        // goes on with the row that it has, in the turn of the answer.
        var waiting = work
        waiting.edited = FoundRow(row)
        app.waiting.insert(waiting, at: 0)
        return
      }
    case .failed(let reason): refuse(work.id, .storeUnavailable(reason: reason))
    default: refuse(work.id, .notFound(identifier: identifier))
    }
    serve(app)
  }

  /// False: it has to wait for what it needs to be read. The row may have fired meanwhile.
  func edit(
    _ found: FoundRow, _ change: (Notification) throws(FieldError) -> Notification,
    _ id: RequestID, _ app: SchedulerApp
  ) -> Bool {
    do throws(RequestError) {
      guard isListed(found.row) else {
        throw .notFound(identifier: found.row.notification.identifier ?? "")
      }
      return try edit(found.row, change, id, app)
    } catch {
      refuse(id, error)
      return true
    }
  }

  /// False: it has to wait for what it needs to be read.
  private func edit(
    _ row: StoredNotification,
    _ change: (Notification) throws(FieldError) -> Notification, _ id: RequestID,
    _ app: SchedulerApp
  ) throws(RequestError) -> Bool {
    var edited: Notification
    do throws(FieldError) {
      edited = try change(row.notification)
    } catch {
      throw .invalidField(error)
    }
    edited.identifier = row.notification.identifier
    // What has left the configuration since is no fault of the edit's.
    let old = row.notification
    edited = try validated(
      edited, app: app.name, keeping: old.sinks + old.ladder.flatMap { $0.sinks })
    if edited == row.notification {
      emit(.reply(id, .scheduled(editReply(row, app, isUnchanged: true))))
      return true
    }
    guard try isReady(edited) else { return false }
    let keepsTime = edited.isTimed(as: row.notification)
    var new: StoredNotification
    if keepsTime {
      guard let slot = pending.allot() else {
        throw .limitReached(limit: "memory", value: Int64(PendingTable.maxSlots))
      }
      new = row
      new.slot = slot
      new.notification = edited
      if let k = firedThrough(row) { new.firedThrough = k }
    } else {
      try checkRoom(row, edited, app)
      new = try self.row(edited, app)
      new.sequence = row.sequence
    }
    app.beginAlone()
    ask(
      .schedule(new, ifAdded: .onlyReplace, at: clockStamp),
      for: .everyday(
        .edited(id, EditedRow(row: new, app: app.number, keepsTime: keepsTime))))
    return true
  }

  /// R4, N17: what goes by a region from now on, or no more, counts elsewhere.
  private func checkRoom(
    _ row: StoredNotification, _ edited: Notification, _ app: SchedulerApp
  ) throws(RequestError) {
    let hasRegion = edited.region != nil
    guard hasRegion != (row.side != nil) else { return }
    let most = hasRegion ? regionLimit(of: app) : limit(of: app.name).most
    let count =
      hasRegion ? pending.regionCount(of: app.number) : pending.count(of: app.number)
    guard count < most else {
      throw .limitReached(
        limit: hasRegion ? "regions" : "notifications", value: Int64(most))
    }
  }

  /// What has been fired of a repeat; nil: none that is to come is known.
  private func firedThrough(_ row: StoredNotification) -> Int64? {
    guard row.side == nil, pending.isPending(row.slot), pending[row.slot].repeats,
      let node = pending.node(of: row.slot), node.due != .distantFuture,
      let plan = plan(of: row.slot)
    else { return nil }
    return plan.firedThrough(
      before: pending.details[row.slot].missedFrom
        ?? PlannedOccurrence(k: plan.index(at: node.due), due: node.due))
  }

  func takeEdited(_ outcome: StoreOutcome, _ id: RequestID, _ edited: EditedRow) {
    guard let app = apps[edited.app] else { return }
    app.endAlone()
    let identifier = edited.row.notification.identifier ?? ""
    switch outcome {
    case .scheduled(let scheduled): follow(scheduled, id, edited, app)
    default:
      pending.giveBack(edited.row.slot)
      refuse(id, outcome.refusal ?? .notFound(identifier: identifier))
    }
    serve(app)
  }

  private func follow(
    _ scheduled: StoreOutcome.Scheduled, _ id: RequestID, _ edited: EditedRow,
    _ app: SchedulerApp
  ) {
    var row = edited.row
    let identifier = row.notification.identifier ?? ""
    guard case .replaced(let previous, let uuid, let generation, _, _) = scheduled else {
      pending.giveBack(row.slot)
      if case .unchanged = scheduled {
        var reply = ScheduleReply(
          identifier: identifier, scheduled: true, unchanged: true, replaced: false,
          occurrence: nil, next: nil, discarded: [])
        reply.demotion = demotion(of: row.notification, app)
        return emit(.reply(id, .scheduled(reply)))
      }
      return refuse(id, .notFound(identifier: identifier))
    }
    if edited.keepsTime {
      guard pending.node(of: previous.slot, sequence: previous.sequence) != nil else {
        // It has fired meanwhile, and is not to come again.
        pending.giveBack(row.slot)
        record(.finish(previous.slot, app: previous.app, generation: generation))
        return refuse(id, .notFound(identifier: identifier))
      }
      var old = row
      old.slot = previous.slot
      if let k = firedThrough(old), k != row.firedThrough {
        row.firedThrough = k
        record(
          .skip(previous.slot, app: previous.app, generation: generation, firedThrough: k))
      }
      if row.side != nil { row.firedThrough = max(row.firedThrough, previous.firedThrough) }
    }
    let lost = enter(scheduled, row).lost
    row.slot = previous.slot
    row.uuid = uuid
    row.generation = Int64(pending[previous.slot].generation)
    var reply = editReply(row, app, isUnchanged: false)
    if !edited.keepsTime { noteDate(of: row, in: &reply) }
    if let lost { reply.warnings.append(lost.words) }
    emit(.reply(id, .scheduled(reply)))
  }

  private func editReply(
    _ row: StoredNotification, _ app: SchedulerApp, isUnchanged: Bool
  ) -> ScheduleReply {
    var reply = ScheduleReply(
      identifier: row.notification.identifier ?? "", scheduled: true, unchanged: isUnchanged,
      replaced: !isUnchanged, occurrence: nil, next: nil, discarded: [])
    reply.demotion = demotion(of: row.notification, app)
    reply.sounds = namedSounds(of: row.notification, app)
    guard let node = pending.node(of: row.slot) else { return reply }
    reply.occurrence = OccurrenceID(
      uuid: row.uuid, generation: row.generation, k: index(of: node))
    note(row, node, in: &reply)
    return reply
  }

  /// When it rings next, and what its user would want to know of that.
  func note(_ row: StoredNotification, _ node: HeapNode, in reply: inout ScheduleReply) {
    var budget = Self.sliceBudget
    note(row, node, in: &reply, &budget)
  }

  /// The same, and what it took off a slice's budget. `suggests`: of a calendar that is not there, the
  /// one that may be meant, for which all are searched.
  func note(
    _ row: StoredNotification, _ node: HeapNode, in reply: inout ScheduleReply,
    _ budget: inout Int, suggests: Bool = true
  ) {
    reply.next = node.due == .distantFuture ? nil : node.due
    if let passed = passedOver(row) {
      let (next, runs) = ringing(row, node, passed, &budget)
      reply.next = next
      if let run = runs.first {
        reply.warnings.append("\(RFC3339.text(run.first)) does not ring: " + run.reason)
      } else if let cause = pause(of: row.notification, row.app, slot: row.slot) {
        reply.warnings.append("it does not ring now: " + cause.reason)
      }
    }
    noteSurprises(of: row.notification, row.app, in: &reply, suggests: suggests)
    if let stray = strayDates(of: row, &budget) { reply.warnings.append(stray) }
    if let drift = drift(of: row, &budget) { reply.warnings.append(drift) }
    let app = apps[row.app]?.name
    if suggests {
      reply.warnings += days.problems(of: row.notification, app: app)
    } else if let problem = days.problem(of: row.notification, app: app) {
      reply.warnings.append(problem)
    }
    if let silence = silence(of: row.notification, row.app, at: reply.next ?? now.real) {
      reply.warnings.append("its sound will not be heard: " + silence)
    }
    reply.next = reply.next.flatMap { row.notification.shown(at: $0) }
  }
}
