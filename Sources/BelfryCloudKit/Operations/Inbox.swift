import BelfryKit
import Foundation

/// What operations ask of the daemon; the tests put one without a daemon in its place.
protocol Inbox: Sendable {
  /// `limit` nil: as much as fits a page; `timeout` nil: as the options say.
  func fetch(
    _ container: String, since token: String?, limit: Int?, timeout: TimeInterval?
  ) throws(SchedulerError) -> InboxPage

  func markRead(
    _ container: String, _ ids: [UUID], timeout: TimeInterval?
  ) throws(SchedulerError) -> MarkReadOutcome
}

/// The daemon, by way of BelfryKit.
final class DaemonInbox: Inbox {
  private let scheduler: BlockingScheduler
  /// The most that a page has.
  private static let most = 1000

  init(_ options: SchedulerOptions) {
    scheduler = BlockingScheduler(options)
  }

  func fetch(
    _ container: String, since token: String?, limit: Int?, timeout: TimeInterval?
  ) throws(SchedulerError) -> InboxPage {
    try scheduler(timeout).fetchInbox(
      container: container, since: token, limit: min(limit ?? Self.most, Self.most))
  }

  func markRead(
    _ container: String, _ ids: [UUID], timeout: TimeInterval?
  ) throws(SchedulerError) -> MarkReadOutcome {
    try scheduler(timeout).markRead(ids, container: container)
  }

  private func scheduler(_ timeout: TimeInterval?) -> BlockingScheduler {
    guard let timeout, timeout.isFinite, timeout > 0 else { return scheduler }
    var options = scheduler.options
    options.app = scheduler.app
    options.timeout = .milliseconds(Int64(min(timeout, 86_400) * 1000))
    options.patience = min(options.patience, options.timeout)
    return BlockingScheduler(options)
  }
}
