/// Whether an action brings its app to the front (D4).
public enum ActivationMode: String, CaseIterable, Sendable {
  case foreground, background
}

/// What the user did with a notification that was shown, or what has come, for its app.
public struct QueuedEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The default action (D3).
    case activated
    /// Another action, and what was typed (D4).
    case handleAction(identifier: String, text: String?, ActivationMode)
    case dismissed
    /// A push with content-available, for which the app is started.
    case pushed
  }

  public var kind: Kind
  public var occurrence: Occurrence
  /// When it came to be shown.
  public var delivered: Instant?

  public init(_ kind: Kind, _ occurrence: Occurrence, delivered: Instant?) {
    self.kind = kind
    self.occurrence = occurrence
    self.delivered = delivered
  }
}

/// A queued event in the store: no session has taken it yet.
public struct StoredQueuedEvent: Hashable, Sendable {
  /// Unique; in order of happening.
  public var number: Int64
  public var app: AppNumber
  public var queuedEvent: QueuedEvent
  /// How often it was sent to a session.
  public var attempt: Int32
  public var since: Instant

  public init(
    number: Int64, app: AppNumber, queuedEvent: QueuedEvent, attempt: Int32, since: Instant
  ) {
    self.number = number
    self.app = app
    self.queuedEvent = queuedEvent
    self.attempt = attempt
    self.since = since
  }
}
