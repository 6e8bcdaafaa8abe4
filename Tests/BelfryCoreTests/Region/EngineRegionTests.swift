import SchedulerFixtures
import Testing

@testable import BelfryCore

/// Regions in the scheduler: what fires, once or at every crossing, and what survives.
struct EngineRegionTests {
  static let region = CircularRegion(latitude: 52, longitude: 13, radius: 100)
  static let away = (53.0, 13.0)
  static let there = (52.0, 13.0)

  /// Alice's apps may know where the board is.
  private func world(
    _ change: (inout EngineConfiguration) -> Void = { _ in }
  ) -> World {
    World {
      $0.owner = World.alice.uid
      change(&$0)
    }
  }

  @discardableResult
  private func place(
    _ world: World, _ identifier: String, _ region: CircularRegion = region, app: String = "app",
    every: Bool = false, _ change: (inout Notification) -> Void = { _ in }
  ) -> ScheduleReply? {
    world.schedule(identifier, app: app) {
      $0.region = region
      $0.regionTriggersOnce = !every
      change(&$0)
    }
  }

  /// The number of crossings; nil: refused.
  @discardableResult
  private func fix(
    _ world: World, _ place: (Double, Double), accuracy: Double? = nil, time: Instant? = nil,
    by peer: Peer = World.root
  ) -> Int64? {
    world.advance(seconds: 1)
    let reply = world.request(
      .fix(latitude: place.0, longitude: place.1, accuracy: accuracy, time: time), by: peer)
    guard case .located(let crossings) = reply else { return nil }
    return crossings
  }

  @Test func R2_theFirstCrossingFiresAndUnschedules() throws {
    let world = world()
    let reply = try #require(place(world, "home"))
    #expect(reply.scheduled && reply.next == nil)
    #expect([fix(world, Self.away), fix(world, Self.away)] == [0, 0])
    #expect(world.listed() == ["home"])
    #expect(fix(world, Self.there) == 1)
    let delivery = try #require(world.deliveries.first)
    #expect(delivery.occurrence.due == world.now.real)
    #expect(delivery.occurrence.id == reply.occurrence)
    #expect([fix(world, Self.away), fix(world, Self.there)] == [0, 0])
    #expect(world.deliveries.count == 1)
    #expect(world.listed() == [])
    #expect(world.store.rows.isEmpty)
    #expect(world.store.history.values.map { $0.state } == [.delivered])
  }

  @Test func R2_everyCrossingFiresUnderItsNumber() {
    let world = world()
    place(world, "gate", every: true)
    let way = [Self.away, Self.there, Self.there, Self.away, Self.there]
    #expect(way.map { fix(world, $0) } == [0, 1, 0, 1, 1])
    #expect(world.deliveries.map { $0.occurrence.id.k } == [0, 1, 2])
    #expect(world.listed() == ["gate"])
    world.restart()
    #expect(fix(world, Self.there) == 0)
    #expect(fix(world, Self.away) == 1)
    #expect(world.deliveries.last?.occurrence.id.k == 3)
  }

  @Test(arguments: [(true, false, [1]), (false, true, [2]), (true, true, [1, 2])])
  func R1_entryAndExit(_ onEntry: Bool, _ onExit: Bool, _ expected: [Int]) {
    let world = world()
    var region = Self.region
    (region.notifyOnEntry, region.notifyOnExit) = (onEntry, onExit)
    place(world, "gate", region, every: true)
    let fired = [Self.away, Self.there, Self.away].map { fix(world, $0) == 1 }
    #expect(fired.indices.filter { fired[$0] } == expected)
  }

  @Test func R3_aCrossingNeedsAPreviousFixOnTheOtherSide() {
    let world = world()
    place(world, "home", every: true)
    #expect(fix(world, Self.there) == 0)
    #expect(fix(world, Self.away, accuracy: 2e5) == 0)
    #expect(fix(world, Self.there) == 0)
    #expect(fix(world, Self.away) == 1)
  }

