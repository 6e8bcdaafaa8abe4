import SchedulerFixtures
import Testing

@testable import BelfryCore

@Suite struct SessionTests {
  @Test func A1_anotherUsersSessionIsUnknown() {
    let world = World()
    world.open(1)
    for peer in [World.bob, World.root] {
      #expect(
        world.request(.setState(session: 1, .background), by: peer) == .refused(.unknownSession(1)))
      #expect(world.complete(1, 1, by: peer) == .refused(.unknownSession(1)))
    }
    #expect(world.complete(7, 1) == .refused(.unknownSession(7)))
    #expect(
      world.complete(1, 1)
        == .refused(
          .invalidField(FieldError("event", .outOfRange, "this session has had no such event"))))
    #expect(world.open(2, by: World.bob) == .refused(.notOwner(app: "app")))
    #expect(world.open(3, by: World.root) == .sessionOpened(3, waiting: 0))
  }

  @Test func A2_sessionsHaveALimitPerAppAndPerUser() {
    let world = World {
      $0.sessions = 3
      $0.overrides["small"] = EngineConfiguration.AppOverride()
      $0.overrides["small"]?.limits.sessions = 1
    }
    #expect(world.open(1, app: "small") == .sessionOpened(1, waiting: 0))
    #expect(
      world.open(2, app: "small") == .refused(.limitReached(limit: "sessions", value: 1)))
    world.open(3)
    world.open(4)
    #expect(
      world.open(5, app: "more") == .refused(.limitReached(limit: "sessions", value: 3)))
    #expect(world.open(6, app: "bobs", by: World.bob) == .sessionOpened(6, waiting: 0))
    world.close(3)
    #expect(world.open(7, app: "more") == .sessionOpened(7, waiting: 0))
  }

  @Test func D1_aSessionThatEndsBeforeItOpensNeverIs() {
    let world = World()
    world.isBlocked = true
    world.open(1)
    world.close(1)
    world.isBlocked = false
    world.run()
    #expect(world.scheduler.status.sessions == 0)
    world.schedule("tea", in: 10)
    world.advance(seconds: 10)
    #expect(world.deliveries.count == 1)
    #expect(world.told.isEmpty)
  }

  @Test func D1_64AppsGetEachTheirOwnAndNothingIsLeftBehind() {
    let world = World()
    for app in 0..<64 {
      // One user may take 32 ids.
      world.open(SessionID(app + 1), app: "app\(app)", by: World.root)
      for number in 0..<64 {
        let alert = world.alert("\(app).\(number)", in: 100 + Double(number) / 64)
        world.request(.schedule(app: "app\(app)", alert), by: World.root)
      }
    }
    var done = 0
    for _ in 0..<64 {
      world.advance(seconds: done == 0 ? 100.0 : 1.0 / 64)
      while done < world.told.count {
        let (session, event) = world.told[done]
        done += 1
        world.complete(session, event.id, by: World.root)
      }
    }
    for app in 0..<64 {
      let names = (0..<64).map { "received \(app).\($0)" }
      #expect(world.words(in: SessionID(app + 1)) == names)
    }
    #expect(world.deliveries.isEmpty)
    #expect(world.scheduler.nextWake == NextWake(real: nil, elapsed: nil))
    #expect(world.scheduler.sessions.offers.isEmpty)
  }

  @Test func D2_aSleepingSessionCostsNoWakeUp() {
    let world = World()
    world.open(1)
    world.open(2, .background)
    #expect(world.scheduler.nextWake == NextWake(real: nil, elapsed: nil))
  }

  @Test func A1_anAppThatBecomesAnothersLosesItsSessions() {
    let world = World()
    world.open(1)
    world.act("pill", World.action("taken"))
    var profile = AppProfile(id: "app")
    profile.owner = World.bob.uid
    world.send(.app(profile))
    #expect(world.endedSessions == [1])
    #expect(world.complete(1, 1) == .refused(.unknownSession(1)))
    #expect(world.open(2, by: World.bob) == .sessionOpened(2, waiting: 0))
    world.close(1)
    #expect(world.words(in: 2).isEmpty)
    #expect(world.store.queuedEvents.isEmpty)
  }
}
