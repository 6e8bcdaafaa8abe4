import Foundation

/// What pushing came to.
public struct PushOutcome: Hashable, Sendable {
  /// A member of the payload that is kept but changes nothing that is shown.
  public struct Ignored: Hashable, Sendable {
    /// Such as `aps.alert.badge`.
    public var path: String
    public var reason: String
  }

  /// What the inbox knows it by: the payload's `nid`, else the one that was given or made (P9).
  public var id: UUID
  /// It was there before, and nothing is shown again (P9); also where the call was repeated because
  /// its first reply was lost.
  public var isDuplicate: Bool
  /// The occurrence that is shown; nil: nothing is.
  public var occurrence: String?
  /// Properties that were left out to fit the limit, in P5's order.
  public var pruned: [String]
  /// Arguments that were cut to 100 characters, such as `alertLocalizationArgs[1]`.
  public var cut: [String]
  public var ignored: [Ignored]
}

/// One push in an inbox, or that one was marked read (P6 to P8).
public struct InboxEntry: Hashable, Sendable {
  /// The number is that of `CKNotification.NotificationType` (P2).
  public enum Kind: Int, CaseIterable, Sendable {
    case base = 0
    case query, recordZone, readNotification, database
  }

  public var id: UUID
  public var kind: Kind
  /// When it came; of a `readNotification` when it was marked.
  public var received: Date
  /// nil: a `readNotification`, whose original is gone.
  public var payload: [String: PushValue]?
  /// True, as CloudKit says of all that is fetched (P7); what is really missing is `pruned`.
  public var isPruned: Bool
  /// Properties that are missing, by their names, in P5's order.
  public var pruned: [String]

  public init(
    id: UUID, kind: Kind, received: Date, payload: [String: PushValue]?, isPruned: Bool = true,
    pruned: [String] = []
  ) {
    self.id = id
    self.kind = kind
    self.received = received
    self.payload = payload
    self.isPruned = isPruned
    self.pruned = pruned
  }
}

/// A page of an inbox (P7).
public struct InboxPage: Hashable, Sendable {
  public var entries: [InboxEntry]
  /// Where the next fetch begins; keep it, also over restarts.
  public var token: String
  public var moreComing: Bool

  public init(entries: [InboxEntry], token: String, moreComing: Bool) {
    self.entries = entries
    self.token = token
    self.moreComing = moreComing
  }
}

/// What marking read came to (P8).
public struct MarkReadOutcome: Hashable, Sendable {
  /// Marked now; what was marked before is in neither list.
  public var marked: [UUID]
  /// Not in the inbox.
  public var unknown: [UUID]

  public init(marked: [UUID], unknown: [UUID]) {
    self.marked = marked
    self.unknown = unknown
  }
}
