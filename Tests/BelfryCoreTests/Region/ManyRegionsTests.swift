import SchedulerFixtures
import Testing

@testable import BelfryCore

/// Many regions that one fix crosses.
struct ManyRegionsTests {
  @discardableResult
  private func fix(_ place: (Double, Double), in world: World) -> Reply? {
    world.request(
      .fix(latitude: place.0, longitude: place.1, accuracy: nil, time: nil), by: World.root)
  }

  @Test func A2_thousandsThatAreCrossedAtOnceDelayNothing() {
    let world = World {
      $0.owner = World.alice.uid
      $0.regions = 5000
    }
    for index in 0..<1000 {
      world.schedule("gate\(index)") {
        $0.region = EngineRegionTests.region
        $0.regionTriggersOnce = index % 2 == 1
      }
    }
    fix(EngineRegionTests.away, in: world)
    world.schedule("sharp", in: 0.001)
    world.goesOn = false
    var asked: [RequestID] = []
    for place in [EngineRegionTests.there, EngineRegionTests.away, EngineRegionTests.there] {
      #expect(fix(place, in: world) == nil)
      asked.append(world.lastRequest)
    }
    // A slice of the first; the others wait, the third also for the second. What leaves meanwhile is
    // not fired.
    #expect((1...200).contains(world.deliveries.count))
    #expect(world.request(.cancel(app: "app", identifiers: ["gate999"])) != nil)
    #expect(world.scheduler.hasSlicedWork)
    world.advance(seconds: 0.001)
    #expect(world.takeDelivered().contains("sharp"))
    world.goesOn = true
    world.run()
    let replies = asked.map { world.replies[$0] }
    #expect(
      replies == [
        .located(crossings: 999), .located(crossings: 500), .located(crossings: 500),
      ])
    world.restart()
    #expect(fix(EngineRegionTests.there, in: world) == .located(crossings: 0))
    fix(EngineRegionTests.away, in: world)
    world.run()
    #expect(world.replies[world.lastRequest] == .located(crossings: 500))
  }
}
