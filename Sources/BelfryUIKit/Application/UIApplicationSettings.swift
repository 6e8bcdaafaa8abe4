import BelfryKit
import Foundation

/// Settings and categories (D5).
extension UIApplication {
  /// Registers the kinds of attention and the categories, replacing those from before; the delegate's
  /// `application(_:didRegister:)` gets what was given, later on the main thread.
  public func registerUserNotificationSettings(_ settings: UIUserNotificationSettings) {
    guard let given = settle({ () throws(SchedulerError) in try register(settings) }) else {
      return
    }
    DispatchQueue.main.async { [self] in
      delegate?.application(self, didRegister: given)
    }
  }

  /// As `registerUserNotificationSettings(_:)`, answering what was given, or throwing what was refused;
  /// the delegate is not told.
  @discardableResult
  public func register(
    _ settings: UIUserNotificationSettings
  ) throws(SchedulerError) -> UIUserNotificationSettings {
    let given = try service.register(settings)
    registered = given
    return given
  }

  /// What the app has, bounded by what the operator allows; nil if the daemon cannot be asked. An app
  /// that never registered has all three kinds and no categories.
  public var currentUserNotificationSettings: UIUserNotificationSettings? {
    settle { () throws(SchedulerError) in try service.settings() }
  }

  /// The action that the notification's category has by this name; nil: none.
  func action(
    _ identifier: String, of notification: UILocalNotification
  ) -> UIUserNotificationAction.Values? {
    if registered == nil { registered = try? service.settings() }
    let category = registered?.categories?.first {
      $0.identifier.isName(notification.category)
    }
    for context in [UIUserNotificationActionContext.default, .minimal] {
      let found = category?.values.actions[context]?.first { $0.identifier.isName(identifier) }
      if let found { return found }
    }
    return nil
  }
}
