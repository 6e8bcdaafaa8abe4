import Testing

@testable import BelfryCore

/// The directory alone, without a scheduler around it.
@Suite struct AppDirectoryTests {
  private var apps = AppDirectory()
  private var configuration = EngineConfiguration()

  private mutating func make(_ id: String, uid: UInt32 = 1000) -> SchedulerApp {
    apps.make(id, uid: uid, used: World.start)
  }

  private static func manifest(
    _ id: String, _ change: (inout AppProfile) -> Void = { _ in }
  ) -> AppProfile {
    var profile = AppProfile(id: id)
    change(&profile)
    return profile
  }

  @Test mutating func A1_anIdBelongsToItsManifestsUserThenToItsFirst() {
    #expect(apps.owner(of: "clock") == nil)
    #expect(apps.owner(of: "user.1001.tool") == 1001)
    let app = make("clock")
    #expect(apps.owner(of: "clock") == 1000 && apps.isTaken(app))
    #expect(apps.misowned("clock").map { $0.owner } == nil)
    apps.note(Self.manifest("clock") { $0.owner = 1001 })
    #expect(apps.owner(of: "clock") == 1001 && !apps.isTaken(app))
    #expect(apps.misowned("clock")?.owner == 1001)
    apps.removeProfile(of: "clock")
    #expect(apps.owner(of: "clock") == 1000)
  }

  @Test mutating func A1_anIdIsFreeWhileItsFormerAppIsOnItsWayOut() {
    let old = make("clock")
    apps.freeName(of: old)
    #expect(apps.named("clock") == nil && apps[old.number] === old)
    let new = make("clock", uid: 1001)
    #expect(new.number != old.number && new.owner == 1001)
    apps.remove(old)
    #expect(apps[old.number] == nil && apps.named("clock") === new)
    #expect(apps.apps(of: 1001).count == 1 && apps.apps(of: 1000).isEmpty)
  }

  @Test mutating func A1_numbersAreNeverUsedTwice() {
    let first = make("one")
    apps.remove(first)
    #expect(make("two").number == first.number + 1)
    apps.add(
      SchedulerApp(number: 40, name: "restored", owner: 1000, badge: 0, registrationState: .done))
    #expect(make("three").number == 41)
    #expect(apps.inOrder.map { $0.name } == ["two", "restored", "three"])
  }

  @Test mutating func A2_theOperatorsWordGoesBeforeTheManifests() {
    apps.note(
      Self.manifest("clock") {
        $0.limits.notifications = 10
        $0.limits.inbox = 20
      })
    configuration.overrides["clock"] = .init()
    configuration.overrides["clock"]?.limits.notifications = 5
    let profile = apps.profile(of: "clock", configuration)
    #expect(profile.limits.notifications == 5 && profile.limits.inbox == 20)
    #expect(apps.profile(of: "other", configuration) == AppProfile(id: "other"))
    #expect(apps.ids == ["clock"] && apps.isKnown("clock") && !apps.isKnown("other"))
  }

  @Test mutating func R5_rootsAppsMayLocateAndOthersByWord() {
    configuration.owner = 1000
    #expect(apps.mayLocate("app", owner: 0, configuration))
    #expect(apps.mayLocate("app", owner: 1000, configuration))
    #expect(!apps.mayLocate("app", owner: 1001, configuration))
    #expect(!apps.mayLocate("app", owner: nil, configuration))
    #expect(!apps.knowsPlace(1001, configuration))
    apps.note(
      Self.manifest("map") {
        $0.owner = 1001
        $0.mayLocate = true
      })
    #expect(apps.knowsPlace(1001, configuration))
  }

  @Test mutating func S6_aGroupGivesTheRightToBeCritical() {
    configuration.criticalGroups = [27]
    #expect(!apps.mayBeCritical("app", owner: 1001, configuration))
    apps.noteCriticalGroup(27, of: 1001)
    #expect(apps.mayBeCritical("app", owner: 1001, configuration))
    apps.note(Self.manifest("app") { $0.mayBeCritical = false })
    #expect(!apps.mayBeCritical("app", owner: 1001, configuration))
  }

  @Test mutating func N17_whoWaitsForRoomIsServedInOrderOnce() {
    let both = [make("one"), make("two")]
    for app in both.reversed() { apps.waitForRoom(app) }
    let none = apps.endWaitForRoom { _ in true }
    #expect(none.isEmpty)
    let first = apps.endWaitForRoom { $0 == both[1].number }
    #expect(first.map { $0.name } == ["one"])
    let second = apps.endWaitForRoom { _ in false }
    #expect(second.map { $0.name } == ["two"])
  }
}
