/// What the scheduler does about what was snoozed: the list itself is `SnoozeList`.
extension SchedulerEngine {
  /// T9: what the real clock shows is known to be wrong.
  private var isClockWrong: Bool { !clock.isTrusted && clock.state(at: now) == .untrusted }

  // MARK: Time

  /// Fires what has come, users in turns; late ones one at a time with pauses between (T10).
  func fireSnoozes() {
    let due = snoozes.due(at: now, isClockWrong: isClockWrong)
    guard !due.isEmpty else { return }
    var turns = TurnQueue<SnoozeList.Entry>()
    for (order, snooze) in due.enumerated() {
      let notification = snooze.occurrence.notification
      turns.insert(
        snooze, order: Int64(order), user: Int64(apps[snooze.app]?.owner ?? 0),
        Urgency(effectiveLevel(of: notification, app: snooze.app)))
    }
    while let snooze = turns.next() {
      guard turn.firingRoom > 0 else {
        isFiring = true
        return
      }
      let late = -snooze.left(at: now)
      if late > configuration.grace {
        let user = apps[snooze.app]?.owner ?? 0
        if now.elapsed < lateTurn(of: user) { continue }
        if reasonToDrop(snooze, late: late) == nil { takeLateTurn(of: user) }
      }
      fire(snooze, late: late)
    }
  }

  private func fire(_ snooze: SnoozeList.Entry, late: Int64) {
    snoozes.remove(snooze)
    turn.firingRoom -= snooze.occurrence.notification.firingCost
    let occurrence = snooze.occurrence(at: now)
    if let expires = occurrence.notification.expires, expires < now.real {
      end(snooze, occurrence, .expired, reason: "expired before it could be shown")
    } else if late > configuration.grace, let reason = reasonToDrop(snooze, late: late) {
      end(snooze, occurrence, .missed, reason: reason)
    } else {
      deliver(
        occurrence, app: snooze.app, slot: nil, shown: [],
        attempt: handOvers.attempts(occurrence.id),
        isRecorded: true, only: nil)
    }
    // After what became of it, so that a crash between the two loses nothing.
    record(.unsnooze(occurrence.id, app: snooze.app))
  }

  private func reasonToDrop(_ snooze: SnoozeList.Entry, late: Int64) -> String? {
    let app = apps[snooze.app].map { profile(of: $0) }
    return (snooze.occurrence.notification.late ?? app?.limits.late ?? configuration.late)
      .reasonToDrop(late: late)
  }

  private func end(
    _ snooze: SnoozeList.Entry, _ occurrence: Occurrence, _ state: DeliveryState, reason: String?
  ) {
    let firing = FiredOccurrence(occurrence, app: snooze.app, isRecorded: true)
    firing.open = 1
    end(firing, sink: "", state, reason: reason)
  }

  /// Writes the intents of what is due soon (D7), and has its sinks made ready.
  func prepareSnoozes() {
    for snooze in snoozes.prepare(within: prepareLead, at: now, isClockWrong: isClockWrong) {
      record(.intend(snooze.occurrence(at: now), app: snooze.app, slot: nil))
      let parts = parts(of: snooze.occurrence, snooze.app)
      for sink in sinks where gets(sink.sink, parts, of: snooze.occurrence) {
        if sink.sink.kind == .speaker || !sink.isUp {
          emit(.prepare(sink.index, snooze.occurrence))
        }
      }
    }
  }

  /// When the next is due, or to be prepared.
  var nextSnoozeWake: NextWake {
    snoozes.nextWake(at: now, lead: prepareLead, isClockWrong: isClockWrong) { app in
      lateTurn(of: apps[app]?.owner ?? 0)
    }
  }

  /// When a sleeping board is to be awake for one (T11).
  var nextSnoozeAlarm: Instant? {
    snoozes.nextAlarm(at: now, lead: prepareLead) { notification in
      wakes(isUrgent: notification.interruptionLevel.isUrgent).contains(.wakes)
    }
  }

  // MARK: Leaving

  /// Cancelled with their notifications (N15); how many.
  func cancelSnoozes(_ selection: Selection, of app: SchedulerApp) -> Int {
    let cancelled = snoozes.removeAll(selection, of: app.number)
    for snooze in cancelled { putAway(snooze, .withdrawn) }
    return cancelled.count
  }

  /// What replaces a notification has come: what was put off of it is not shown any more (N1). What
  /// another one of its identifier has put off, or waits for an answer with, comes all the same.
  func dropSnoozes(before id: OccurrenceID) {
    for snooze in snoozes.removeAll(before: id) { putAway(snooze, .withdrawn) }
  }

  /// It does not come again. `isTold`: those who watch hear of it otherwise.
  func putAway(
    _ snooze: SnoozeList.Entry, _ state: DeliveryState, reason: String? = nil, isTold: Bool = false
  ) {
    snoozes.remove(snooze)
    let count = turn.commandCount
    end(snooze, snooze.occurrence, state, reason: reason)
    if isTold { turn.dropEvents(after: count) }
    record(.unsnooze(snooze.occurrence.id, app: snooze.app))
  }

  // MARK: Telling

  /// Rows in order of being made; `apps` nil: of every app.
  func listSnoozes(_ id: RequestID, _ wanted: [AppNumber]?, cursor: Int64, limit: Int32) {
    let (entries, next) = snoozes.page(of: wanted, after: cursor, limit: limit)
    let page = entries.map { snooze in
      ListedNotification(
        app: apps[snooze.app]?.name ?? "", notification: snooze.occurrence.notification,
        next: now.real.advanced(by: snooze.left(at: now)), state: .snoozed,
        occurrence: snooze.occurrence.id)
    }
    emit(.reply(id, .listed(page, cursor: next)))
  }

  // MARK: A start

  /// Takes in one of the store; after the apps and what is known of the time.
  public func restore(_ stored: StoredSnooze) {
    restoredState?.add(stored)
  }

  /// The first event (T9).
  func resumeSnoozes(_ restored: RestoredState) {
    for stored in restored.snoozes where apps[stored.app] != nil {
      if restored.isOver(stored) {
        record(.unsnooze(stored.occurrence.id, app: stored.app))
        continue
      }
      endSnoozed(stored)
      snoozes.resume(
        stored, lastHeard: restored.reached(stored.relative),
        isSuspect: restored.preparedAgain.contains(stored.occurrence.id), &turn)
    }
  }

  /// Killed before the store had it put away, what was snoozed would seem to be shown still, and could
  /// be snoozed again under an id that has been used (D7).
  private func endSnoozed(_ stored: StoredSnooze) {
    var shown = stored.occurrence.id
    shown.snooze -= 1
    record(
      .markHandled(
        shown, app: stored.app, identifier: stored.occurrence.notification.identifier ?? "",
        .snoozed, reason: nil))
  }
}
