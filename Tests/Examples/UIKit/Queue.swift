import BelfryUIKit

// 2013: more reminders than the system keeps; the queue is renewed whenever the app runs, and the badge
// numbers are counted anew.
class QueueDelegate: UIResponder, UIApplicationDelegate {
  func applicationDidBecomeActive(_ application: UIApplication) {
    let first = Date(timeIntervalSinceNow: 3600)
    application.scheduledLocalNotifications = (0..<100).map { index in
      let notification = UILocalNotification()
      notification.fireDate = first.addingTimeInterval(60 * Double(index))
      notification.alertBody = "Exercise \(index)"
      return notification
    }
    renumber(application)
    let listed = application.scheduledLocalNotifications!
    print("kept \(listed.count), last badge \(listed.last!.applicationIconBadgeNumber)")
    application.scheduledLocalNotifications = nil
    print("left \(application.scheduledLocalNotifications!.count)")
  }

  func renumber(_ application: UIApplication) {
    let pending = application.scheduledLocalNotifications!.sorted {
      $0.fireDate!.compare($1.fireDate!) == .orderedAscending
    }
    for (index, notification) in pending.enumerated() {
      notification.applicationIconBadgeNumber = index + 1
    }
    application.scheduledLocalNotifications = pending
  }
}
