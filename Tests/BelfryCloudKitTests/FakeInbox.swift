import BelfryKit
import Foundation

@testable import BelfryCloudKit

/// An inbox in memory: entries in order, tokens that are positions.
final class FakeInbox: Inbox, @unchecked Sendable {
  private let lock = NSLock()
  private var entries: [InboxEntry] = []
  private var refusals: [SchedulerError?] = []
  private var asked: [(container: String, since: String?, limit: Int?, timeout: TimeInterval?)] = []
  /// Called within each fetch, before it answers.
  var onFetch: (@Sendable () -> Void)?

  var fetches: [(container: String, since: String?, limit: Int?, timeout: TimeInterval?)] {
    lock.withLock { asked }
  }

  /// What the next calls come to; nil: they are answered.
  func refuse(_ errors: SchedulerError?...) {
    lock.withLock { refusals = errors }
  }

  @discardableResult
  func add(_ kind: InboxEntry.Kind = .base, _ payload: [String: PushValue]? = [:]) -> UUID {
    let id = UUID()
    lock.withLock {
      entries.append(
        InboxEntry(id: id, kind: kind, received: Date(), payload: payload, pruned: ["badge"]))
    }
    return id
  }

  private func check() throws(SchedulerError) {
    let error = lock.withLock { refusals.isEmpty ? nil : refusals.removeFirst() }
    if let error { throw error }
  }

  func fetch(
    _ container: String, since token: String?, limit: Int?, timeout: TimeInterval?
  ) throws(SchedulerError) -> InboxPage {
    onFetch?()
    lock.withLock { asked.append((container, token, limit, timeout)) }
    try check()
    return lock.withLock {
      let start = token.flatMap { Int($0) } ?? 0
      let page = entries[start...].prefix(limit ?? 1000)
      return InboxPage(
        entries: Array(page), token: "\(start + page.count)",
        moreComing: start + page.count < entries.count)
    }
  }

  func markRead(
    _ container: String, _ ids: [UUID], timeout: TimeInterval?
  ) throws(SchedulerError) -> MarkReadOutcome {
    try check()
    return lock.withLock {
      let known = Set(entries.map { $0.id })
      return MarkReadOutcome(
        marked: ids.filter { known.contains($0) }, unknown: ids.filter { !known.contains($0) })
    }
  }
}

/// What an operation's blocks were called with.
final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private let semaphore = DispatchSemaphore(value: 0)
  private var found: [CKNotification] = []
  private var endings: [(CKServerChangeToken?, CKError?)] = []
  private var markings: [([CKNotificationID]?, CKError?)] = []

  var pushes: [CKNotification] { lock.withLock { found } }
  var ends: [(token: CKServerChangeToken?, error: CKError?)] {
    lock.withLock { endings.map { (token: $0.0, error: $0.1) } }
  }
  var marks: [(ids: [CKNotificationID]?, error: CKError?)] {
    lock.withLock { markings.map { (ids: $0.0, error: $0.1) } }
  }

  func hear(_ fetch: CKFetchNotificationChangesOperation) {
    fetch.notificationChangedBlock = { push in self.lock.withLock { self.found.append(push) } }
    fetch.fetchNotificationChangesCompletionBlock = { token, error in
      self.lock.withLock { self.endings.append((token, error as? CKError)) }
    }
    fetch.completionBlock = { self.semaphore.signal() }
  }

  func hear(_ mark: CKMarkNotificationsReadOperation) {
    mark.markNotificationsReadCompletionBlock = { ids, error in
      self.lock.withLock { self.markings.append((ids, error as? CKError)) }
    }
    mark.completionBlock = { self.semaphore.signal() }
  }

  /// Waits for the operation's own completion block; false: it did not come within a minute.
  func wait() -> Bool { semaphore.wait(timeout: .now() + 60) == .success }
}
