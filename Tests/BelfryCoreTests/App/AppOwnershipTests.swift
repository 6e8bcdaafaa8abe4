import SchedulerFixtures
import Testing

@testable import BelfryCore

@Suite struct AppOwnershipTests {
  private func manifest(
    _ id: String, owner: UInt32? = nil, _ change: (inout AppProfile) -> Void = { _ in }
  ) -> AppProfile {
    var profile = AppProfile(id: id)
    profile.owner = owner
    profile.manifest = "/etc/belfry/apps/\(id).app"
    change(&profile)
    return profile
  }

  private func schedule(_ world: World, _ app: String, by peer: Peer) -> Reply? {
    world.request(.schedule(app: app, world.alert("a", in: 60)), by: peer)
  }

  private func isScheduled(_ reply: Reply?) -> Bool {
    if case .scheduled(let reply) = reply { reply.scheduled } else { false }
  }

  // MARK: Whose it is

  @Test func A1_anIdBelongsToTheUidThatItsManifestNames() {
    let world = World()
    world.send(.app(manifest("clock", owner: World.bob.uid)))
    #expect(schedule(world, "clock", by: World.alice) == .refused(.notOwner(app: "clock")))
    #expect(isScheduled(schedule(world, "clock", by: World.bob)))
    #expect(isScheduled(schedule(world, "clock", by: World.root)))
    #expect(world.store.apps.values.map { $0.owner } == [World.bob.uid])
  }

