import Foundation

/// Pushes: into an app, and out of its inboxes (P1 to P9).
extension BlockingScheduler {
  /// Delivers a push into the app, and keeps it in the inbox of its container (P6).
  ///
  /// What is wrong with the payload is thrown with its path, such as `aps.badge`. Without an `nid` in
  /// `ck` the push is known by `id` (nil: a new one), and a push that is there already is not shown
  /// again (P9), so that a call whose reply was lost is repeated without harm. `collapseIdentifier`:
  /// a newer push replaces what is shown of an older one with the same; `expires`: not shown later;
  /// `limit`: pruned to so many bytes (P5).
  @discardableResult
  public func push(
    _ payload: [String: PushValue], id: UUID? = nil, collapseIdentifier: String? = nil,
    expires: Date? = nil, limit: Int? = nil
  ) throws(SchedulerError) -> PushOutcome {
    let push = try Push(
      payload, id: id, collapse: collapseIdentifier, expires: expires, limit: limit)
    return try perform(.push(push, by: context))
  }

  /// The same for a payload as JSON text in UTF-8.
  @discardableResult
  public func push(
    json: Data, id: UUID? = nil, collapseIdentifier: String? = nil, expires: Date? = nil,
    limit: Int? = nil
  ) throws(SchedulerError) -> PushOutcome {
    let push = try Push(
      json: json, id: id, collapse: collapseIdentifier, expires: expires, limit: limit)
    return try perform(.push(push, by: context))
  }

  /// What came into an inbox since `token` (nil: everything that it has), oldest first, at most
  /// `limit` entries (1 to 1,000) and 512 KiB (P7).
  ///
  /// `container` is the payloads' `cid`, empty for the app's own. Throws `tokenExpired` where entries
  /// since the token are gone, and `tokenForeign` where it is not this inbox's: fetch everything then.
  public func fetchInbox(
    container: String = "", since token: String? = nil, limit: Int = 100
  ) throws(SchedulerError) -> InboxPage {
    try perform(.fetchInbox(container, token, limit, by: context))
  }

  /// Marks pushes read: their payloads are gone, and every reader that fetches past here gets a
  /// `readNotification` with the id, once (P8). Marking again does nothing; what is shown stays.
  @discardableResult
  public func markRead(
    _ ids: [UUID], container: String = ""
  ) throws(SchedulerError) -> MarkReadOutcome {
    var outcome = MarkReadOutcome(marked: [], unknown: [])
    for part in ids.parts {
      outcome.add(try perform(.markRead(part, container, by: context)))
    }
    return outcome
  }
}

extension Scheduler {
  /// Delivers a push into the app, and keeps it in the inbox of its container (P6).
  ///
  /// What is wrong with the payload is thrown with its path, such as `aps.badge`. Without an `nid` in
  /// `ck` the push is known by `id` (nil: a new one), and a push that is there already is not shown
  /// again (P9), so that a call whose reply was lost is repeated without harm. `collapseIdentifier`:
  /// a newer push replaces what is shown of an older one with the same; `expires`: not shown later;
  /// `limit`: pruned to so many bytes (P5).
  ///
  /// ```swift
  /// try await scheduler.push(["aps": ["alert": "Somebody is at the door", "sound": "default"]])
  /// ```
  @discardableResult
  public func push(
    _ payload: [String: PushValue], id: UUID? = nil, collapseIdentifier: String? = nil,
    expires: Date? = nil, limit: Int? = nil
  ) async throws(SchedulerError) -> PushOutcome {
    let push = try Push(
      payload, id: id, collapse: collapseIdentifier, expires: expires, limit: limit)
    return try await perform(.push(push, by: context))
  }

  /// The same for a payload as JSON text in UTF-8.
  @discardableResult
  public func push(
    json: Data, id: UUID? = nil, collapseIdentifier: String? = nil, expires: Date? = nil,
    limit: Int? = nil
  ) async throws(SchedulerError) -> PushOutcome {
    let push = try Push(
      json: json, id: id, collapse: collapseIdentifier, expires: expires, limit: limit)
    return try await perform(.push(push, by: context))
  }

  /// What came into an inbox since `token` (nil: everything that it has), oldest first, at most
  /// `limit` entries (1 to 1,000) and 512 KiB (P7).
  ///
  /// `container` is the payloads' `cid`, empty for the app's own. Throws `tokenExpired` where entries
  /// since the token are gone, and `tokenForeign` where it is not this inbox's: fetch everything then.
  ///
  /// ```swift
  /// var page = try await scheduler.fetchInbox(since: keptToken)
  /// while true {
  ///   for entry in page.entries { take(entry) }
  ///   keptToken = page.token
  ///   guard page.moreComing else { break }
  ///   page = try await scheduler.fetchInbox(since: keptToken)
  /// }
  /// ```
  public func fetchInbox(
    container: String = "", since token: String? = nil, limit: Int = 100
  ) async throws(SchedulerError) -> InboxPage {
    try await perform(.fetchInbox(container, token, limit, by: context))
  }

  /// Marks pushes read: their payloads are gone, and every reader that fetches past here gets a
  /// `readNotification` with the id, once (P8). Marking again does nothing; what is shown stays.
  @discardableResult
  public func markRead(
    _ ids: [UUID], container: String = ""
  ) async throws(SchedulerError) -> MarkReadOutcome {
    var outcome = MarkReadOutcome(marked: [], unknown: [])
    for part in ids.parts {
      outcome.add(try await perform(.markRead(part, container, by: context)))
    }
    return outcome
  }
}

extension [UUID] {
  /// As many as a call may name; at least one part, so that who may not ask is told.
  fileprivate var parts: [[UUID]] {
    stride(from: 0, to: Swift.max(count, 1), by: 1000).map {
      Array(self[$0..<Swift.min($0 + 1000, count)])
    }
  }
}

extension MarkReadOutcome {
  fileprivate mutating func add(_ other: MarkReadOutcome) {
    marked += other.marked
    unknown += other.unknown
  }
}
