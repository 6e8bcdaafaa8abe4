/// Apps that run: their sessions, what is with those in the foreground (D1), and what the user did
/// until a session has taken it (D2, D3, D4).
///
/// `clock`: how far the clock can be believed, for the history (T8).
struct SessionRouter {
  /// So many of an app may wait or be under way; beyond, the oldest is given up.
  private static let mostHappenings = 64
  /// After a start, apps that ran before have so long to come back before they are started.
  private static let reunion = 5 * Duration.second

  private var sessions: [SessionID: AppSession] = [:]
  /// Of each app with sessions, the oldest first.
  private var sessionsOfApp: [AppNumber: [AppSession]] = [:]
  /// What is with foreground sessions (D1).
  var offers = OfferList()
  /// What the user did and no session has taken, in order (D3, D4).
  private(set) var kept: [KeptHappening] = []
  private var lastHappening: Int64 = 0
  /// Apps that are being started.
  private var launches: [AppNumber: AppLaunch] = [:]
  /// When `watchHappenings` has something to do, on the elapsed clock.
  private var nextHappeningWake: Int64?

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
  var nextWake: Int64? { [offers.nextWake, nextHappeningWake].compactMap { $0 }.min() }

  // MARK: Sessions

  /// The number that one more session would pass (A2), of the app's limit and of each user's.
  func limitPassed(of app: AppNumber, uid: UInt32, ofApp: Int32, ofUser: Int32) -> Int32? {
    if count(of: app) >= Int(ofApp) { return ofApp }
    guard sessions.count >= Int(ofUser) else { return nil }
    return sessions.values.count { $0.uid == uid } >= Int(ofUser) ? ofUser : nil
  }

  /// Opens a session; how many happenings wait for it, to be given by `giveWaiting`. nil: there is one
  /// of that id already.
  mutating func open(_ id: SessionID, of app: AppNumber, uid: UInt32, _ state: AppState) -> Int? {
    guard sessions[id] == nil else { return nil }
    let opened = AppSession(id: id, app: app, uid: uid, state: state)
    sessions[id] = opened
    sessionsOfApp[app, default: []].append(opened)
    return waiting(of: app).count
  }

  private func waiting(of app: AppNumber) -> [KeptHappening] {
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
    for happening in waiting where happening !== launch {
      give(happening, to: session, clock: clock, &turn)
    }
  }

