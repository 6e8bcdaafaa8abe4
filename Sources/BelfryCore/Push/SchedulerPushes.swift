/// Pushes on their way into the books, and to whoever shows them (P6, P9).
extension Scheduler {
  /// After so long without an answer of the books a push is shown all the same (D8).
  static let pushPatience = Duration.second
  /// While the disk does not answer, so many may wait for it; what comes beyond is only shown.
  static let mostPushes = 1024

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
    checked.notification = try validated(checked.notification)
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
    noteDates(in: notification)
    // A collapse id names what is shown; what has none is by itself.
    let occurrenceID =
      notification.identifier.map { app.collapsed.next($0, uuid: uuid) }
      ?? OccurrenceID(uuid: uuid, generation: 0, k: 0)
    notification.identifier = notification.identifier ?? id.text
    var occurrence = Occurrence(
      id: occurrenceID, app: app.name, notification: notification, due: now.real)
    occurrence.isForApp = pushed.isContentAvailable
    lastPush += 1
    let push = PushUnderWay(
      number: lastPush, request: request, app: app, pushed: pushed, id: id,
      occurrence: occurrence, until: now.elapsed + Self.pushPatience)
    if let first = pushes.first, first.number <= overduePushes, pushes.count >= Self.mostPushes {
      giveUp(push, reason: "too many pushes wait for the disk")
      return false
    }
    pushes.append(push)
    return true
  }

  /// In its turn: to the books.
  func store(_ request: RequestID) {
    guard let push = pushes.first(where: { $0.request == request }) else { return }
    let isShown = push.isShown || shownPushes[push.key] != nil
    let pushed = push.pushed
    ask(
      .push(
        StoredPush(
          app: push.app.number, container: pushed.container, id: push.id, kind: pushed.kind,
          payload: pushed.notification.push ?? "", received: push.occurrence.due,
          pruned: pushed.pruned, limit: profile(of: push.app).inbox ?? configuration.inbox,
          occurrence: isShown ? nil : push.occurrence)), for: .push(push.number))
  }

  func takePushed(_ outcome: BookOutcome, _ number: UInt64) {
    guard let place = pushes.firstIndex(where: { $0.number == number }) else { return }
    let push = pushes.remove(at: place)
    switch outcome {
    case .pushed(.stored(let shown)):
      let earlier = shownPushes[push.key]
      shownPushes.remove(push.key)
      storedPushes.insert(push.key, push.occurrence.id)
      if earlier == nil { show(push, replacing: shown) }
      // Shown when it came before, under another id.
      if let earlier, earlier != push.occurrence.id { record(.withdrawIntent(push.occurrence.id)) }
      var reply = PushReply(
        id: push.id, isDuplicate: false, occurrence: earlier ?? push.occurrence.id)
      reply.demotion = demotion(of: push.occurrence.notification, push.app)
      answer(push, .pushed(reply))
    case .pushed(.duplicate):
      shownPushes.remove(push.key)
      storedPushes.insert(push.key, push.occurrence.id)
      answerDuplicate(push)
    case .pushed(.tooManyContainers):
      answer(
        push,
        .refused(.limitReached(limit: "containers", value: Int64(InboxLimit.containers))))
    case .shown(let rows, _): show(push, replacing: rows.map { $0.shown }, attempt: 1)
    case .failed(let reason): giveUp(push, reason: reason)
    default: emit(.log(.error, "the books answered a push by something else"))
    }
  }

  /// D8: shown, stored or not; whoever brought it may bring it again. P9: but not if it is known to
  /// be stored.
  private func giveUp(_ push: PushUnderWay, reason: String) {
    if push.request != nil, storedPushes[push.key] != nil {
      push.isShown = true
      answerDuplicate(push)
      return
    }
    if !push.isShown, shownPushes[push.key] == nil {
      if push.request != nil { shownPushes.insert(push.key, push.occurrence.id) }
      show(push, replacing: [], attempt: push.request == nil ? 1 : 0)
    }
    answer(push, .refused(.booksUnavailable(reason: reason)))
  }

  /// The app's registration was refused; its requests go no further.
  func giveUpPushes(of app: SchedulerApp, reason: String) {
    for push in pushes where push.app === app && push.number > overduePushes {
      giveUp(push, reason: reason)
    }
    pushes.removeAll { $0.app === app }
  }

  /// The app id is somebody else's from now on (A1).
  func forgetPushes(of app: SchedulerApp) {
    for push in pushes where push.app === app { answer(push, .refused(.notOwner(app: app.name))) }
    pushes.removeAll { $0.app === app }
    shownPushes.remove(app: app.name)
    storedPushes.remove(app: app.name)
  }

  private func answerDuplicate(_ push: PushUnderWay) {
    answer(push, .pushed(PushReply(id: push.id, isDuplicate: true, occurrence: nil)))
  }

  /// Once: whoever was told that the disk does not answer has been answered.
  private func answer(_ push: PushUnderWay, _ reply: Reply) {
    guard let request = push.request, push.number > overduePushes else { return }
    emit(.reply(request, reply))
  }

  // MARK: Time

  /// When a push is to be shown without the books, on the elapsed clock; nil: none waits.
  var nextPushWake: Int64? { pushes.first { $0.number > overduePushes }?.until }

  func watchPushes() {
    while let push = pushes.first(where: { $0.number > overduePushes }), push.until <= now.elapsed {
      giveUp(push, reason: "the disk has not answered for \(Duration.text(Self.pushPatience))")
      overduePushes = push.number
    }
  }

  // MARK: A start

  /// The first event: what was stored and perhaps not shown (D7).
  func resumePushes(_ pushes: [RestoredState.Push]) {
    for restored in pushes {
      guard let app = apps[restored.app] else { continue }
      let occurrence = restored.occurrence
      app.collapsed.note(occurrence.id, occurrence.notification.identifier ?? "")
      noteDates(in: occurrence.notification)
      lastPush += 1
      self.pushes.append(
        PushUnderWay(
          number: lastPush, request: nil, app: app,
          pushed: PushedNotification(occurrence.notification), id: occurrence.id.uuid,
          occurrence: occurrence, until: now.elapsed + Self.pushPatience))
      ask(
        .findShown(app: app.number, occurrence.notification.identifier, nil), for: .push(lastPush))
    }
  }
}