  /// The last fix says where the board is, also to what is scheduled after it.
  @Test func R3_theLastFixCountsForWhatIsScheduledLater() {
    let world = world()
    fix(world, Self.away)
    place(world, "home")
    #expect(fix(world, Self.there) == 1)
    // After a start nobody knows whether it was the last one.
    fix(world, Self.away)
    world.restart()
    place(world, "home")
    #expect(fix(world, Self.there) == 0)
  }

  @Test func R3_aStartNeitherLosesACrossingNorInventsOne() {
    let world = world()
    place(world, "out", every: true)
    place(world, "in", every: true)
    fix(world, Self.away)
    world.restart()
    // The board was carried there while nobody looked.
    #expect(fix(world, Self.there) == 2)
    world.restart()
    #expect(fix(world, Self.there) == 0)
    #expect(world.takeDelivered() == ["out", "in"])
  }

  /// kill -9 between hand-over and commit: the same crossing again, under the same id.
  @Test func D7_aCrossingThatTheBooksMissedKeepsItsID() {
    let world = world()
    place(world, "home")
    fix(world, Self.away)
    world.isBlocked = true
    fix(world, Self.there)
    world.isBlocked = false
    world.restart()
    fix(world, Self.there)
    let ids = world.deliveries.map { $0.occurrence.id }
    #expect(ids.count == 2 && ids[0] == ids[1])
  }

  /// D8: no disk may delay a crossing.
  @Test func D8_aBlockedDiskDelaysNoCrossing() {
    let world = world()
    place(world, "home")
    fix(world, Self.away)
    world.isBlocked = true
    fix(world, Self.there)
    #expect(world.takeDelivered() == ["home"])
    world.isBlocked = false
    world.run()
    #expect(world.store.rows.isEmpty)
  }

  @Test func R3_aFixWhileTheBooksAreReadIsNotForgotten() {
    let world = world()
    place(world, "home")
    fix(world, Self.away)
    world.isBlocked = true
    world.restart()
    fix(world, Self.there)
    #expect(world.takeDelivered() == [])
    world.isBlocked = false
    world.run()
    #expect(world.takeDelivered() == ["home"])
  }

  /// Flash is precious: only a side that changes is written.
  @Test func R3_aFixThatChangesNothingWritesNothing() {
    let world = world()
    place(world, "home")
    fix(world, Self.away)
    let written = world.store.recorded.count
    for _ in 0..<100 { fix(world, Self.away) }
    #expect(world.store.recorded.count == written)
  }

