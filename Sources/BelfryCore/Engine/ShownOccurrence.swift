/// A row of `list --delivered`.
public struct ShownOccurrence: Hashable, Sendable {
  public var shown: ShownDelivery
  public var due: Instant
  public var notification: Notification
  /// When it came to be shown.
  public var delivered: Instant?

  public init(shown: ShownDelivery, due: Instant, notification: Notification) {
    self.shown = shown
    self.due = due
    self.notification = notification
  }
}
