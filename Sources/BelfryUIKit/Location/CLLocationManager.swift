import BelfryKit
import Foundation

/// A stand-in for programs that ask before they schedule a region, and what monitors regions.
///
/// Whether an app may is for the operator to say, in its manifest (R5), and nobody is asked; without it,
/// what has a region is never delivered, and `belfry status` says so. Fixes do not come this way.
///
/// A monitored region is a notification without text or sound in the daemon's store, which
/// `UIApplication` keeps out of its own lists: it stays when the program ends. Crossings are told to
/// every manager that has a delegate, while the application is started and active; in the background
/// nobody is told, and nothing is launched.
@preconcurrency @MainActor
open class CLLocationManager: NSObject {
  open weak var delegate: (any CLLocationManagerDelegate)? {
    didSet { Self.known[ObjectIdentifier(self)] = Known(manager: self) }
  }

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
  /// Kept.
  open var pausesLocationUpdatesAutomatically = true
  /// Kept.
  open var allowsBackgroundLocationUpdates = false
  /// Kept.
  open var activityType = CLActivityType.other

  /// Says that no fix comes this way.
  open func startUpdatingLocation() {
    HeadlessLog.write("CLLocationManager: fixes are told the daemon, and not the app")
  }

  /// Does nothing.
  open func stopUpdatingLocation() {}

  open func requestWhenInUseAuthorization() { answer() }
  open func requestAlwaysAuthorization() { answer() }

  private func answer() {
    later { $0.delegate?.locationManager($0, didChangeAuthorization: Self.authorizationStatus()) }
  }

  // MARK: Regions

  /// Monitors the region, in place of one of the same identifier; the delegate is told later.
  ///
  /// It takes one of the regions that the operator allows the app (R4), or two where both entering and
  /// leaving count. Refused: what is no `CLCircularRegion`, a radius outside 1 m to 10,000 km.
  open func startMonitoring(for region: CLRegion) {
    guard let copy = region.copy() as? CLRegion else { return }
    do {
      try application.monitor(region)
      later { $0.delegate?.locationManager($0, didStartMonitoringFor: copy) }
    } catch {
      later { $0.delegate?.locationManager($0, monitoringDidFailFor: copy, withError: error) }
    }
  }

  /// Monitors the region of this identifier no longer; one that is unknown does no harm.
  open func stopMonitoring(for region: CLRegion) {
    application.settle { () throws(SchedulerError) in
      try application.stopMonitoring(region.identifier)
    }
  }

  /// The app's regions, those included that it monitored before it was started again; empty where the
  /// daemon cannot be asked.
  open var monitoredRegions: Set<CLRegion> {
    application.settle { () throws(SchedulerError) in try application.monitoredRegions() } ?? []
  }

  /// Metres; a larger region is refused.
  open var maximumRegionMonitoringDistance: CLLocationDistance { 10_000_000 }

  /// Tells the delegate `.unknown`: on which side of a region the board is only the daemon knows.
  open func requestState(for region: CLRegion) {
    guard let copy = region.copy() as? CLRegion else { return }
    later { $0.delegate?.locationManager($0, didDetermineState: .unknown, for: copy) }
  }

  /// Not from inside the call, as on iOS.
  private func later(_ tell: @escaping @MainActor (CLLocationManager) -> Void) {
    DispatchQueue.main.async { tell(self) }
  }

  // MARK: Who hears

  private var owner: UIApplication?
  private var application: UIApplication { owner ?? .shared }

  /// For another application than the shared one.
  convenience init(of application: UIApplication) {
    self.init()
    owner = application
  }

  private struct Known {
    weak var manager: CLLocationManager?
  }

  private static var known: [ObjectIdentifier: Known] = [:]

  /// Tells every manager of the application that has a delegate.
  static func tell(
    _ application: UIApplication,
    _ tell: (CLLocationManager, any CLLocationManagerDelegate) -> Void
  ) {
    known = known.filter { $0.value.manager?.delegate != nil }
    for manager in known.values.compactMap({ $0.manager }) where manager.application === application
    {
      if let delegate = manager.delegate { tell(manager, delegate) }
    }
  }
}
