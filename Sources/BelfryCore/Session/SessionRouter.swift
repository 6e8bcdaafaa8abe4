/// Apps that run: their sessions, what is with those in the foreground (D1), and what the user did
/// until a session has taken it (D2, D3, D4).
///
/// `clock`: how far the clock can be believed, for the history (T8).
struct SessionRouter {
  /// So many of an app may wait or be under way; beyond, the oldest is given up.
  private static let maxQueuedEvents = 64
  /// After a start, apps that ran before have so long to come back before they are started.
  private static let restartGrace = 5 * Nanoseconds.second

  private var sessions: [SessionID: AppSession] = [:]
  /// Of each app with sessions, the oldest first.
  private var sessionsOfApp: [AppNumber: [AppSession]] = [:]
  /// What is with foreground sessions (D1).
  var offers = OfferList()
  /// What the user did and no session has taken, in order (D3, D4).
  private(set) var kept: [QueuedAppEvent] = []
  private var lastQueuedEvent: Int64 = 0
  /// Apps that are being started.
  private var launches: [AppNumber: AppLaunch] = [:]
  /// When `watchQueuedEvents` has something to do, on the elapsed clock.
  private var nextQueuedEventWake: Int64?

  // MARK: Looking

  /// How many sessions are open.
  var count: Int { sessions.count }
  func count(of app: AppNumber) -> Int { sessionsOfApp[app]?.count ?? 0 }
  /// Nothing waits for a session, or is with one.
  var isIdle: Bool { kept.isEmpty && launches.isEmpty && offers.isEmpty }

  /// It has sessions, or something waits for one.
  func hasAny(of app: AppNumber) -> Bool {
    count(of: app) > 0 || kept.contains { $0.app == app }
  }

  /// How many pushes wait for a session of the app.
  func pushes(for app: AppNumber) -> Int { kept.count { $0.app == app && $0.isPush } }

  /// When something is to be done if nothing else happens, on the elapsed clock; nil: never.
  var nextWake: Int64? { [offers.nextWake, nextQueuedEventWake].compactMap { $0 }.min() }

  // MARK: Sessions

  /// The number that one more session would pass (A2), of the app's limit and of each user's.
  func limitPassed(of app: AppNumber, uid: UInt32, ofApp: Int32, ofUser: Int32) -> Int32? {
    if count(of: app) >= Int(ofApp) { return ofApp }
    guard sessions.count >= Int(ofUser) else { return nil }
    return sessions.values.count { $0.uid == uid } >= Int(ofUser) ? ofUser : nil
  }

  /// Opens a session; how many queued events wait for it, to be given by `giveWaiting`. nil: there is one
  /// of that id already.
  mutating func open(_ id: SessionID, of app: AppNumber, uid: UInt32, _ state: AppState) -> Int? {
    guard sessions[id] == nil else { return nil }
    let opened = AppSession(id: id, app: app, uid: uid, state: state)
    sessions[id] = opened
    sessionsOfApp[app, default: []].append(opened)
    return waiting(of: app).count
  }

  private func waiting(of app: AppNumber) -> [QueuedAppEvent] {
    kept.filter { $0.app == app && $0.session == nil }
  }

  /// Gives a session that has just opened what has waited for one: a default action is its launch
  /// option, what came after it follows in order.
  mutating func giveWaiting(to id: SessionID, clock: ClockState, _ turn: inout Turn) {
    guard let session = sessions[id] else { return }
    let waiting = waiting(of: session.app)
    launches[session.app] = nil
    forgetWakeIfIdle()
    let launch = waiting.first { !$0.isAction && !$0.isPush }
    if let launch { give(launch, to: session, as: .launch, clock: clock, &turn) }
    for queuedEvent in waiting where queuedEvent !== launch {
      give(queuedEvent, to: session, clock: clock, &turn)
    }
  }

  /// A session as its owner names it.
  func app(of id: Int64) -> AppNumber? { sessions[SessionID(truncatingIfNeeded: id)]?.app }

  private func session(_ id: Int64, uid: UInt32) throws(RequestError) -> AppSession {
    guard let session = sessions[SessionID(truncatingIfNeeded: id)], session.uid == uid else {
      throw .unknownSession(id)
    }
    return session
  }

  func setState(_ state: AppState, of id: Int64, uid: UInt32) throws(RequestError) {
    try session(id, uid: uid).state = state
  }

