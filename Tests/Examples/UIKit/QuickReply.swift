import BelfryUIKit

// 2015, iOS 9: an action that asks for text.
class QuickReplyDelegate: UIResponder, UIApplicationDelegate {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let reply = UIMutableUserNotificationAction()
    reply.identifier = "REPLY"
    reply.title = "Reply"
    reply.behavior = .textInput
    reply.parameters = [UIUserNotificationTextInputActionButtonTitleKey: "Send"]
    reply.activationMode = .background
    reply.isAuthenticationRequired = false

    let message = UIMutableUserNotificationCategory()
    message.identifier = "MESSAGE"
    message.setActions([reply], for: .default)
    message.setActions([reply], for: .minimal)
    application.registerUserNotificationSettings(
      UIUserNotificationSettings(types: [.alert, .sound], categories: [message]))
    return true
  }

  func application(
    _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
  ) {
    application.enterBackground()
    let notification = UILocalNotification()
    notification.alertTitle = "Ada"
    notification.alertBody = "Will you come?"
    notification.category = "MESSAGE"
    application.presentLocalNotificationNow(notification)
    print("presented, listed \(application.scheduledLocalNotifications!.count)")
  }

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping () -> Void
  ) {
    if identifier == "REPLY" {
      let text = responseInfo[UIUserNotificationActionResponseTypedTextKey] as! String
      print("reply to \(notification.alertTitle!): \(text)")
    }
    completionHandler()
  }
}
