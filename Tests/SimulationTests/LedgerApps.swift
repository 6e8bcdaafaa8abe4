import BelfryCore

/// What a session was asked to take.
struct PromisedOffer {
  /// On the elapsed clock.
  var at: Int64
  /// In the foreground when it was due.
  var wanted: Set<SessionID>
  var asked: Set<SessionID> = []
  var events: [SessionID: Int64] = [:]
  /// One of them has completed it, and the scheduler may not have said so yet.
  var isCompleted = false
}

/// Sessions: what is due while one is in the foreground is its own, if it takes it within 2 s (D1).
extension Ledger {
  static let foregroundTimeout = 2 * Nanoseconds.second

  func opened(_ id: SessionID, _ app: String, _ state: AppState) { sessions[id] = (app, state) }

  func closed(_ id: SessionID) {
    sessions[id] = nil
    for key in offers.keys { offers[key]!.asked.remove(id) }
  }

  /// Their process is gone, and what they had not taken is shown by the next.
  func forgetApps(_ state: StoredState) {
    sessions = [:]
    offers = [:]
    freshOffers = []
    takenNow = []
    gone = gone.filter { !isFast($0) }
    crossings = []
    freshFirings = []
    freshOvertaken = []
    lastFix = nil
    met = [:]
    toldResponses = [:]
    responsesDone = [:]
    responseEvents = [:]
    snoozingAtSinks = []
    for open in state.open where open.sinks != nil {
      let name = PromiseName(
        app: open.occurrence.app, identifier: open.occurrence.notification.identifier ?? "")
      met[name, default: []].insert(open.occurrence.id)
    }
  }

  /// Repeats by the second are written down once a minute: a crash may bring back what was taken.
  private func isFast(_ id: OccurrenceID) -> Bool {
    contents[OccurrenceID(uuid: id.uuid, generation: id.generation, k: 0)]?.repeatInterval
      == .second
  }

  private func foreground(_ app: String) -> Set<SessionID> {
    Set(sessions.filter { $0.value.app == app && $0.value.state == .foreground }.keys)
  }

  /// An occurrence is seen; the first time it is due, and its app's state decides.
  func meet(_ occurrence: Occurrence) {
    let id = occurrence.id
    let name = PromiseName(
      app: occurrence.app, identifier: occurrence.notification.identifier ?? "")
    guard met[name, default: []].insert(id).inserted else { return }
    let line = OccurrenceID(uuid: id.uuid, generation: id.generation, k: 0)
    if contents[line] == nil { contents[line] = occurrence.notification }
    if id.step > 0 { return stepComes(occurrence) }
    if id.snooze > 0 { snoozeFires(occurrence) }
    if offers[id] == nil, !foreground(occurrence.app).isEmpty {
      fail("D1 foreground", "\(Firing(occurrence).text) is not offered to its app's sessions")
    }
  }

  func told(_ session: SessionID, _ event: SessionEvent) {
    let what = "\(event.kind) \(Firing(event.occurrence).text) to session \(session)"
    guard let known = sessions[session] else {
      return fail("D1 session", "\(what), which is not open")
    }
    if known.app != event.occurrence.app { fail("A1 session", "\(what) of \(known.app)") }
    guard event.kind == .received else { return toldResponse(session, event) }
    if known.state != .foreground { fail("D1 session", "\(what), which is in the background") }
    let id = event.occurrence.id
    if offers[id] == nil {
      offers[id] = PromisedOffer(at: now.elapsed, wanted: foreground(known.app))
      freshOffers.append(id)
    }
    offers[id]!.asked.insert(session)
    offers[id]!.events[session] = event.id
    checkPrepared(event.occurrence)
    meet(event.occurrence)
    fired(Firing(event.occurrence))
  }

  /// D4: at most three times, and not again once it was completed.
  private func toldResponse(_ session: SessionID, _ event: SessionEvent) {
    let id = event.occurrence.id
    if event.kind == .handleAction { responseEvents[session, default: [:]][event.id] = id }
    if event.kind == .handleAction, completedResponses.contains(id) {
      fail("D4 again", "\(Firing(event.occurrence).text) was completed")
    }
    toldResponses[id, default: 0] += event.kind == .dismissed ? 0 : 1
    if toldResponses[id]! > 3 { fail("D4 again", "\(Firing(event.occurrence).text) is sent again") }
  }

