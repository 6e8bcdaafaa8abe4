/// Requests: who may, in which order, and what to ask the store.
extension SchedulerEngine {
  /// Most occurrences in an answer to `next`.
  static let maxOccurrences: Int32 = 1000

  func accept(_ id: RequestID, _ peer: Peer, _ request: Request) {
    noteGroups(of: peer, request)
    do {
      try admit(id, peer, request)
    } catch {
      refuse(id, error)
    }
  }

  private func admit(_ id: RequestID, _ peer: Peer, _ request: Request) throws(RequestError) {
    switch request {
    case .nextOfDraft(let draft, let count, let after, let app):
      let draft = try validated(draft)
      // Who looks back wants to know what it would have done, had it been scheduled then.
      let isTimed = draft.fireDate != nil && draft.fireIn == nil
      let past = isTimed ? lookingBack(draft, to: after) : nil
      guard try isReady(draft), let reading = read(draft, at: past) else {
        return hold(id, peer, request)
      }
      try check(draft, reading)
      let now = now.real.advanced(by: -1)
      let start = past ?? now
      guard reading.anchor == .distantFuture || reading.plan.first(after: start) != nil else {
        throw .invalidField(draft.neverDue(from: reading.anchor))
      }
      if let app, draft.goesByDays { _ = try known(app, peer) }
      let passed = days(of: draft, app, reading.plan).map {
        PassedOver(pauses: [], skips: SkipSet(), days: $0)
      }
      tellUpcoming(
        id, of: peer.uid, reading.plan, passed, after: past ?? max(after ?? .distantPast, now),
        expires: draft.expires, count: count, zone: reading.stored?.zone)
    case .stopSound(let name): try stopSound(id, peer, app: name)
    case .trustClock:
      guard peer.isOperator || peer.uid == configuration.owner else { throw .notPermitted }
      emit(.reply(id, .trusted(released: trustClock())))
    case .reload:
      guard peer.isOperator || peer.uid == configuration.owner else { throw .notPermitted }
      emit(.reload(id))
    case .days(let app):
      if let app { _ = try known(app, peer) }
      emit(.reply(id, .days(listedDays(for: peer).filter { app == nil || $0.app == app })))
    case .apps(let app, let cursor, let limit):
      try tellApps(id, peer, app, cursor: cursor, limit: limit)
    case .fix(let latitude, let longitude, let accuracy, let time):
      guard peer.isOperator || peer.uid == configuration.owner else { throw .notPermitted }
      try takeFix(
        id,
        LocationFix(
          latitude: latitude, longitude: longitude, accuracy: accuracy, time: time ?? now.real))
    case .push(let name, let pushed):
      let checked = try checked(pushed)
      let app = try app(name, peer)
      if admit(checked, id, app) { submit(id, .push(app: name, checked), app) }
    case .list(nil, let delivered, let cursor, let limit):
      list(
        id, of: peer.uid, apps: owned(by: peer), delivered: delivered, cursor: cursor, limit: limit)
    case .snoozed(let name, let cursor, let limit):
      let chosen = try name.map { name throws(RequestError) in [try known(name, peer)?.number] }
      listSnoozes(
        id, chosen?.compactMap { $0 } ?? owned(by: peer), cursor: cursor, limit: limit)
    case .history(nil, let cursor, let limit):
      ask(
        .history(apps: owned(by: peer), cursor: cursor, limit: limit),
        for: .page(id, of: peer.uid))
    case .waiting(let name):
      let chosen = try name.map { name throws(RequestError) in [try known(name, peer)?.number] }
      tellWaiting(id, of: peer.uid, chosen?.compactMap { $0 } ?? owned(by: peer))
    case .schedule(let name, let notification, let onFull):
      let checked = try validated(notification, app: name)
      guard try isCalendarReady([checked]) else {
        return hold(id, peer, request)
      }
      submit(id, .schedule(app: name, checked, onFull: onFull), try app(name, peer))
    case .presentNow(let name, let notification):
      let checked = try presentable(notification, app: name)
      submit(id, .presentNow(app: name, checked), try app(name, peer))
    case .openSession(let name, _, _): submit(id, request, try app(name, peer), uid: peer.uid)
    case .setState(let session, let state): try setState(id, peer, session: session, state)
    case .complete(let session, let event): try complete(id, peer, session: session, event: event)
    case .replaceAll(let name, let notifications, _):
      // Its notifications are checked one by one as they are planned.
      guard try isCalendarReady(notifications) else {
        return hold(id, peer, request)
      }
      submit(id, request, try app(name, peer))
    case .test(let name, let sink):
      if let sink, sinkQueues.named(sink) == nil { throw .unknownSink(name: sink) }
      submit(id, request, try app(name, peer))
    case .user(let name, let asked):
      do throws(FieldError) {
        try asked.check()
      } catch {
        throw .invalidField(error)
      }
      guard let app = asked.usesApp ? try app(name, peer) : try known(name, peer) else {
        return answerUnused(name, asked, id)
      }
      submit(id, request, app)
    case .everyday(let name, let asked): try admit(id, peer, name, asked)
    case .cancelEqual(_, let notification) where notification.push != nil:
      throw .invalidField(Notification.pushIsOurs)
    case .cancel(let name, _), .cancelEqual(let name, _), .cancelAll(let name),
      .next(let name, _, _, _), .list(.some(let name), _, _, _), .history(.some(let name), _, _),
      .fetchInbox(let name, _, _, _), .markRead(let name, _, _):
      try checkInbox(request)
      guard let app = try known(name, peer) else { return answerEmpty(id, request) }
      submit(id, request, app)
    }
  }

