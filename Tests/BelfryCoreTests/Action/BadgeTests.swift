import SchedulerFixtures
import Testing

@testable import BelfryCore

@Suite struct BadgeTests {
  private func badge(_ world: World, app: String = "app") -> Int64? {
    guard case .badge(let badge) = world.request(.user(app: app, .badge)) else { return nil }
    return badge
  }

  @Test func D6_theBadgeIsOneNumberThatTheAppSetsAndReads() {
    let world = World { $0.sinks = World.sinks }
    #expect(badge(world) == 0)
    #expect(world.request(.user(app: "app", .setBadge(7))) == .done)
    #expect(badge(world) == 7)
    #expect(badge(world, app: "other") == 0)
    #expect(world.badges.map { $0.value } == [7])
    world.restart()
    #expect(badge(world) == 7)
    #expect(world.request(.user(app: "app", .setBadge(0))) == .done)
    #expect(badge(world) == 0)
    // The sink heard of it after the restart, and that it is cleared.
    #expect(world.badges.map { $0.value } == [7, 7, 0])
  }

  /// It shows what it was told in an earlier life.
  @Test func D6_aBadgeClearedWhileItsSinkIsDownIsToldWhenItComes() {
    let world = World { $0.sinks = World.sinks }
    world.request(.user(app: "app", .setBadge(7)))
    world.restart(sinksUp: false)
    world.request(.user(app: "app", .setBadge(0)))
    world.badges = []
    world.send(.sink(1, .up))
    #expect(world.badges.map { $0.value } == [0])
  }

  @Test func D6_aBadgeThatIsNoneIsRefusedAndChangesNothing() {
    let world = World()
    world.request(.user(app: "app", .setBadge(3)))
    for number: Int64 in [-1, .min, 0x8000_0000, .max] {
      guard
        case .refused(.invalidField(let error)) = world.request(
          .user(app: "app", .setBadge(number)))
      else { return #expect(Bool(false), "\(number) was taken") }
      #expect(error.field == "badge" && error.code == .outOfRange)
    }
    #expect(badge(world) == 3)
  }

  @Test func N11_aNotificationChangesTheBadgeThatTheAppHasSet() {
    let world = World { $0.sinks = World.sinks }
    world.request(.user(app: "app", .setBadge(5)))
    world.schedule("leaves", in: 1)
    world.advance(seconds: 2)
    #expect(badge(world) == 5)
    world.schedule("adds", in: 1) {
      $0.applicationIconBadgeNumber = 2
      $0.badgeOperation = .add
    }
    world.advance(seconds: 2)
    #expect(badge(world) == 7)
    world.schedule("clears", in: 1) { $0.applicationIconBadgeNumber = -1 }
    world.advance(seconds: 2)
    #expect(badge(world) == 0)
  }

  @Test func A1_nobodyElseReadsOrSetsIt() {
    let world = World()
    world.request(.user(app: "app", .setBadge(5)))
    #expect(
      world.request(.user(app: "app", .badge), by: World.bob) == .refused(.notOwner(app: "app")))
    #expect(
      world.request(.user(app: "app", .setBadge(1)), by: World.bob)
        == .refused(.notOwner(app: "app")))
    #expect(world.request(.user(app: "app", .badge), by: World.root) == .badge(5))
  }
}