  /// A session as its owner names it.
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
    guard let happening = session.takeGiven(event), happening.isAction else { return .nothing }
    if kept.contains(where: { $0 === happening }) {
      end(
        happening, .received, reason: "action \(happening.actionName)", clock: clock, &turn)
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
    for (event, happening) in closed.given where happening.session === closed.session {
      happening.session = nil
      if happening.isAction || event > readThrough {
        handAgain(happening, clock: clock, &turn)
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
  mutating func offer(_ showing: Showing, _ turn: inout Turn) -> Bool {
    guard let own = sessionsOfApp[showing.firing.app] else { return false }
    let foreground = own.filter { $0.state == .foreground }
    guard !foreground.isEmpty else { return false }
    let offer = AppOffer(
      showing, at: turn.now.real,
      until: turn.now.elapsed + turn.configuration.foregroundPatience)
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
  /// A dismissal goes to every session there is, and to nobody later. An action stands in the books
  /// until it is completed, a default action until a session has got it.
  mutating func hand(
    _ happening: AppHappening, to app: AppNumber, clock: ClockState, _ turn: inout Turn
  ) {
    if case .dismissed = happening.kind {
      for session in sessionsOfApp[app] ?? [] {
        _ = session.tell(.dismissed, happening.occurrence, &turn) {
          $0.delivered = happening.delivered
        }
      }
      return
    }
    lastHappening += 1
    let new = KeptHappening(
      number: lastHappening, app: app, happening: happening, since: turn.now.real,
      over: turn.now.elapsed + turn.configuration.waitLimit)
    let own = kept.filter { $0.app == app }
    if own.count >= Self.mostHappenings, let oldest = own.first {
      end(
        oldest, .failed, reason: "too many actions wait for the app", clock: clock, &turn)
    }
    route(new, clock: clock, &turn)
  }

  private mutating func route(
    _ happening: KeptHappening, clock: ClockState, _ turn: inout Turn
  ) {
    let own = sessionsOfApp[happening.app] ?? []
    // The newest session in the foreground gets it, else the newest.
    if let session = own.last(where: { $0.state == .foreground }) ?? own.last {
      give(happening, to: session, clock: clock, &turn)
    } else {
      keep(happening, &turn)
      if launches[happening.app] == nil { start(happening.app, happening.name, 1, &turn) }
    }
  }

  /// To the books too, so that it outlives us.
  private mutating func keep(_ happening: KeptHappening, _ turn: inout Turn) {
    if !kept.contains(where: { $0 === happening }) {
      kept.append(happening)
      noteWake(happening.over)
    }
    happening.isStored = true
    turn.record(.keepHappening(happening.stored))
  }

  private mutating func give(
    _ happening: KeptHappening, to session: AppSession, as kind: SessionEvent.Kind? = nil,
    clock: ClockState, _ turn: inout Turn
  ) {
    happening.attempt += 1
    happening.session = session
    let kind =
      kind ?? (happening.isAction ? .handleAction : happening.isPush ? .received : .activated)
    let event = session.tell(kind, happening.happening.occurrence, &turn, happening.complete)
    session.note(happening, sentAs: event)
    if happening.isAction {
      let until = turn.now.elapsed + turn.configuration.actionDeadline
      happening.until = until
      noteWake(until)
      keep(happening, &turn)
    } else {
      happening.settle(.received, reason: kind.rawValue, clock: clock, &turn)
      forget(happening, &turn)
    }
  }

  /// Sent, and not taken: to whoever is there now, or to the app as it is started again.
  private mutating func handAgain(
    _ happening: KeptHappening, clock: ClockState, _ turn: inout Turn
  ) {
    happening.until = nil
    happening.session = nil
    guard happening.attempt < turn.configuration.attempts else {
      let words = happening.isAction ? "not completed" : "not read"
      return end(
        happening, .failed, reason: "\(words) in \(happening.attempt) attempts", clock: clock,
        &turn)
    }
    route(happening, clock: clock, &turn)
  }

  private mutating func end(
    _ happening: KeptHappening, _ state: DeliveryState, reason: String, clock: ClockState,
    _ turn: inout Turn
  ) {
    happening.session?.forget(happening)
    happening.session = nil
    happening.settle(state, reason: reason, clock: clock, &turn)
    forget(happening, &turn)
  }

  private mutating func forget(_ happening: KeptHappening, _ turn: inout Turn) {
    happening.until = nil
    kept.removeAll { $0 === happening }
    forgetWakeIfIdle()
    guard happening.isStored else { return }
    happening.isStored = false
    turn.record(.forgetHappening(happening.number))
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

  /// An app could not be started.
  mutating func launchFailed(
    _ app: AppNumber, reason: String, clock: ClockState, _ turn: inout Turn
  ) {
    guard let launch = launches[app] else { return }
    turn.log(.warning, "\(launch.name) could not be started: \(reason)")
    giveUpLaunch(app, reason: "could not be started: \(reason)", clock: clock, &turn)
  }

  /// A default action was for now; another action is an answer, and waits until the app runs again.
  private mutating func giveUpLaunch(
    _ app: AppNumber, reason: String, clock: ClockState, _ turn: inout Turn
  ) {
    launches[app] = nil
    forgetWakeIfIdle()
    for happening in waiting(of: app) {
      if happening.isAction {
        happening.settle(.failed, reason: reason, clock: clock, &turn)
      } else {
        end(happening, .failed, reason: reason, clock: clock, &turn)
      }
    }
  }

  // MARK: Time

  /// T12: nothing is left to wake for.
  private mutating func forgetWakeIfIdle() {
    if kept.isEmpty, launches.isEmpty { nextHappeningWake = nil }
  }

  private mutating func noteWake(_ instant: Int64) {
    nextHappeningWake = min(nextHappeningWake ?? .max, instant)
  }

  /// Looks after what waits for sessions, and after apps that are being started.
  mutating func watchHappenings(clock: ClockState, _ turn: inout Turn) {
    let now = turn.now.elapsed
    guard let wake = nextHappeningWake, wake <= now else { return }
    nextHappeningWake = nil
    for happening in kept {
      if happening.over <= now {
        end(
          happening, .expired, reason: "waited too long for the app", clock: clock, &turn)
      } else if let until = happening.until, until <= now {
        handAgain(happening, clock: clock, &turn)
      }
    }
    for app in launches.keys.sorted() { watchLaunch(app, clock: clock, &turn) }
    for happening in kept { noteWake(min(happening.over, happening.until ?? .max)) }
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

  /// Takes in what the books know to wait for a session; false: nobody knows its app.
  mutating func restore(_ stored: StoredHappening, isKnown: Bool) {
    lastHappening = max(lastHappening, stored.number)
    guard isKnown else { return }
    kept.append(
      KeptHappening(
        number: stored.number, app: stored.app, happening: stored.happening, since: stored.since,
        over: .max, attempt: stored.attempt, isStored: true))
  }

  /// The first event: their apps may be about to come back, or have to be started.
  mutating func resume(clock: ClockState, _ turn: inout Turn) {
    let restored = kept
    kept = []
    let limit = turn.configuration.waitLimit
    for old in restored.sorted(by: { $0.number < $1.number }) {
      let age = min(max(0, turn.now.real.nanoseconds(since: old.since)), limit)
      let happening = KeptHappening(
        number: old.number, app: old.app, happening: old.happening, since: old.since,
        over: turn.now.elapsed + limit - age, attempt: old.attempt, isStored: true)
      kept.append(happening)
      noteWake(happening.over)
      if happening.isAction, happening.attempt >= turn.configuration.attempts {
        handAgain(happening, clock: clock, &turn)
        continue
      }
      guard launches[old.app] == nil else { continue }
      let until = turn.now.elapsed + Self.reunion
      launches[old.app] = AppLaunch(name: old.name, attempt: 0, until: until)
      noteWake(until)
    }
  }
}