  private func hold(_ id: RequestID, _ peer: Peer, _ request: Request) {
    slices.hold(SliceTurns.Held(id: id, peer: peer, request: request, asked: turn.asked))
  }

  /// False: a plugin was asked first. The app's other requests go on meanwhile, since a hung plugin
  /// must not delay them.
  private func isCalendarReady(_ notifications: [Notification]) throws(RequestError) -> Bool {
    var isReady = true
    for notification in notifications where notification.pluginCalendar != nil {
      isReady = try self.isReady(notification) && isReady
    }
    return isReady
  }

  /// Carries a request out, or has it wait for those before it.
  func submit(
    _ id: RequestID, _ request: Request, _ app: SchedulerApp, uid: UInt32? = nil
  ) {
    app.waiting.append(
      SchedulerApp.Work(id: id, request: request, uid: uid ?? app.owner, asked: turn.asked))
    serve(app)
  }

  /// Carries out what waits at an app, as far as it can be.
  func serve(_ app: SchedulerApp) {
    if app.registrationState == .none, !app.waiting.isEmpty {
      app.registrationState = .asked
      var stored = StoredApp(
        number: app.number, name: app.name, owner: app.owner, badge: app.badge, used: app.used)
      stored.criticalGroup = apps.criticalGroup(of: app.owner)
      app.notedUse = app.used
      ask(.registerApp(stored), for: .registration(app.number))
    }
    if app.placesInLine == 0, carryOutWaiting(of: app) { lineUp(app, nil) }
  }

  /// Carries out what waits at an app as long as the event has room for more; true: it had not, and
  /// more can be done.
  private func carryOutWaiting(of app: SchedulerApp) -> Bool {
    while app.registrationState == .done, !app.isExclusive, app.slicesUnderWay == 0,
      let work = app.waiting.first, !app.isStarting
    {
      guard turn.room > 0 else { return true }
      turn.room -= work.request.cost
      turn.asked = work.asked
      // What is done at once may serve the app again.
      app.isStarting = true
      let isStarted = start(work, app)
      app.isStarting = false
      guard isStarted else { return false }
      app.waiting.removeFirst()
    }
    return false
  }

  /// What waits at an app goes on in slices.
  func lineUp(_ app: SchedulerApp, _ resumption: Resumption?) {
    resumption?.enter()
    app.placesInLine += 1
    let work = SlicedWork(app.waiting.first?.id, ticket: nil) { [unowned(unsafe) self] budget in
      budget = 0
      if carryOutWaiting(of: app) { return false }
      app.placesInLine -= 1
      resumption?.leave()
      return true
    }
    slices.add(work, of: app.owner)
  }

  /// False: it has to wait until an outcome comes.
  private func start(_ work: SchedulerApp.Work, _ app: SchedulerApp) -> Bool {
    let id = work.id
    switch work.request {
    case .schedule(_, let notification, let onFull):
      return schedule(id, notification, app, onFull: onFull)
    case .replaceAll(_, let notifications, let onFull):
      return replaceAll(id, notifications, app, onFull: onFull)
    case .presentNow(_, let notification): presentNow(id, notification, app)
    case .test(_, let sink): test(id, sink: sink, app)
    case .cancel(_, let identifiers): cancel(id, .identifiers(identifiers), app)
    case .cancelEqual(_, let notification): cancel(id, .equal(notification), app)
    case .cancelAll: cancel(id, .all, app)
    case .next(_, let identifier, let count, let after):
      do throws(FieldError) {
        // 0 is the beginning.
        if let after, after.nanoseconds != 0 { try after.checkUnit("after", at: now.real) }
      } catch {
        refuse(id, .invalidField(error))
        return true
      }
      ask(
        .find(app: app.number, identifier: identifier),
        for: .find(id, app.number, identifier: identifier, count: count, after: after))
    case .list(_, let delivered, let cursor, let limit):
      list(
        id, of: app.owner, apps: [app.number], delivered: delivered, cursor: cursor, limit: limit)
    case .history(_, let cursor, let limit):
      ask(
        .history(apps: [app.number], cursor: cursor, limit: limit), for: .page(id, of: app.owner))
    case .user(_, let asked): carryOut(asked, id, app)
    case .everyday(_, let asked): return carryOut(asked, work, app)
    case .openSession(_, let session, let state):
      openSession(id, session, state, app, uid: work.uid)
    case .push: store(id, app)
    case .fetchInbox(_, let container, let since, let limit):
      fetch(id, container, since: since, limit: limit, app)
    case .markRead(_, let container, let ids):
      ask(
        .markRead(app: app.number, container: container, ids: ids, now.real),
        for: .inbox(id, of: app.owner))
    case .snoozed, .waiting, .nextOfDraft, .stopSound, .trustClock, .reload, .apps, .setState,
      .complete, .fix, .days:
      break
    }
    return true
  }

