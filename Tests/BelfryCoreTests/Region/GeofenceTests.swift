import Foundation
import SchedulerFixtures
import Testing

@testable import BelfryCore

/// Who is inside of what: against a plain scan with the library's haversine.
struct GeofenceTests {
  static func fix(
    _ latitude: Double, _ longitude: Double, accuracy: Double? = nil
  ) -> LocationFix {
    LocationFix(
      latitude: latitude, longitude: longitude, accuracy: accuracy,
      time: Instant(nanoseconds: 0))
  }

  /// So many metres north of (52, 13) or of another place.
  static func north(_ metres: Double, accuracy: Double? = nil) -> LocationFix {
    fix(52 + metres / GeoPoint.earthRadius * 180 / .pi, 13, accuracy: accuracy)
  }

  private func fence(radius: Double) -> Geofence {
    var fence = Geofence()
    fence.insert(
      CircularRegion(latitude: 52, longitude: 13, radius: radius), as: 1, side: .unknown)
    return fence
  }

  /// The board's way as metres from the centre; the sides that it brings, by R3.
  @Test func R3_aBoundaryHasHysteresis() {
    var fence = fence(radius: 100)
    var sides: [RegionSide?] = []
    for metres in [101.0, 99.9, 100.1, 109.9, 99, 110.1, 109.9, 100.1, 99.9, 0, 150] {
      _ = fence.take(Self.north(metres))
      sides.append(fence.side(of: 1))
    }
    let (i, o) = (RegionSide.inside, RegionSide.outside)
    #expect(sides == [o, i, i, i, i, o, o, o, i, i, o])
  }

  @Test func R3_aboardThatWaitsAtTheBoundaryCrossesItOnce() {
    var random = SeededRandom(seed: 3)
    var fence = fence(radius: 50)
    var crossings = 0
    for _ in 0..<10_000 {
      let changes = fence.take(Self.north(50 + .random(in: -4.9...4.9, using: &random)))
      crossings += changes.filter { $0.from != .unknown }.count
    }
    #expect(crossings <= 1)
  }

  @Test func R3_anAccuracyWorseThanTheRadiusNeverDecides() {
    var fence = fence(radius: 100)
    #expect(fence.take(Self.north(5000, accuracy: 101)) == [])
    #expect(fence.side(of: 1) == .unknown)
    #expect(
      fence.take(Self.north(5000, accuracy: 100))
        == [.init(slot: 1, from: .unknown, to: .outside)])
    #expect(fence.take(Self.north(0, accuracy: 100.5)) == [])
    #expect(fence.side(of: 1) == .outside)
    #expect(fence.take(Self.north(0)) == [.init(slot: 1, from: .outside, to: .inside)])
    #expect(fence.take(Self.north(9000, accuracy: 4000)) == [])
  }

  /// Margins as documented: a tenth, at least 5 m, at most 100 m.
  @Test(arguments: [(1.0, 5.0), (50, 5), (51, 5.1), (100, 10), (1000, 100), (1e7, 100)])
  func R3_marginOfARadius(_ radius: Double, _ margin: Double) {
    let region = CircularRegion(latitude: 0, longitude: 0, radius: radius)
    #expect(abs(region.margin - margin) < 1e-9)
  }

  /// Everything that a plain scan says, for any regions and any way of the board.
  @Test(arguments: 0..<24)
  func R6_theGridSaysWhatAPlainScanSays(_ number: UInt64) {
    let seed = 0x5EED_0000 + number
    var random = SeededRandom(seed: seed)
    var crowd = Crowd(random: &random)
    for step in 0..<400 {
      crowd.change(&random)
      let place = crowd.place(&random)
      let accuracy: Double? =
        Bool.random(using: &random) ? nil : pow(10.0, Double.random(in: 0...6, using: &random))
      let fix = Self.fix(place.0, place.1, accuracy: accuracy)
      let changes = Set(crowd.fence.take(fix))
      let expected = crowd.scan(fix)
      #expect(changes == expected, "seed \(seed), step \(step), fix \(fix)")
      guard changes == expected else { return }
    }
    #expect(crowd.fence.count == crowd.members.count)
  }
}

/// Regions in a list, judged one by one.
private struct Crowd {
  struct Member {
    var region: CircularRegion
    var side = RegionSide.unknown
  }

  var fence = Geofence()
  var members: [Slot: Member] = [:]
  private var lastSlot: Slot = 0
  /// Where things happen: anywhere, around the date line, or around a pole.
  private let hub: (Double, Double)
  private let spread: Double

  init(random: inout SeededRandom) {
    let hubs = [
      (0.0, 0.0), (90, 0), (-90, 77), (0, 180), (0, -180), (52, 13), (89.999, 180), (-35, 179.9999),
    ]
    hub = hubs.randomElement(using: &random)!
    spread = [180, 1, 0.01, 0.0005].randomElement(using: &random)!
    for _ in 0..<60 { add(&random) }
  }

  /// Near the hub, over the date line where it comes to that.
  func place(_ random: inout SeededRandom) -> (Double, Double) {
    let latitude = hub.0 + .random(in: -spread...spread, using: &random)
    let wide = abs(hub.0) > 89 ? 180 : spread
    let longitude = hub.1 + .random(in: -wide...wide, using: &random)
    return (min(90, max(-90, latitude)), remainder(longitude, 360))
  }

  mutating func change(_ random: inout SeededRandom) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: add(&random)
    case 1:
      guard let slot = members.keys.sorted().randomElement(using: &random) else { return }
      members[slot] = nil
      fence.remove(slot)
    default: break
    }
  }

  private mutating func add(_ random: inout SeededRandom) {
    let place = place(&random)
    let largest = min(7, log10(max(2, spread * 111_000)) + 0.5)
    let region = CircularRegion(
      latitude: place.0, longitude: place.1,
      radius: pow(10.0, Double.random(in: 0...largest, using: &random)))
    let side = [RegionSide.unknown, .inside, .outside].randomElement(using: &random)!
    lastSlot += 1
    members[lastSlot] = Member(region: region, side: side)
    fence.insert(region, as: lastSlot, side: side)
  }

  mutating func scan(_ fix: LocationFix) -> Set<Geofence.Change> {
    var changes: Set<Geofence.Change> = []
    for (slot, member) in members where fix.accuracy ?? 0 <= member.region.radius {
      let region = member.region
      let distance = GlobeTests.haversine(
        (region.latitude, region.longitude), (fix.latitude, fix.longitude))
      let reach = region.radius + (member.side == .inside ? region.margin : 0)
      // Closer to a boundary than haversine can tell: whatever the geofence says.
      let isClose = abs(distance - reach) < 1e-6 + 1e-12 * distance
      let side = isClose ? fence.side(of: slot)! : distance <= reach ? .inside : .outside
      guard side != member.side else { continue }
      changes.insert(Geofence.Change(slot: slot, from: member.side, to: side))
      members[slot]!.side = side
    }
    return changes
  }
}
