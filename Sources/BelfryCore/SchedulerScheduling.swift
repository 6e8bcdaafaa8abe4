/// Scheduling and the limit (N1, N13 to N17).
extension Scheduler {
  private func limit(of app: SchedulerApp) -> Int32 {
    configuration.overrides[app.name]?.notifications ?? configuration.notifications
  }

  private func onFull(of app: SchedulerApp) -> SchedulerConfiguration.OnFull {
    configuration.overrides[app.name]?.onFull ?? configuration.onFull
  }

  /// The row of a notification scheduled now; nil: there is no slot left.
  private func row(_ notification: Notification, _ app: SchedulerApp) -> StoredNotification? {
    guard let slot = pending.allot() else { return nil }
    let uuid = makeUUID()
    var notification = notification
    if notification.identifier == nil { notification.identifier = uuid.text }
    let anchor = notification.anchor(scheduledAt: now.real)
    // N5: what would have been due before now is none of its occurrences.
    let first = Recurrence.firstIndex(
      anchor: anchor, unit: notification.repeatInterval, after: now.real.advanced(by: -1))
    lastSequence += 1
    return StoredNotification(
      slot: slot, app: app.number, uuid: uuid, generation: 0, sequence: lastSequence,
      anchor: anchor, firedThrough: (first ?? 0) - 1, notification: notification)
  }

  private func node(of row: StoredNotification) -> HeapNode {
    let due = Recurrence.instant(
      anchor: row.anchor, unit: row.notification.repeatInterval, k: row.firedThrough + 1)
    return HeapNode(due: due ?? .distantFuture, sequence: row.sequence, slot: row.slot)
  }

  /// False: the app is near its limit, and this has to wait until it can be alone.
  func schedule(_ id: RequestID, _ notification: Notification, _ app: SchedulerApp) -> Bool {
    let count = pending.count(of: app.number)
    let isAlone = count + app.schedulesUnderWay >= limit(of: app)
    guard !isAlone || app.schedulesUnderWay == 0 else { return false }
    guard let row = row(notification, app) else {
      refuse(id, .limitReached(limit: "memory", value: Int64(PendingTable.mostSlots)))
      return true
    }
    let action: LimitAction = isAlone ? actionAtLimit(for: row, app) : .none
    if case .discard(let slot) = action { app.condemned = slot }
    app.schedulesUnderWay += 1
    app.isAlone = isAlone
    ask(.schedule(row, ifAdded: action), for: .schedule(id, row, isAlone: isAlone))
    return true
  }

  /// N17: the latest to fire goes; at the same due, the newer one.
  private func actionAtLimit(for row: StoredNotification, _ app: SchedulerApp) -> LimitAction {
    if onFull(of: app) == .refuse { return .refuse }
    guard let latest = pending.latest(of: app.number), node(of: row) < latest else {
      return .discardNew
    }
    return .discard(latest.slot)
  }

  func takeScheduled(
    _ outcome: BookOutcome, _ id: RequestID, _ row: StoredNotification, isAlone: Bool
  ) {
    guard let app = apps[row.app] else { return }
    app.schedulesUnderWay -= 1
    if isAlone { app.isAlone = false }
    let condemned = app.condemned
    app.condemned = nil
    switch outcome {
    case .scheduled(let scheduled):
      let entered = enter(scheduled, row)
      emit(.reply(id, reply(to: scheduled, entered, row, app, condemned: condemned)))
    case .failed(let reason):
      pending.giveBack(row.slot)
      refuse(id, .booksUnavailable(reason: reason))
    default: emit(.log(.error, "the books answered a schedule request by something else"))
    }
  }

  private func reply(
    to outcome: BookOutcome.Scheduled, _ entered: HeapNode?, _ row: StoredNotification,
    _ app: SchedulerApp, condemned: Slot?
  ) -> Reply {
    var reply = ScheduleReply(
      identifier: row.notification.identifier ?? "", scheduled: true, unchanged: false,
      replaced: false, occurrence: nil, next: nil, discarded: [])
    var name = (uuid: row.uuid, generation: row.generation)
    switch outcome {
    case .added(let discarded):
      if let discarded, let condemned, let node = pending.node(of: condemned) {
        forgetContent(of: condemned)
        removeEntry(condemned)
        tellDiscarded(discarded, app, due: node.due)
        reply.discarded = [discarded]
      }
    case .replaced(_, let uuid, let generation):
      reply.replaced = true
      name = (uuid, generation)
    case .unchanged(let summary, let uuid):
      reply.unchanged = true
      name = (uuid, summary.generation)
    case .discardedNew:
      reply.scheduled = false
      tellDiscarded(reply.identifier, app, due: node(of: row).due)
      return .scheduled(reply)
    case .refused:
      return .refused(.limitReached(limit: "notifications", value: Int64(limit(of: app))))
    }
    if let entered {
      reply.next = entered.due == .distantFuture ? nil : entered.due
      reply.occurrence = OccurrenceID(
        uuid: name.uuid, generation: name.generation, k: index(of: entered))
    }
    return .scheduled(reply)
  }

  func tellDiscarded(_ identifier: String, _ app: SchedulerApp, due: Instant) {
    emit(
      .event(
        WatchEvent(
          kind: .discarded, app: app.name, identifier: identifier, occurrence: nil, sink: nil,
          at: now.real, due: due == .distantFuture ? nil : due, handedOver: nil,
          reason: "limit", missed: 0)))
  }