  private func list(
    _ id: RequestID, of uid: UInt32, apps: [AppNumber]?, delivered: Bool, cursor: Int64,
    limit: Int32
  ) {
    ask(
      delivered
        ? .listShown(apps: apps, cursor: cursor, limit: limit)
        : .list(apps: apps, cursor: cursor, limit: limit), for: .page(id, of: uid))
  }

  /// The answer where nobody has used the app id yet.
  private func answerEmpty(_ id: RequestID, _ request: Request) {
    switch request {
    case .next(_, let identifier, _, _): refuse(id, .notFound(identifier: identifier))
    case .list: emit(.reply(id, .listed([], cursor: nil)))
    case .history: emit(.reply(id, .history([], cursor: nil)))
    case .fetchInbox(let name, let container, let since, _):
      fetchNothing(id, app: name, container, since: since)
    case .markRead(_, _, let ids): emit(.reply(id, .markedRead(marked: [], unknown: ids)))
    default: emit(.reply(id, .cancelled(cancelled: 0, withdrawn: 0)))
    }
  }

  // MARK: Checking

  /// `app` nil: it is only a draft, of which nothing is to be seen. `sinks`: names that it may keep,
  /// whether there is such a sink or not.
  func validated(
    _ notification: Notification, app: String? = nil, keeping sinks: [String] = []
  ) throws(RequestError) -> Notification {
    do {
      let checked = try notification.validated()
      if let app { try check(checked, app: app, keeping: sinks) }
      return checked
    } catch {
      throw .invalidField(error)
    }
  }

  /// N14: its `fireDate` is ignored, so nothing that is said of it matters.
  private func presentable(
    _ notification: Notification, app: String
  ) throws(RequestError) -> Notification {
    var undated = notification
    undated.fireDate = nil
    var checked = try validated(undated, app: app)
    checked.fireDate = notification.fireDate
    return checked
  }

  /// One of a list; `seen` are the identifiers before it.
  func validated(
    _ notification: Notification, at index: Int, app: String, _ seen: inout Set<ByteString>
  ) throws(RequestError) -> Notification {
    let checked: Notification
    do {
      checked = try notification.validated()
      try check(checked, app: app)
    } catch {
      throw .invalidField(
        FieldError("notifications[\(index)].\(error.field)", error.code, error.reason))
    }
    if let identifier = notification.identifier, !seen.insert(identifier).inserted {
      throw .invalidField(
        FieldError("notifications[\(index)].identifier", .conflict, "it stands in the list twice"))
    }
    return checked
  }

  // MARK: Apps

  /// nil: every app.
  private func owned(by peer: Peer) -> [AppNumber]? {
    guard !peer.isOperator else { return nil }
    return apps.apps(of: peer.uid).map { $0.number }.sorted()
  }

  // MARK: Sounds

  /// What plays and what waits to be played stops; nil: of every app that the peer may stop.
  private func stopSound(_ id: RequestID, _ peer: Peer, app name: String?) throws(RequestError) {
    let chosen = try name.map { name throws(RequestError) in [try known(name, peer)?.number] }
    let allowed: [AppNumber]? = chosen?.compactMap { $0 } ?? owned(by: peer)
    var stopped: Int64 = 0
    for sink in sinks where sink.sink.kind == .speaker {
      let isMeant = { (delivery: OpenDelivery) in
        allowed?.contains(delivery.firing.app) ?? true
      }
      let waiting = sink.queue.removeAll(where: isMeant)
      for delivery in waiting { finish(delivery, .withdrawn, reason: "sound stopped") }
      for delivery in sink.handedOver where isMeant(delivery) {
        (delivery.soundsLeft, delivery.ringsFor) = (0, 0)
      }
      stopped += Int64(waiting.count + sink.handedOver.filter(isMeant).count)
    }
    if let allowed {
      for number in allowed { emit(.stopSounds(app: apps[number]?.name)) }
    } else {
      emit(.stopSounds(app: nil))
    }
    emit(.reply(id, .stopped(stopped)))
  }
}
