import BelfryUIKit

// 2014, Swift 1: an alarm clock that reckons with NSDate and NSCalendar, and finds its alarms by
// what it has put into userInfo.
class OldAlarmsDelegate: UIResponder, UIApplicationDelegate, UIAlertViewDelegate {
  var window: UIWindow?

  func application(
    application: UIApplication, didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool {
    let types: UIUserNotificationType = .Alert | .Badge | .Sound
    application.registerUserNotificationSettings(
      UIUserNotificationSettings(forTypes: types, categories: nil))
    application.cancelAllLocalNotifications()
    setAlarm("early", hour: 6, minute: 45)
    setAlarm("late", hour: 9, minute: 5)
    list()
    cancelAlarm("early")
    list()
    let alert = UIAlertView(
      title: "Alarms", message: "One is left", delegate: self, cancelButtonTitle: "OK",
      otherButtonTitles: "Settings")
    alert.show()
    return true
  }

  func alertView(alertView: UIAlertView, clickedButtonAtIndex buttonIndex: Int) {
    if buttonIndex != alertView.cancelButtonIndex {
      UIApplication.sharedApplication().openURL(NSURL(string: UIApplicationOpenSettingsURLString)!)
    }
  }

  func setAlarm(_ id: String, hour: Int, minute: Int) {
    let calendar = NSCalendar.currentCalendar()
    let today = calendar.components(
      [.CalendarUnitYear, .CalendarUnitMonth, .CalendarUnitDay], fromDate: NSDate())
    today.hour = hour
    today.minute = minute
    var date: NSDate = calendar.dateFromComponents(today)!
    if date.compare(NSDate()) == NSComparisonResult.OrderedAscending {
      date = calendar.dateByAddingUnit(.DayCalendarUnit, value: 1, toDate: date, options: [])!
    }
    let notification = UILocalNotification()
    notification.fireDate = date
    notification.timeZone = NSTimeZone.defaultTimeZone()
    notification.repeatInterval = NSCalendarUnit.DayCalendarUnit
    notification.alertBody = "Wake up"
    notification.soundName = UILocalNotificationDefaultSoundName
    notification.userInfo = ["id": id, "count": 3, "loud": true, "set": NSDate()]
    UIApplication.sharedApplication().scheduleLocalNotification(notification)
  }

  func list() {
    let formatter = NSDateFormatter()
    formatter.dateFormat = "HH:mm"
    for oneEvent in UIApplication.sharedApplication().scheduledLocalNotifications! {
      let date: NSDate = oneEvent.fireDate!
      let info = oneEvent.userInfo! as! [String: AnyObject]
      let id = info["id"] as! String
      let count = info["count"] as! NSNumber
      print(
        "\(id) at \(formatter.stringFromDate(date)), \(count.intValue), \(info["loud"] as! Bool)")
    }
  }

  func cancelAlarm(_ id: String) {
    let app = UIApplication.sharedApplication()
    for notification in app.scheduledLocalNotifications! as [UILocalNotification] {
      if (notification.userInfo!["id"] as! String) == id {
        app.cancelLocalNotification(notification)
        print("cancelled \(id)")
      }
    }
  }
}
