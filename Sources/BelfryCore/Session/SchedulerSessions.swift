/// Sessions: apps that run, and what they say of themselves (D1).
extension Scheduler {
  /// Opens one; what has been waiting for it goes out first of all.
  func openSession(
    _ request: RequestID, _ session: SessionID, _ state: AppState, _ app: SchedulerApp,
    uid: UInt32
  ) {
    if let limit = sessionLimit(of: app, uid: uid) {
      return refuse(request, .limitReached(limit: "sessions", value: Int64(limit)))
    }
    guard sessions[session] == nil else {
      return refuse(request, .unknownSession(Int64(session)))
    }
    let opened = AppSession(id: session, app: app, uid: uid, state: state)
    sessions[session] = opened
    app.sessions.append(opened)
    let waiting = kept.filter { $0.app === app && $0.session == nil }
    emit(.reply(request, .sessionOpened(session, waiting: Int64(waiting.count))))
    app.launch = nil
    giveAll(waiting, to: opened)
  }

  /// The number that one more session would pass (A2).
  private func sessionLimit(of app: SchedulerApp, uid: UInt32) -> Int32? {
    let ofApp = profile(of: app).limits.sessions ?? configuration.sessions
    if app.sessions.count >= Int(ofApp) { return ofApp }
    let ofUser = configuration.sessions
    guard sessions.count >= Int(ofUser) else { return nil }
    return sessions.values.count { $0.uid == uid } >= Int(ofUser) ? ofUser : nil
  }

  /// A session as its owner names it.
  private func session(_ id: Int64, _ peer: Peer) throws(RequestError) -> AppSession {
    guard let session = sessions[SessionID(truncatingIfNeeded: id)], session.uid == peer.uid else {
      throw .unknownSession(id)
    }
    return session
  }

  func setState(
    _ request: RequestID, _ peer: Peer, session id: Int64, _ state: AppState
  ) throws(RequestError) {
    try session(id, peer).state = state
    emit(.reply(request, .done))
  }

  /// The app has taken or completed an event; what was decided meanwhile stays as it is.
  func complete(
    _ request: RequestID, _ peer: Peer, session id: Int64, event: Int64
  ) throws(RequestError) {
    let session = try session(id, peer)
    guard (1...max(1, session.lastEvent)).contains(event), session.lastEvent > 0 else {
      throw .invalidField(FieldError("event", .outOfRange, "this session has had no such event"))
    }
    if let offer = session.offers[event] {
      take(offer)
    } else if let happening = session.takeGiven(event), happening.isAction {
      complete(happening)
    } else {
      return emit(.reply(request, .done))
    }
    // Once it is in the books the app will not hear of it again.
    replyAfterCommit(request, .done)
  }

  /// Its connection has ended, and the app has certainly read the events up to `readThrough`; what
  /// needs no completion and may not have been read is handed on (D3).
  func closeSession(_ id: SessionID, readThrough: Int64) {
    guard let session = sessions.removeValue(forKey: id) else { return dropOpening(id) }
    session.app.sessions.removeAll { $0 === session }
    let offered = session.offers.keys.sorted().compactMap { session.offers[$0] }
    for offer in offered { offer.asked.removeAll { $0.session === session } }
    session.offers = [:]
    goOn(offered.filter { $0.asked.isEmpty }, reason: "its sessions ended")
    for (event, happening) in session.given where happening.session === session {
      happening.session = nil
      if happening.isAction || event > readThrough { handAgain(happening) }
    }
  }

  /// The app id is somebody else's from now on (A1); its offers have been withdrawn.
  func endSessions(of app: SchedulerApp) {
    for session in app.sessions {
      sessions[session.id] = nil
      emit(.endSession(session.id, reason: "\(app.name) is another user's now"))
    }
    app.sessions = []
    app.launch = nil
    launching.remove(app.number)
    kept.removeAll { $0.app === app }
  }

  /// It was to be opened, and has not been yet.
  private func dropOpening(_ id: SessionID) {
    let isIt = { (work: SchedulerApp.Work) in
      if case .openSession(_, id, _) = work.request { true } else { false }
    }
    for app in apps.values where app.waiting.contains(where: isIt) {
      for work in app.waiting.filter(isIt) { refuse(work.id, .unknownSession(Int64(id))) }
      app.waiting.removeAll(where: isIt)
    }
  }

  func tell(
    _ session: AppSession, _ kind: SessionEvent.Kind, _ occurrence: Occurrence,
    _ complete: (inout SessionEvent) -> Void = { _ in }
  ) -> Int64 {
    var event = SessionEvent(id: session.nextEvent(), kind: kind, occurrence: occurrence)
    complete(&event)
    emit(.session(session.id, event))
    return event.id
  }

  /// When `watchSessions` has something to do, on the elapsed clock; nil: never.
  var nextSessionWake: Int64? {
    guard let offer = offers.first else { return nextHappeningWake }
    return min(offer.until, nextHappeningWake ?? .max)
  }

  func watchSessions() {
    giveUpOffers()
    watchHappenings()
  }
}
