import BelfryUIKit

// 2011: which notification launched the app.
class LaunchedByDelegate: UIResponder, UIApplicationDelegate {
  func application(
    application: UIApplication, didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool {
    if let options = launchOptions,
      let notification = options[UIApplicationLaunchOptionsLocalNotificationKey]
        as? UILocalNotification
    {
      print("launched by \(notification.alertBody!)")
    } else {
      print("launched by hand")
    }
    return true
  }

  func applicationDidBecomeActive(application: UIApplication) {
    print("active")
  }

  func application(
    application: UIApplication, didReceiveLocalNotification notification: UILocalNotification
  ) {
    print("received \(notification.alertBody!) state \(application.applicationState.rawValue)")
  }
}