  /// The app has taken or completed an event; what was decided meanwhile stays as it is.
  mutating func complete(
    event: Int64, in id: Int64, uid: UInt32, clock: ClockState, _ turn: inout Turn
  ) throws(RequestError) -> CompletedEvent {
    let session = try session(id, uid: uid)
    guard (1...max(1, session.lastEvent)).contains(event), session.lastEvent > 0 else {
      throw .invalidField(FieldError("event", .outOfRange, "this session has had no such event"))
    }
    if let offer = session.offers[event] {
      offers.close(offer)
      return .offer(offer)
    }
    guard let queuedEvent = session.takeGiven(event), queuedEvent.isAction else { return .nothing }
    if kept.contains(where: { $0 === queuedEvent }) {
      end(
        queuedEvent, .received, reason: "action \(queuedEvent.actionName)", clock: clock, &turn)
    }
    return .action
  }

  /// A session's connection has ended; nil: there is none of that id. The caller goes on with its
  /// offers, and then calls `handOn`.
  mutating func close(_ id: SessionID) -> ClosedSession? {
    guard let session = sessions.removeValue(forKey: id) else { return nil }
    sessionsOfApp[session.app]?.removeAll { $0 === session }
    if sessionsOfApp[session.app]?.isEmpty ?? false { sessionsOfApp[session.app] = nil }
    let offered = session.offers.keys.sorted().compactMap { session.offers[$0] }
    for offer in offered { offer.asked.removeAll { $0.session === session } }
    session.offers = [:]
    return ClosedSession(session, offers: offered.filter { $0.asked.isEmpty })
  }

  /// The app has certainly read the events up to `readThrough`; what needs no completion and may not
  /// have been read is handed on (D3).
  mutating func handOn(
    _ closed: ClosedSession, readThrough: Int64, clock: ClockState, _ turn: inout Turn
  ) {
    for (event, queuedEvent) in closed.given where queuedEvent.session === closed.session {
      queuedEvent.session = nil
      if queuedEvent.isAction || event > readThrough {
        handAgain(queuedEvent, clock: clock, &turn)
      }
    }
  }

  /// The app id is somebody else's from now on (A1); its offers have been withdrawn.
  mutating func endAll(of app: AppNumber, reason: String, _ turn: inout Turn) {
    for session in sessionsOfApp.removeValue(forKey: app) ?? [] {
      sessions[session.id] = nil
      turn.emit(.endSession(session.id, reason: reason))
    }
    launches[app] = nil
    kept.removeAll { $0.app == app }
    forgetWakeIfIdle()
  }

  /// Tells what has come to sessions in the background, `all`: to those in the foreground too. False:
  /// the app does not run.
  func tellReceived(
    _ occurrence: Occurrence, to app: AppNumber, all: Bool, _ turn: inout Turn
  ) -> Bool {
    let own = sessionsOfApp[app] ?? []
    for session in own where all || session.state != .foreground {
      _ = session.tell(.received, occurrence, &turn)
    }
    return !own.isEmpty
  }

  // MARK: Offers

  /// Asks every session in the foreground, as they are at the due instant; false: there is none.
  mutating func offer(_ showing: Presentation, _ turn: inout Turn) -> Bool {
    guard let own = sessionsOfApp[showing.firing.app] else { return false }
    let foreground = own.filter { $0.state == .foreground }
    guard !foreground.isEmpty else { return false }
    let offer = ForegroundOffer(
      showing, at: turn.now.real,
      until: turn.now.elapsed + turn.configuration.foregroundTimeout)
    for session in foreground {
      let event = session.tell(.received, showing.firing.occurrence, &turn) {
        $0.attempt = showing.attempt + 1
      }
      session.offers[event] = offer
      offer.asked.append((session, event))
    }
    offers.append(offer)
    return true
  }

  // MARK: What the user did

