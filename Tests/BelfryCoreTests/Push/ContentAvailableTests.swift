import SchedulerFixtures
import Testing

@testable import BelfryCore

/// Something new is there for the app (P1, P9).
struct ContentAvailableTests {
  private func world(launches: Bool = false) -> World {
    let world = World { $0.sinks = World.sinks }
    var profile = AppProfile(id: "app")
    profile.launch = "/usr/bin/app"
    profile.launchesForPush = launches
    world.profiles = [profile]
    world.restart()
    return world
  }

  @Test func P9_whereTheAppDoesNotRunItWaitsInTheInbox() {
    let world = world()
    #expect(world.push(world.silent(1))?.isStored == true)
    #expect(world.deliveries.isEmpty && world.launches.isEmpty)
    #expect(world.fate(World.identifier(1)) == [" delivered: waits in the inbox"])
    #expect(world.inbox() == [1])
    #expect(world.store.open.isEmpty)
    world.open(7)
    #expect(world.words(in: 7) == [])
  }

  @Test(arguments: [AppState.foreground, .background])
  func P9_D1_aRunningAppHearsOfItInWhateverState(state: AppState) {
    let world = world()
    world.open(7, state)
    world.push(world.silent(1))
    #expect(world.words(in: 7) == ["received \(World.identifier(1))"])
    #expect(world.events(in: 7)[0].occurrence.notification.push != nil)
    #expect(world.deliveries.isEmpty)
    #expect(world.fate(World.identifier(1)) == ["app received"])
    #expect(world.store.open.isEmpty)
    #expect(world.complete(7, 1) == .done)
  }

  @Test func P9_D1_withSomethingToShowItIsShownAsWell() {
    let world = world()
    world.open(7, .background)
    world.push(world.pushed(1) { $0.isContentAvailable = true })
    #expect(world.words(in: 7) == ["received \(World.identifier(1))"])
    #expect(world.takeBodies() == ["push 1", "push 1"])
    // A foreground session may take it, and a background one hears of it at once.
    world.open(8, .foreground)
    world.push(world.pushed(2) { $0.isContentAvailable = true })
    #expect(world.words(in: 7).last == "received \(World.identifier(2))")
    #expect(world.words(in: 8) == ["received \(World.identifier(2))"])
    world.complete(8, 1)
    world.advance(seconds: 3)
    #expect(world.takeBodies() == [])
    #expect(world.fate(World.identifier(2)) == ["app received"])
  }

  @Test func P9_anAlertAloneIsForTheForegroundOnly() {
    let world = world()
    world.open(7, .background)
    world.push(world.pushed(1))
    #expect(world.words(in: 7) == [])
    #expect(world.takeBodies() == ["push 1", "push 1"])
  }

  // MARK: Starting the app

  @Test func P9_D3_theManifestHasItStarted() {
    let world = world(launches: true)
    world.push(world.silent(1))
    #expect(world.launches.map { $0.app } == ["app"])
    #expect(world.deliveries.isEmpty && world.store.open.isEmpty)
    #expect(world.store.queuedEvents.count == 1)
    world.open(7, .background)
    #expect(world.words(in: 7) == ["received \(World.identifier(1))"])
    #expect(world.store.queuedEvents.isEmpty)
    #expect(world.fate(World.identifier(1)) == ["app received: received"])
    world.advance(seconds: 100)
    #expect(world.launches.count == 1)
  }

  @Test func P9_D3_anAlertIsShownAndStartsItToo() {
    let world = world(launches: true)
    world.push(world.pushed(1) { $0.isContentAvailable = true })
    #expect(world.takeBodies() == ["push 1", "push 1"])
    #expect(world.launches.count == 1)
    world.open(7, .foreground)
    #expect(world.words(in: 7) == ["received \(World.identifier(1))"])
    #expect(world.takeBodies() == [])
  }

  /// What the user did is the launch option, whatever came before it.
  @Test func P9_D3_aTapIsTheLaunchOptionAllTheSame() {
    let world = world(launches: true)
    world.push(world.silent(1))
    world.act("tapped")
    world.open(7, .foreground)
    #expect(world.words(in: 7) == ["launch tapped", "received \(World.identifier(1))"])
  }

  @Test func P9_aFloodStartsItOnceAndDisplacesNothing() {
    let world = world(launches: true)
    world.push(world.silent(1))
    world.act("answer", World.action("yes"))
    for id in 2...100 as ClosedRange<UInt64> { world.push(world.silent(id)) }
    #expect(world.launches.count == 1)
    #expect(world.fate(World.identifier(100)) == [" delivered: waits in the inbox"])
    world.open(7, .background)
    #expect(world.words(in: 7).count == 17)
    #expect(world.words(in: 7).contains("handleAction answer"))
    #expect(world.inbox().count == 100)
  }

  @Test func P9_D3_anotherLifeStartsItToo() {
    let world = world(launches: true)
    world.push(world.silent(1))
    world.restart()
    world.advance(seconds: 10)
    #expect(world.launches.count == 2)
    world.open(7, .background)
    #expect(world.words(in: 7).map { $0.prefix(8) } == ["received"])
  }

  /// Killed between the commit and what follows it, silent or not.
  @Test func P9_D7_theNextLifeTellsTheApp() {
    let world = world(launches: true)
    world.schedule("a", in: 1000)
    world.isBlocked = true
    world.send(.request(91, World.alice, .push(app: "app", world.silent(1))))
    _ = world.store.perform(world.queue.removeFirst().operation)
    world.isBlocked = false
    world.restart()
    #expect(world.launches.count == 1 && world.deliveries.isEmpty)
    #expect(world.store.open.isEmpty && world.store.queuedEvents.count == 1)
  }

  @Test func P9_withoutAProgramItWaits() {
    let world = World()
    var profile = AppProfile(id: "app")
    profile.launchesForPush = true
    world.profiles = [profile]
    world.restart()
    world.push(world.silent(1))
    #expect(world.launches.isEmpty)
    #expect(world.fate(World.identifier(1)) == [" delivered: waits in the inbox"])
  }

  /// A payload for the app alone goes to sinks that ask for everything, as userInfo does (D9).
  @Test func P6_D9_aPayloadAloneGoesToWhoWantsEverything() {
    let world = world()
    world.push(world.pushed(1) { $0.notification.alertBody = nil })
    #expect(world.deliveries.map { $0.sink } == [1])
    #expect(world.deliveries[0].parts == .userInfo)
  }
}
