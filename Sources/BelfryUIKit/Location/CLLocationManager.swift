import Foundation

/// Whether an app may know where the board is.
public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

/// As good as can be.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Every movement counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1

/// Whoever asked a `CLLocationManager`.
@preconcurrency @MainActor
public protocol CLLocationManagerDelegate: AnyObject {
  /// After each request for authorization, on the main thread.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  /// As Swift 2 spelled it; called where the delegate has not the one above.
  func locationManager(
    manager: CLLocationManager, didChangeAuthorizationStatus status: CLAuthorizationStatus)
}

extension CLLocationManagerDelegate {
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    locationManager(manager: manager, didChangeAuthorizationStatus: status)
  }

  /// As Swift 2 spelled it.
  public func locationManager(
    manager: CLLocationManager, didChangeAuthorizationStatus status: CLAuthorizationStatus
  ) {}
}

/// A stand-in for programs that ask before they schedule a region.
///
/// Whether an app may is for the operator to say, in its manifest (R5), and nobody is asked; without it,
/// what has a region is never delivered, and `belfry status` says so. Fixes do not come this way.
@preconcurrency @MainActor
open class CLLocationManager: NSObject {
  open weak var delegate: (any CLLocationManagerDelegate)?

  /// `.authorizedAlways`: the app may schedule regions.
  open class func authorizationStatus() -> CLAuthorizationStatus { .authorizedAlways }

  /// Regions are judged by the daemon, on any board that gets fixes.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    regionClass == CLCircularRegion.self
  }

  /// true: whether there are fixes is for the board to say.
  open class func locationServicesEnabled() -> Bool { true }

  /// Kept; fixes have the accuracy with which they are told the daemon.
  open var desiredAccuracy = kCLLocationAccuracyBest
  /// Kept.
  open var distanceFilter = kCLDistanceFilterNone

  /// Says that no fix comes this way.
  open func startUpdatingLocation() {
    HeadlessLog.write("CLLocationManager: fixes are told the daemon, and not the app")
  }

  /// Does nothing.
  open func stopUpdatingLocation() {}

  open func requestWhenInUseAuthorization() { answer() }
  open func requestAlwaysAuthorization() { answer() }

  private func answer() {
    DispatchQueue.main.async { [self] in
      delegate?.locationManager(self, didChangeAuthorization: Self.authorizationStatus())
    }
  }
}
