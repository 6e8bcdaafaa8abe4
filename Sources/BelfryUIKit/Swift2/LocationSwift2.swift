// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

extension CLAuthorizationStatus {
  @available(*, deprecated, renamed: "notDetermined")
  public static var NotDetermined: Self { .notDetermined }
  @available(*, deprecated, renamed: "restricted")
  public static var Restricted: Self { .restricted }
  @available(*, deprecated, renamed: "denied")
  public static var Denied: Self { .denied }
  @available(*, deprecated, renamed: "authorizedAlways")
  public static var AuthorizedAlways: Self { .authorizedAlways }
  @available(*, deprecated, renamed: "authorizedWhenInUse")
  public static var AuthorizedWhenInUse: Self { .authorizedWhenInUse }
  /// Swift 1's name for always.
  @available(*, deprecated, renamed: "authorizedAlways")
  public static var Authorized: Self { .authorizedAlways }
}

extension CLLocationManager {
  @available(*, deprecated, renamed: "isMonitoringAvailable(for:)")
  public class func isMonitoringAvailableForClass(_ regionClass: AnyClass) -> Bool {
    isMonitoringAvailable(for: regionClass)
  }
}

extension CLLocationManager {
  @available(*, deprecated, renamed: "startMonitoring(for:)")
  public func startMonitoringForRegion(_ region: CLRegion) { startMonitoring(for: region) }

  @available(*, deprecated, renamed: "stopMonitoring(for:)")
  public func stopMonitoringForRegion(_ region: CLRegion) { stopMonitoring(for: region) }

  @available(*, deprecated, renamed: "requestState(for:)")
  public func requestStateForRegion(_ region: CLRegion) { requestState(for: region) }
}

extension CLRegionState {
  @available(*, deprecated, renamed: "unknown")
  public static var Unknown: Self { .unknown }
  @available(*, deprecated, renamed: "inside")
  public static var Inside: Self { .inside }
  @available(*, deprecated, renamed: "outside")
  public static var Outside: Self { .outside }
}

/// The callbacks as Swift 2 spelled them, for delegates that were not rewritten.
@preconcurrency @MainActor
public protocol CLLocationManagerDelegateSwift2: AnyObject {
  func locationManager(
    manager: CLLocationManager, didChangeAuthorizationStatus status: CLAuthorizationStatus)
  func locationManager(manager: CLLocationManager, didStartMonitoringForRegion region: CLRegion)
  func locationManager(manager: CLLocationManager, didEnterRegion region: CLRegion)
  func locationManager(manager: CLLocationManager, didExitRegion region: CLRegion)
  func locationManager(
    manager: CLLocationManager, monitoringDidFailForRegion region: CLRegion?,
    withError error: NSError)
  func locationManager(
    manager: CLLocationManager, didDetermineState state: CLRegionState, forRegion region: CLRegion)
}

extension CLLocationManagerDelegateSwift2 {
  public func locationManager(
    manager: CLLocationManager, didChangeAuthorizationStatus status: CLAuthorizationStatus
  ) {}
  public func locationManager(
    manager: CLLocationManager, didStartMonitoringForRegion region: CLRegion
  ) {}
  public func locationManager(manager: CLLocationManager, didEnterRegion region: CLRegion) {}
  public func locationManager(manager: CLLocationManager, didExitRegion region: CLRegion) {}
  public func locationManager(
    manager: CLLocationManager, monitoringDidFailForRegion region: CLRegion?,
    withError error: NSError
  ) {}
  public func locationManager(
    manager: CLLocationManager, didDetermineState state: CLRegionState, forRegion region: CLRegion
  ) {}
}

extension CLCircularRegion {
  @available(*, deprecated, renamed: "contains(_:)")
  public func containsCoordinate(_ coordinate: CLLocationCoordinate2D) -> Bool {
    contains(coordinate)
  }
}