  /// Tells the app: in its session if it runs, else in the one that it opens once it is started.
  ///
  /// A dismissal goes to every session there is, and to nobody later. An action is in the store
  /// until it is completed, a default action until a session has got it.
  mutating func hand(
    _ queuedEvent: QueuedEvent, to app: AppNumber, clock: ClockState, _ turn: inout Turn
  ) {
    if case .dismissed = queuedEvent.kind {
      for session in sessionsOfApp[app] ?? [] {
        _ = session.tell(.dismissed, queuedEvent.occurrence, &turn) {
          $0.delivered = queuedEvent.delivered
        }
      }
      return
    }
    lastQueuedEvent += 1
    let new = QueuedAppEvent(
      number: lastQueuedEvent, app: app, queuedEvent: queuedEvent, since: turn.now.real,
      over: turn.now.elapsed + turn.configuration.waitLimit)
    let own = kept.filter { $0.app == app }
    if own.count >= Self.maxQueuedEvents, let oldest = own.first {
      end(
        oldest, .failed, reason: "too many actions wait for the app", clock: clock, &turn)
    }
    route(new, clock: clock, &turn)
  }

  private mutating func route(
    _ queuedEvent: QueuedAppEvent, clock: ClockState, _ turn: inout Turn
  ) {
    let own = sessionsOfApp[queuedEvent.app] ?? []
    // The newest session in the foreground gets it, else the newest.
    if let session = own.last(where: { $0.state == .foreground }) ?? own.last {
      give(queuedEvent, to: session, clock: clock, &turn)
    } else {
      keep(queuedEvent, &turn)
      if launches[queuedEvent.app] == nil { start(queuedEvent.app, queuedEvent.name, 1, &turn) }
    }
  }

  /// To the store too, so that it outlives us.
  private mutating func keep(_ queuedEvent: QueuedAppEvent, _ turn: inout Turn) {
    if !kept.contains(where: { $0 === queuedEvent }) {
      kept.append(queuedEvent)
      noteWake(queuedEvent.over)
    }
    queuedEvent.isStored = true
    turn.record(.keepQueuedEvent(queuedEvent.stored))
  }

  private mutating func give(
    _ queuedEvent: QueuedAppEvent, to session: AppSession, as kind: SessionEvent.Kind? = nil,
    clock: ClockState, _ turn: inout Turn
  ) {
    queuedEvent.attempt += 1
    queuedEvent.session = session
    let kind =
      kind ?? (queuedEvent.isAction ? .handleAction : queuedEvent.isPush ? .received : .activated)
    let event = session.tell(kind, queuedEvent.queuedEvent.occurrence, &turn, queuedEvent.complete)
    session.note(queuedEvent, sentAs: event)
    if queuedEvent.isAction {
      let until = turn.now.elapsed + turn.configuration.actionDeadline
      queuedEvent.until = until
      noteWake(until)
      keep(queuedEvent, &turn)
    } else {
      queuedEvent.settle(.received, reason: kind.rawValue, clock: clock, &turn)
      forget(queuedEvent, &turn)
    }
  }

  /// Sent, and not taken: to whoever is there now, or to the app as it is started again.
  private mutating func handAgain(
    _ queuedEvent: QueuedAppEvent, clock: ClockState, _ turn: inout Turn
  ) {
    queuedEvent.until = nil
    queuedEvent.session = nil
    guard queuedEvent.attempt < turn.configuration.attempts else {
      let words = queuedEvent.isAction ? "not completed" : "not read"
      return end(
        queuedEvent, .failed, reason: words + " in " + counted(queuedEvent.attempt, "attempt"),
        clock: clock, &turn)
    }
    route(queuedEvent, clock: clock, &turn)
  }

  private mutating func end(
    _ queuedEvent: QueuedAppEvent, _ state: DeliveryState, reason: String, clock: ClockState,
    _ turn: inout Turn
  ) {
    queuedEvent.session?.forget(queuedEvent)
    queuedEvent.session = nil
    queuedEvent.settle(state, reason: reason, clock: clock, &turn)
    forget(queuedEvent, &turn)
  }

  private mutating func forget(_ queuedEvent: QueuedAppEvent, _ turn: inout Turn) {
    queuedEvent.until = nil
    kept.removeAll { $0 === queuedEvent }
    forgetWakeIfIdle()
    guard queuedEvent.isStored else { return }
    queuedEvent.isStored = false
    turn.record(.forgetQueuedEvent(queuedEvent.number, app: queuedEvent.app))
  }

  // MARK: Starting apps

  private mutating func start(
    _ app: AppNumber, _ name: String, _ attempt: Int32, _ turn: inout Turn
  ) {
    let until = turn.now.elapsed + turn.configuration.launchDeadline
    launches[app] = AppLaunch(name: name, attempt: attempt, until: until)
    noteWake(until)
    turn.emit(.launch(app: name, attempt: attempt))
  }

