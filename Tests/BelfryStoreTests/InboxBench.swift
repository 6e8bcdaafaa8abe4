import BelfryCore
import Testing

@testable import BelfryStore

/// Inboxes in a store of their own.
extension StoreBench {
  static let blank = InboxToken.blank(app: "app", container: "")

  static func push(
    _ id: UInt64, app: AppNumber = 1, container: String = "", payload: String? = nil,
    limit: Int32 = 1000, pruned: [String] = [], kind: Int64 = 1
  ) -> StoredPush {
    StoredPush(
      app: app, container: container, id: UUIDBits(high: 7, low: id), kind: kind,
      payload: payload ?? #"{"aps":{"alert":"push \#(id)"}}"#,
      received: start.advanced(by: Int64(id)), pruned: pruned, limit: limit, occurrence: nil)
  }

  /// What is to be shown of a push.
  static func occurrence(_ id: UInt64, _ identifier: String = "score") -> Occurrence {
    var notification = Notification()
    notification.identifier = identifier
    notification.alertBody = "push \(id)"
    notification.push = #"{"aps":{"alert":"push \#(id)","sound":"default"},"x":[1,2.5,true,null]}"#
    var occurrence = Occurrence(
      id: OccurrenceID(uuid: UUIDBits(high: 8, low: id), generation: 0, k: 0), app: "app",
      notification: notification, due: start)
    occurrence.isForApp = true
    return occurrence
  }

  @discardableResult
  func push(_ push: StoredPush) -> PushOutcome? {
    guard case .pushed(let outcome)? = run(.push(push)).first else { return nil }
    return outcome
  }

  func push(_ ids: ClosedRange<UInt64>, container: String = "", limit: Int32 = 1000) {
    for id in ids { push(Self.push(id, container: container, limit: limit)) }
  }

  func fetch(
    since: InboxToken? = nil, app: AppNumber = 1, container: String = "", limit: Int32 = 1000
  ) -> FetchOutcome? {
    let outcome = run(
      .fetchInbox(app: app, container: container, since: since, blank: Self.blank, limit: limit))
    guard case .fetched(let fetched)? = outcome.first else { return nil }
    return fetched
  }

  func page(
    since: InboxToken? = nil, container: String = "", limit: Int32 = 1000
  ) -> (entries: [InboxEntry], token: InboxToken, more: Bool)? {
    guard
      case .page(let entries, let token, let more)? = fetch(
        since: since, container: container, limit: limit)
    else { return nil }
    return (entries, token, more)
  }

  func ids(since: InboxToken? = nil, container: String = "") -> [UInt64]? {
    page(since: since, container: container)?.entries.map { $0.id.low }
  }

  @discardableResult
  func mark(_ ids: UInt64..., container: String = "") -> StoreOutcome? {
    run(
      .markRead(
        app: 1, container: container, ids: ids.map { UUIDBits(high: 7, low: $0) }, Self.start)
    ).first
  }

  /// As after a kill: what stands on the disk, opened by another life.
  func copied() throws -> StoreBench {
    try StoreBench({ [path] target in
      for suffix in ["", "-wal"] {
        try copy(path + suffix, to: target + suffix)
      }
    })
  }
}
