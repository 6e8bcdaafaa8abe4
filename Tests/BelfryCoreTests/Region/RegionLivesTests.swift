import SchedulerFixtures
import Testing

@testable import BelfryCore

/// Boards that drive about, with disks that hang and power that goes: against a list of what every
/// crossing is to be called.
struct RegionLivesTests {
  /// One region as it must be: what the store knows of it, and what has happened since.
  private struct Expected {
    var region: CircularRegion
    var side = RegionSide.unknown
    var crossings: Int64 = 0
    var written = (side: RegionSide.unknown, crossings: Int64(0))

    /// Since the side was last changed, in this life.
    var fixes: [SideOracle.Fix] = []

    /// Whether a fix so many metres from the centre fires.
    mutating func take(_ metres: Double, accuracy: Double?) -> Bool {
      fixes.append((metres, accuracy))
      let before = side
      side = SideOracle.side(of: region, was: before, after: fixes)
      guard before != side else { return false }
      fixes = []
      guard before != .unknown else { return false }
      return side == .inside ? region.notifyOnEntry : region.notifyOnExit
    }
  }

  private struct Crossing: Hashable {
    var identifier: String
    var k: Int64
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func R3_D7_everyCrossingIsDeliveredUnderItsNumber(number: UInt64) {
    let seed = 0xB0A2D + number
    var random = SeededRandom(seed: seed)
    let world = World { $0.owner = World.alice.uid }
    var expected: [Expected] = []
    var crossings: [Crossing] = []
    for step in 0..<150 {
      world.advance(seconds: 1)
      switch Int.random(in: 0..<20, using: &random) {
      case 0 where expected.count < 20 && !world.isBlocked:
        expected.append(add(to: world, "r\(expected.count)", &random))
      case 1: world.isBlocked = true
      case 2:
        world.isBlocked = false
        world.run()
      case 3:
        // kill -9: what the disk had not taken is gone.
        world.isBlocked = false
        world.restart()
        for index in expected.indices {
          (expected[index].side, expected[index].crossings) = expected[index].written
          expected[index].fixes = []
        }
      default:
        let metres = [0.0, 13, 24, 27, 88, 99, 103, 112, 890, 1050, 1200, 9000]
          .randomElement(using: &random)!
        let accuracy = [0.0, 5, 48, 480, nil].randomElement(using: &random)!
        let place = GeofenceTests.north(metres)
        world.request(
          .fix(
            latitude: place.latitude, longitude: place.longitude, accuracy: accuracy, time: nil),
          by: World.root)
        for index in expected.indices where expected[index].take(metres, accuracy: accuracy) {
          crossings.append(Crossing(identifier: "r\(index)", k: expected[index].crossings))
          expected[index].crossings += 1
        }
      }
      if !world.isBlocked {
        for index in expected.indices {
          expected[index].written = (expected[index].side, expected[index].crossings)
        }
      }
      let delivered = world.deliveries.map {
        Crossing(
          identifier: $0.occurrence.notification.identifier ?? "", k: $0.occurrence.id.k)
      }
      #expect(delivered == crossings, "seed \(seed), step \(step)")
      guard delivered == crossings else { return }
    }
    #expect(world.problems == [] && !crossings.isEmpty, "seed \(seed)")
  }

  private func add(
    to world: World, _ identifier: String, _ random: inout SeededRandom
  ) -> Expected {
    let (onEntry, onExit) = [(true, true), (true, false), (false, true)]
      .randomElement(using: &random)!
    let radius = [20.0, 100, 1000].randomElement(using: &random)!
    let region = CircularRegion(
      latitude: 52, longitude: 13, radius: radius, notifyOnEntry: onEntry, notifyOnExit: onExit)
    world.schedule(identifier) {
      $0.region = region
      $0.regionTriggersOnce = false
    }
    var expected = Expected(region: region)
    // The last fix of this life has decided, if it could alone.
    expected.side = world.scheduler.regions.side(of: lastSlot(world)) ?? .unknown
    expected.written.side = expected.side
    return expected
  }

  private func lastSlot(_ world: World) -> Slot {
    world.store.rows.values.max { $0.sequence < $1.sequence }?.slot ?? 0
  }
}
