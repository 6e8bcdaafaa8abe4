import Foundation

internal import BelfryCore

/// What ``Scheduler/events()`` tells (D10).
public struct SchedulerEvent: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case received, delivered, activated, dismissed, snoozed, held, missed, superseded, withdrawn
    case discarded, expired, failed, cancelled, replaced, silenced, unanswered
    case skipped
    /// This library's own: the connection was lost and stands again; what happened meanwhile was not
    /// told, but is in the history.
    case reconnected
  }

  public var kind: Kind
  public var app: String
  public var identifier: String
  /// `<uuid>.<generation>.<k>` (D7).
  public var occurrence: String?
  public var sink: String?
  /// When it happened.
  public var at: Date
  public var due: Date?
  public var handedOver: Date?
  public var reason: String?
  /// Older occurrences folded into this one (T10).
  public var missed: Int

  /// nil: of a kind that this library does not know.
  init?(_ event: WatchEvent) {
    guard let kind = Kind(rawValue: event.kind.rawValue) else { return nil }
    self.kind = kind
    app = event.app
    identifier = event.identifier
    occurrence = event.occurrence?.text
    sink = event.sink
    at = Date(event.at)
    due = event.due.map { Date($0) }
    handedOver = event.handedOver.map { Date($0) }
    reason = event.reason
    missed = Int(clamping: event.missed)
  }

  static func reconnected(app: String) -> SchedulerEvent {
    SchedulerEvent(app: app)
  }

  private init(app: String) {
    kind = .reconnected
    self.app = app
    identifier = ""
    at = Date()
    missed = 0
  }
}
