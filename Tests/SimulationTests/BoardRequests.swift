@testable import BelfryCore

/// What clients ask of a board, and what they are told.
extension Board {
  static let client = Peer(uid: 1000, pid: 1, isOperator: false)
  static let root = Peer(uid: 0, pid: 2, isOperator: true)

  func request(_ request: Request, by peer: Peer? = nil) {
    let peer = peer ?? request.app.map { LifeShape.owner(of: $0) } ?? Board.client
    lastRequest += 1
    ledger.withdrawnSnoozes = [:]
    asked.append((lastRequest, request, now))
    handle(.request(lastRequest, peer, request))
    run()
  }

  func ask(_ action: LifeAction) {
    switch action {
    case .schedule(let app, let name, let plan):
      request(
        .schedule(app: LifeShape.apps[app], plan.notification("n\(name)", now: now.real)))
    case .presentNow(let app):
      let plan = Plan(time: .now)
      request(
        .presentNow(
          app: LifeShape.apps[app], plan.notification("now\(lastRequest)", now: now.real)))
    case .cancel(let app, let name):
      request(.cancel(app: LifeShape.apps[app], identifiers: ["n\(name)"]))
    case .cancelAll(let app): request(.cancelAll(app: LifeShape.apps[app]))
    case .replaceAll(let app, let plans):
      let list = plans.enumerated().map { $1.notification("n\($0)", now: now.real) }
      request(.replaceAll(app: LifeShape.apps[app], list))
    case .replaceBySame(let app):
      let name = LifeShape.apps[app]
      let list = ledger.pending.values.filter { $0.name.app == name }
        .sorted { $0.order < $1.order }.map { $0.notification }
      request(.replaceAll(app: name, list))
    case .trust: request(.trustClock, by: Board.root)
    default: break
    }
  }

  func take(_ reply: Reply, to id: RequestID) {
    guard let index = asked.firstIndex(where: { $0.id == id }) else {
      return ledger.fail("reply", "request \(id) is answered twice")
    }
    let (_, request, at) = asked.remove(at: index)
    if let peer = strangers.removeValue(forKey: id) {
      return checkStranger(reply, to: request, by: peer)
    }
    noteEnding(request)
    switch (request, reply) {
    case (.schedule(let app, let notification, _), .scheduled(let reply)):
      takeScheduled(reply, app, notification, id, asked: at)
    case (.cancel(let app, let names), .cancelled(let count, _)):
      takeCancelled(id, app, names, count: count, asked: at)
    case (.cancelAll(let app), .cancelled(let count, _)):
      takeCancelled(id, app, nil, count: count, asked: at)
    case (.replaceAll(let app, let list, _), .replacedAll(let reply)):
      note("replaced all: \(reply)")
      takeReplaced(id, app, list)
    case (.list(.some(let app), _, _, _), .listed(let rows, _)): ledger.listed(app, rows)
    case (.openSession(let app, let session, let state), .sessionOpened):
      takeOpened(session, app, state)
    case (.setState(let session, let state), .done): takeTurned(session, state)
    case (.complete(let session, let event), .done):
      ledger.completed(SessionID(session), event)
    case (.fix, .located(let count)): takeLocated(id, count)
    case (.snoozed(.some(let app), _, _), .listed(let rows, _)): ledger.listedSnoozes(app, rows)
    case (.user(let app, .response(_, let name)), .done),
      (.user(let app, .response(_, let name)), .acknowledged):
      ledger.markHandled(PromiseName(app: app, identifier: name))
    case (.user(let app, .response(_, let name)), .snoozed):
      ledger.answeredSnooze(ledger.name(app, name))
      ledger.markHandled(PromiseName(app: app, identifier: name))
    case (.everyday(let app, let everyday), _):
      takeEveryday(reply, app, everyday, id, asked: at)
    case (.trustClock, .trusted):
      ledger.clock.isTrusted = true
      ledger.disturb()
    case (_, .refused(let error)): takeRefused(error)
    default: break
    }
  }