  /// Follows in memory what the books have made of a row; the node that stands for it now.
  private func enter(
    _ outcome: BookOutcome.Scheduled, _ row: StoredNotification
  ) -> HeapNode? {
    switch outcome {
    case .added: return enter(row, hasContent: true)
    case .replaced(let previous, let uuid, let generation):
      pending.giveBack(row.slot)
      leaveReplaced(previous)
      var row = row
      row.slot = previous.slot
      row.uuid = uuid
      row.generation = generation
      // What its sinks still show of it is known to the books alone.
      return enter(row, hasContent: false)
    case .unchanged(let summary, _):
      pending.giveBack(row.slot)
      return pending.node(
        of: summary.slot, generation: summary.generation, sequence: summary.sequence)
    case .discardedNew, .refused:
      pending.giveBack(row.slot)
      return nil
    }
  }

  /// The old one may have fired since; then its slot has been waiting for this.
  private func leaveReplaced(_ old: PendingSummary) {
    guard
      pending.node(of: old.slot, generation: old.generation, sequence: old.sequence) != nil
    else { return }
    forgetContent(of: old.slot)
    missedFrom[old.slot] = nil
    lastRecorded[old.slot] = nil
    pending.leave(old.slot)
  }

  private func enter(_ row: StoredNotification, hasContent: Bool) -> HeapNode {
    let node = node(of: row)
    let entry = PendingTable.Entry(
      app: row.app, generation: row.generation, anchor: row.anchor,
      unit: row.notification.repeatInterval)
    let place = queue(for: node)
    pending.enter(entry, node, at: place)
    if place == .near {
      if hasContent { noteLoaded(row, due: node.due) } else { toLoad.append(row.slot) }
    }
    return node
  }

  // MARK: The whole list (N16)

  /// False: it has to wait until it can be alone.
  func replaceAll(_ id: RequestID, _ list: [Notification], _ app: SchedulerApp) -> Bool {
    guard app.schedulesUnderWay == 0 else { return false }
    var rows: [StoredNotification] = []
    for notification in list {
      guard let row = row(notification, app) else { break }
      rows.append(row)
    }
    let most = Int(limit(of: app))
    if rows.count < list.count || (rows.count > most && onFull(of: app) == .refuse) {
      for row in rows { pending.giveBack(row.slot) }
      refuse(id, .limitReached(limit: "notifications", value: Int64(most)))
      return true
    }
    var discarded: [String] = []
    if rows.count > most {
      let nodes = rows.map { node(of: $0) }.sorted()
      let kept = Set(nodes.prefix(most).map { $0.slot })
      for row in rows where !kept.contains(row.slot) {
        pending.giveBack(row.slot)
        discarded.append(row.notification.identifier ?? "")
      }
      rows.removeAll { !kept.contains($0.slot) }
    }
    app.isAlone = true
    ask(
      .replaceAll(app: app.number, rows: rows),
      for: .replaceAll(id, app.number, rows, discarded: discarded))
    return true
  }

  func takeReplacedAll(
    _ outcome: BookOutcome, _ id: RequestID, _ app: SchedulerApp,
    _ rows: [StoredNotification], discarded: [String]
  ) {
    app.isAlone = false
    switch outcome {
    case .replacedAll(let scheduled, let cancelled) where scheduled.count == rows.count:
      var reply = ReplaceAllReply(
        added: 0, replaced: 0, unchanged: 0, cancelled: Int64(cancelled.count),
        discarded: discarded)
      for summary in cancelled { leave(summary) }
      for (row, scheduled) in zip(rows, scheduled) {
        _ = enter(scheduled, row)
        switch scheduled {
        case .added: reply.added += 1
        case .replaced: reply.replaced += 1
        case .unchanged: reply.unchanged += 1
        case .discardedNew, .refused: break
        }
      }
      for identifier in discarded { tellDiscarded(identifier, app, due: .distantFuture) }
      emit(.reply(id, .replacedAll(reply)))
    case .failed(let reason):
      for row in rows { pending.giveBack(row.slot) }
      refuse(id, .booksUnavailable(reason: reason))
    default: emit(.log(.error, "the books answered `replaceAll` by something else"))
    }
  }

  // MARK: At once

  /// N14: never listed; nothing of it waits for the disk (D8).
  func presentNow(_ id: RequestID, _ notification: Notification, _ app: SchedulerApp) {
    if let expires = notification.expires, expires < now.real {
      return refuse(id, .invalidField(FieldError("expires", .outOfRange, "it is past already")))
    }
    let presented = present(notification, app, only: nil)
    replyAfterCommit(
      id,
      .scheduled(
        ScheduleReply(
          identifier: presented.notification.identifier ?? "", scheduled: true,
          unchanged: false, replaced: false, occurrence: presented.id, next: presented.due,
          discarded: [])))
  }

  func test(_ id: RequestID, sink name: String?, _ app: SchedulerApp) {
    var alert = Notification()
    alert.alertTitle = "Belfry"
    alert.alertBody = "This is a test."
    alert.soundName = Notification.defaultSoundName
    let only = name.flatMap { sinksByName[$0] }
    let presented = present(alert, app, only: only)
    let all = sinks.filter { $0.sink.kind == .speaker || $0.sink.wantsAlerts }
    replyAfterCommit(
      id,
      .testing(
        occurrence: presented.id, sinks: (only.map { [$0] } ?? all).map { $0.sink.name }))
  }

  private func present(
    _ notification: Notification, _ app: SchedulerApp, only: SchedulerSink?
  ) -> Occurrence {
    let uuid = makeUUID()
    var notification = notification
    if notification.identifier == nil { notification.identifier = uuid.text }
    let presented = Occurrence(
      id: OccurrenceID(uuid: uuid, generation: 0, k: 0), app: app.name,
      notification: notification, due: now.real)
    deliver(
      presented, app: app.number, slot: nil, shown: [], attempt: 0, isRecorded: true,
      only: only)
    return presented
  }
}