  /// An app could not be started; `reason` nil: it starts itself, and there is no failure to tell of.
  mutating func launchFailed(
    _ app: AppNumber, reason: String?, clock: ClockState, _ turn: inout Turn
  ) {
    guard let launch = launches[app] else { return }
    guard let reason else { return giveUpLaunch(app, reason: nil, clock: clock, &turn) }
    turn.log(.warning, "\(launch.name) could not be started: \(reason)")
    giveUpLaunch(app, reason: "could not be started: \(reason)", clock: clock, &turn)
  }

  /// A default action was for now; another action is an answer, and waits until the app runs again.
  private mutating func giveUpLaunch(
    _ app: AppNumber, reason: String?, clock: ClockState, _ turn: inout Turn
  ) {
    launches[app] = nil
    forgetWakeIfIdle()
    for queuedEvent in waiting(of: app) {
      if let reason { queuedEvent.settle(.failed, reason: reason, clock: clock, &turn) }
      if !queuedEvent.isAction { forget(queuedEvent, &turn) }
    }
  }

  // MARK: Time

  /// T12: nothing is left to wake for.
  private mutating func forgetWakeIfIdle() {
    if kept.isEmpty, launches.isEmpty { nextQueuedEventWake = nil }
  }

  private mutating func noteWake(_ instant: Int64) {
    nextQueuedEventWake = min(nextQueuedEventWake ?? .max, instant)
  }

  /// Looks after what waits for sessions, and after apps that are being started.
  mutating func watchQueuedEvents(clock: ClockState, _ turn: inout Turn) {
    let now = turn.now.elapsed
    guard let wake = nextQueuedEventWake, wake <= now else { return }
    nextQueuedEventWake = nil
    for queuedEvent in kept {
      if queuedEvent.over <= now {
        end(
          queuedEvent, .expired, reason: "waited too long for the app", clock: clock, &turn)
      } else if let until = queuedEvent.until, until <= now {
        handAgain(queuedEvent, clock: clock, &turn)
      }
    }
    for app in launches.keys.sorted() { watchLaunch(app, clock: clock, &turn) }
    for queuedEvent in kept { noteWake(min(queuedEvent.over, queuedEvent.until ?? .max)) }
    for launch in launches.values { noteWake(launch.until) }
  }

  private mutating func watchLaunch(
    _ app: AppNumber, clock: ClockState, _ turn: inout Turn
  ) {
    guard let launch = launches[app], launch.until <= turn.now.elapsed else { return }
    if launch.attempt < 2 {
      start(app, launch.name, launch.attempt + 1, &turn)
    } else {
      turn.log(.warning, "\(launch.name) was started twice and opened no session")
      giveUpLaunch(app, reason: "launch-timeout", clock: clock, &turn)
    }
  }

  // MARK: After a start

  /// Takes in what the store knows to wait for a session; false: nobody knows its app.
  mutating func restore(_ stored: StoredQueuedEvent, isKnown: Bool) {
    lastQueuedEvent = max(lastQueuedEvent, stored.number)
    guard isKnown else { return }
    kept.append(
      QueuedAppEvent(
        number: stored.number, app: stored.app, queuedEvent: stored.queuedEvent,
        since: stored.since,
        over: .max, attempt: stored.attempt, isStored: true))
  }

  /// The first event: their apps may be about to come back, or have to be started.
  mutating func resume(clock: ClockState, _ turn: inout Turn) {
    let restored = kept
    kept = []
    let limit = turn.configuration.waitLimit
    for old in restored.sorted(by: { $0.number < $1.number }) {
      let age = min(max(0, turn.now.real.nanoseconds(since: old.since)), limit)
      let queuedEvent = QueuedAppEvent(
        number: old.number, app: old.app, queuedEvent: old.queuedEvent, since: old.since,
        over: turn.now.elapsed + limit - age, attempt: old.attempt, isStored: true)
      kept.append(queuedEvent)
      noteWake(queuedEvent.over)
      if queuedEvent.isAction, queuedEvent.attempt >= turn.configuration.attempts {
        handAgain(queuedEvent, clock: clock, &turn)
        continue
      }
      guard launches[old.app] == nil else { continue }
      let until = turn.now.elapsed + Self.restartGrace
      launches[old.app] = AppLaunch(name: old.name, attempt: 0, until: until)
      noteWake(until)
    }
  }
}
