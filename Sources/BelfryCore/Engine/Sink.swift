/// Where deliveries go, by its place in the configuration's list.
public typealias SinkIndex = Int32

/// Whatever shows or sounds a notification.
public struct Sink: Hashable, Sendable {
  public enum Kind: Sendable {
    /// A plugin with `delivery/1`.
    case plugin
    /// The speaker: gets sounds only.
    case speaker
  }

  /// Unique in the configuration; the part after `@` in a delivery id.
  public var name: String
  public var kind: Kind
  /// Also gets badge-only, sound-only and userInfo-only occurrences (D9).
  public var wantsEverything: Bool
  /// Gets every badge change (`badge/1`).
  public var wantsBadges: Bool
  /// Shows alerts (`delivery/1`).
  public var wantsAlerts: Bool

  /// Something of a notification goes there.
  var takesDeliveries: Bool { wantsAlerts || wantsBadges || wantsEverything }

  public init(
    name: String, kind: Kind, wantsAlerts: Bool, wantsBadges: Bool, wantsEverything: Bool
  ) {
    self.name = name
    self.kind = kind
    self.wantsAlerts = wantsAlerts
    self.wantsBadges = wantsBadges
    self.wantsEverything = wantsEverything
  }
}

/// What of a notification a delivery carries (D9).
public struct DeliveryParts: OptionSet, Hashable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let alert = DeliveryParts(rawValue: 1)
  public static let badge = DeliveryParts(rawValue: 2)
  public static let sound = DeliveryParts(rawValue: 4)
  public static let userInfo = DeliveryParts(rawValue: 8)
}

/// One hand-over to one sink: an occurrence, or a bare badge change.
public struct Delivery: Hashable, Sendable {
  /// Names this hand-over to the daemon's children; never reused in one life of the daemon.
  public var token: UInt64
  public var sink: SinkIndex
  public var occurrence: Occurrence
  /// What its alert says, in the words of its app at the moment of hand-over (L1).
  public var text: AlertText
  public var parts: DeliveryParts
  /// Above 1: may have been shown (D7).
  public var attempt: Int32
  /// The app's badge after this occurrence; nil: unchanged.
  public var badge: Int64?
  /// When the clock handed it over.
  public var handedOver: Instant
  /// A delivery id that this one replaces on the sink once shown (N15, N1); nil: none.
  public var replaces: String?
  /// What the notification's category offers, as registered at the hand-over (D5).
  public var actions: [OfferedAction]
  /// Speaker: how often it has sounded before (D11).
  public var repetition: Int32 = 0
  /// Speaker: how it fades in (E11); nil: it does not.
  public var fade: SoundFade?
  /// As it counts (S6), which is not always as the notification says.
  public var level: InterruptionLevel
  /// Whose the app is: users take turns (S6, D9).
  public var owner: UInt32 = 0

  public init(
    token: UInt64, sink: SinkIndex, occurrence: Occurrence, text: AlertText, parts: DeliveryParts,
    attempt: Int32, badge: Int64?, handedOver: Instant, replaces: String?,
    actions: [OfferedAction] = []
  ) {
    self.token = token
    self.sink = sink
    self.occurrence = occurrence
    self.text = text
    self.parts = parts
    self.attempt = attempt
    self.badge = badge
    self.handedOver = handedOver
    self.replaces = replaces
    self.actions = actions
    level = occurrence.level
  }
}

/// How a sound fades in (E11): from -40 dB, linear in dB.
public struct SoundFade: Hashable, Sendable {
  /// When it began, on the elapsed clock.
  public var since: Int64
  /// Nanoseconds until the sound has its volume; above 0.
  public var length: Int64

  public init(since: Int64, length: Int64) {
    self.since = since
    self.length = length
  }
}

/// A sink's answer to a hand-over.
public enum DeliveryAnswer: Hashable, Sendable {
  /// Shown or played; `note` says what a user should know, such as the device or a fallback.
  case done(note: String?)
  /// Will answer later.
  case pending
  /// Ask again after so many nanoseconds.
  case retry(after: Int64)
  case failed(reason: String)
  /// The speaker: not heard at all, on purpose.
  case silenced(reason: String)

  /// It was shown or heard, or was not to be.
  public var isMeant: Bool {
    switch self {
    case .done, .silenced: true
    case .pending, .retry, .failed: false
    }
  }
}

/// How a delivery ended, in the words of D10; these stand in the history's `state`.
public enum DeliveryState: String, CaseIterable, Sendable {
  /// What the user did with it.
  case activated, dismissed, snoozed
  case delivered, missed, superseded, withdrawn, discarded, expired, failed, unknown
  /// It left the scheduled list unfired (N15, N1).
  case cancelled, replaced
  /// Nobody has answered it, and it does not come again (E6).
  case unanswered
  /// It was paused, or to be skipped, when it was due (E1, E2).
  case skipped
  /// A sound that was left out on purpose; the reason says by which setting, or by whom.
  case silenced
  /// The app itself has taken it (D1, D3, D4).
  case received
  /// It has not come to an end: its sink is down, busy, or has not answered. Nothing of it is stored,
  /// and no event tells of it.
  case waiting
}
