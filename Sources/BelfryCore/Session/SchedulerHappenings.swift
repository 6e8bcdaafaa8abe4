/// What the user did with what was shown, on its way to the app (D2, D3, D4).
extension Scheduler {
  /// So many of an app may wait or be under way; beyond, the oldest is given up.
  private static let mostHappenings = 64
  /// After a start, apps that ran before have so long to come back before they are started.
  private static let reunion = 5 * Duration.second

  /// Tells the app: in its session if it runs, else in the one that it opens once it is started.
  ///
  /// A dismissal goes to every session there is, and to nobody later. An action stands in the books
  /// until it is completed, a default action until a session has got it.
  func hand(_ happening: AppHappening, to app: SchedulerApp) {
    if case .dismissed = happening.kind {
      for session in app.sessions {
        _ = tell(session, .dismissed, happening.occurrence) { $0.delivered = happening.delivered }
      }
      return
    }
    lastHappening += 1
    let new = KeptHappening(
      number: lastHappening, app: app, happening: happening, since: now.real,
      over: now.elapsed + configuration.waitLimit)
    makeRoom(in: app)
    route(new)
  }

  private func makeRoom(in app: SchedulerApp) {
    let own = kept.filter { $0.app === app }
    guard own.count >= Self.mostHappenings, let oldest = own.first else { return }
    end(oldest, .failed, reason: "too many actions wait for the app")
  }

  private func route(_ happening: KeptHappening) {
    if let session = happening.app.sessionToAct {
      give(happening, to: session)
    } else {
      keep(happening)
      launch(happening.app)
    }
  }

  /// To the books too, so that it outlives us.
  private func keep(_ happening: KeptHappening) {
    if !kept.contains(where: { $0 === happening }) {
      kept.append(happening)
      noteWake(happening.over)
    }
    happening.isStored = true
    record(.keepHappening(happening.stored))
  }

  // MARK: To a session

  /// What has waited for a session: a default action is its launch option, what came after it follows
  /// in order.
  func giveAll(_ waiting: [KeptHappening], to session: AppSession) {
    let launch = waiting.first { !$0.isAction && !$0.isPush }
    if let launch { give(launch, to: session, as: .launch) }
    for happening in waiting where happening !== launch { give(happening, to: session) }
  }

  private func give(
    _ happening: KeptHappening, to session: AppSession, as kind: SessionEvent.Kind? = nil
  ) {
    happening.attempt += 1
    happening.session = session
    let kind =
      kind ?? (happening.isAction ? .handleAction : happening.isPush ? .received : .activated)
    let event = tell(session, kind, happening.happening.occurrence) { event in
      event.delivered = happening.happening.delivered
      event.attempt = happening.attempt
      guard case .handleAction(let identifier, let text, _) = happening.happening.kind else {
        return
      }
      event.action = identifier
      event.text = text
    }
    session.note(happening, sentAs: event)
    if happening.isAction {
      happening.until = now.elapsed + configuration.actionDeadline
      noteWake(now.elapsed + configuration.actionDeadline)
      keep(happening)
    } else {
      settle(happening, .received, reason: kind.rawValue)
      forget(happening)
    }
  }

  /// D4.
  func complete(_ happening: KeptHappening) {
    guard kept.contains(where: { $0 === happening }) else { return }
    happening.session?.forget(happening)
    end(happening, .received, reason: "action \(happening.actionName)")
  }

  /// Sent, and not taken: to whoever is there now, or to the app as it is started again.
  func handAgain(_ happening: KeptHappening) {
    happening.until = nil
    happening.session = nil
    guard happening.attempt < configuration.attempts else {
      let words = happening.isAction ? "not completed" : "not read"
      return end(happening, .failed, reason: "\(words) in \(happening.attempt) attempts")
    }
    route(happening)
  }

  // MARK: The end

  private func end(_ happening: KeptHappening, _ state: DeliveryState, reason: String) {
    happening.session?.forget(happening)
    happening.session = nil
    settle(happening, state, reason: reason)
    forget(happening)
  }

  private func forget(_ happening: KeptHappening) {
    happening.until = nil
    kept.removeAll { $0 === happening }
    // T12: nothing is left to wake for.
    if kept.isEmpty, launching.isEmpty { nextHappeningWake = nil }
    guard happening.isStored else { return }
    happening.isStored = false
    record(.forgetHappening(happening.number))
  }

