import Foundation

/// Whether an app may know where the board is.
public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

/// Whoever asked a `CLLocationManager`.
@preconcurrency @MainActor
public protocol CLLocationManagerDelegate: AnyObject {
  /// After each request for authorization, on the main thread.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
}

extension CLLocationManagerDelegate {
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
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

  open func requestWhenInUseAuthorization() { answer() }
  open func requestAlwaysAuthorization() { answer() }

  private func answer() {
    DispatchQueue.main.async { [self] in
      delegate?.locationManager(self, didChangeAuthorization: Self.authorizationStatus())
    }
  }
}
