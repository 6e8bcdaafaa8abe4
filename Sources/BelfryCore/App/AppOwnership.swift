/// Whose an app id is, how many a user may take, and when one is free again (A1).
extension SchedulerEngine {
  /// An id is free again so long after its last entry.
  static let lapse = 30 * Nanoseconds.day
  /// How many programs of a user may have an app of their own.
  static let maxPrograms = 256
  /// The store hears of the use of an app no more often than this.
  static let useStep = Nanoseconds.hour

  /// The uid whose an id is for ever, whoever names it: of `user.<uid>` and what begins so.
  public static func user(of id: String) -> UInt32? { SchedulerApp.user(of: id) }

  /// The uid that an id belongs to; nil: to nobody yet.
  public func owner(of id: String) -> UInt32? {
    apps.owner(of: id)
  }

  /// The app of that id, made on first use; it belongs to who used it first, if to nobody yet.
  func app(_ id: String, _ peer: Peer) throws(RequestError) -> SchedulerApp {
    if let app = try known(id, peer) {
      noteUse(of: app)
      return app
    }
    if !peer.isOperator, owner(of: id) == nil, apps.isReserved(id) {
      throw .notOwner(app: id)
    }
    if let old = apps.named(id) { forget(old) }
    try admitOneMore(id, peer)
    return apps.make(id, uid: peer.uid, used: time)
  }

  /// nil: nobody has used the id, or not for so long that it is free again.
  func known(_ id: String, _ peer: Peer) throws(RequestError) -> SchedulerApp? {
    guard SchedulerApp.isValid(id) else {
      throw .invalidField(
        FieldError("app", .malformed, "an app id is 1 to 128 of A-Z, a-z, 0-9, '.', '_' and '-'"))
    }
    let app = apps.named(id)
    guard !peer.isOperator, let owner = owner(of: id), owner != peer.uid else { return app }
    if let app, isLapsed(app) { return nil }
    throw .notOwner(app: id)
  }

  /// Operators alone may have as many ids as they like.
  private func admitOneMore(_ id: String, _ peer: Peer) throws(RequestError) {
    guard !peer.isOperator else { return }
    let isProgram = SchedulerApp.isProgram(id)
    guard isProgram || owner(of: id) == nil else { return }
    let limit = isProgram ? Self.maxPrograms : Int(configuration.apps)
    let taken = apps.apps(of: peer.uid).filter { app in
      isProgram ? SchedulerApp.isProgram(app.name) : apps.isTaken(app)
    }
    guard taken.count >= limit, taken.count(where: { !isUnused($0) }) >= limit else { return }
    throw .limitReached(limit: isProgram ? "programs" : "apps", value: Int64(limit))
  }

  /// Whether the next one may take the id.
  private func isLapsed(_ app: SchedulerApp) -> Bool {
    apps.isTaken(app) && isUnused(app)
  }

  /// Nothing has been in it for 30 days. A clock that may be wrong tells of no days.
  private func isUnused(_ app: SchedulerApp) -> Bool {
    clock.state(at: now) != .untrusted && isEmpty(app)
      && now.real.nanoseconds(since: app.used) > Self.lapse
  }

  /// Nothing of it is pending, or under way.
  private func isEmpty(_ app: SchedulerApp) -> Bool {
    pending.count(of: app.number) == 0 && pending.regionCount(of: app.number) == 0
      && app.schedulesUnderWay == 0 && !pushes.hasAny(of: app.number) && app.waiting.isEmpty
      && !app.isExclusive
      && !sessions.hasAny(of: app.number)
      && !snoozes.hasAny(of: app.number) && !waiting.hasAny(of: app.number)
  }

  // MARK: Use

  /// Never before what is known to be past.
  private var time: Instant { max(now.real, clock.known) }

  /// Something enters the app, or leaves it: the 30 days begin anew.
  func noteUse(of app: SchedulerApp) {
    app.used = time
    let step = app.used.nanoseconds(since: app.notedUse)
    guard step >= Self.useStep || step <= -Self.useStep, app.registrationState == .done,
      apps.isTaken(app) || SchedulerApp.isProgram(app.name)
    else { return }
    app.notedUse = app.used
    record(.noteUse(app.number, app.used))
  }

  /// Of apps from a store that did not say when they were used.
  func noteUnknownUses() {
    for app in apps.inOrder where app.used == .distantPast {
      noteUse(of: app)
    }
  }

  // MARK: Changing hands

  /// Manifests that were read at the start may give ids to others than the store does.
  func settleOwners() {
    for id in apps.profileIDs { settleOwner(of: id) }
  }

  /// A manifest gives an id to its uid, whoever used it before: what was in it goes.
  func settleOwner(of id: String) {
    guard let (app, owner) = apps.misowned(id) else { return }
    emit(
      .log(
        .warning,
        "\(id) belongs to user \(owner) by its manifest: what user \(app.owner) had in it is gone"))
    forget(app)
  }

  /// All of an app goes, history included, so that nobody learns of it who takes the id next.
  private func forget(_ app: SchedulerApp) {
    for work in app.waiting where !work.isPush { refuse(work.id, .notOwner(app: app.name)) }
    carryOut(pushes.removeAll(of: app.number, named: app.name))
    app.waiting = []
    apps.freeName(of: app)
    guard app.registrationState != .none else { return apps.remove(app) }
    // Whoever has the id from now on must not learn what was in it.
    let first = turn.commandCount
    _ = withdraw(.all, of: app)
    turn.dropEvents(after: first)
    snoozes.removeAll(of: app.number)
    waiting.removeAll(of: app.number)
    clearBadge(of: app)
    endSessions(of: app)
    ask(.cancelAll(app: app.number), for: .forget(app.number))
    // Now, so that the name is free, and again after what happens until the answer comes.
    record(.forgetApp(app.number))
    pauses.forget(app.number)
  }

  func takeForgotten(_ outcome: StoreOutcome, _ number: AppNumber) {
    guard let app = apps[number] else { return }
    if case .cancelled(let cancelled) = outcome {
      for row in cancelled.rows { leave(row) }
      let first = turn.commandCount
      _ = withdraw(.all, of: app)
      for shown in cancelled.shown { withdraw(shown) }
      for shown in app.takeUnrecorded(.all) { withdrawShown(shown) }
      turn.dropEvents(after: first)
    }
    apps.remove(app)
    record(.forgetApp(number))
    pauses.forget(number)
  }

  private func clearBadge(of app: SchedulerApp) {
    app.badge = 0
    guard app.toldBadge != 0 else { return }
    for sink in sinks where sink.sink.wantsBadges {
      sink.badges[app.number] = SchedulerSink.BadgeChange(value: 0)
      pump(sink)
    }
  }
}
