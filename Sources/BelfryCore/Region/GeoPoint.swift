/// A place on the globe as a vector of length 1 from its centre, so that the date line and the poles
/// are places like any other (R6).
struct GeoPoint: Hashable {
  var x: Double
  var y: Double
  var z: Double

  /// Mean radius of the Earth in metres (IUGG); the true distance differs by up to 0.5 %.
  static let earthRadius = 6_371_008.771_4

  /// In degrees, north and east positive.
  init(latitude: Double, longitude: Double) {
    let (up, across) = Angle.sinCos(degrees: latitude)
    let (east, ahead) = Angle.sinCos(degrees: longitude)
    x = across * ahead
    y = across * east
    z = up
  }

  /// The square of the straight line to `other`, in radii; a cheap measure of distance, exact to
  /// nanometres where that is short.
  func squaredChord(to other: GeoPoint) -> Double {
    let (a, b, c) = (x - other.x, y - other.y, z - other.z)
    return a * a + b * b + c * c
  }

  /// Great-circle distance in metres, well conditioned from here to the antipodes.
  func distance(to other: GeoPoint) -> Double {
    // Half the angle between them: its sine, or where that is not below it, its cosine.
    let square = squaredChord(to: other)
    let half: Double
    if square <= 2 {
      half = Angle.arcSine(Angle.squareRoot(square) / 2)
    } else {
      let antipode = GeoPoint(x: -other.x, y: -other.y, z: -other.z)
      half = Double.pi / 2 - Angle.arcSine(Angle.squareRoot(squaredChord(to: antipode)) / 2)
    }
    return 2 * half * Self.earthRadius
  }

  /// `squaredChord` of places so many metres apart, at most a quarter of the globe's circumference.
  static func squaredChord(distance: Double) -> Double {
    let sine = Angle.sin(distance / earthRadius / 2)
    return 4 * sine * sine
  }

  private init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }
}
