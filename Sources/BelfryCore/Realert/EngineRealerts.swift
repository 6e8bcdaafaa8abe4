/// What the scheduler does about what waits for an answer (E6): the list itself is `WaitingAlerts`.
extension SchedulerEngine {
  /// An occurrence is handed over for the first time: it takes over from an older one of its
  /// notification, and waits for an answer itself where it asks for one.
  func beginWaiting(_ firing: FiredOccurrence) {
    let occurrence = firing.occurrence
    guard occurrence.id.step == 0 else { return }
    if let older = waiting[occurrence.id.uuid], older.occurrence.id != occurrence.id {
      endUnanswered(older, reason: "a newer one has come")
    }
    guard occurrence.notification.asksForAnswer, firing.isRecorded else { return }
    let over = waiting.begin(
      occurrence, of: firing.app, isSynchronised: clock.isSynchronised, &turn)
    if let over { endUnanswered(over, reason: "too many wait for an answer") }
  }

  // MARK: Time

  /// Hands over the steps that are due, after all else: users take turns (D9).
  func fireSteps() {
    let due = waiting.due(at: now.elapsed)
    guard !due.isEmpty else { return }
    var turns = TurnQueue<WaitingAlerts.Entry>()
    for (order, entry) in due.enumerated() {
      turns.insert(
        entry, order: Int64(order), user: Int64(apps[entry.app]?.owner ?? 0),
        Urgency(effectiveLevel(entry.occurrence.level, app: entry.app)))
    }
    var left = WaitingAlerts.inOneEvent
    while left > 0, let entry = turns.next() {
      left -= 1
      fireStep(of: entry)
    }
  }

  private func fireStep(of entry: WaitingAlerts.Entry) {
    if let expires = entry.occurrence.notification.expires, expires < now.real {
      return endUnanswered(entry, reason: "expired before anybody answered")
    }
    guard !entry.isLast else { return endUnanswered(entry, reason: nil) }
    let (number, due) = WaitingAlerts.step(of: entry, at: now.elapsed)
    let isLate = now.elapsed - due > configuration.grace
    if isLate {
      let user = apps[entry.app]?.owner ?? 0
      guard now.elapsed >= lateTurn(of: user) else { return }
      takeLateTurn(of: user)
    }
    var step = entry.occurrence
    step.id.step = number
    step.due = turn.realDue(elapsed: due)
    deliver(
      step, app: entry.app, slot: nil, shown: shown(before: step, since: entry.stored.step),
      attempt: handOvers.attempts(step.id), isRecorded: true, only: nil)
    // After its own record, so that a crash between the two repeats it under the same id.
    waiting.advance(step.id.uuid, to: number, due: due, isLate: isLate, &turn)
  }

  /// What the sinks of a step show of the steps before it, which it takes the place of. `newest`: the
  /// newest of them that was handed over.
  private func shown(before step: Occurrence, since newest: Int32) -> [ShownDelivery] {
    sinks.compactMap { sink in
      guard sink.sink.kind == .plugin, step.goes(to: sink.sink.name) else { return nil }
      var earlier = step
      for number in stride(from: newest, through: 0, by: -1) {
        earlier.id.step = number
        guard earlier.goes(to: sink.sink.name) else { continue }
        return ShownDelivery(
          occurrence: earlier.id, app: 0, identifier: step.notification.identifier ?? "",
          sink: sink.sink.name)
      }
      return nil
    }
  }

  /// Has the sinks made ready of steps that are due soon.
  func prepareSteps() {
    for (app, step) in waiting.prepare(within: prepareLead, turn) {
      record(.intend(step, app: app, slot: nil))
      let parts = parts(of: step, app)
      for sink in sinks where gets(sink.sink, parts, of: step) {
        if sink.sink.kind == .speaker || !sink.isUp { emit(.prepare(sink.index, step)) }
      }
    }
  }

  /// When the next step is due, or to be prepared, and when a sleeping board is to be awake for one.
  var nextStepWake: NextWake {
    if waiting.isEmpty { return NextWake(real: nil, elapsed: nil) }
    let elapsed = waiting.nextWake(at: now.elapsed, lead: prepareLead) { app in
      lateTurn(of: apps[app]?.owner ?? 0)
    }
    let alarm = waiting.nextAlarm(at: now, lead: prepareLead) { step in
      wakes(isUrgent: step.level.isUrgent).contains(.wakes)
    }
    return NextWake(real: nil, elapsed: elapsed, alarm: alarm)
  }

  // MARK: Leaving

  /// Nobody has answered it, and no step is left (D10).
  private func endUnanswered(_ entry: WaitingAlerts.Entry, reason: String?) {
    var last = entry.occurrence
    last.id.step = entry.stored.step
    let firing = FiredOccurrence(last, app: entry.app, isRecorded: true)
    // Its deliveries go on, and close it themselves.
    firing.open = 2
    end(firing, sink: "", .unanswered, reason: reason)
    if waiting[last.id.uuid]?.occurrence.id == entry.occurrence.id { waiting.remove(last.id.uuid) }
    turn.forget(entry)
  }

  /// Somebody has answered it: no step follows.
  func endWaiting(_ id: OccurrenceID) {
    guard waiting[id.uuid]?.occurrence.id == id.base else { return }
    waiting.remove(id.uuid).map { turn.forget($0) }
  }

  /// Cancelled with their notifications (N15).
  func cancelWaiting(_ selection: Selection, of app: SchedulerApp) {
    for entry in waiting.removeAll(selection, of: app.number) { turn.forget(entry) }
  }

  // MARK: A start

  /// Takes in one of the store; before the first event.
  public func restore(_ stored: WaitingAlert) {
    restoredState?.add(stored)
  }

  /// The first event.
  func resumeWaiting(_ restored: RestoredState) {
    for stored in restored.waiting where apps[stored.app] != nil {
      var stored = stored
      let id = stored.occurrence.id
      if restored.isPutOff(id) {
        record(.forgetWaitingAlert(id, app: stored.app))
        continue
      }
      noteDates(in: stored.occurrence.notification)
      let ofIt = restored.deliveries.filter { $0.firing.occurrence.id.base == id }
      // Killed between the two records, its newest step is on its way by the first.
      if let newest = ofIt.map({ $0.firing.occurrence.id.step }).max(), newest > stored.step {
        let offset = stored.relative.due - stored.relative.made
        stored.step = newest
        stored.relative.due += stored.occurrence.notification.pause(after: newest, at: offset)
        record(.keepWaitingAlert(stored))
      }
      let isOpen = ofIt.contains { delivery in
        delivery.firing.occurrence.id.step == stored.step && !delivery.hasSettled
      }
      waiting.resume(
        stored, lastHeard: restored.reached(stored.relative),
        isClockWrong: clock.state(at: now) == .untrusted, isOpen: isOpen,
        isSuspect: restored.preparedAgain.contains(id.ofStep(stored.step + 1)), &turn)
    }
  }
}
