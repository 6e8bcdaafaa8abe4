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
    let way = [
      101.0, 92, 109, 70, 115, 99, 115, 109, 116, 92, 85, 101, 85, 84, 130, 60,
    ]
    for metres in way {
      _ = fence.take(Self.north(metres, accuracy: 0))
      sides.append(fence.side(of: 1))
    }
    let (u, i, o) = (RegionSide.unknown, RegionSide.inside, RegionSide.outside)
    #expect(sides == [u, u, u, i, i, i, i, i, o, o, o, o, o, i, o, i])
  }

  /// Also where it begins at the boundary.
  @Test(arguments: [0.0, 3, -3])
  func R3_aBoardThatWaitsAtTheBoundaryCrossesNothing(_ beyond: Double) {
    var random = SeededRandom(seed: 3)
    var fence = fence(radius: 50)
    for _ in 0..<10_000 {
      let metres = 50 + beyond + .random(in: -4.9...4.9, using: &random)
      let changes = fence.take(Self.north(metres, accuracy: 0))
      #expect(changes.allSatisfy { $0.from == .unknown })
    }
  }

  /// Only the circle of accuracy counts, and it has to lie wholly on one side of the edge.
  @Test func R3_anAccuracyThatReachesOverTheEdgeNeverDecides() {
    var fence = fence(radius: 100)
    #expect(fence.take(Self.north(5000, accuracy: 4901)) == [])
    #expect(fence.side(of: 1) == .unknown)
    #expect(
      fence.take(Self.north(5000, accuracy: 101))
        == [.init(slot: 1, from: .unknown, to: .outside)])
    for _ in 0..<100 { #expect(fence.take(Self.north(0, accuracy: 100.5)) == []) }
    for _ in 0..<100 { #expect(fence.take(Self.north(40, accuracy: 61)) == []) }
    #expect(fence.side(of: 1) == .outside)
    #expect(fence.take(Self.north(0)) == [.init(slot: 1, from: .outside, to: .inside)])
    for _ in 0..<100 { #expect(fence.take(Self.north(9000, accuracy: 9000)) == []) }
    #expect(
      fence.take(Self.north(9000, accuracy: 1900))
        == [.init(slot: 1, from: .inside, to: .outside)])
  }

  /// A cell tower between fixes of a satellite: it says nothing, and spoils nothing.
  @Test func R3_aFixThatSaysNothingSpoilsNothing() {
    var fence = fence(radius: 100)
    _ = fence.take(Self.north(0))
    var changes: [Geofence.Change] = []
    for _ in 0..<3 {
      changes += fence.take(Self.north(0, accuracy: 2000))
      changes += fence.take(Self.north(150, accuracy: 20))
    }
    #expect(changes == [.init(slot: 1, from: .inside, to: .outside)])
  }

  /// Judged again after the books are read, or told twice, it is no second piece of evidence.
  @Test func R3_aFixCountsOnce() {
    var fence = fence(radius: 100)
    _ = fence.take(Self.north(0))
    let fix = Self.north(115, accuracy: 0)
    #expect(fence.take(fix) == [])
    for _ in 0..<9 { #expect(fence.take(fix, again: true) == []) }
    #expect(fence.take(fix).count == 1)
  }

  /// Margins as documented: a tenth, at least 5 m, at most 100 m; within, 20 m and a quarter at most.
  @Test(arguments: [
    (1.0, 5.0, 0.25), (16, 5, 4), (50, 5, 5), (51, 5.1, 5.1), (100, 10, 10), (1000, 100, 20),
    (1e7, 100, 20),
  ])
  func R3_marginOfARadius(_ radius: Double, _ margin: Double, _ inner: Double) {
    let region = CircularRegion(latitude: 0, longitude: 0, radius: radius)
    #expect(abs(region.margin - margin) < 1e-9 && abs(region.innerMargin - inner) < 1e-9)
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
    var side: RegionSide
    /// Since the side was last changed.
    var fixes: [SideOracle.Fix] = []
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
    for (slot, member) in members {
      let region = member.region
      let distance = GlobeTests.haversine(
        (region.latitude, region.longitude), (fix.latitude, fix.longitude))
      members[slot]!.fixes.append((distance, fix.accuracy))
      let side = SideOracle.side(of: region, was: member.side, after: members[slot]!.fixes)
      guard side != member.side else { continue }
      changes.insert(Geofence.Change(slot: slot, from: member.side, to: side))
      members[slot] = Member(region: region, side: side)
    }
    return changes
  }
}