  @Test func R4_atMostTwentyAnApp() {
    let world = world()
    for number in 0..<20 { #expect(place(world, "r\(number)") != nil) }
    let one = world.alert("r20") { $0.region = Self.region }
    let limit = Reply.refused(.limitReached(limit: "regions", value: 20))
    #expect(world.request(.schedule(app: "app", one)) == limit)
    // Another one's place may be taken, and other apps have their own.
    #expect(place(world, "r3") { $0.alertBody = "new" }?.replaced == true)
    #expect(place(world, "r20", app: "other") != nil)
    // Regions do not count towards the other limit, nor the other way round (N17).
    for number in 0..<64 { #expect(world.schedule("t\(number)", in: 100)?.discarded == []) }
    #expect(world.schedule("soon", in: 10)?.discarded == ["t63"])
    #expect(world.listed().count == 84)
    let list = (0..<21).map { number in world.alert("n\(number)") { $0.region = Self.region } }
    #expect(world.request(.replaceAll(app: "app", list)) == limit)
    #expect(world.listed().count == 84)
  }

  @Test func R4_theOperatorSetsAnotherNumber() {
    let world = world {
      $0.regions = 2
      $0.overrides["app"] = .init()
      $0.overrides["app"]?.limits.regions = 3
    }
    let placed = (0..<5).map { place(world, "r\($0)") != nil }
    #expect(placed == [true, true, true, false, false])
    #expect((0..<3).map { place(world, "r\($0)", app: "b") != nil } == [true, true, false])
  }

  /// What changes its kind counts towards the other limit.
  @Test func R4_aRegionThatBecomesATimeCounts() {
    let world = world { $0.notifications = 2 }
    place(world, "x")
    world.schedule("a", in: 100)
    world.schedule("b", in: 200)
    #expect(world.schedule("x", in: 300)?.scheduled == false)
    #expect(world.listed().sorted() == ["a", "b", "x"])
    let reply = world.schedule("x", in: 150)
    #expect(reply?.replaced == true && reply?.discarded == ["b"])
    #expect(world.listed().sorted() == ["a", "x"])
    fix(world, Self.away)
    #expect(fix(world, Self.there) == 0)
  }

  @Test func N1_replacingKeepsTheSideOfTheSameCircle() {
    let world = world()
    place(world, "home")
    fix(world, Self.away)
    world.restart()
    #expect(place(world, "home")?.unchanged == true)
    #expect(place(world, "home") { $0.alertBody = "new" }?.replaced == true)
    #expect(fix(world, Self.there) == 1)
    #expect(world.deliveries.map { $0.occurrence.id.generation } == [1])
  }

  @Test func N15_aRegionCanBeCancelled() {
    let world = world()
    place(world, "a")
    place(world, "b")
    fix(world, Self.away)
    #expect(
      world.request(.cancel(app: "app", identifiers: ["a"]))
        == .cancelled(cancelled: 1, withdrawn: 0))
    let like = world.alert("like b") {
      $0.region = Self.region
      $0.alertBody = "b"
    }
    #expect(
      world.request(.cancelEqual(app: "app", like)) == .cancelled(cancelled: 1, withdrawn: 0))
    #expect(fix(world, Self.there) == 0)
  }

  @Test func N16_aListKeepsWhatIsEqual() {
    let world = world()
    place(world, "a", every: true)
    place(world, "b")
    fix(world, Self.away)
    let list = [
      world.alert("a") {
        $0.region = Self.region
        $0.regionTriggersOnce = false
      }, world.alert("c") { $0.region = Self.region },
    ]
    guard case .replacedAll(let reply)? = world.request(.replaceAll(app: "app", list)) else {
      Issue.record("not replaced")
      return
    }
    #expect((reply.unchanged, reply.added, reply.cancelled) == (1, 1, 1))
    #expect(fix(world, Self.there) == 2)
    #expect(world.takeDelivered() == ["a", "c"])
  }

  @Test func R5_onlyRootTheOperatorAndTheDaemonsUserMayFix() {
    let world = World { $0.owner = 77 }
    let peers = [
      World.root, Peer(uid: 5, pid: 1, isOperator: true), Peer(uid: 77, pid: 1, isOperator: false),
      World.alice,
    ]
    #expect(peers.map { fix(world, Self.there, by: $0) } == [0, 0, 0, nil])
    #expect(world.replies.values.contains(.refused(.notPermitted)))
    #expect(world.scheduler.status.location.fix?.latitude == 52)
  }

  @Test(arguments: [
    (91.0, 0.0, nil, "latitude"), (-90.001, 0, nil, "latitude"), (.nan, 0, nil, "latitude"),
    (0, 180.5, nil, "longitude"), (0, .infinity, nil, "longitude"), (0, 0, -1.0, "accuracy"),
    (0, 0, .nan, "accuracy"), (0, 0, 1e9, "accuracy"),
  ])
  func R5_aFixThatIsNoneIsRefused(
    _ latitude: Double, _ longitude: Double, _ accuracy: Double?, _ field: String
  ) {
    let world = world()
    let reply = world.request(
      .fix(latitude: latitude, longitude: longitude, accuracy: accuracy, time: nil),
      by: World.root)
    guard case .refused(.invalidField(let error)) = reply else {
      Issue.record("\(String(describing: reply))")
      return
    }
    #expect(error.field == field && error.code == .outOfRange)
    #expect(world.scheduler.status.location.fix == nil)
  }

