// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

/// Degrees of latitude (north positive) or longitude (east positive).
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres of radius around a fix; negative: there is no fix.
public typealias CLLocationAccuracy = Double

/// A place on Earth (WGS 84).
public struct CLLocationCoordinate2D: Hashable, Sendable {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees

  public init(latitude: CLLocationDegrees = 0, longitude: CLLocationDegrees = 0) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// No place.
public let kCLLocationCoordinate2DInvalid =
  CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Makes a place.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// The latitude lies between -90 and 90 degrees and the longitude between -180 and 180.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// Great-circle distances on a ball of Earth's mean radius, as the daemon reckons.
enum Earth {
  /// Metres (IUGG's mean radius).
  static let radius = 6_371_008.8

  static func distance(_ a: CLLocationCoordinate2D, _ b: CLLocationCoordinate2D) -> Double {
    let degree = Double.pi / 180
    let height = sin((b.latitude - a.latitude) * degree / 2)
    let width = sin((b.longitude - a.longitude) * degree / 2)
    let root =
      height * height
      + cos(a.latitude * degree) * cos(b.latitude * degree) * width * width
    return 2 * radius * asin(min(1, root.squareRoot()))
  }
}
