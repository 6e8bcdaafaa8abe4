import Testing

@testable import BelfryCore

/// Who may be critical (S6).
@Suite struct CriticalRightTests {
  private static let ward = Peer(uid: 1000, pid: 1, isOperator: false, criticalGroup: 50)

  /// The level that a critical alert of `peer` in `app` is handed over with.
  private func level(
    _ world: World, app: String = "app", by peer: Peer = World.alice
  ) -> InterruptionLevel? {
    let alert = world.alert("a") { $0.interruptionLevel = .critical }
    world.deliveries = []
    world.request(.presentNow(app: app, alert), by: peer)
    return world.deliveries.first?.level
  }

  @Test func S6_whoHasNoRightIsTimeSensitive() {
    #expect(level(World()) == .timeSensitive)
  }

  @Test func S6_rootTheOperatorAndTheDaemonsOwnUserMayBeCritical() {
    let world = World {
      $0.owner = 1000
      $0.criticalGroups = [7]
    }
    #expect(level(world, app: "a", by: World.root) == .critical)
    #expect(level(world, app: "b", by: World.alice) == .critical)
    #expect(level(world, app: "c", by: World.bob) == .timeSensitive)
    let nurse = Peer(uid: 1002, pid: 4, isOperator: true, criticalGroup: 7)
    #expect(level(world, app: "d", by: nurse) == .critical)
  }

  @Test func S6_theRightIsTheAppsAndNotOfWhoSchedulesInIt() {
    let world = World()
    #expect(level(world, by: World.alice) == .timeSensitive)
    #expect(level(world, by: World.root) == .timeSensitive)
  }

  @Test(arguments: [true, false])
  func S6_theOperatorsWordGoesBeforeTheManifestsAndThatBeforeTheUid(word: Bool) {
    let world = World {
      $0.overrides["b"] = .init()
      $0.overrides["b"]?.mayBeCritical = word
    }
    for id in ["a", "b"] {
      var profile = AppProfile(id: id)
      profile.mayBeCritical = id == "a" ? word : !word
      world.send(.app(profile))
    }
    for id in ["a", "b"] {
      let peer = word ? World.alice : World.root
      #expect(level(world, app: id, by: peer) == (word ? .critical : .timeSensitive))
    }
  }

  @Test func S6_aGroupOfTheOwnersCountsForAllOfHisApps() {
    let world = World { $0.criticalGroups = [50] }
    #expect(level(world, app: "a") == .timeSensitive)
    // He lists something by a connection that has the group.
    world.request(.list(app: "a", delivered: false, cursor: 0, limit: 1), by: Self.ward)
    #expect(world.scheduler.effectiveLevel(of: critical, app: 1) == .critical)
    #expect(level(world, app: "b", by: Self.ward) == .critical)
    // One that has fewer groups, and schedules nothing critical, takes nothing away.
    world.request(.list(app: "a", delivered: false, cursor: 0, limit: 1), by: World.alice)
    #expect(world.scheduler.effectiveLevel(of: critical, app: 1) == .critical)
    #expect(level(world, app: "a", by: World.alice) == .timeSensitive)
    #expect(world.scheduler.effectiveLevel(of: critical, app: 2) == .timeSensitive)
  }

  private var critical: Notification {
    var notification = Notification()
    notification.alertBody = "x"
    notification.interruptionLevel = .critical
    return notification
  }

  @Test func S6_aLesserLevelStaysAsItIs() {
    let world = World()
    world.schedule("a", in: 10)
    for level in [InterruptionLevel.passive, .active, .timeSensitive] {
      var notification = Notification()
      notification.interruptionLevel = level
      #expect(world.scheduler.effectiveLevel(of: notification, app: 1) == level)
    }
  }

  @Test func S6_theRightByAGroupSurvivesARestartAndNotTheGroupsOwnEnd() {
    let world = World { $0.criticalGroups = [50] }
    world.request(.schedule(app: "app", scheduled("a", world)), by: Self.ward)
    world.restart()
    #expect(world.scheduler.effectiveLevel(of: critical, app: 1) == .critical)
    #expect(world.scheduler.demoted(owner: nil).count == 0)
    world.configuration.criticalGroups = [51]
    world.restart()
    #expect(world.scheduler.effectiveLevel(of: critical, app: 1) == .timeSensitive)
    #expect(world.said.contains { $0.contains("1 scheduled critical") && $0.contains("app a") })
  }

  @Test func S6_theAnswerSaysThatItCountsAsLess() {
    let world = World()
    for request: Request in [
      .schedule(app: "app", scheduled("a", world)), .presentNow(app: "app", critical),
    ] {
      guard case .scheduled(let reply) = world.request(request) else { Issue.record(); continue }
      #expect(reply.demotion?.contains("app may not be critical") ?? false)
      guard case .scheduled(let roots) = world.request(request.of("root"), by: World.root) else {
        Issue.record()
        continue
      }
      #expect(roots.demotion == nil)
    }
    let list = [scheduled("a", world), scheduled("b", world), world.alert("c", in: 60)]
    guard case .replacedAll(let reply) = world.request(.replaceAll(app: "app", list)) else {
      Issue.record()
      return
    }
    #expect(reply.demoted == 2)
    #expect(reply.demotion != nil)
  }

  @Test func S6_statusNamesThoseThatCountAsLessToWhoseTheyAre() {
    let world = World()
    for name in ["a", "b"] { world.request(.schedule(app: "app", scheduled(name, world))) }
    world.request(.schedule(app: "bobs", scheduled("c", world)), by: World.bob)
    world.request(.schedule(app: "roots", scheduled("d", world)), by: World.root)
    let all = world.scheduler.demoted(owner: nil)
    #expect(all.count == 3)
    #expect(all.named == ["app a", "app b", "bobs c"])
    #expect(world.scheduler.demoted(for: World.root).count == 3)
    #expect(world.scheduler.demoted(for: World.bob).named == ["bobs c"])
    world.request(.cancel(app: "app", identifiers: ["a"]))
    world.request(.schedule(app: "app", world.alert("b", in: 60)))
    world.restart()
    #expect(world.scheduler.demoted(owner: nil).named == ["bobs c"])
  }

  @Test func S6_namesAreBoundedAndTheNumberIsWhole() {
    let world = World { $0.notifications = 100 }
    for number in 0..<40 {
      world.request(.schedule(app: "app", scheduled("n\(number)", world)))
    }
    for number in 0..<20 { world.request(.cancel(app: "app", identifiers: ["n\(number)"])) }
    for number in 40..<50 {
      world.request(.schedule(app: "app", scheduled("n\(number)", world)))
    }
    let (count, named) = world.scheduler.demoted(owner: nil)
    #expect(count == 30)
    #expect(named.count <= 16)
    #expect(named.contains("app n40"))
  }

  private func scheduled(_ identifier: String, _ world: World) -> Notification {
    world.alert(identifier, in: 3600) { $0.interruptionLevel = .critical }
  }
}

extension Request {
  fileprivate func of(_ app: String) -> Request {
    switch self {
    case .schedule(_, let notification, _): .schedule(app: app, notification)
    case .presentNow(_, let notification): .presentNow(app: app, notification)
    default: self
    }
  }
}
