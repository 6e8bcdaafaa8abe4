import BelfryKit
import Foundation

/// A crossing that a `CLLocationManager` waits for, as a notification in the daemon's store.
struct MonitoredCrossing {
  enum Side: String, CaseIterable {
    case entry, exit
  }

  let side: Side
  /// As it was handed over, both of its flags included.
  let region: CLCircularRegion

  private static func prefix(_ side: Side) -> String { "CLRegion.\(side.rawValue):" }

  static func name(_ side: Side, of region: String) -> String { prefix(side) + region }

  init(_ side: Side, _ region: CLCircularRegion) {
    (self.side, self.region) = (side, region)
  }

  /// nil: the notification is one of the app's own.
  init?(_ notification: LocalNotification) {
    guard let name = notification.identifier, let circle = notification.region,
      let side = Side.allCases.first(where: { name.hasPrefix(Self.prefix($0)) })
    else { return nil }
    self.side = side
    region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: circle.latitude, longitude: circle.longitude),
      radius: circle.radius, identifier: String(name.dropFirst(Self.prefix(side).count)))
    region.notifyOnEntry = notification.userInfo[Side.entry.rawValue] == .boolean(true)
    region.notifyOnExit = notification.userInfo[Side.exit.rawValue] == .boolean(true)
  }

  /// Says and sounds nothing: who hears of it is the session (D1).
  var notification: LocalNotification {
    var notification = LocalNotification()
    notification.identifier = Self.name(side, of: region.identifier)
    notification.region = region.circle
    notification.region?.notifyOnEntry = side == .entry
    notification.region?.notifyOnExit = side == .exit
    notification.regionTriggersOnce = false
    notification.userInfo = [
      Side.entry.rawValue: .boolean(region.notifyOnEntry),
      Side.exit.rawValue: .boolean(region.notifyOnExit),
    ]
    return notification
  }
}

/// Region monitoring.
extension UIApplication {
  /// Both crossings that count, or none of them.
  func monitor(_ region: CLRegion) throws(SchedulerError) {
    guard let circle = region as? CLCircularRegion else {
      throw SchedulerError(.wrongType, field: "region", "only circles are monitored")
    }
    let wanted = MonitoredCrossing.Side.allCases.filter {
      $0 == .entry ? circle.notifyOnEntry : circle.notifyOnExit
    }
    do throws(SchedulerError) {
      for side in MonitoredCrossing.Side.allCases where !wanted.contains(side) {
        try service.cancel([MonitoredCrossing.name(side, of: region.identifier)])
      }
      for side in wanted { try service.schedule(MonitoredCrossing(side, circle).notification) }
    } catch {
      try? stopMonitoring(region.identifier)
      throw error
    }
  }

  func stopMonitoring(_ region: String) throws(SchedulerError) {
    try service.cancel(
      MonitoredCrossing.Side.allCases.map { MonitoredCrossing.name($0, of: region) })
  }

  func monitoredRegions() throws(SchedulerError) -> Set<CLRegion> {
    Set(try service.scheduled().compactMap { MonitoredCrossing($0)?.region })
  }

  /// What lists and cancels of the app's own notifications leave alone.
  func monitoredCrossings() throws(SchedulerError) -> [LocalNotification] {
    try service.scheduled().filter { MonitoredCrossing($0) != nil }
  }

  /// Tells the location managers; false: it is a notification of the app's own.
  func crossed(_ notification: LocalNotification) -> Bool {
    guard let crossing = MonitoredCrossing(notification) else { return false }
    CLLocationManager.tell(self) { manager, delegate in
      switch crossing.side {
      case .entry: delegate.locationManager(manager, didEnterRegion: crossing.region)
      case .exit: delegate.locationManager(manager, didExitRegion: crossing.region)
      }
    }
    return true
  }
}
