import BelfryUIKit

// 2015, iOS 9: a push from a server of one's own, with buttons.
class DoorPushDelegate: UIResponder, UIApplicationDelegate {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let open = UIMutableUserNotificationAction()
    open.identifier = "OPEN"
    open.title = "Open the door"
    open.activationMode = .background
    let category = UIMutableUserNotificationCategory()
    category.identifier = "DOOR"
    category.setActions([open], for: .default)
    application.registerUserNotificationSettings(
      UIUserNotificationSettings(types: [.alert, .badge], categories: [category]))
    if let userInfo = launchOptions?[.remoteNotification] as? [AnyHashable: Any] {
      print("launched by door \(userInfo["door"] as? String ?? "?")")
    } else {
      print("launched by hand")
    }
    return true
  }

  func application(
    _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
  ) {
    application.registerForRemoteNotifications()
  }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    let hex = deviceToken.map { String(format: "%02x", $0) }.joined()
    print("token \(hex) \(application.isRegisteredForRemoteNotifications)")
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) {
    let aps = userInfo["aps"] as! [String: Any]
    print(
      "ring at \(userInfo["door"]!): \(aps["alert"] as! String) "
        + "state \(application.applicationState.rawValue)")
  }

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void
  ) {
    print("\(identifier!) at \(userInfo["door"]!)")
    completionHandler()
  }
}
