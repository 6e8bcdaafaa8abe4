import BelfryUIKit

// 2012, Objective-C's way in Swift: what belongs together is found again by its userInfo.
class BirthdaysDelegate: UIResponder, UIApplicationDelegate {
  let people = [("Ada", 1815), ("Grace", 1906), ("Alan", 1912)]

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?
  ) -> Bool {
    for (index, person) in people.enumerated() {
      let notification = UILocalNotification()
      notification.fireDate = Date(timeIntervalSinceNow: 86_400 * Double(index + 1))
      notification.repeatInterval = .year
      notification.alertTitle = "Birthday"
      notification.alertBody = "\(person.0) has her or his birthday"
      notification.alertLaunchImage = "cake.png"
      notification.userInfo = [
        "name": person.0, "born": person.1, "gift": false, "picture": Data([1, 2, 3]),
        "noted": Date(timeIntervalSinceReferenceDate: 500), "height": 1.7,
        "tags": ["friend", index],
      ]
      application.scheduleLocalNotification(notification)
    }
    forget("Grace")
    for notification in application.scheduledLocalNotifications ?? [] {
      print(
        "\(notification.userInfo?["name"] as! String) \(notification.userInfo?["born"] as! Int)")
    }
    print("done")
    return true
  }

  func forget(_ name: String) {
    let application = UIApplication.shared
    for notification in application.scheduledLocalNotifications!
    where notification.userInfo?["name"] as? String == name {
      application.cancelLocalNotification(notification)
    }
  }
}
