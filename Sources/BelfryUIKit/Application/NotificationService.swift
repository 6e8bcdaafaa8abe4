import BelfryKit
import Foundation

/// What the application asks of the daemon; the tests put one without a daemon in its place.
@MainActor
protocol NotificationService: AnyObject {
  func schedule(_ notification: LocalNotification) throws(SchedulerError)
  func presentNow(_ notification: LocalNotification) throws(SchedulerError)
  /// Every one equal in all fields but the identifier (N15).
  func cancel(equalTo notification: LocalNotification) throws(SchedulerError)
  func cancel(_ identifiers: [String]) throws(SchedulerError)
  func cancelAll() throws(SchedulerError)
  func scheduled() throws(SchedulerError) -> [LocalNotification]
  func replaceAll(_ notifications: [LocalNotification]) throws(SchedulerError)

  func badge() throws(SchedulerError) -> Int
  func setBadge(_ number: Int) throws(SchedulerError)

  /// Answers what was given.
  func register(_ settings: UIUserNotificationSettings) throws(SchedulerError)
    -> UIUserNotificationSettings
  func settings() throws(SchedulerError) -> UIUserNotificationSettings

  /// Asks the daemon whether pushes can come, and answers what the delegate gets as token.
  func remoteToken() throws(SchedulerError) -> Data

  /// Opens a session and answers what has been waiting for it; what comes later goes to `handler`, on
  /// the main thread. Where it cannot be opened, and when it is lost, it opens itself as soon as it can.
  func open(
    foreground: Bool, lost: @escaping @MainActor (SchedulerError) -> Void,
    handler: @escaping @MainActor (SessionQueuedEvent) -> Void
  ) throws(SchedulerError) -> [SessionQueuedEvent]
  func setForeground(_ foreground: Bool)
  func close()
}

/// What a session tells the app (D1, D3, D4).
struct SessionQueuedEvent {
  enum Kind: Equatable {
    case launch
    case received
    case activated
    case action(identifier: String, text: String?)
    case dismissed
  }

  var kind: Kind
  var notification: LocalNotification
  /// To be called once it has been dealt with.
  var complete: @MainActor () -> Void
}
