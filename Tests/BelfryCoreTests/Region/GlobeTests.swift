import Foundation
import SchedulerFixtures
import Testing

@testable import BelfryCore

/// The globe: our own trigonometry against the library's, distances against other formulas.
struct GlobeTests {
  @Test func R1_sineAndCosineAreTheLibrarys() {
    for step in -7200...7200 {
      let degrees = Double(step) / 10 + 0.001
      let own = Angle.sinCos(degrees: degrees)
      #expect(abs(own.sin - sin(degrees * .pi / 180)) < 1e-14, "\(degrees)")
      #expect(abs(own.cos - cos(degrees * .pi / 180)) < 1e-14, "\(degrees)")
    }
    #expect(Angle.sinCos(degrees: 90).cos == 0)
    #expect(Angle.sinCos(degrees: -180).sin == 0)
    #expect(Angle.sinCos(degrees: 180).cos == -1)
  }

  @Test func R1_theSquareRootIsTheLibrarys() {
    for exponent in stride(from: -300, through: 300, by: 7) {
      let square = 1.7 * pow(10.0, Double(exponent))
      let (own, library) = (Angle.squareRoot(square), square.squareRoot())
      #expect(Swift.abs(own - library) <= library.ulp)
    }
    #expect(Angle.squareRoot(0) == 0)
  }

  @Test func R1_theArcSineIsTheLibrarys() {
    for step in 0...1000 {
      let sine = Double(step) / 1000 * 0.5.squareRoot()
      #expect(abs(Angle.arcSine(sine) - asin(sine)) < 1e-15, "\(sine)")
    }
  }

  /// Haversine with the library's functions.
  static func haversine(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
    let (up, across) = ((b.0 - a.0) * .pi / 360, (b.1 - a.1) * .pi / 360)
    let h =
      pow(sin(up), 2) + cos(a.0 * .pi / 180) * cos(b.0 * .pi / 180) * pow(sin(across), 2)
    return 2 * GeoPoint.earthRadius * asin(min(1, h.squareRoot()))
  }

  @Test func R1_distancesAreHaversinesToANanometreAMetre() {
    var random = SeededRandom(seed: 8)
    for _ in 0..<20_000 {
      let a = (
        Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random)
      )
      // From a metre to half the globe, evenly by magnitude.
      let reach = pow(10, Double.random(in: -5...2.2, using: &random))
      let up = Double.random(in: -reach...reach, using: &random)
      let across = Double.random(in: -reach...reach, using: &random)
      let b = (min(90, max(-90, a.0 + up)), min(180, max(-180, a.1 + across)))
      let own = CircularRegion(latitude: a.0, longitude: a.1, radius: 1)
        .distance(latitude: b.0, longitude: b.1)
      let other = Self.haversine(a, b)
      // Haversine itself loses digits near the antipodes, and in degrees near ±180.
      guard other < 15_000_000 else { continue }
      #expect(Swift.abs(own - other) <= 1e-9 * other + 2e-8, "\(a) \(b): \(own) \(other)")
    }
  }

  /// Distances that need no formula.
  @Test(
    arguments: [
      (0.0, 0.0, 0.0, 180.0, 180.0), (90, 0, -90, 0, 180), (90, 17, 90, -160, 0),
      (-90, 3, -90, 99, 0), (0, 179.5, 0, -179.5, 1), (89.5, 0, 89.5, 180, 1), (0, 0, 90, 0, 90),
      (12, 180, 12, -180, 0), (-45, 10, 45, -170, 180),
    ] as [(Double, Double, Double, Double, Double)])
  func R6_dateLineAndPoles(
    _ latitude: Double, _ longitude: Double, _ other: Double, _ across: Double, _ degrees: Double
  ) {
    let region = CircularRegion(latitude: latitude, longitude: longitude, radius: 1)
    let distance = region.distance(latitude: other, longitude: across)
    let angle = degrees * Double.pi / 180
    #expect(abs(distance - angle * GeoPoint.earthRadius) < 1e-6)
  }
}
