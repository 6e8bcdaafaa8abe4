/// Pushes on their way into the store, and to whoever shows them (P6, P9): those under way are in
/// `PushIntake`.
extension SchedulerEngine {
  /// What may be wrong with it is for its sender to hear.
  func checked(_ pushed: PushedNotification) throws(RequestError) -> PushedNotification {
    guard let payload = pushed.notification.push else {
      throw .invalidField(FieldError("payload", .missing, "a push has a payload"))
    }
    guard payload.utf8.count <= InboxLimit.payload else {
      throw .invalidField(
        FieldError("payload", .tooLong, "at most \(InboxLimit.payload) bytes are allowed"))
    }
    try checkContainer(pushed.container, field: "ck.cid")
    var checked = pushed
    checked.notification.push = nil
    checked.notification.fireDate = nil
    do throws(FieldError) {
      try checked.notification.expires?.checkUnit("expiration", at: now.real)
    } catch {
      throw .invalidField(error)
    }
    checked.notification.datesAreOld = true
    checked.notification = try validated(checked.notification)
    checked.notification.datesAreOld = false
    checked.notification.push = payload
    return checked
  }

  func checkContainer(_ container: String, field: String) throws(RequestError) {
    if container.isEmpty { return }
    do throws(FieldError) {
      try Notification.checkName(container, field)
    } catch {
      throw .invalidField(error)
    }
  }

  /// A push has come, checked; false: it is only shown, since too many wait for a disk that does not
  /// answer.
  func admit(_ pushed: PushedNotification, _ request: RequestID, _ app: SchedulerApp) -> Bool {
    let uuid = makeUUID()
    let id = pushed.id ?? uuid
    var notification = pushed.notification
    useLiterals(of: pushed, in: &notification, app: app.name)
    noteDates(in: notification)
    // A collapse id names what is shown; what has none is by itself.
    let occurrenceID =
      notification.identifier.map { app.collapsed.next($0, uuid: uuid) }
      ?? OccurrenceID(uuid: uuid, generation: 0, k: 0)
    notification.identifier = notification.identifier ?? id.text
    var occurrence = Occurrence(
      id: occurrenceID, app: app.name, notification: notification, due: now.real)
    occurrence.isForApp = pushed.isContentAvailable
    guard
      let steps = pushes.admit(
        pushed, id: id, occurrence, app: app.number, request: request, &turn)
    else { return true }
    carryOut(steps)
    return false
  }

  /// In its turn: to the store.
  func store(_ request: RequestID, _ app: SchedulerApp) {
    let limit = profile(of: app).limits.inbox ?? configuration.inbox
    guard let (stored, number) = pushes.stored(for: request, limit: limit) else { return }
    ask(.push(stored), for: .push(number))
  }

  func takePushed(_ outcome: StoreOutcome, _ number: UInt64) {
    guard let steps = pushes.receive(outcome, for: number) else {
      return emit(.log(.error, "the books answered a push by something else"))
    }
    carryOut(steps)
  }

  /// What comes of pushes.
  func carryOut(_ steps: [PushIntake.Step]) {
    for step in steps {
      switch step {
      case .show(let push, let replaced): show(push, replacing: replaced)
      case .dropIntent(let id, let app): record(.withdrawIntent(id, app: app))
      case .accept(let request, let push, let occurrence):
        var reply = PushReply(id: push.id, isDuplicate: false, occurrence: occurrence)
        if let app = apps[push.app] {
          let notification = push.occurrence.notification
          reply.demotion = demotion(of: notification, app)
          reply.warnings = warnings(ofPushed: notification, app.number)
          reply.sounds = namedSounds(of: notification, app)
        }
        emit(.reply(request, .pushed(reply)))
      case .reply(let request, let reply): emit(.reply(request, reply))
      }
    }
  }

  /// Why nobody sees it, or hears it.
  private func warnings(ofPushed notification: Notification, _ app: AppNumber) -> [String] {
    if let cause = pause(of: notification, app) { return ["it is not shown: " + cause.reason] }
    if let expires = notification.expires, expires < now.real {
      return ["it is not shown: it expired at " + RFC3339.text(expires)]
    }
    let silence = silence(of: notification, app, at: now.real)
    return [unseen(notification, app), silence.map { "its sound is not heard: " + $0 }]
      .compactMap { $0 }
  }

  func watchPushes() {
    carryOut(pushes.giveUpOverdue(&turn))
  }

  // MARK: A start

  /// The first event: what was stored and perhaps not shown (D7).
  func resumePushes(_ pushes: [RestoredState.Push]) {
    for restored in pushes {
      guard let app = apps[restored.app] else { continue }
      let occurrence = restored.occurrence
      let identifier = occurrence.notification.identifier
      app.collapsed.note(occurrence.id, identifier ?? "")
      noteDates(in: occurrence.notification)
      let number = self.pushes.resume(
        occurrence, app: app.number, isSuspect: restored.isSuspect, &turn)
      ask(.findShown(app: app.number, identifier, nil), for: .push(number))
    }
  }
}
