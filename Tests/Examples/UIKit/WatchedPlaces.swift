import BelfryUIKit

// 2016, Swift 3: the app is told when it comes to a place and when it leaves, and decides itself what
// to say.
class WatchedPlacesDelegate: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
  let locationManager = CLLocationManager()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]? = nil
  ) -> Bool {
    locationManager.delegate = self
    locationManager.desiredAccuracy = kCLLocationAccuracyBestForNavigation
    locationManager.pausesLocationUpdatesAutomatically = false
    locationManager.requestAlwaysAuthorization()
    return true
  }

  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    guard status == .authorizedAlways else { return }
    print("watched before: \(manager.monitoredRegions.map { $0.identifier })")
    guard CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) else { return }
    for (name, latitude) in [("home", 52.52), ("office", 52.6)] {
      let region = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: latitude, longitude: 13.405),
        radius: min(200, manager.maximumRegionMonitoringDistance), identifier: name)
      region.notifyOnExit = name == "home"
      manager.startMonitoring(for: region)
    }
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    print("watching \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    print("came to \(region.identifier)")
    let notification = UILocalNotification()
    notification.alertBody = "Welcome to \(region.identifier)"
    UIApplication.shared.presentLocalNotificationNow(notification)
    if region.identifier == "office" { stopWatching() }
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    print(notification.alertBody!)
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    print("left \(region.identifier)")
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: Error
  ) {
    print("not watching \(region?.identifier ?? "?"): \(error.localizedDescription)")
  }

  func stopWatching() {
    UIApplication.shared.cancelAllLocalNotifications()
    for region in locationManager.monitoredRegions {
      guard let circle = region as? CLCircularRegion, circle.identifier == "office" else {
        continue
      }
      locationManager.stopMonitoring(for: circle)
    }
    print("still watching \(locationManager.monitoredRegions.map { $0.identifier })")
  }
}
