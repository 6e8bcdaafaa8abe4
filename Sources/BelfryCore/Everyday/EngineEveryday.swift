/// Pausing, skipping and editing: who may, and in which order (E1, E2, E7).
extension SchedulerEngine {
  func admit(
    _ id: RequestID, _ peer: Peer, _ name: String?, _ asked: EverydayRequest
  ) throws(RequestError) {
    do throws(FieldError) {
      try asked.check(at: now.real)
    } catch {
      throw .invalidField(error)
    }
    if case .pause(_, nil, _) = asked, clock.isWrong(at: now) {
      throw .invalidField(
        FieldError(
          "from", .missing,
          "the board's clock is not set, so nobody knows when now is: set it, or say from when"))
    }
    guard let name else {
      guard seesAll(peer) else { throw .notPermitted }
      return carryOut(asked, id, scope: .everything)
    }
    guard let app = try known(name, peer) else {
      guard let identifier = asked.firstIdentifier else {
        throw .invalidField(
          FieldError("app", .unknown, "nobody has scheduled anything as \(name): name another app"))
      }
      throw .notFound(identifier: identifier)
    }
    submit(id, .everyday(app: name, asked), app)
  }

  /// In its turn among the app's requests; false: it has to wait.
  func carryOut(_ asked: EverydayRequest, _ work: SchedulerApp.Work, _ app: SchedulerApp) -> Bool {
    let id = work.id
    switch asked {
    case .pause(let identifiers, let from, let until) where !identifiers.isEmpty:
      ask(
        .findAll(app: app.number, identifiers: identifiers),
        for: .everyday(
          .pause(
            id, app.number, identifiers, from: max(from ?? now.real, now.real), until: until)))
    case .resume(let identifiers) where !identifiers.isEmpty:
      ask(
        .findAll(app: app.number, identifiers: identifiers),
        for: .everyday(.resume(id, app.number, identifiers)))
    case .pause, .resume: carryOut(asked, id, scope: .app(app.number))
    case .skip(let identifier, _), .skipAt(let identifier, _), .unskip(let identifier, _):
      app.beginAlone()
      ask(
        .find(app: app.number, identifier: identifier),
        for: .everyday(.skips(id, app.number, asked)))
    case .edit(let identifier, let change):
      guard app.schedulesUnderWay == 0 else { return false }
      if let found = work.edited { return edit(found, change, id, app) }
      app.beginAlone()
      ask(
        .find(app: app.number, identifier: identifier),
        for: .everyday(.edit(work, app.number, asked)))
    }
    return true
  }

  func take(_ outcome: StoreOutcome, _ step: EverydayStep) {
    switch step {
    case .pause(let id, let app, let identifiers, let from, let until):
      if let rows = found(outcome, identifiers, id) {
        pause(id, app, rows, from: from, until: until)
      }
    case .ending(let id, let reply, let found): name(found, by: outcome, reply, id)
    case .resume(let id, let app, let identifiers):
      if let rows = found(outcome, identifiers, id) { resume(id, app, rows) }
    case .skips(let id, let app, let asked): takeSkips(outcome, id, app, asked)
    case .edit(let work, let number, let asked):
      guard let app = apps[number] else { return }
      takeEdit(outcome, work, app, asked)
    case .edited(let id, let edited): takeEdited(outcome, id, edited)
    }
  }

  /// All that were named and are still there; nil: the request is refused.
  private func found(
    _ outcome: StoreOutcome, _ identifiers: [String], _ id: RequestID
  ) -> [StoredNotification]? {
    let rows: [StoredNotification]
    switch outcome {
    case .loaded(let loaded): rows = loaded.filter { isListed($0) }
    case .failed(let reason):
      refuse(id, .storeUnavailable(reason: reason))
      return nil
    default:
      refuse(id, .storeUnavailable(reason: "it does not give all of them now"))
      return nil
    }
    for identifier in identifiers
    where !rows.contains(where: { $0.notification.identifier == identifier }) {
      refuse(id, .notFound(identifier: identifier))
      return nil
    }
    return rows
  }

  /// It has neither fired nor been cancelled since the store was asked.
  func isListed(_ row: StoredNotification) -> Bool {
    pending.node(of: row.slot, sequence: row.sequence) != nil
  }
}
