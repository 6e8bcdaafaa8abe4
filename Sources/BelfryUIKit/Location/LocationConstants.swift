import Foundation

/// Whether an app may know where the board is.
public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

/// On which side of a region the board is; raw values as on iOS.
public enum CLRegionState: Int, Sendable {
  case unknown, inside, outside
}

/// What an app wants fixes for; raw values as on iOS.
public enum CLActivityType: Int, Sendable {
  case other = 1
  case automotiveNavigation, fitness, otherNavigation, airborne
}

/// As good as can be, with whatever sensors there are.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// As good as can be.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// Every movement counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1
