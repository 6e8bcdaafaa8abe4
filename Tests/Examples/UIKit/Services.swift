import BelfryUIKit

// 2018, Swift 4.2: a delegate that hands everything on to services, each of which is one itself.
class ServicesDelegate: UIResponder, UIApplicationDelegate {
  let services: [UIApplicationDelegate] = [LogService(), AppearanceService()]
  var window: UIWindow?

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    services.forEach {
      _ = $0.application?(application, didFinishLaunchingWithOptions: launchOptions)
    }
    print("status bar \(application.statusBarStyle == .lightContent)")
    let notification = UILocalNotification()
    notification.alertBody = "Ready"
    services.forEach { $0.application?(application, didReceive: notification) }
    let opened = services.map {
      $0.application?(application, open: URL(string: "app:x")!, options: [:]) ?? false
    }
    print("opened \(opened)")
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) {
    for service in services { service.applicationDidBecomeActive?(application) }
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    services.forEach { $0.application?(application, didReceive: notification) }
  }

  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    return services.contains {
      $0.application?(
        application, continue: userActivity, restorationHandler: restorationHandler) ?? false
    }
  }
}

class LogService: NSObject, UIApplicationDelegate {
  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    print("logged \(notification.alertBody!)")
  }

  func applicationDidBecomeActive(_ application: UIApplication) {
    let activity = NSUserActivity(activityType: "org.example.reading")
    activity.title = "Reading"
    activity.isEligibleForSearch = true
    activity.addUserInfoEntries(from: ["page": 7])
    activity.becomeCurrent()
    let seen = UIApplication.shared.delegate?.application?(
      application, continue: activity, restorationHandler: { (_: [UIUserActivityRestoring]?) in })
    print("continued \(seen!)")
  }

  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    print("\(userActivity.title!), page \(userActivity.userInfo!["page"] as! Int)")
    return userActivity.activityType != NSUserActivityTypeBrowsingWeb
  }
}

class AppearanceService: NSObject, UIApplicationDelegate {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    application.statusBarStyle = .default
    application.setStatusBarStyle(.lightContent, animated: true)
    return true
  }
}
