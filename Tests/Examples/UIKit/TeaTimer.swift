import BelfryUIKit

// 2014, Swift 1 and 2: one notification, as the first page of every tutorial has it.
class TeaTimerDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow?

  func application(
    application: UIApplication, didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool {
    if NSString(string: UIDevice.currentDevice().systemVersion).floatValue >= 8 {
      let settings = UIUserNotificationSettings(
        forTypes: .Alert | .Badge | .Sound, categories: nil)
      application.registerUserNotificationSettings(settings)
    }
    window = UIWindow(frame: UIScreen.mainScreen().bounds)
    window!.backgroundColor = UIColor.whiteColor()
    window!.rootViewController = UIViewController()
    window!.makeKeyAndVisible()
    startTimer(1)
    return true
  }

  func startTimer(_ seconds: NSTimeInterval) {
    UIApplication.sharedApplication().cancelAllLocalNotifications()
    let notification = UILocalNotification()
    notification.fireDate = NSDate(timeIntervalSinceNow: seconds)
    notification.timeZone = NSTimeZone.defaultTimeZone()
    notification.alertBody = "Your tea is ready"
    notification.alertAction = "Drink"
    notification.soundName = UILocalNotificationDefaultSoundName
    notification.applicationIconBadgeNumber = 1
    UIApplication.sharedApplication().scheduleLocalNotification(notification)
    print("scheduled \(UIApplication.sharedApplication().scheduledLocalNotifications!.count)")
  }

  func application(
    application: UIApplication, didReceiveLocalNotification notification: UILocalNotification
  ) {
    if application.applicationState == .Active {
      UIAlertView(
        title: "Tea", message: notification.alertBody, delegate: nil, cancelButtonTitle: "OK"
      ).show()
    }
    application.applicationIconBadgeNumber = 0
    print("received \(notification.alertBody!)")
  }
}
