import BelfryKit
import Foundation

/// An area that the board may enter and leave; a `CLCircularRegion` is the only kind there is.
open class CLRegion: NSObject, NSCopying {
  /// The app's name for it.
  public let identifier: String
  /// Entering counts; true at first.
  open var notifyOnEntry = true
  /// Leaving counts; true at first.
  open var notifyOnExit = true

  init(identifier: String) {
    self.identifier = identifier
    super.init()
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLRegion(identifier: identifier)
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  /// The identifiers are equal, as on iOS: a region replaces another of the same name.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLRegion)?.identifier.isName(identifier) ?? false
  }

  open override var hash: Int { identifier.hashValue }
}

/// A circle on Earth.
open class CLCircularRegion: CLRegion {
  public let center: CLLocationCoordinate2D
  /// Metres.
  public let radius: CLLocationDistance

  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(identifier: identifier)
  }

  /// The place lies in it, its edge included.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    Earth.distance(center, coordinate) <= radius
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  convenience init(_ circle: CircularRegion) {
    self.init(
      center: CLLocationCoordinate2D(latitude: circle.latitude, longitude: circle.longitude),
      radius: circle.radius, identifier: circle.identifier ?? "")
    notifyOnEntry = circle.notifyOnEntry
    notifyOnExit = circle.notifyOnExit
  }

  /// The circle as the daemon has it.
  var circle: CircularRegion {
    var circle = CircularRegion(
      identifier: identifier.isEmpty ? nil : identifier, latitude: center.latitude,
      longitude: center.longitude, radius: radius)
    circle.notifyOnEntry = notifyOnEntry
    circle.notifyOnExit = notifyOnExit
    return circle
  }
}
