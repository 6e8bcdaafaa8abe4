import BelfryUIKit

// 2013: the badge counts what came in the background, and goes when the app comes to the front.
class BadgeResetDelegate: UIResponder, UIApplicationDelegate {
  var observer: Any?

  func applicationDidFinishLaunching(_ application: UIApplication) {
    observer = NSNotificationCenter.defaultCenter().addObserverForName(
      UIApplicationDidBecomeActiveNotification, object: nil, queue: nil
    ) { _ in
      MainActor.assumeIsolated {
        print("badge was \(UIApplication.shared.applicationIconBadgeNumber)")
        UIApplication.shared.applicationIconBadgeNumber = 0
        print("badge is \(UIApplication.shared.applicationIconBadgeNumber)")
      }
    }
    let settings = UIUserNotificationSettings(types: .badge, categories: nil)
    application.registerUserNotificationSettings(settings)
  }

  func application(
    _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
  ) {
    application.enterBackground()
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    let notification = UILocalNotification()
    notification.fireDate = Date(timeIntervalSinceNow: 0.5)
    notification.applicationIconBadgeNumber = 3
    application.scheduleLocalNotification(notification)
    comeBack(application)
  }

  // As a user would who sees the badge.
  func comeBack(_ application: UIApplication) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) {
      if application.applicationIconBadgeNumber == 0 {
        self.comeBack(application)
      } else {
        application.enterForeground()
      }
    }
  }
}
