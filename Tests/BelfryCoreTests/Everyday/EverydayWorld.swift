import SchedulerFixtures

@testable import BelfryCore

/// Everyday requests, as a client makes them.
extension World {
  /// Seconds from now; `from` nil: at once.
  @discardableResult
  func pause(
    _ identifiers: String..., app: String? = "app", from: Double? = nil, until: Double? = nil,
    by peer: Peer = World.alice
  ) -> Reply? {
    request(
      .everyday(
        app: app,
        .pause(
          identifiers: identifiers, from: from.map { at($0) }, until: until.map { at($0) })),
      by: peer)
  }

  @discardableResult
  func resume(
    _ identifiers: String..., app: String? = "app", by peer: Peer = World.alice
  ) -> ResumeReply? {
    let reply = request(.everyday(app: app, .resume(identifiers: identifiers)), by: peer)
    if case .resumed(let resumed) = reply { return resumed }
    return nil
  }

  @discardableResult
  func skip(_ identifier: String, count: Int64 = 1, at: Instant? = nil) -> Reply? {
    request(
      .everyday(
        app: "app",
        at.map { .skipAt(identifier: identifier, $0) }
          ?? .skip(identifier: identifier, count: count)
      ))
  }

  @discardableResult
  func unskip(_ identifier: String, at: Instant? = nil) -> Reply? {
    request(.everyday(app: "app", .unskip(identifier: identifier, at: at)))
  }

  @discardableResult
  func edit(
    _ identifier: String, _ change: @escaping @Sendable (inout Notification) -> Void
  ) -> Reply? {
    request(
      .everyday(
        app: "app",
        .edit(identifier: identifier) { before in
          var after = before
          change(&after)
          return after
        }))
  }

  /// So many seconds after the start of the test's world.
  func at(_ seconds: Double) -> Instant { now.real.advanced(by: Int64(seconds * 1e9)) }

  /// How often each was handed over, in the order of hand-overs, since the last call.
  func rung() -> [Int64] {
    defer { deliveries = [] }
    return deliveries.map { $0.occurrence.due.nanoseconds(since: World.start) / Nanoseconds.second }
  }

  /// Rows of the history that tell of what was skipped, by due.
  var skippedRows: [HistoryRow] {
    store.history.values.filter { $0.state == .skipped }.sorted { $0.due < $1.due }
  }

  func listing(_ identifier: String) -> ListedNotification? {
    let reply = request(.list(app: "app", delivered: false, cursor: 0, limit: 100))
    guard case .listed(let rows, _) = reply else { return nil }
    return rows.first { $0.notification.identifier == identifier }
  }

  func next(_ identifier: String, count: Int32 = 3) -> (found: [Instant], passed: [PassedRun]) {
    let reply = request(.next(app: "app", identifier: identifier, count: count, after: nil))
    guard case .occurrences(let found, let passed) = reply else { return ([], []) }
    return (found.map { $0.instant }, passed)
  }
}
