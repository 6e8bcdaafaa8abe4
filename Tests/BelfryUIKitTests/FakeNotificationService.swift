import BelfryKit

@testable import BelfryUIKit

/// A daemon that only keeps store; what it would tell, the test tells with `tell`.
@MainActor
final class FakeNotificationService: NotificationService {
  var list: [LocalNotification] = []
  var presented: [LocalNotification] = []
  var number = 0
  var registration = UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: nil)
  var foreground: [Bool] = []
  var waiting: [SessionQueuedEvent] = []
  var refusal: SchedulerError?
  var isClosed = false
  var completed = 0
  private var handler: (@MainActor (SessionQueuedEvent) -> Void)?

  func queuedEvent(
    _ kind: SessionQueuedEvent.Kind, body: String = "Ding", category: String? = nil
  ) -> SessionQueuedEvent {
    var notification = LocalNotification(identifier: "x", alertBody: body)
    notification.category = category
    return SessionQueuedEvent(kind: kind, notification: notification) { self.completed += 1 }
  }

  func tell(_ kind: SessionQueuedEvent.Kind, body: String = "Ding", category: String? = nil) {
    handler?(queuedEvent(kind, body: body, category: category))
  }

  /// This one is due in the foreground.
  func tell(_ notification: LocalNotification) {
    handler?(
      SessionQueuedEvent(kind: .received, notification: notification) { self.completed += 1 })
  }

  /// A push instead of a local one.
  func tell(_ kind: SessionQueuedEvent.Kind, push: [String: PushValue], category: String? = nil) {
    handler?(queuedEvent(kind, push: push, category: category))
  }

  func queuedEvent(
    _ kind: SessionQueuedEvent.Kind, push: [String: PushValue], category: String? = nil
  ) -> SessionQueuedEvent {
    var queuedEvent = queuedEvent(kind, category: category)
    queuedEvent.notification.push = push
    return queuedEvent
  }

  private func check() throws(SchedulerError) {
    if let refusal { throw refusal }
  }

  func schedule(_ notification: LocalNotification) throws(SchedulerError) {
    try check()
    list.removeAll { $0.identifier == notification.identifier }
    list.append(notification)
  }

  func presentNow(_ notification: LocalNotification) throws(SchedulerError) {
    try check()
    presented.append(notification)
  }

  func cancel(equalTo notification: LocalNotification) throws(SchedulerError) {
    try check()
    list.removeAll { $0.isEqual(ignoringIdentifier: notification) }
  }

  func cancel(_ identifiers: [String]) throws(SchedulerError) {
    try check()
    list.removeAll { identifiers.contains($0.identifier ?? "") }
  }

  func cancelAll() throws(SchedulerError) {
    try check()
    list = []
  }

  func scheduled() throws(SchedulerError) -> [LocalNotification] {
    try check()
    return list
  }

  func replaceAll(_ notifications: [LocalNotification]) throws(SchedulerError) {
    try check()
    list = notifications
  }

  func badge() throws(SchedulerError) -> Int {
    try check()
    return number
  }

  func setBadge(_ number: Int) throws(SchedulerError) {
    try check()
    self.number = number
  }

  func register(
    _ settings: UIUserNotificationSettings
  ) throws(SchedulerError) -> UIUserNotificationSettings {
    try check()
    registration = settings
    return settings
  }

  func settings() throws(SchedulerError) -> UIUserNotificationSettings {
    try check()
    return registration
  }

  func remoteToken() throws(SchedulerError) -> Data {
    try check()
    return Data("org.example".utf8)
  }

  func open(
    foreground: Bool, lost: @escaping @MainActor (SchedulerError) -> Void,
    handler: @escaping @MainActor (SessionQueuedEvent) -> Void
  ) throws(SchedulerError) -> [SessionQueuedEvent] {
    self.foreground.append(foreground)
    self.handler = handler
    try check()
    return waiting
  }

  func setForeground(_ foreground: Bool) {
    self.foreground.append(foreground)
  }

  func close() {
    isClosed = true
  }
}
