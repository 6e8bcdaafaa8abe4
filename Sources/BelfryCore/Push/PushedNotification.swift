/// A push as its payload was understood: what of it can be shown, and whose inbox it belongs to.
public struct PushedNotification: Hashable, Sendable {
  /// With `push` set; its `identifier` is the collapse id where the caller gave one, else nil.
  public var notification: Notification
  /// The container's identifier; empty: the app's own inbox (P6).
  public var container: String
  /// The payload's `nid`, else the id that the caller chose; nil: one is made (P9).
  public var id: UUIDBits?
  /// As `CKNotification.NotificationType` counts: 0 base, 1 query, 2 record zone, 4 database (P2).
  public var kind: Int64
  /// Something new is there for the app (P1).
  public var isContentAvailable: Bool
  /// Properties that are missing from the payload, by the names of `PushProperty` (P7).
  public var pruned: [String]
  public var literals = Literals()

  /// Texts that stand beside keys: shown where no table of the app has the key (P4).
  public struct Literals: Hashable, Sendable {
    @Bytewise public var body: String? = nil
    @Bytewise public var title: String? = nil
    @Bytewise public var subtitle: String? = nil

    public init() {}
  }

  public init(
    _ notification: Notification, container: String = "", id: UUIDBits? = nil, kind: Int64 = 0,
    isContentAvailable: Bool = false, pruned: [String] = []
  ) {
    self.notification = notification
    self.container = container
    self.id = id
    self.kind = kind
    self.isContentAvailable = isContentAvailable
    self.pruned = pruned
  }
}

/// What became of a push.
public struct PushReply: Hashable, Sendable {
  /// Under which it stands in the inbox.
  public var id: UUIDBits
  /// It had come before: nothing was stored, and nothing is shown again (P9).
  public var isDuplicate: Bool
  /// Under which it is shown, and stands in the history; nil: it is a duplicate.
  public var occurrence: OccurrenceID?
  /// It is critical, and counts as timeSensitive; the sentence says why (S6).
  public var demotion: String?
  /// Why nobody sees it, a sentence each.
  public var warnings: [String] = []
  /// Whose absence is a warning, too, once the disk has been asked.
  public var sounds: [ScheduleReply.NamedSound] = []

  public init(id: UUIDBits, isDuplicate: Bool, occurrence: OccurrenceID?) {
    self.id = id
    self.isDuplicate = isDuplicate
    self.occurrence = occurrence
  }
}

/// What a plugin hears of a push that it brought.
public enum PushAnswer: Hashable, Sendable {
  /// It is in the store.
  case accepted
  /// It had come before (P9).
  case duplicate
  /// It never will be taken; one sentence without a full stop.
  case refused(reason: String)
  /// Not now: to be sent again.
  case later(reason: String)
}
