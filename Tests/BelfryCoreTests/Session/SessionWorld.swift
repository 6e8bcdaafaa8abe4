import SchedulerFixtures

@testable import BelfryCore

/// Apps in the world of the tests.
extension World {
  @discardableResult
  func open(
    _ session: SessionID, _ state: AppState = .foreground, app: String = "app",
    by peer: Peer = World.alice
  ) -> Reply? {
    request(.openSession(app: app, session: session, state: state), by: peer)
  }

  func close(_ session: SessionID, isUnread: Bool = false) {
    send(.sessionClosed(session, isUnread: isUnread))
  }

  @discardableResult
  func complete(_ session: SessionID, _ event: Int64, by peer: Peer = World.alice) -> Reply? {
    request(.complete(session: Int64(session), event: event), by: peer)
  }

  func events(in session: SessionID) -> [SessionEvent] {
    told.filter { $0.session == session }.map { $0.event }
  }

  /// `kind identifier` of what a session was told, with the attempt where it is not the first.
  func words(in session: SessionID) -> [String] {
    events(in: session).map { event in
      let again = event.attempt > 1 ? " \(event.attempt)" : ""
      return "\(event.kind) \(event.occurrence.notification.identifier ?? "")\(again)"
    }
  }

  /// The history's rows of a notification, as `sink state`.
  func history(of identifier: String) -> Set<String> {
    Set(
      store.history.values.filter { $0.identifier == identifier }.map { "\($0.sink) \($0.state)" })
  }

  /// Shows an alert and lets the user do something with it.
  func act(
    _ identifier: String, _ kind: QueuedEvent.Kind = .activated, app name: String = "app"
  ) {
    var notification = Notification()
    notification.identifier = identifier
    notification.alertBody = "Body"
    let uuid = UUIDBits(
      high: 9, low: identifier.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) })
    let shown = Occurrence(
      id: OccurrenceID(uuid: uuid, generation: 0, k: 0), app: name, notification: notification,
      due: now.real)
    during { [self] scheduler in
      guard let app = scheduler.apps.named(name) else { return }
      scheduler.hand(QueuedEvent(kind, shown, delivered: now.real), to: app)
    }
  }

  static func action(_ identifier: String, text: String? = nil) -> QueuedEvent.Kind {
    .handleAction(identifier: identifier, text: text, .background)
  }
}
