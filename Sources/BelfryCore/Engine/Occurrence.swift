/// 128 random bits that name a scheduled notification for its whole life (D7).
public struct UUIDBits: Hashable, Sendable {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// One firing: `<uuid>.<generation>.<k>`, `.s<n>` when it was snoozed (D7), and `.e<n>` when it comes
/// again because nobody has answered (E6).
public struct OccurrenceID: Hashable, Sendable {
  public var uuid: UUIDBits
  /// Counts replacements, from 0.
  public var generation: Int64
  /// Index from the anchor.
  public var k: Int64
  /// How often it was snoozed.
  public var snooze: Int32
  /// Which step of its ladder or realert it is; 0: the occurrence itself.
  public var step: Int32 = 0

  public init(
    uuid: UUIDBits, generation: Int64, k: Int64, snooze: Int32 = 0, step: Int32 = 0
  ) {
    self.uuid = uuid
    self.generation = generation
    self.k = k
    self.snooze = snooze
    self.step = step
  }

  /// The id of the occurrence itself, whose step this is.
  public var base: OccurrenceID { ofStep(0) }

  /// The id of what was shown first, before it was snoozed.
  var unsnoozed: OccurrenceID {
    var id = base
    id.snooze = 0
    return id
  }

  /// It was snoozed, or is a step.
  var comesAgain: Bool { snooze > 0 || step > 0 }

  /// The id of another of its steps.
  public func ofStep(_ step: Int32) -> OccurrenceID {
    var id = self
    id.step = step
    return id
  }
}

/// An occurrence with all that its deliveries say.
public struct Occurrence: Hashable, Sendable {
  public var id: OccurrenceID
  public var app: String
  /// Its `identifier` is set.
  public var notification: Notification
  public var due: Instant
  /// How many older occurrences were missed and folded into this one, and since when (T10).
  public var missed: Int64 = 0
  public var missedSince: Instant?
  /// Of a crossing: where the board is since (R3). Only the store is told, in `fired`.
  public var side: RegionSide?
  /// Of a push with content-available: the app is to hear of it, in whatever state it is (P9). Only
  /// the store is told.
  public var isForApp = false

  public init(id: OccurrenceID, app: String, notification: Notification, due: Instant) {
    self.id = id
    self.app = app
    self.notification = notification
    self.due = due
  }
}