  @Test func R5_fixesThatGoBackInTimeAreRefused() {
    let world = world()
    place(world, "home")
    let noon = world.now.real
    #expect(fix(world, Self.away, time: noon) == 0)
    #expect(fix(world, Self.there, time: noon.advanced(by: -1)) == nil)
    #expect(world.takeDelivered() == [])
    #expect(fix(world, Self.away, time: noon) == 0)
    // Nor after a start.
    world.restart()
    #expect(fix(world, Self.there, time: noon.advanced(by: -1)) == nil)
    #expect(fix(world, Self.there, time: noon.advanced(by: 1)) == 1)
    // A fix from a clock that ran ahead is no measure once that is corrected.
    #expect(fix(world, Self.away, time: noon.advanced(by: Nanoseconds.day)) == 0)
    #expect(fix(world, Self.away, time: noon.advanced(by: Nanoseconds.hour)) == nil)
    #expect(fix(world, Self.away) == 0)
  }

  @Test func R5_deniedIsNeverDelivered() {
    let world = World { $0.overrides["app"] = .init() }
    let told = "it is held: the operator does not allow app to know where the board is"
    #expect(place(world, "home", every: true)?.warnings == [told])
    fix(world, Self.away)
    #expect(fix(world, Self.there) == 0)
    #expect(world.scheduler.status.location.denied == ["app"])
    let reply = world.request(.list(app: "app", delivered: false, cursor: 0, limit: 9))
    guard case .listed(let rows, _) = reply else { return }
    #expect(rows.map { $0.state } == [.held])
    #expect(rows.first?.reason?.contains("does not allow app") == true)
    // Allowed now, it is not delivered later; only what is crossed from now on is.
    world.configuration.overrides["app"]?.mayLocate = true
    world.restart()
    #expect(world.scheduler.status.location.denied == [])
    #expect(fix(world, Self.there) == 0)
    #expect(fix(world, Self.away) == 1)
  }

  @Test func R5_theOperatorCanDenyWhatIsAllowedByDefault() {
    let world = world {
      $0.overrides["app"] = .init()
      $0.overrides["app"]?.mayLocate = false
    }
    place(world, "home")
    fix(world, Self.away)
    #expect(fix(world, Self.there) == 0)
    #expect(world.listed() == ["home"])
  }

  @Test func N19_whatHasExpiredIsNotShownAtACrossing() {
    let world = world()
    place(world, "home") { $0.expires = world.now.real.advanced(by: 10 * Nanoseconds.second) }
    fix(world, Self.away)
    world.advance(seconds: 20)
    #expect(fix(world, Self.there) == 0)
    #expect(world.takeDelivered() == [])
    #expect(world.kinds("home") == [.expired])
    #expect(world.store.rows.isEmpty)
  }

  @Test func N14_presentingIgnoresWhatSaysWhen() {
    let world = world()
    let both = world.alert("now", in: 100) { $0.region = Self.region }
    guard case .scheduled? = world.request(.presentNow(app: "app", both)) else {
      Issue.record("refused")
      return
    }
    #expect(world.takeDelivered() == ["now"])
  }

  /// T9: places follow no clock.
  @Test func T9_noClockHoldsACrossing() {
    let world = world {
      $0.isClockTrusted = false
      $0.knownTime = World.start.advanced(by: Nanoseconds.day)
    }
    place(world, "home")
    fix(world, Self.away)
    #expect(fix(world, Self.there) == 1)
    #expect(world.takeDelivered() == ["home"])
  }

  @Test func N18_nobodyKnowsWhenARegionIsNext() {
    let world = world()
    place(world, "home")
    let next = Request.next(app: "app", identifier: "home", count: 3, after: nil)
    #expect(world.request(next) == .occurrences([]))
    let draft = world.alert("draft") { $0.region = Self.region }
    #expect(
      world.request(.nextOfDraft(draft, count: 3, after: nil)) == .occurrences([]))
    #expect(world.scheduler.nextWake.real == nil)
    world.advance(seconds: 1e7)
    #expect(world.listed() == ["home"])
    #expect(world.problems == [])
  }
}