  @Test func A1_whatAnotherHadInAnIdGoesWhenAManifestNamesItsUid() {
    let world = World { $0.sinks = World.sinks }
    world.request(.schedule(app: "clock", world.alert("hers", in: 60)), by: World.alice)
    world.request(.presentNow(app: "clock", world.alert("shown")), by: World.alice)
    world.request(.user(app: "clock", .setBadge(4)), by: World.alice)
    world.events = []
    world.send(.app(manifest("clock", owner: World.bob.uid)))
    #expect(world.withdrawals.count == 2)
    #expect(world.badges.last?.value == 0)
    // Who watches the id from now on hears nothing of it.
    #expect(world.events.isEmpty)
    #expect(world.listed(app: "clock", by: World.bob).isEmpty)
    #expect(
      world.request(.history(app: "clock", cursor: 0, limit: 9), by: World.bob)
        == .history([], cursor: nil))
    #expect(schedule(world, "clock", by: World.alice) == .refused(.notOwner(app: "clock")))
    #expect(isScheduled(schedule(world, "clock", by: World.bob)))
    world.deliveries = []
    world.advance(seconds: 70)
    #expect(Set(world.takeDelivered()) == ["a"])
    #expect(world.store.rows.isEmpty)
    #expect(world.store.apps.count == 1)
    #expect(world.problems.isEmpty)
  }

  @Test func A1_sessionsOfWhoHadTheIdAreUnknownFromThenOn() {
    let world = World()
    let opening = Request.openSession(app: "clock", session: 7, state: .foreground)
    #expect(world.request(opening, by: World.alice) == .sessionOpened(7, waiting: 0))
    world.send(.app(manifest("clock", owner: World.bob.uid)))
    #expect(
      world.request(.setState(session: 7, .background), by: World.alice)
        == .refused(.unknownSession(7)))
    world.request(.schedule(app: "clock", world.alert("his", in: 5)), by: World.bob)
    world.told = []
    world.advance(seconds: 10)
    #expect(world.told.isEmpty)
    #expect(world.takeDelivered() == ["his"])
  }

  @Test func A1_anIdWithAnOpenSessionIsNotFree() {
    let world = World()
    world.request(.openSession(app: "clock", session: 7, state: .background), by: World.alice)
    world.advance(seconds: 40 * 86_400)
    #expect(schedule(world, "clock", by: World.bob) == .refused(.notOwner(app: "clock")))
    world.send(.sessionClosed(7, isUnread: false))
    #expect(isScheduled(schedule(world, "clock", by: World.bob)))
  }

  @Test func A1_aManifestReadAtTheStartTakesTheIdToo() {
    let world = World()
    world.request(.schedule(app: "clock", world.alert("hers", in: 60)), by: World.alice)
    world.profiles = [manifest("clock", owner: World.bob.uid)]
    world.restart()
    #expect(world.store.rows.isEmpty)
    #expect(schedule(world, "clock", by: World.alice) == .refused(.notOwner(app: "clock")))
    #expect(isScheduled(schedule(world, "clock", by: World.bob)))
    world.restart()
    #expect(world.listed(app: "clock", by: World.bob) == ["a"])
  }

  @Test func A1_anIdStaysWhoseItWasWhenItsManifestGoes() {
    let world = World()
    world.send(.app(manifest("clock", owner: World.bob.uid)))
    #expect(isScheduled(schedule(world, "clock", by: World.bob)))
    world.send(.appGone("clock"))
    #expect(schedule(world, "clock", by: World.alice) == .refused(.notOwner(app: "clock")))
    world.restart()
    #expect(world.listed(app: "clock", by: World.bob) == ["a"])
  }

  @Test func A1_anIdWhoseManifestCannotBeReadIsForNobodyNew() {
    let world = World()
    #expect(isScheduled(schedule(world, "clock", by: World.alice)))
    for id in ["clock", "bell"] {
      var broken = AppProfile(id: id)
      broken.isReserved = true
      world.send(.app(broken))
    }
    // Whoever has it keeps it.
    #expect(world.listed(app: "clock", by: World.alice) == ["a"])
    #expect(schedule(world, "bell", by: World.alice) == .refused(.notOwner(app: "bell")))
    #expect(schedule(world, "bell", by: World.bob) == .refused(.notOwner(app: "bell")))
    // Mended, it says whose it is.
    world.send(.app(manifest("bell", owner: World.bob.uid)))
    #expect(isScheduled(schedule(world, "bell", by: World.bob)))
  }

  // MARK: How many

  @Test func A1_aUserTakes32IdsAtMost() {
    let world = World()
    for number in 1...32 {
      #expect(isScheduled(schedule(world, "app\(number)", by: World.alice)))
    }
    #expect(
      schedule(world, "app33", by: World.alice) == .refused(.limitReached(limit: "apps", value: 32))
    )
    // Nothing else is disturbed: her own, another's, root's, and what a manifest gives her.
    #expect(isScheduled(schedule(world, "app32", by: World.alice)))
    #expect(isScheduled(schedule(world, "user.1000", by: World.alice)))
    #expect(isScheduled(schedule(world, "app33", by: World.bob)))
    world.send(.app(manifest("given", owner: World.alice.uid)))
    #expect(isScheduled(schedule(world, "given", by: World.alice)))
    for number in 100...140 {
      #expect(isScheduled(schedule(world, "app\(number)", by: World.root)))
    }
    world.restart()
    #expect(
      schedule(world, "more", by: World.alice) == .refused(.limitReached(limit: "apps", value: 32)))
  }

  @Test func A2_theOperatorSetsHowManyIdsAUserTakes() {
    let world = World { $0.apps = 2 }
    #expect(isScheduled(schedule(world, "one", by: World.alice)))
    #expect(isScheduled(schedule(world, "two", by: World.alice)))
    #expect(
      schedule(world, "three", by: World.alice) == .refused(.limitReached(limit: "apps", value: 2)))
  }

  // MARK: How long

  @Test func A1_anIdIsFree30DaysAfterItsLastEntry() {
    let world = World()
    #expect(isScheduled(schedule(world, "clock", by: World.alice)))
    let day = 86_400.0
    world.advance(seconds: 29 * day)
    #expect(schedule(world, "clock", by: World.bob) == .refused(.notOwner(app: "clock")))
    world.restart()
    world.advance(seconds: 2 * day)
    // She may still use it herself, and that counts.
    #expect(isScheduled(schedule(world, "clock", by: World.alice)))
    world.advance(seconds: 30 * day - 3600)
    #expect(schedule(world, "clock", by: World.bob) == .refused(.notOwner(app: "clock")))
    world.advance(seconds: 7200)
    world.restart()
    #expect(isScheduled(schedule(world, "clock", by: World.bob)))
    #expect(schedule(world, "clock", by: World.alice) == .refused(.notOwner(app: "clock")))
    #expect(world.store.apps.count == 1)
    world.restart()
    #expect(world.listed(app: "clock", by: World.bob) == ["a"])
  }

  @Test func A1_anIdWithSomethingInItIsNeverFree() {
    let world = World()
    world.request(.schedule(app: "clock", world.alert("far", in: 1e8)), by: World.alice)
    world.request(
      .schedule(app: "bell", world.alert("daily", in: 60, repeats: .day)), by: World.alice)
    let here = CircularRegion(latitude: 1, longitude: 1, radius: 100)
    let arrival = world.alert("here") { $0.region = here }
    world.request(.schedule(app: "place", arrival), by: World.alice)
    world.advance(seconds: 40 * 86_400)
    world.restart()
    for app in ["clock", "bell", "place"] {
      #expect(schedule(world, app, by: World.bob) == .refused(.notOwner(app: app)))
    }
  }

  @Test func A1_theDaysCountFromTheLastFiringOrCancellation() {
    let world = World()
    world.request(.schedule(app: "fires", world.alert("a", in: 20 * 86_400)), by: World.alice)
    world.request(.schedule(app: "goes", world.alert("a", in: 90 * 86_400)), by: World.alice)
    world.advance(seconds: 20 * 86_400 + 10)
    world.request(.cancelAll(app: "goes"), by: World.alice)
    world.advance(seconds: 29 * 86_400)
    world.restart()
    for app in ["fires", "goes"] {
      #expect(schedule(world, app, by: World.bob) == .refused(.notOwner(app: app)))
    }
    world.advance(seconds: 2 * 86_400)
    for app in ["fires", "goes"] { #expect(isScheduled(schedule(world, app, by: World.bob))) }
  }

  @Test func A1_idsThatAreFreeDoNotCount() {
    let world = World { $0.apps = 2 }
    #expect(isScheduled(schedule(world, "one", by: World.alice)))
    #expect(isScheduled(schedule(world, "two", by: World.alice)))
    world.advance(seconds: 31 * 86_400)
    #expect(isScheduled(schedule(world, "three", by: World.alice)))
    #expect(isScheduled(schedule(world, "four", by: World.alice)))
    #expect(
      schedule(world, "five", by: World.alice) == .refused(.limitReached(limit: "apps", value: 2)))
  }

  @Test func A1_aClockThatMayBeWrongFreesNothing() {
    let world = World { $0.isClockTrusted = false }
    world.isSynchronised = true
    #expect(isScheduled(schedule(world, "clock", by: World.alice)))
    world.advance(seconds: 100)
    world.configuration.knownTime = world.now.real.advanced(by: 90 * Nanoseconds.day)
    world.isSynchronised = false
    world.reboot(real: world.now.real.advanced(by: 60 * Nanoseconds.day))
    #expect(schedule(world, "clock", by: World.bob) == .refused(.notOwner(app: "clock")))
  }

  // MARK: What holds

  @Test func A2_theOperatorsWordStandsAboveTheManifestAndThatAboveTheLimits() {
    let world = World {
      $0.notifications = 5
      $0.overrides["both"] = .init()
      $0.overrides["both"]!.limits.notifications = 3
    }
    for id in ["both", "manifest"] {
      world.send(.app(manifest(id) { $0.limits.notifications = 4 }))
    }
    for (app, most) in [("none", 5), ("manifest", 4), ("both", 3)] {
      for number in 1...6 { world.schedule("\(number)", in: Double(60 + number), app: app) }
      #expect(world.listed(app: app).count == most, "\(app)")
    }
    world.send(.appGone("manifest"))
    world.schedule("5", in: 65, app: "manifest")
    #expect(world.listed(app: "manifest").count == 5)
  }

  @Test func A1_appsAreToldToThoseWhoMaySeeThem() {
    let world = World()
    world.send(.app(manifest("bobs", owner: World.bob.uid) { $0.launch = "/usr/bin/bobs" }))
    world.send(.app(manifest("anyones") { $0.problems = ["line 3"] }))
    #expect(isScheduled(schedule(world, "hers", by: World.alice)))
    func ids(_ peer: Peer, _ app: String? = nil) -> [String] {
      guard
        case .apps(let rows, nil) = world.request(.apps(app: app, cursor: 0, limit: 9), by: peer)
      else { return ["?"] }
      return rows.map { $0.app }
    }
    #expect(ids(World.alice) == ["anyones", "hers"])
    #expect(ids(World.bob) == ["anyones", "bobs"])
    #expect(ids(World.root) == ["anyones", "bobs", "hers"])
    #expect(ids(World.bob, "hers") == ["?"])
    #expect(ids(World.bob, "nobodys").isEmpty)
    guard
      case .apps(let page, cursor: 1) = world.request(
        .apps(app: nil, cursor: 0, limit: 1), by: World.alice)
    else { return #expect(Bool(false), "no page") }
    #expect(page.map { $0.problems } == [["line 3"]])
  }
}
