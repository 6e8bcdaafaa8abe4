/// A row of an inbox (P6).
public struct InboxEntry: Hashable, Sendable {
  /// `kind` of the mark that stands for a push that was read (P8).
  public static let readKind: Int64 = 3

  public var id: UUIDBits
  /// In order of coming, from 1; never used again.
  public var position: Int64
  /// As `PushedNotification.kind`, or `readKind`.
  public var kind: Int64
  /// The payload as JSON text; nil: a read mark has none.
  public var payload: String?
  /// When it came, or was marked.
  public var received: Instant
  /// As `PushedNotification.pruned`.
  public var pruned: [String]

  public init(
    id: UUIDBits, position: Int64, kind: Int64, payload: String?, received: Instant,
    pruned: [String] = []
  ) {
    self.id = id
    self.position = position
    self.kind = kind
    self.payload = payload
    self.received = received
    self.pruned = pruned
  }
}
