import Foundation

/// What a `CLLocationManager` tells, on the main thread; nothing is required.
@preconcurrency @MainActor
public protocol CLLocationManagerDelegate: CLLocationManagerDelegateSwift2 {
  /// After each request for authorization.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)

  /// After `startMonitoring(for:)`: the daemon has it in its store.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// The board came into a monitored region while the app was active.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// The board left a monitored region while the app was active.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// The region could not be monitored; the error says why.
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  )
  /// After `requestState(for:)`: always `.unknown`.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
}

/// What happens where a delegate does not say: the Swift 2 spelling is tried, then nothing.
extension CLLocationManagerDelegate {
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    locationManager(manager: manager, didChangeAuthorizationStatus: status)
  }

  public func locationManager(
    _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion
  ) {
    locationManager(manager: manager, didStartMonitoringForRegion: region)
  }

  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    locationManager(manager: manager, didEnterRegion: region)
  }

  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    locationManager(manager: manager, didExitRegion: region)
  }

  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    locationManager(
      manager: manager, monitoringDidFailForRegion: region, withError: error as NSError)
  }

  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    locationManager(manager: manager, didDetermineState: state, forRegion: region)
  }
}
