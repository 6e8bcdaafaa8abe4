@testable import BelfryCore

extension LifeShape {
  /// Whom the daemon runs for, one who floods, a quiet one, root, and one of the operator's group.
  static let users = [
    Board.client, Peer(uid: 1001, pid: 3, isOperator: false),
    Peer(uid: 1002, pid: 4, isOperator: false), Board.root,
    Peer(uid: 1003, pid: 5, isOperator: true),
  ]

  /// By place in `apps`.
  private static let owners = [0, 0, 1, 2, 3]

  static func ownerPlace(of app: String) -> Int {
    apps.firstIndex(of: app).map { owners[$0] } ?? 0
  }

  static func owner(of app: String) -> Peer { users[ownerPlace(of: app)] }

  /// S6: root's, and those of the user that the daemon runs for.
  static func mayBeCritical(_ app: String) -> Bool { [0, 3].contains(ownerPlace(of: app)) }

  mutating func share() {
    isShared = true
    if kind != .limit { configuration.notifications = 512 }
    configuration.queue = 80
  }
}

/// Several users of one board (A1).
extension Board {
  /// Every app is its user's before anybody else can use it.
  func settleUsers() {
    for app in LifeShape.apps { settle(app) }
  }

  private func settle(_ app: String) {
    request(.user(app: app, .register(AppRegistration())))
    lastUses[app] = now.real
  }

  func act(ofUsers action: LifeAction) {
    switch action {
    case .flood(let app, let flood): ask(for: flood, LifeShape.apps[app])
    case .meddle(let user, let app, let meddling):
      meddle(LifeShape.users[user], LifeShape.apps[app], meddling)
    case .outage(let sink, let length) where sinks.indices.contains(sink):
      sinks[sink].refusesUntil = now.elapsed + length
      endSink(sink)
    default: break
    }
  }

  private func ask(for flood: Flood, _ app: String) {
    let instant = now.real
    for number in 0..<flood.count where ledger.fault == nil {
      var notification = flood.notification(number, now: instant)
      if flood.time == .presentNow {
        notification.identifier = "now\(lastRequest)"
        request(.presentNow(app: app, notification))
      } else {
        request(.schedule(app: app, notification))
      }
    }
  }

  private func meddle(_ peer: Peer, _ app: String, _ meddling: Meddling) {
    // An id is free again 30 days after its last use; what the store knows of that may be older.
    let isSettled =
      now.real.nanoseconds(since: lastUses[app] ?? .distantPast) < 20 * Nanoseconds.day
    guard isSettled else { return }
    settle(app)
    let isFree = peer.isOperator || peer.uid == LifeShape.owner(of: app).uid
    guard let asked = request(for: meddling, app, by: peer), !isFree || meddling.isPlain else {
      return
    }
    if isFree, !meddling.isOfEverybody { return request(asked, by: peer) }
    if case .listAll = meddling, peer.isOperator { return }
    strangers[lastRequest + 1] = peer
    isMeddling = self.asked.isEmpty
    request(asked, by: peer)
    isMeddling = false
  }

  private func request(for meddling: Meddling, _ app: String, by peer: Peer) -> Request? {
    let name = "n\(Int(lastRequest) % Board.identifiers)"
    var notification = Plan(time: .at(Nanoseconds.minute)).notification(name, now: now.real)
    switch meddling {
    case .schedule: return .schedule(app: app, notification)
    case .presentNow:
      notification.identifier = "now\(lastRequest)"
      return .presentNow(app: app, notification)
    case .cancel: return .cancel(app: app, identifiers: [name, "f0", "f1"])
    case .cancelAll: return .cancelAll(app: app)
    case .replaceAll: return .replaceAll(app: app, [notification])
    case .list: return .list(app: app, delivered: false, cursor: 0, limit: 1000)
    case .next: return .next(app: app, identifier: name, count: 1, after: nil)
    case .history: return .history(app: app, cursor: 0, limit: 1000)
    case .dismiss: return .user(app: app, .response(.dismiss, name))
    case .snooze: return .user(app: app, .response(.snooze(Nanoseconds.hour), name))
    case .register: return .user(app: app, .register(AppRegistration()))
    case .setBadge: return .user(app: app, .setBadge(7))
    case .test: return .test(app: app, sink: nil)
    case .fetchInbox: return .fetchInbox(app: app, container: "", since: nil, limit: 10)
    case .openSession:
      lastSession += 1
      return .openSession(app: app, session: lastSession, state: .foreground)
    case .trust: return peer.uid == Board.client.uid || peer.isOperator ? nil : .trustClock
    case .fix:
      guard peer.uid != Board.client.uid, !peer.isOperator else { return nil }
      return .fix(latitude: 1, longitude: 1, accuracy: nil, time: nil)
    case .listAll: return .list(app: nil, delivered: false, cursor: 0, limit: 10_000)
    }
  }

  /// A1: what is another's is refused, and of what is nobody's alone everyone sees his own.
  func checkStranger(_ reply: Reply, to request: Request, by peer: Peer) {
    switch (request, reply) {
    case (_, .refused(.storeUnavailable)): break
    case (.list(nil, _, _, _), .listed(let rows, _)):
      if let row = rows.first(where: { LifeShape.owner(of: $0.app).uid != peer.uid }) {
        ledger.fail("A1 list", "user \(peer.uid) is shown what is in \(row.app)")
      }
    case (.trustClock, .refused(.notPermitted)), (.fix, .refused(.notPermitted)):
      ledger.refused += 1
    case (_, .refused(.notOwner(let app))) where app == request.app: ledger.refused += 1
    default:
      ledger.fail("A1 stranger", "user \(peer.uid) is answered \(reply) to \(request)")
    }
  }

  /// A1: what is refused changes nothing.
  func checkMeddling(_ operation: StoreOperation) {
    if isMeddling, !operation.isRecord, !operation.isRead {
      ledger.fail("A1 change", "the books hear of what a stranger asks: \(operation)")
    }
  }
}

extension Meddling {
  /// The ledger knows what comes of it where it is allowed.
  var isPlain: Bool {
    switch self {
    case .schedule, .presentNow, .cancel, .cancelAll, .replaceAll, .list, .next, .history, .trust,
      .fix, .listAll:
      true
    default: false
    }
  }

  var isOfEverybody: Bool { [.trust, .fix, .listAll].contains(self) }
}

extension Request {
  /// Whose app it is about.
  var app: String? {
    switch self {
    case .everyday(let app, _): app
    case .schedule(let app, _, _), .presentNow(let app, _), .cancel(let app, _),
      .cancelEqual(let app, _), .cancelAll(let app), .replaceAll(let app, _, _),
      .next(let app, _, _, _), .user(let app, _), .openSession(let app, _, _),
      .push(let app, _), .fetchInbox(let app, _, _, _), .markRead(let app, _, _),
      .test(let app, _):
      app
    case .list(let app, _, _, _), .history(let app, _, _), .snoozed(let app, _, _),
      .apps(let app, _, _), .stopSound(let app), .waiting(let app):
      app
    case .days(let app): app
    case .nextOfDraft, .trustClock, .reload, .setState, .complete, .fix: nil
    }
  }
}
