import BelfryUIKit

// 2015, Swift 2: what is there is asked by selectors, and parts of the app talk by notifications
// whose names are strings.
let TimerDidChange = "TimerDidChange"

class OldNamesDelegate: UIResponder, UIApplicationDelegate {
  var observers: [AnyObject] = []

  func application(
    application: UIApplication, didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool {
    if application.respondsToSelector("registerUserNotificationSettings:") {
      let settings = UIUserNotificationSettings(forTypes: [.Alert, .Sound], categories: nil)
      application.registerUserNotificationSettings(settings)
      print("asked as since iOS 8")
    } else {
      application.registerForRemoteNotificationTypes([.Alert, .Sound])
    }
    if UIApplication.instancesRespondToSelector(Selector("registerUserNotificationSettings:")) {
      print("and by the class")
    }
    listen()
    NSNotificationCenter.defaultCenter().postNotificationName(TimerDidChange, object: 3)
    NSNotificationCenter.defaultCenter().postNotificationName(
      TimerDidChange, object: self, userInfo: ["minutes": NSNumber(integer: 4)])
    start(minutes: NSNumber(integer: 5))
    return true
  }

  func listen() {
    let center = NSNotificationCenter.defaultCenter()
    observers.append(
      center.addObserverForName("TimerDidChange", object: nil, queue: nil) { notification in
        if let count = notification.object as? Int { print("heard \(count)") }
      })
    observers.append(
      center.addObserverForName(
        TimerDidChange, object: nil, queue: nil,
        usingBlock: { (notification: NSNotification) -> Void in
          guard let minutes = notification.userInfo?["minutes"] as? NSNumber else { return }
          print("heard \(minutes.integerValue) minutes")
        }))
    observers.append(
      center.addObserverForName(
        UIApplicationDidBecomeActiveNotification, object: nil,
        queue: NSOperationQueue.mainQueue()
      ) { _ in
        print("active")
      })
  }

  func start(minutes: NSNumber) {
    let calendar = NSCalendar(calendarIdentifier: NSCalendarIdentifierGregorian)!
    let notification = UILocalNotification()
    notification.timeZone = .defaultTimeZone()
    notification.fireDate = calendar.dateByAddingUnit(
      .Minute, value: minutes.integerValue, toDate: NSDate(), options: [])
    notification.alertBody = "Time is up"
    UIApplication.sharedApplication().scheduleLocalNotification(notification)
    let zone = notification.timeZone! as TimeZone
    print("\(minutes.integerValue) minutes in \(zone.identifier)")
  }
}
