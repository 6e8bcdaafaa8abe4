/// Cancelling is withdrawing too (N15).
extension SchedulerEngine {
  func cancel(_ id: RequestID, _ selection: Selection, _ app: SchedulerApp) {
    let change: StoreChange =
      switch selection {
      case .identifiers(let identifiers):
        .cancel(app: app.number, identifiers: identifiers, at: clockStamp)
      case .equal(let notification): .cancelEqual(app: app.number, notification, at: clockStamp)
      case .all: .cancelAll(app: app.number, at: clockStamp)
      }
    app.beginLook()
    handled.beginQuestion()
    ask(change, for: .cancel(id, app.number, selection))
  }

  /// `gone`: what was put away while the store looked. Many rows leave in slices (A2).
  func takeCancelled(
    _ outcome: StoreOutcome, _ ticket: StoreTicket, _ id: RequestID, _ selection: Selection,
    _ app: SchedulerApp, without gone: [OccurrenceID]
  ) {
    guard case .cancelled(let cancelled) = outcome, cancelled.rows.count > Self.sliceBudget / 8
    else { return endCancel(outcome, id, selection, app, without: gone) }
    var left = 0
    let work = SlicedWork(id, ticket: ticket) { [unowned(unsafe) self] budget in
      while left < cancelled.rows.count, budget > 0 {
        leave(cancelled, left)
        left += 1
        budget -= Self.rowCost / 4
      }
      guard left == cancelled.rows.count else { return false }
      endCancel(outcome, id, selection, app, without: gone)
      return true
    }
    begin(work, for: app)
  }

  private func endCancel(
    _ outcome: StoreOutcome, _ id: RequestID, _ selection: Selection, _ app: SchedulerApp,
    without gone: [OccurrenceID]
  ) {
    let meanwhile = app.endLook()
    switch outcome {
    case .cancelled(var cancelled):
      cancelled.shown.removeAll { gone.contains($0.occurrence) }
      for number in cancelled.rows.indices { leave(cancelled, number) }
      let snoozed = cancelSnoozes(selection, of: app)
      cancelWaiting(selection, of: app)
      var settled = withdraw(selection, of: app)
      for shown in cancelled.shown { withdraw(shown) }
      let unknown =
        meanwhile.filter { delivery in
          selection.contains(delivery.occurrence.notification) && !gone.contains(delivery.id)
            // Where requests overlap the store may know of it by now.
            && !cancelled.shown.contains { delivery.isSame(as: $0, at: sinkQueues[delivery.sink]) }
        } + app.takeUnrecorded(selection)
      app.forgetMeanwhile(selection)
      for delivery in unknown { withdrawShown(delivery) }
      settled += unknown.count
      let reply = Reply.cancelled(
        cancelled: Int64(cancelled.rows.count + snoozed),
        withdrawn: Int64(settled + cancelled.shown.count))
      guard settled + snoozed > 0 else { return emit(.reply(id, reply)) }
      replyAfterCommit(id, reply, of: app.number)
    case .failed(let reason): refuse(id, .storeUnavailable(reason: reason))
    default: emit(.log(.error, "the books answered a cancel request by something else"))
    }
  }

  /// A row has left the store; the time it was due next. nil: it has fired since.
  @discardableResult
  func leave(_ row: PendingSummary) -> Instant? {
    guard let node = pending.node(of: row.slot, sequence: row.sequence) else { return nil }
    pending.dropContent(of: row.slot, &turn)
    removeEntry(row.slot)
    return node.due
  }

  /// One of those that the store has cancelled.
  func leave(_ cancelled: StoreOutcome.Cancelled, _ number: Int) {
    let row = cancelled.rows[number]
    guard let due = leave(row), let app = apps[row.app] else { return }
    tellLeft(cancelled.identifiers[number], app, .cancelled, due: due)
  }

  /// The time for the history rows of what leaves the scheduled list.
  var clockStamp: ClockStamp { ClockStamp(real: now.real, state: clock.state(at: now)) }

  /// Ends the deliveries that have not ended; how many.
  func withdraw(_ selection: Selection, of app: SchedulerApp) -> Int {
    var count = withdrawOffers(selection, of: app)
    for sink in sinks {
      let isMeant = { (delivery: OpenDelivery) in
        delivery.firing.app == app.number && selection.contains(delivery.occurrence.notification)
      }
      let handedOver = sink.handedOver.filter(isMeant)
      let waiting = sink.queue.removeAll(where: isMeant)
      sink.handedOver.removeAll(where: isMeant)
      for delivery in handedOver {
        takeBack(delivery.occurrence.id, at: sink.index, token: delivery.token)
      }
      for delivery in handedOver + waiting { finish(delivery, .withdrawn, reason: nil) }
      count += handedOver.count + waiting.count
      pump(sink)
    }
    return count
  }

  /// What the store knows to be shown; it has marked it already.
  func withdraw(_ shown: ShownDelivery) {
    apps[shown.app]?.forgetShown(shown.occurrence, at: shown.sink)
    guard let sink = sinkQueues.named(shown.sink) else { return }
    takeBack(shown.occurrence, at: sink.index)
    tellWithdrawn(shown.occurrence, shown.identifier, apps[shown.app]?.name ?? "", sink)
  }

  /// What came to be shown after the store had looked, or without its knowledge.
  func withdrawShown(_ delivery: OpenDelivery) {
    let sink = sinkQueues[delivery.sink]
    apps[delivery.firing.app]?.forgetShown(delivery.id, at: sink.sink.name)
    takeBack(delivery.occurrence.id, at: sink.index)
    delivery.firing.open += 1
    end(
      delivery.firing, sink: sink.sink.name, .withdrawn, reason: nil,
      handedOver: delivery.handedOver, attempts: delivery.attempt)
  }

  private func tellWithdrawn(
    _ occurrence: OccurrenceID, _ identifier: String, _ app: String, _ sink: SchedulerSink
  ) {
    emit(
      .event(
        WatchEvent(
          kind: .withdrawn, app: app, identifier: identifier, occurrence: occurrence,
          sink: sink.sink.name, at: now.real, due: nil, handedOver: nil, reason: nil, missed: 0)))
  }
}

extension OpenDelivery {
  fileprivate func isSame(as shown: ShownDelivery, at sink: SchedulerSink) -> Bool {
    shown.occurrence == id && shown.sink == sink.sink.name
  }
}
