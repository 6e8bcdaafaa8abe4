import BelfryUIKit

// 2014, Swift 2: three actions, two of them where there is little room; one of them reminds again.
class TodoActionsDelegate: UIResponder, UIApplicationDelegate {
  func action(
    _ identifier: String, _ title: String, _ mode: UIUserNotificationActivationMode
  ) -> UIMutableUserNotificationAction {
    let action = UIMutableUserNotificationAction()
    action.identifier = identifier
    action.title = title
    action.activationMode = mode
    action.destructive = identifier == "TRASH"
    action.authenticationRequired = identifier == "TRASH"
    return action
  }

  func application(
    application: UIApplication, didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool {
    let done = action("DONE", "Done", .Background)
    let later = action("LATER", "Later", UIUserNotificationActivationMode.Background)
    let open = action("OPEN", "Show", .Foreground)
    let trash = action("TRASH", "Delete", .Background)
    let category = UIMutableUserNotificationCategory()
    category.identifier = "TODO"
    category.setActions([done, later, open, trash], forContext: .Default)
    category.setActions([done, later], forContext: UIUserNotificationActionContext.Minimal)
    application.registerUserNotificationSettings(
      UIUserNotificationSettings(
        forTypes: [.Alert, .Badge], categories: NSSet(object: category)))
    return true
  }

  func application(
    application: UIApplication,
    didRegisterUserNotificationSettings notificationSettings: UIUserNotificationSettings
  ) {
    let names = notificationSettings.categories!.first!.actionsForContext(.Minimal)!.map {
      $0.identifier!
    }
    print("registered \(notificationSettings.types.rawValue) \(names)")
    application.enterBackground()
    let notification = UILocalNotification()
    notification.fireDate = NSDate()
    notification.alertBody = "Water the plants"
    notification.category = "TODO"
    application.scheduleLocalNotification(notification)
  }

  func application(
    application: UIApplication, handleActionWithIdentifier identifier: String?,
    forLocalNotification notification: UILocalNotification, completionHandler: () -> Void
  ) {
    print("\(identifier!) \(notification.alertBody!) \(application.applicationState.rawValue)")
    if identifier == "LATER" {
      notification.fireDate = NSDate(timeIntervalSinceNow: 3600)
      application.scheduleLocalNotification(notification)
      print("later \(application.scheduledLocalNotifications!.count)")
    }
    completionHandler()
  }
}