  /// The history's row of the app itself.
  private func settle(_ happening: KeptHappening, _ state: DeliveryState, reason: String) {
    let firing = OpenFiring(
      happening.happening.occurrence, app: happening.app.number, isRecorded: true)
    // It is never what closes the occurrence: a sound may go on.
    firing.open = 2
    end(
      firing, sink: Sink.app, state, reason: reason,
      handedOver: state == .received ? now.real : nil, attempts: happening.attempt)
  }

  // MARK: Starting the app

  private func launch(_ app: SchedulerApp) {
    if app.launch == nil { start(app, attempt: 1) }
  }

  private func start(_ app: SchedulerApp, attempt: Int32) {
    let until = now.elapsed + configuration.launchDeadline
    app.launch = AppLaunch(attempt: attempt, until: until)
    launching.insert(app.number)
    noteWake(until)
    emit(.launch(app: app.name, attempt: attempt))
  }

  /// What came of starting an app; its session is what counts.
  func takeLaunched(_ id: String, failure: String?) {
    guard let failure, let app = appsByName[id], app.launch != nil else { return }
    emit(.log(.warning, "\(id) could not be started: \(failure)"))
    giveUpLaunch(app, reason: "could not be started: \(failure)")
  }

  /// A default action was for now; another action is an answer, and waits until the app runs again.
  private func giveUpLaunch(_ app: SchedulerApp, reason: String) {
    app.launch = nil
    for happening in kept where happening.app === app && happening.session == nil {
      if happening.isAction {
        settle(happening, .failed, reason: reason)
      } else {
        end(happening, .failed, reason: reason)
      }
    }
  }

  // MARK: Time

  private func noteWake(_ instant: Int64) {
    nextHappeningWake = min(nextHappeningWake ?? .max, instant)
  }

  func watchHappenings() {
    guard let wake = nextHappeningWake, wake <= now.elapsed else { return }
    nextHappeningWake = nil
    for happening in kept {
      if happening.over <= now.elapsed {
        end(happening, .expired, reason: "waited too long for the app")
      } else if let until = happening.until, until <= now.elapsed {
        handAgain(happening)
      }
    }
    for number in launching.sorted() { watchLaunch(number) }
    for happening in kept { noteWake(min(happening.over, happening.until ?? .max)) }
    for number in launching {
      if let launch = apps[number]?.launch { noteWake(launch.until) }
    }
  }

  private func watchLaunch(_ number: AppNumber) {
    guard let app = apps[number], let launch = app.launch else {
      launching.remove(number)
      return
    }
    guard launch.until <= now.elapsed else { return }
    if launch.attempt < 2 {
      start(app, attempt: launch.attempt + 1)
    } else {
      launching.remove(number)
      emit(.log(.warning, "\(app.name) was started twice and opened no session"))
      giveUpLaunch(app, reason: "launch-timeout")
    }
  }

  // MARK: After a start

  /// What the books know to wait for a session; after the apps.
  public func restore(_ stored: StoredHappening) {
    lastHappening = max(lastHappening, stored.number)
    guard let app = apps[stored.app] else { return }
    kept.append(
      KeptHappening(
        number: stored.number, app: app, happening: stored.happening, since: stored.since,
        over: .max, attempt: stored.attempt, isStored: true))
  }

  /// The first event: their apps may be about to come back, or have to be started.
  func resumeHappenings() {
    let restored = kept
    kept = []
    for old in restored.sorted(by: { $0.number < $1.number }) {
      let age = min(max(0, now.real.nanoseconds(since: old.since)), configuration.waitLimit)
      let happening = KeptHappening(
        number: old.number, app: old.app, happening: old.happening, since: old.since,
        over: now.elapsed + configuration.waitLimit - age, attempt: old.attempt, isStored: true)
      kept.append(happening)
      noteWake(happening.over)
      if happening.isAction, happening.attempt >= configuration.attempts {
        handAgain(happening)
        continue
      }
      guard old.app.launch == nil else { continue }
      let until = now.elapsed + Self.reunion
      old.app.launch = AppLaunch(attempt: 0, until: until)
      launching.insert(old.app.number)
      noteWake(until)
    }
  }
}

extension KeptHappening {
  fileprivate var actionName: String {
    if case .handleAction(let identifier, _, _) = happening.kind { return identifier }
    return ""
  }
}

extension SchedulerApp {
  /// Who gets what the user did: the newest session in the foreground, else the newest.
  fileprivate var sessionToAct: AppSession? {
    sessions.last { $0.state == .foreground } ?? sessions.last
  }
}