  /// What it has cancelled or replaced does not wait for an answer any more (E6).
  private func noteEnding(_ request: Request) {
    switch request {
    case .schedule(let app, let notification, _):
      ledger.answeredNow.insert(
        PromiseName(app: app, identifier: notification.identifier ?? ""))
    case .cancel(let app, let names):
      for name in names { ledger.answeredNow.insert(PromiseName(app: app, identifier: name)) }
    case .cancelAll(let app), .replaceAll(let app, _, _):
      for name in ledger.identifiers(of: app) {
        ledger.answeredNow.insert(PromiseName(app: app, identifier: name))
      }
    default: break
    }
  }

  func takeRefused(_ error: RequestError) {
    note("refused: \(error)")
    if case .storeUnavailable = error, disk == .healthy {
      ledger.fail("refused", "the books are said to be unavailable")
    }
  }

  func takeScheduled(
    _ reply: ScheduleReply, _ app: String, _ notification: Notification, _ request: RequestID,
    asked: ClockReading
  ) {
    note(
      "reply: scheduled \(reply.scheduled), next \(reply.next.map { RFC3339.text($0) } ?? "never")")
    guard reply.scheduled, let id = reply.occurrence else { return }
    let name = PromiseName(app: app, identifier: reply.identifier)
    if reply.unchanged {
      if ledger.pending[name]?.uuid != id.uuid { ledger.fail("N1 unchanged", reply.identifier) }
      return
    }
    let isStill =
      asked.real.nanoseconds(since: Instant(nanoseconds: asked.elapsed))
      == now.real.nanoseconds(since: Instant(nanoseconds: now.elapsed))
    guard let draft = drafts.removeValue(forKey: request) else {
      return ledger.fail("reply", "\(reply.identifier) was never in the books")
    }
    let relative = draft.relative
    var oracle = draft.oracle
    if oracle.zone != nil { oracle.zone = ledger.effectiveZone(notification) }
    if isStill, ledger.quietSince < asked.elapsed, !ledger.isPaused(app, id.uuid),
      !notification.goesByDays
    {
      ledger.checkNext(reply, notification, oracle: oracle, from: asked.real, to: now.real)
    }
    let before = ledger.pending[name]
    ledger.enter(
      name, uuid: id.uuid, generation: id.generation, notification, oracle,
      purpose: relative?.purpose, lastK: id.k - 1, request: request)
    ledger.pending[name]?.isByGoodClock = relative?.isSynchronised ?? false
    ledger.pending[name]?.elapsedDue = relative.flatMap {
      $0.purpose == .notBefore ? nil : $0.due
    }
    ledger.pending[name]?.side = draft.side ?? .unknown
    ledger.keepSide(from: before, of: name)
    readSkips(of: id.uuid)
    if let relative, relative.purpose == .notBefore {
      ledger.pending[name]?.notBefore = relative.due...relative.due
    }
  }

  private func takeCancelled(
    _ request: RequestID, _ app: String, _ names: [String]?, count: Int64, asked: ClockReading
  ) {
    note("reply: \(count) cancelled")
    let meant = ledger.pending.keys.filter {
      $0.app == app && (names?.contains($0.identifier) ?? true)
    }
    let snoozed = ledger.withdrawnSnoozes.filter { $0.key.app == app }.values.reduce(0, +)
    let isLone = asked == now && ledger.isQuiet(for: 1) && self.asked.isEmpty
    if isLone, Int64(meant.count + snoozed) != count {
      ledger.fail("N15 cancelled", "\(count) cancelled of \(meant.count)")
    }
    for name in names ?? ledger.identifiers(of: app) {
      ledger.cancel(
        PromiseName(app: app, identifier: name), before: request, forEver: disk == .healthy)
    }
  }

  private func takeReplaced(_ request: RequestID, _ app: String, _ list: [Notification]) {
    let state = store.read()
    let number = state.apps.first { $0.name == app }?.number
    let names = Set(list.compactMap { $0.identifier })
    for name in ledger.pending.keys where name.app == app && !names.contains(name.identifier) {
      ledger.end(name)
    }
    for row in state.rows.sorted(by: { $0.sequence < $1.sequence }) where row.app == number {
      let name = PromiseName(app: app, identifier: row.notification.identifier ?? "")
      ledger.adopt(row, name, request: request)
    }
  }
}
