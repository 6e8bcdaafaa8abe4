import BelfryCore

/// A delivery as a child gets it: what it needs to show or to sound, and nothing of what the clock
/// needs to plan.
public struct DeliveryMessage: Hashable, Sendable {
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
  public var answerWithin = 10 * Nanoseconds.second
  public var completeWithin = 60 * Nanoseconds.second
  /// What the notification's category offers (D5).
  public var actions: [OfferedAction] = []
  /// Speaker: how often it has sounded before (D11).
  public var repetition: Int32 = 0
  /// Speaker: how it fades in (E11); nil: it does not.
  public var fade: SoundFade?
  /// As it counts (S6).
  public var level = InterruptionLevel.active
  /// The uid whose app it is.
  public var owner: UInt32 = 0
  public var deliveryContent: DeliveryContent

  public init(
    token: UInt64, parts: DeliveryParts, attempt: Int32 = 1, badge: Int64? = nil,
    handedOver: Instant, replaces: String? = nil, deliveryContent: DeliveryContent
  ) {
    self.token = token
    self.parts = parts
    self.attempt = attempt
    self.badge = badge
    self.handedOver = handedOver
    self.replaces = replaces
    self.deliveryContent = deliveryContent
  }

  /// What the scheduler hands over; `deliveryContent` is that of its occurrence.
  public init(
    _ delivery: Delivery, _ limits: EngineConfiguration, deliveryContent: DeliveryContent
  ) {
    self.init(
      token: delivery.token, parts: delivery.parts, attempt: delivery.attempt,
      badge: delivery.badge, handedOver: delivery.handedOver, replaces: delivery.replaces,
      deliveryContent: deliveryContent)
    isLate = delivery.handedOver.nanoseconds(since: delivery.occurrence.due) > limits.grace
    answerWithin = limits.answerDeadline
    completeWithin = limits.pendingDeadline
    actions = delivery.actions
    repetition = delivery.repetition
    fade = delivery.fade
    level = delivery.level
    owner = delivery.owner
  }
}
