import BelfryUIKit

// 2014, iOS 8: schedule only what the user has allowed.
class PermissionDelegate: UIResponder, UIApplicationDelegate {
  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    print("will finish launching")
    return true
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    let types: UIUserNotificationType = [.alert, .sound]
    application.registerUserNotificationSettings(
      UIUserNotificationSettings(types: types, categories: nil))
    return true
  }

  func application(
    _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
  ) {
    print("allowed \(notificationSettings.types.rawValue)")
    let settings = application.currentUserNotificationSettings()!
    print("current \(settings.types.rawValue), badge \(settings.types.contains(.badge))")
    application.registerForRemoteNotifications()
  }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    print("pushes: \(application.isRegisteredForRemoteNotifications)")
  }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error
  ) {
    print("no pushes: \(error.localizedDescription)")
  }
}
