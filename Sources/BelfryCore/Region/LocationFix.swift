/// Where the board is said to be (R5).
public struct LocationFix: Hashable, Sendable {
  /// In degrees: north and east are positive.
  public var latitude: Double
  public var longitude: Double
  /// In metres: how far from there the board may be; nil: it is not told (R3).
  public var accuracy: Double?
  /// When the fix was taken.
  public var time: Instant

  public init(latitude: Double, longitude: Double, accuracy: Double? = nil, time: Instant) {
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
    self.time = time
  }

  var point: GeoPoint { GeoPoint(latitude: latitude, longitude: longitude) }

  /// Throws the first field that can be none of a fix's.
  public func check() throws(FieldError) {
    try CircularRegion.check(latitude: latitude, longitude: longitude)
    if let accuracy {
      guard accuracy >= 0 && accuracy <= Self.maxAccuracy else {
        throw FieldError(
          "accuracy", .outOfRange, "the metres must be between 0 and half way around the globe")
      }
    }
    guard time != .distantPast, time != .distantFuture else {
      throw FieldError("time", .outOfRange, "this is no time at which a fix was taken")
    }
  }

  private static let maxAccuracy = 20_037_508.0

  /// Whether this one goes back in time behind `last`, and so tells nothing new. One that lies ahead
  /// of the board's clock is no measure for one that does not: the clock was set back since.
  func isBehind(_ last: LocationFix, now: Instant) -> Bool {
    time < last.time && (last.time <= now || time > now)
  }
}