  /// An event of the scheduler is over: all sessions were asked at once.
  func checkOffers() {
    for id in freshOffers {
      guard let offer = offers[id], offer.asked != offer.wanted else { continue }
      fail("D1 session", "\(id.text) is offered to \(offer.asked.count) of \(offer.wanted.count)")
    }
    freshOffers = []
    for id in freshFirings where !snoozes.isEmpty { checkReplaced(by: id) }
    freshFirings = []
    checkCrossings()
    for id in freshOvertaken {
      let isOvertaken = met.values.contains { ids in
        ids.contains { $0.uuid == id.uuid && ($0.generation, $0.k) > (id.generation, id.k) }
      }
      if !isOvertaken { fail("T10 superseded", "\(id.text) is superseded by nothing") }
    }
    freshOvertaken = []
  }

  func completing(_ session: SessionID, _ event: Int64) {
    for (id, offer) in offers where offer.events[session] == event {
      offers[id]!.isCompleted = true
    }
  }

  /// Answered: what it took is its own for ever, if that could be written down.
  func completed(_ session: SessionID, _ event: Int64) {
    for (id, offer) in offers where offer.events[session] == event {
      fail("D1 taken", "\(id.text) was completed by session \(session) and is still offered")
    }
    guard isDiskWell else { return }
    taken.formUnion(takenNow.filter { !isFast($0) })
    if let id = responseEvents[session]?[event] { completedResponses.insert(id) }
  }

  /// The app's own row of the history.
  func endedInApp(_ event: WatchEvent, _ id: OccurrenceID) {
    guard let offer = offers.removeValue(forKey: id) else { return }
    switch event.kind {
    case .received:
      if !offer.isCompleted { fail("D1 taken", "\(id.text) is said to be taken, and was not") }
      takenNow.insert(id)
    case .withdrawn: break
    case .superseded:
      // It may be about to be seen.
      freshOvertaken.append(id)
    default: checkOver(offer, id)
    }
  }

  private func checkOver(_ offer: PromisedOffer, _ id: OccurrenceID) {
    let isOver =
      offer.asked.isEmpty || now.elapsed - offer.at >= Self.foregroundTimeout
    if !isOver { fail("D1 patience", "\(id.text) goes on while its app has time to take it") }
    if offer.isCompleted { fail("D1 taken", "\(id.text) goes on though a session has taken it") }
  }

  /// A sink gets it.
  func checkTaken(_ id: OccurrenceID) {
    if taken.contains(id) || takenNow.contains(id) {
      fail("D1 taken", "\(id.text) goes to a sink though a session has taken it")
    }
    if gone.contains(id) { fail("D11 gone", "\(id.text) goes out though it was put away") }
    if let offer = offers.removeValue(forKey: id) { checkOver(offer, id) }
  }

  func lookForOffers() {
    for (id, offer) in offers where now.elapsed - offer.at > Self.foregroundTimeout {
      fail("D1 patience", "\(id.text) is with its sessions for more than 2 s")
    }
  }

  /// D11, D3: what is done with it ends it everywhere, also where it only waits; by the time of the
  /// answer a newer one may have come.
  func carriedOut(_ event: WatchEvent) {
    guard [.activated, .dismissed, .snoozed].contains(event.kind), event.sink == nil else { return }
    let name = PromiseName(app: event.app, identifier: event.identifier)
    if let id = event.occurrence, snoozes[id] != nil {
      // Nothing else of it was shown, or was meant.
      responsesDone[name] = [id]
      return
    }
    responsesDone[name] = (met[name] ?? []).filter { offers[$0] == nil && snoozes[$0] == nil }
  }

  /// Answered: for ever, if that could be written down.
  func markHandled(_ name: PromiseName) {
    guard let ids = responsesDone.removeValue(forKey: name), isDiskWell else { return }
    gone.formUnion(ids)
  }
}
