import BelfryUIKit

// 2014, iOS 8: a place instead of a date.
class NearShopDelegate: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
  let manager = CLLocationManager()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    manager.delegate = self
    manager.requestWhenInUseAuthorization()
    return true
  }

  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    guard status == .authorizedWhenInUse || status == .authorizedAlways else { return }
    let region = CLCircularRegion(
      center: CLLocationCoordinate2DMake(52.52, 13.405), radius: 200, identifier: "shop")
    region.notifyOnEntry = true
    region.notifyOnExit = false
    let notification = UILocalNotification()
    notification.region = region
    notification.regionTriggersOnce = false
    notification.alertBody = "Buy milk"
    UIApplication.shared.scheduleLocalNotification(notification)
    let listed =
      UIApplication.shared.scheduledLocalNotifications!.first!.region as! CLCircularRegion
    print("waiting at \(listed.identifier) within \(Int(listed.radius)) m")
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    print("near \(notification.region!.identifier): \(notification.alertBody!)")
  }
}
