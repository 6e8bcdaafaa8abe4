import Foundation

internal import BelfryCore

/// What a session is told of one occurrence of a notification.
public struct AppEvent: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// The user's default action on it started the app (D3).
    case launch
    /// It is due, and the app is in the foreground (D1); or a push has something new for the app
    /// (`content-available`), which comes in the background too.
    case received
    /// The user's default action while the app ran (D3).
    case activated
    /// Another action of its category (D4).
    case handleAction
    case dismissed
  }

  public var kind: Kind
  /// As it was scheduled, texts and all; its `identifier` is set.
  public var notification: LocalNotification
  /// The occurrence's id, `<uuid>.<generation>.<k>`: the same however often it is told (D7).
  public var occurrence: String
  public var due: Date
  /// Older occurrences that it stands for, and since when (T10).
  public var missed: Int
  public var missedSince: Date?
  /// When it had come to be shown.
  public var delivered: Date?
  /// Of `handleAction`: the action's identifier.
  public var action: String?
  /// Of `handleAction`: what the user typed.
  public var text: String?
  /// Above 1: it was told before, perhaps to a process that died of it.
  public var attempt: Int

  init(_ event: SessionEvent) {
    kind = Kind(rawValue: event.kind.rawValue) ?? .dismissed
    notification = LocalNotification(event.occurrence.notification)
    occurrence = event.occurrence.id.text
    due = Date(event.occurrence.due)
    missed = Int(clamping: event.occurrence.missed)
    missedSince = event.occurrence.missedSince.map { Date($0) }
    delivered = event.delivered.map { Date($0) }
    action = event.action
    text = event.text
    attempt = Int(event.attempt)
  }
}
