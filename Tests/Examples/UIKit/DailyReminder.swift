import BelfryUIKit

// 2015, Swift 2: a reminder every day at eight, listed.
class DailyReminderDelegate: UIResponder, UIApplicationDelegate {
  func application(
    application: UIApplication, didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
  ) -> Bool {
    application.cancelAllLocalNotifications()
    remind("Good morning", hour: 8, every: .Day)
    remind("Weekly report", hour: 17, every: NSCalendarUnit.WeekOfYear)
    remind("Rent", hour: 9, every: .Month)
    remind("Once", hour: 12, every: [])
    for notification in application.scheduledLocalNotifications! {
      let hour = NSCalendar.currentCalendar().component(.hour, from: notification.fireDate!)
      print("\(notification.alertBody!) at \(hour) every \(notification.repeatInterval.rawValue)")
    }
    print("listed")
    return true
  }

  func remind(_ text: String, hour: Int, every unit: NSCalendarUnit) {
    let calendar = Calendar.current
    var components = DateComponents()
    components.hour = hour
    let notification = UILocalNotification()
    notification.fireDate = calendar.nextDate(
      after: Date(), matching: components, matchingPolicy: .nextTime)
    notification.timeZone = NSTimeZone.localTimeZone()
    notification.repeatCalendar = calendar
    notification.repeatInterval = unit
    notification.alertBody = text
    UIApplication.sharedApplication().scheduleLocalNotification(notification)
  }
}
