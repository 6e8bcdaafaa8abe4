/// A push on its way into the store (P6).
public struct StoredPush: Hashable, Sendable {
  public var app: AppNumber
  public var container: String
  public var id: UUIDBits
  public var kind: Int64
  /// JSON text.
  public var payload: String
  public var received: Instant
  public var pruned: [String]
  /// Entries that its inbox holds at most; the oldest goes.
  public var limit: Int32
  /// What is to be shown of it, under this id whatever happens meanwhile (D7); nil: it has been.
  public var occurrence: Occurrence?

  public init(
    app: AppNumber, container: String, id: UUIDBits, kind: Int64, payload: String,
    received: Instant, pruned: [String], limit: Int32, occurrence: Occurrence?
  ) {
    self.app = app
    self.container = container
    self.id = id
    self.kind = kind
    self.payload = payload
    self.received = received
    self.pruned = pruned
    self.limit = limit
    self.occurrence = occurrence
  }
}

/// The bounds of inboxes that no configuration moves (A2).
public enum InboxLimit {
  /// Of one app.
  public static let containers = 16
  /// Bytes of a container's identifier.
  public static let name = 255
  /// Payload bytes of an inbox, for each entry that it may hold.
  public static let bytesAnEntry: Int64 = 4096
  /// Entries of a page, and its payload bytes.
  public static let page: Int32 = 1000
  public static let pageBytes: Int64 = 512 << 10
  /// Ids in one request to mark as read.
  public static let marks = 1000
  /// Bytes of a payload as the store keeps it.
  public static let payload = 128 << 10
}

/// What the store made of a `push`.
public enum PushOutcome: Hashable, Sendable {
  /// `shown`: what sinks show under the same identifier (a collapse id).
  case stored(shown: [ShownDelivery])
  /// The inbox has its id already (P9).
  case duplicate
  /// The app has as many containers as it may have.
  case tooManyContainers
}

/// What the store made of a `fetchInbox`.
public enum FetchOutcome: Hashable, Sendable {
  case page([InboxEntry], InboxToken, moreComing: Bool)
  case expired
  case foreign
}
