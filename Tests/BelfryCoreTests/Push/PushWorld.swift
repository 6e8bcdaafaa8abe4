import SchedulerFixtures

@testable import BelfryCore

/// Pushes in the world of the tests.
extension World {
  /// An alert that came as a push, its body the number of its id.
  func pushed(
    _ id: UInt64?, _ change: (inout PushedNotification) -> Void = { _ in }
  ) -> PushedNotification {
    var notification = Notification()
    notification.alertBody = id.map { "push \($0)" } ?? "push"
    notification.push = #"{"aps":{"alert":"\#(notification.alertBody ?? "")"}}"#
    var pushed = PushedNotification(notification, id: id.map { UUIDBits(high: 7, low: $0) })
    change(&pushed)
    return pushed
  }

  /// Nothing to show, and something for the app.
  func silent(_ id: UInt64) -> PushedNotification {
    pushed(id) { pushed in
      pushed.notification.alertBody = nil
      pushed.notification.push = #"{"aps":{"content-available":1}}"#
      pushed.isContentAvailable = true
    }
  }

  @discardableResult
  func push(
    _ pushed: PushedNotification, into app: String = "app", by peer: Peer = World.alice
  ) -> Reply? {
    request(.push(app: app, pushed), by: peer)
  }

  @discardableResult
  func push(_ id: UInt64) -> Reply? { push(pushed(id)) }

  /// The identifier under which a push without a collapse id is shown.
  static func identifier(_ id: UInt64) -> String { UUIDBits(high: 7, low: id).text }

  func fetch(
    _ container: String = "", since: String? = nil, limit: Int32 = 100,
    app: String = "app", by peer: Peer = World.alice
  ) -> Reply? {
    request(.fetchInbox(app: app, container: container, since: since, limit: limit), by: peer)
  }

  /// The ids of an inbox's entries, in order.
  func inbox(_ container: String = "") -> [UInt64] {
    guard case .fetched(let entries, _, _)? = fetch(container) else { return [] }
    return entries.map { $0.id.low }
  }

  /// Bodies that were handed over, since the last call.
  func takeBodies() -> [String] {
    defer { deliveries = [] }
    return deliveries.map { $0.text.body ?? "" }
  }

  /// What the history says of a push: sink, state and reason.
  func fate(_ identifier: String) -> [String] {
    store.history.values.filter { $0.identifier == identifier }.map { row in
      "\(row.sink) \(row.state)" + (row.reason.map { ": \($0)" } ?? "")
    }.sorted()
  }
}

extension Reply {
  var isStored: Bool {
    if case .pushed(let reply) = self { !reply.isDuplicate } else { false }
  }

  var isDuplicate: Bool {
    if case .pushed(let reply) = self { reply.isDuplicate } else { false }
  }

  var isUnavailable: Bool {
    if case .refused(.storeUnavailable) = self { true } else { false }
  }
}
