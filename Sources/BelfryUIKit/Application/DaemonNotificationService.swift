import BelfryKit
import Foundation

/// The daemon, by way of BelfryKit; connects when it is first asked for something.
final class DaemonNotificationService: NotificationService {
  private let options: SchedulerOptions
  private let scheduler: BlockingScheduler
  private var listener: SessionListener?

  init(_ given: SchedulerOptions = SchedulerOptions()) {
    var options = given
    // As on iOS: the 64 soonest are kept.
    options.onFull = options.onFull ?? .discard
    self.options = options
    scheduler = BlockingScheduler(options)
  }

  func schedule(_ notification: LocalNotification) throws(SchedulerError) {
    try scheduler.schedule(notification)
  }

  func presentNow(_ notification: LocalNotification) throws(SchedulerError) {
    try scheduler.presentNow(notification)
  }

  func cancel(equalTo notification: LocalNotification) throws(SchedulerError) {
    try scheduler.cancel(equalTo: notification)
  }

  func cancel(_ identifiers: [String]) throws(SchedulerError) {
    try scheduler.cancel(identifiers)
  }

  func cancelAll() throws(SchedulerError) {
    try scheduler.cancelAll()
  }

  func scheduled() throws(SchedulerError) -> [LocalNotification] {
    try scheduler.scheduled().map { $0.notification }
  }

  func replaceAll(_ notifications: [LocalNotification]) throws(SchedulerError) {
    try scheduler.replaceAll(notifications)
  }

  func badge() throws(SchedulerError) -> Int {
    try scheduler.badge()
  }

  func setBadge(_ number: Int) throws(SchedulerError) {
    try scheduler.setBadge(number)
  }

  func register(
    _ settings: UIUserNotificationSettings
  ) throws(SchedulerError) -> UIUserNotificationSettings {
    let categories = try settings.registrable
    let given = try scheduler.register(
      NotificationSettings(rawValue: settings.types.rawValue), categories: categories)
    return UIUserNotificationSettings(
      types: UIUserNotificationType(rawValue: given.rawValue), categories: settings.categories)
  }

  func settings() throws(SchedulerError) -> UIUserNotificationSettings {
    let registered = try scheduler.settings()
    let categories = registered.categories.map { UIUserNotificationCategory($0) }
    return UIUserNotificationSettings(
      types: UIUserNotificationType(rawValue: registered.settings.rawValue),
      categories: categories.isEmpty ? nil : Set(categories))
  }

  func remoteToken() throws(SchedulerError) -> Data {
    _ = try scheduler.fetchInbox(limit: 1)
    return Data(scheduler.app.utf8)
  }

  func open(
    foreground: Bool, lost: @escaping @MainActor (SchedulerError) -> Void,
    handler: @escaping @MainActor (SessionQueuedEvent) -> Void
  ) throws(SchedulerError) -> [SessionQueuedEvent] {
    let listener = SessionListener(handler: handler, lost: lost)
    self.listener = listener
    return try listener.open(options, foreground: foreground)
  }

  func setForeground(_ foreground: Bool) {
    listener?.setForeground(foreground)
  }

  func close() {
    listener?.close()
    listener = nil
  }
}
