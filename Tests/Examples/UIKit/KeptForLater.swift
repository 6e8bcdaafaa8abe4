import BelfryUIKit

// 2012: a notification is archived, so that it can be cancelled after the app was started again.
class KeptForLaterDelegate: UIResponder, UIApplicationDelegate {
  let file = URL(fileURLWithPath: CommandLine.arguments.last!)

  func applicationDidFinishLaunching(_ application: UIApplication) {
    if let data = try? Data(contentsOf: file),
      let kept = try? NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(data)
        as? UILocalNotification
    {
      application.cancelLocalNotification(kept)
      try? FileManager.default.removeItem(at: file)
      print("cancelled, \(application.scheduledLocalNotifications!.count) left")
      return
    }
    let alarm = UILocalNotification()
    alarm.fireDate = Date(timeIntervalSinceNow: 86_400)
    alarm.alertBody = "Alarm"
    alarm.userInfo = ["id": 7, "exact": true]
    application.scheduleLocalNotification(alarm)
    let data = try! NSKeyedArchiver.archivedData(
      withRootObject: alarm, requiringSecureCoding: false)
    try! data.write(to: file)
    print("kept, \(application.scheduledLocalNotifications!.count) scheduled")
  }
}
