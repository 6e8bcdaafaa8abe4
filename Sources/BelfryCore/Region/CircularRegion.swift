/// A circle on the globe whose boundary the board may cross (R1), as `CLCircularRegion` describes
/// one.
public struct CircularRegion: Hashable, Sendable {
  /// A name of the app's own; Belfry goes by the notification's identifier.
  public var identifier: String?
  /// Of the centre, in degrees: north and east are positive.
  public var latitude: Double
  public var longitude: Double
  /// In metres.
  public var radius: Double
  public var notifyOnEntry: Bool
  public var notifyOnExit: Bool

  public init(
    identifier: String? = nil, latitude: Double, longitude: Double, radius: Double,
    notifyOnEntry: Bool = true, notifyOnExit: Bool = true
  ) {
    self.identifier = identifier
    self.latitude = latitude
    self.longitude = longitude
    self.radius = radius
    self.notifyOnEntry = notifyOnEntry
    self.notifyOnExit = notifyOnExit
  }

  /// Metres that `radius` may have: what is smaller no fix could tell, what is larger has more
  /// outside on its far side than can be meant.
  public static let radii = 1.0...10_000_000

  /// How many metres beyond its radius the board must be to have left it (R3): a tenth of the
  /// radius, but 5 m at least and 100 m at most.
  public var margin: Double { Self.margin(radius) }

  /// How many metres within its radius the board must be to have entered it: as many, but 20 m and a
  /// quarter of the radius at most.
  public var innerMargin: Double { Self.innerMargin(radius) }

  static func margin(_ radius: Double) -> Double { min(max(radius / 10, 5), 100) }
  static func innerMargin(_ radius: Double) -> Double { min(margin(radius), 20, radius / 4) }

  /// Great-circle distance in metres from its centre to a place.
  public func distance(latitude: Double, longitude: Double) -> Double {
    centre.distance(to: GeoPoint(latitude: latitude, longitude: longitude))
  }

  var centre: GeoPoint { GeoPoint(latitude: latitude, longitude: longitude) }

  /// This region with a plain zero for -0, so that equal ones are equal bytes; throws the first
  /// field that is none of a circle's on the globe, named without `region.` before it.
  func validated() throws(FieldError) -> CircularRegion {
    try Notification.checkName(identifier, "identifier")
    try Self.check(latitude: latitude, longitude: longitude)
    // Not a number is refused here too: it compares false.
    guard radius >= Self.radii.lowerBound && radius <= Self.radii.upperBound else {
      throw FieldError("radius", .outOfRange, "the metres must be between 1 and 10000000")
    }
    guard notifyOnEntry || notifyOnExit else {
      throw FieldError(
        "notifyOnEntry", .conflict, "neither entry nor exit would fire, so nothing ever would")
    }
    var checked = self
    checked.latitude += 0
    checked.longitude += 0
    return checked
  }

  /// Throws unless these are degrees on the globe.
  static func check(latitude: Double, longitude: Double) throws(FieldError) {
    guard latitude >= -90 && latitude <= 90 else {
      throw FieldError("latitude", .outOfRange, "the degrees must be between -90 and 90")
    }
    guard longitude >= -180 && longitude <= 180 else {
      throw FieldError("longitude", .outOfRange, "the degrees must be between -180 and 180")
    }
  }
}
