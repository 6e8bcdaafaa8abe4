import BelfryCore

/// A delivery as a child gets it: what it needs to show or to sound, and nothing of what the clock
/// needs to plan.
public struct HandOver: Hashable, Sendable {
  /// Names this hand-over in the child's answers.
  public var token: UInt64
  public var parts: DeliveryParts
  /// Above 1: may have been shown (D7).
  public var attempt: Int32
  /// The app's badge after this occurrence; nil: unchanged.
  public var badge: Int64?
  /// When the clock handed it over.
  public var handedOver: Instant
  /// A delivery id that this one replaces on the sink once shown (N15, N1); nil: none.
  public var replaces: String?
  /// Later than the board's `grace` (T10).
  public var isLate = false
  /// How long the sink may take to answer, and how long after answering `pending`, in nanoseconds.
  public var answerWithin = 10 * Duration.second
  public var completeWithin = 60 * Duration.second
  /// What the notification's category offers (D5).
  public var actions: [OfferedAction] = []
  /// Speaker: how often it has sounded before (D11).
  public var repetition: Int32 = 0
  /// As it counts (S6).
  public var level = InterruptionLevel.active
  /// The uid whose app it is.
  public var owner: UInt32 = 0
  public var announcement: Announcement

  public init(
    token: UInt64, parts: DeliveryParts, attempt: Int32 = 1, badge: Int64? = nil,
    handedOver: Instant, replaces: String? = nil, announcement: Announcement
  ) {
    self.token = token
    self.parts = parts
    self.attempt = attempt
    self.badge = badge
    self.handedOver = handedOver
    self.replaces = replaces
    self.announcement = announcement
  }

  /// What the scheduler hands over; `announcement` is that of its occurrence.
  public init(
    _ delivery: Delivery, _ limits: SchedulerConfiguration, announcement: Announcement
  ) {
    self.init(
      token: delivery.token, parts: delivery.parts, attempt: delivery.attempt,
      badge: delivery.badge, handedOver: delivery.handedOver, replaces: delivery.replaces,
      announcement: announcement)
    isLate = delivery.handedOver.nanoseconds(since: delivery.occurrence.due) > limits.grace
    answerWithin = limits.answerDeadline
    completeWithin = limits.pendingDeadline
    actions = delivery.actions
    repetition = delivery.repetition
    level = delivery.level
    owner = delivery.owner
  }
}

/// What the children are told of an occurrence, the same for all of them: texts as they are shown,
/// with the defaults filled in.
public struct Announcement: Hashable, Sendable {
  public var id: OccurrenceID
  public var app: String
  public var due: Instant
  /// How many older occurrences were missed and folded into this one, and since when (T10).
  public var missed: Int64 = 0
  public var missedSince: Instant?
  public var identifier = ""
  public var title: String?
  public var subtitle: String?
  /// nil: there is no alert.
  public var body: String?
  /// Title of the action button; nil: there is none (N9).
  public var action: String?
  public var launchImage: String?
  public var category: String?
  public var threadIdentifier: String?
  public var soundName: String?
  /// The app's own, as JSON (see `PropertyListCodec`).
  public var userInfo = "{}"
  /// 0 to 1.
  public var volume = 1.0

  public init(id: OccurrenceID, app: String, due: Instant) {
    self.id = id
    self.app = app
    self.due = due
  }

  /// `text`: what is shown of it.
  public init(_ occurrence: Occurrence, _ text: AlertText) {
    self.init(id: occurrence.id, app: occurrence.app, due: occurrence.due)
    missed = occurrence.missed
    missedSince = occurrence.missedSince
    let notification = occurrence.notification
    identifier = notification.identifier ?? ""
    title = text.title
    subtitle = text.subtitle
    body = text.body
    action = text.action
    launchImage = notification.alertLaunchImage
    category = notification.category
    threadIdentifier = notification.threadIdentifier
    soundName = notification.soundName
    if let push = notification.push {
      // What a plugin is told of a push is its payload (P6).
      userInfo = push
    } else if !notification.userInfo.isEmpty {
      userInfo = JSONValue.object(PropertyListCodec.encode(notification.userInfo)).text
    }
    volume = notification.volume
  }
}
