/// A circle on the earth whose boundary a notification waits to see crossed (R1).
public struct CircularRegion: Hashable, Sendable {
  public var identifier: String?
  /// Degrees, north positive, -90 to 90.
  public var latitude: Double
  /// Degrees, east positive, -180 to 180.
  public var longitude: Double
  /// Metres, above 0.
  public var radius: Double
  public var notifyOnEntry = true
  public var notifyOnExit = true

  public init(identifier: String? = nil, latitude: Double, longitude: Double, radius: Double) {
    self.identifier = identifier
    self.latitude = latitude
    self.longitude = longitude
    self.radius = radius
  }
}
