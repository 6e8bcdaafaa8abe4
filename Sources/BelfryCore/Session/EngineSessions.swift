/// Sessions: apps that run, and what they say of themselves (D1).
extension SchedulerEngine {
  /// Opens one; what has been waiting for it goes out first of all.
  func openSession(
    _ request: RequestID, _ session: SessionID, _ state: AppState, _ app: SchedulerApp,
    uid: UInt32
  ) {
    let ofApp = profile(of: app).limits.sessions ?? configuration.sessions
    let limit = sessions.limitPassed(
      of: app.number, uid: uid, ofApp: ofApp, ofUser: configuration.sessions)
    if let limit {
      return refuse(request, .limitReached(limit: "sessions", value: Int64(limit)))
    }
    guard let waiting = sessions.open(session, of: app.number, uid: uid, state) else {
      return refuse(request, .unknownSession(Int64(session)))
    }
    emit(.reply(request, .sessionOpened(session, waiting: Int64(waiting))))
    sessions.giveWaiting(to: session, clock: clock.state(at: now), &turn)
  }

  func setState(
    _ request: RequestID, _ peer: Peer, session id: Int64, _ state: AppState
  ) throws(RequestError) {
    try sessions.setState(state, of: id, uid: peer.uid)
    emit(.reply(request, .done))
  }

  /// The app has taken or completed an event; what was decided meanwhile stays as it is.
  func complete(
    _ request: RequestID, _ peer: Peer, session id: Int64, event: Int64
  ) throws(RequestError) {
    let completed = try sessions.complete(
      event: event, in: id, uid: peer.uid, clock: clock.state(at: now), &turn)
    switch completed {
    case .offer(let offer): take(offer)
    case .action: break
    case .nothing: return emit(.reply(request, .done))
    }
    // Once it is in the store the app will not hear of it again.
    replyAfterCommit(request, .done, of: sessions.app(of: id))
  }

  /// Its connection has ended, and the app has certainly read the events up to `readThrough`; what
  /// needs no completion and may not have been read is handed on (D3).
  func closeSession(_ id: SessionID, readThrough: Int64) {
    guard let closed = sessions.close(id) else { return dropOpening(id) }
    for offer in closed.offers { sessions.offers.close(offer) }
    goOn(closed.offers, reason: "its sessions ended")
    sessions.handOn(closed, readThrough: readThrough, clock: clock.state(at: now), &turn)
  }

  /// The app id is somebody else's from now on (A1); its offers have been withdrawn.
  func endSessions(of app: SchedulerApp) {
    sessions.endAll(
      of: app.number, reason: "\(app.name) is another user's now", &turn)
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

  func watchSessions() {
    giveUpOffers()
    sessions.watchQueuedEvents(clock: clock.state(at: now), &turn)
  }
}
