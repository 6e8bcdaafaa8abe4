import BelfryKit
import Testing

@testable import BelfryUIKit

/// Writes down what location managers tell, as today's Swift spells it.
private final class Walker: CLLocationManagerDelegate {
  var lines: [String] = []

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    lines.append("started \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    lines.append("entered \(region.identifier) \(region.notifyOnExit)")
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    lines.append("left \(region.identifier)")
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    lines.append("failed \(region?.identifier ?? "-"): \(error)")
  }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    lines.append("state \(state.rawValue) of \(region.identifier)")
  }
}

/// The same as Swift 2 spelled it.
private final class OldWalker: CLLocationManagerDelegate {
  var lines: [String] = []

  func locationManager(manager: CLLocationManager, didEnterRegion region: CLRegion) {
    lines.append("entered \(region.identifier)")
  }

  func locationManager(manager: CLLocationManager, didExitRegion region: CLRegion) {
    lines.append("left \(region.identifier)")
  }
}

@MainActor @Suite struct RegionMonitoringTests {
  let service = FakeNotificationService()
  let application: UIApplication
  let manager: CLLocationManager
  private let walker = Walker()

  init() {
    application = UIApplication(service: service)
    manager = CLLocationManager(of: application)
    manager.delegate = walker
  }

  private func settled() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  private func region(_ name: String, radius: Double = 100) -> CLCircularRegion {
    CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: radius, identifier: name)
  }

  @Test func R1_aMonitoredRegionIsListedByManagersOnly() async {
    let home = region("home")
    manager.startMonitoring(for: home)
    manager.startMonitoring(for: home)
    #expect(walker.lines == [], "later, not from inside the call")
    await settled()
    #expect(walker.lines == ["started home", "started home"])
    #expect(manager.monitoredRegions == [home])
    #expect(application.scheduledLocalNotifications == [])
    application.scheduledLocalNotifications = [UILocalNotification()]
    #expect(manager.monitoredRegions == [home])
    application.cancelAllLocalNotifications()
    #expect(application.scheduledLocalNotifications == [])
    #expect(manager.monitoredRegions == [home])
    manager.stopMonitoring(for: region("other"))
    manager.stopMonitoring(for: home)
    #expect(service.list == [])
  }

  @Test func R2_ofTheNewerOneOfTheSameNameOnlyWhatCountsIsLeft() throws {
    manager.startMonitoring(for: region("home"))
    let entry = region("home", radius: 50)
    entry.notifyOnExit = false
    manager.startMonitoring(for: entry)
    let listed = try #require(manager.monitoredRegions.first as? CLCircularRegion)
    #expect(listed.radius == 50 && listed.notifyOnEntry && !listed.notifyOnExit)
    #expect(service.list.count == 1 && service.list[0].region?.notifyOnExit == false)
  }

  @Test func D1_everyManagerHearsOfACrossingAndTheApplicationsDelegateDoesNot() async {
    let diary = Diary()
    let old = OldWalker()
    let second = CLLocationManager(of: application)
    second.delegate = old
    application.start(delegate: diary)
    diary.lines = []
    manager.startMonitoring(for: region("home"))
    await settled()
    for notification in service.list { service.tell(notification) }
    #expect(walker.lines == ["started home", "entered home true", "left home"])
    #expect(old.lines == ["entered home", "left home"])
    #expect(diary.lines == [])
    #expect(service.completed == 2)
  }

  @Test func whatCannotBeMonitoredIsToldWithItsReason() async {
    manager.startMonitoring(for: CLRegion(identifier: "beacon"))
    service.refusal = SchedulerError(.limitReached, "enough")
    manager.startMonitoring(for: region("home"))
    manager.requestState(for: region("home"))
    await settled()
    #expect(
      walker.lines == [
        "failed beacon: region: only circles are monitored", "failed home: enough",
        "state 0 of home",
      ])
  }
}
