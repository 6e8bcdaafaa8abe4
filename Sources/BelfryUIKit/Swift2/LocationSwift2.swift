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

extension CLCircularRegion {
  @available(*, deprecated, renamed: "contains(_:)")
  public func containsCoordinate(_ coordinate: CLLocationCoordinate2D) -> Bool {
    contains(coordinate)
  }
}
