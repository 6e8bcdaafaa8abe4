/// What an app is told in its session.
public struct SessionEvent: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// The notification whose default action started the app (D3); the first event of its session.
    case launch
    /// It is due, and the app is in the foreground (D1).
    case received
    /// Its default action, while the app ran (D3).
    case activated
    /// One of its other actions (D4).
    case handleAction
    case dismissed
  }

  /// Counts up within the session, from 1.
  public var id: Int64
  public var kind: Kind
  public var occurrence: Occurrence
  /// When it had come to be shown; nil: it is not, or nobody knows.
  public var delivered: Instant?
  /// Of `handleAction`: the action's identifier, and what was typed.
  public var action: String?
  public var text: String?
  /// Above 1: it was sent before and not completed.
  public var attempt: Int32

  public init(
    id: Int64, kind: Kind, occurrence: Occurrence, delivered: Instant? = nil,
    action: String? = nil, text: String? = nil, attempt: Int32 = 1
  ) {
    self.id = id
    self.kind = kind
    self.occurrence = occurrence
    self.delivered = delivered
    self.action = action
    self.text = text
    self.attempt = attempt
  }
}
