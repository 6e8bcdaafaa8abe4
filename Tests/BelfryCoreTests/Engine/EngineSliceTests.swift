import SchedulerFixtures
import Testing

@testable import BelfryCore

/// Large requests go on in slices, and what is due comes between them (A2, N16).
struct EngineSliceTests {
  private func world() -> World {
    let world = World { $0.notifications = 10_000 }
    world.goesOn = false
    return world
  }

  private func list(_ world: World, _ count: Int) -> [BelfryCore.Notification] {
    (0..<count).map { world.alert("new\($0)", in: 1000 + Double($0)) }
  }

  @Test func A2_N16_theOldListFiresWhileALongOneIsPlanned() {
    let world = world()
    world.schedule("old", in: 1)
    world.schedule("kept", in: 500)
    let reply = world.request(.replaceAll(app: "app", list(world, 1000)))
    #expect(reply == nil)
    #expect(world.scheduler.hasSlicedWork)
    #expect(world.scheduler.nextWake.elapsed == world.now.elapsed)
    var slices = 0
    world.sleep(seconds: 1)
    world.send(.clock)
    #expect(world.takeDelivered() == ["old"])
    // Before the swap it is the old list.
    #expect(world.store.rows.values.map { $0.notification.identifier } == ["kept"])
    while world.scheduler.hasSlicedWork {
      world.send(.clock)
      slices += 1
    }
    // 1000 rows twice, at most 64 a slice.
    #expect(slices >= 2 * 1000 / (SchedulerEngine.sliceBudget / SchedulerEngine.rowCost) - 3)
    guard
      case .replacedAll(let done) = world.replies.values.first(where: {
        if case .replacedAll = $0 { true } else { false }
      })
    else { Issue.record("no answer"); return }
    #expect((done.added, done.cancelled) == (1000, 1))
    #expect(world.store.rows.count == 1000)
    #expect(world.scheduler.pending.table.isSound)
    world.goesOn = true
    world.advance(seconds: 1010)
    #expect(world.takeDelivered().count >= 10)
  }

  /// Its rows are parted by what stays in slices, too, and so is the telling of what does not.
  @Test func A2_N17_aListFarOverTheLimitIsCutInSlices() {
    let world = World {
      $0.notifications = 100
      $0.onFull = .discard
    }
    world.goesOn = false
    // The latest come first, and those that stay come last.
    let list = (0..<3000).map { world.alert("n\($0)", in: 5000 - Double($0)) }
    _ = world.request(.replaceAll(app: "app", list))
    var slices = 0
    while world.scheduler.hasSlicedWork {
      if slices == 48 { world.stepClock(seconds: 60) }
      world.send(.clock)
      slices += 1
    }
    guard
      case .replacedAll(let done) = world.replies.values.first(where: {
        if case .replacedAll = $0 { true } else { false }
      })
    else { Issue.record("no answer"); return }
    // Planned, begun anew after the clock was set, planned again, parted, and told.
    #expect(slices >= 47 + 3000 / 64 + 3000 / 512 + 2900 / 256)
    #expect(done.added == 100)
    #expect(done.discarded == (0..<2900).map { "n\($0)" })
    #expect(
      Set(world.store.rows.values.compactMap { $0.notification.identifier })
        == Set((2900..<3000).map { "n\($0)" }))
    #expect(world.events.count { $0.kind == .discarded } == 2900)
    #expect(world.scheduler.pending.table.isSound && world.scheduler.pending.count == 100)
  }

  @Test func A2_requestsOfTheAppWaitForTheListAndOthersDoNot() {
    let world = world()
    _ = world.request(.replaceAll(app: "app", list(world, 1000)))
    #expect(world.schedule("after", in: 5) == nil)
    let other = world.request(
      .schedule(app: "other", world.alert("quiet", in: 5)), by: World.bob)
    guard case .scheduled = other else { Issue.record("\(String(describing: other))"); return }
    while world.scheduler.hasSlicedWork { world.send(.clock) }
    world.goesOn = true
    world.advance(seconds: 6)
    #expect(Set(world.takeDelivered()) == ["after", "quiet"])
    #expect(world.store.rows.count == 1000)
  }

  @Test func A2_aListWhoseClientHasGoneIsDropped() {
    let world = world()
    world.schedule("old", in: 500)
    _ = world.request(.replaceAll(app: "app", list(world, 1000)))
    world.send(.clock)
    guard let id = world.scheduler.slicedRequest else { Issue.record("no slices"); return }
    world.send(.abandoned(id))
    #expect(!world.scheduler.hasSlicedWork)
    world.goesOn = true
    #expect(world.listed() == ["old"])
    #expect(world.schedule("next", in: 600)?.scheduled == true)
    #expect(world.scheduler.pending.table.isSound)
  }

  /// What a calendar of days leaves out can go on for thousands of days: the list says what it can say
  /// within bounds, and goes on in slices.
  @Test func A2_E3_aListOfMuchThatDoesNotRingGoesOnInSlices() throws {
    let world = world()
    world.goesOn = true
    for number in 0..<40 {
      world.schedule("r\(number)", in: 60 + Double(number), repeats: .day)
      _ = world.request(.everyday(app: "app", .skip(identifier: "r\(number)", count: 1000)))
    }
    world.goesOn = false
    let reply = world.request(.list(app: "app", delivered: false, cursor: 0, limit: 100))
    #expect(reply == nil && world.scheduler.hasSlicedWork)
    while world.scheduler.hasSlicedWork { world.send(.clock) }
    guard
      case .listed(let rows, _) = world.replies.values.first(where: {
        if case .listed = $0 { true } else { false }
      })
    else { Issue.record("no answer"); return }
    #expect(rows.count == 40 && rows.allSatisfy { $0.passed.count == 1 })
    let day = 1000 * Nanoseconds.day
    #expect(rows.allSatisfy { ($0.next ?? .distantPast).nanoseconds(since: world.now.real) > day })
  }

  @Test func A2_aStepOfTheClockBeginsTheListAnew() {
    let world = world()
    let repeats = (0..<1000).map { world.alert("r\($0)", repeats: .day) }
    _ = world.request(.replaceAll(app: "app", repeats))
    world.stepClock(seconds: -7200)
    while world.scheduler.hasSlicedWork { world.send(.clock) }
    let now = world.now.real
    #expect(world.store.rows.values.allSatisfy { $0.anchor <= now })
    #expect(world.store.rows.count == 1000)
  }

  @Test func T10_A2_aBurstIsPreparedInSlices() {
    let world = world()
    world.goesOn = true
    let burst = (0..<1000).map { world.alert("b\($0)", in: 100) }
    _ = world.request(.replaceAll(app: "app", burst))
    world.goesOn = false
    // Its content is loaded, and nothing is prepared yet.
    world.advance(seconds: 60)
    #expect(world.scheduler.status.prepared == 0)
    world.sleep(seconds: 39)
    var prepared: [Int64] = [0]
    repeat {
      world.handle(.clock)
      prepared.append(world.scheduler.status.prepared)
    } while world.scheduler.hasSlicedWork
    let most = Int64(Preparation.sliceSize)
    #expect(zip(prepared, prepared.dropFirst()).allSatisfy { $1 - $0 <= most && $1 > $0 })
    #expect(prepared.last == 1000 && prepared.count > 1000 / Int(most))
    #expect(
      world.prepared.allSatisfy { $0.at < World.start.advanced(by: 100 * Nanoseconds.second) })
    world.goesOn = true
    world.advance(seconds: 2)
    #expect(world.takeDelivered().count == 1000)
  }

  @Test func A2_N15_cancellingManyGoesInSlices() {
    let world = world()
    world.goesOn = true
    _ = world.request(.replaceAll(app: "app", list(world, 2000)))
    world.goesOn = false
    _ = world.request(.cancelAll(app: "app"))
    #expect(world.scheduler.hasSlicedWork)
    let quiet = world.request(
      .schedule(app: "other", world.alert("quiet", in: 5)), by: World.bob)
    guard case .scheduled = quiet else { Issue.record("\(String(describing: quiet))"); return }
    while world.scheduler.hasSlicedWork { world.send(.clock) }
    #expect(world.replies.values.contains(.cancelled(cancelled: 2000, withdrawn: 0)))
    #expect(world.scheduler.pending.count == 1)
    #expect(world.scheduler.pending.table.isSound)
    world.goesOn = true
    #expect(world.schedule("again", in: 5)?.scheduled == true)
  }

  /// Many of one user wait for a zone: what they cost is as bounded as if they had come one by one.
  private func waiting(_ world: World, _ request: Request, count: UInt64) throws {
    world.zoneFiles = ["Berlin": try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")]
    world.now.elapsed += 1
    for id in 0..<count { world.handle(.request(1000 + id, World.alice, request)) }
    world.handle(.request(2000, World.bob, request))
    #expect(world.replies.keys.allSatisfy { $0 < 1000 })
    // The zone's answer, then the board's.
    world.run()
  }

  private func costly(_ world: World, _ identifier: String = "x") throws -> BelfryCore.Notification
  {
    let rule = try RecurrenceRule.parse(
      "FREQ=MINUTELY;INTERVAL=1441;BYHOUR=1", field: "rrule")
    return world.alert(identifier, in: 60) {
      $0.timeZone = "Berlin"
      $0.rrules = [rule]
    }
  }

  @Test func A2_draftsThatWaitedForAZoneGoOnByTurnsOfUsers() throws {
    let world = world()
    world.schedule("bell", in: 1)
    let draft = Request.nextOfDraft(try costly(world), count: 10, after: nil)
    try waiting(world, draft, count: 100)
    var answered: [Int] = []
    var bobs: Int?
    while world.scheduler.hasSlicedWork {
      world.sleep(seconds: 0.05)
      let before = world.replies.count
      world.send(.clock)
      answered.append(world.replies.count - before)
      if bobs == nil, world.replies[2000] != nil { bobs = answered.count }
      if answered.count == 25 { #expect(world.takeDelivered() == ["bell"]) }
    }
    #expect(answered.allSatisfy { $0 <= 1 })
    #expect(world.replies.keys.filter { $0 >= 1000 }.count == 101)
    // After what was in hand; the zone and the board's zone are two waits.
    #expect(try #require(bobs) <= 4)
    for case (let id, .refused(let error)) in world.replies { Issue.record("\(id): \(error)") }
  }

  @Test func A2_aDraftWhoseClientHasGoneIsNotCarriedOut() throws {
    let world = world()
    let draft = Request.nextOfDraft(try costly(world), count: 10, after: nil)
    try waiting(world, draft, count: 100)
    for id in UInt64(1000)..<1100 { world.handle(.abandoned(id)) }
    var slices = 0
    while world.scheduler.hasSlicedWork {
      world.send(.clock)
      slices += 1
    }
    #expect(slices <= 4)
  }

  @Test func D7_A2_whatWaitsToBeScheduledIsDoneThoughItsClientHasGone() {
    var slices = SliceTurns()
    let alert = BelfryCore.Notification()
    let asked = EventTime(elapsed: 0, number: 1)
    func hold(_ id: RequestID, _ request: Request) {
      slices.hold(.init(id: id, peer: World.alice, request: request, asked: asked))
    }
    hold(1, .schedule(app: "app", alert))
    hold(2, .nextOfDraft(alert, count: 1, after: nil))
    hold(3, .replaceAll(app: "app", [alert]))
    hold(4, .nextOfDraft(alert, count: 1, after: nil))
    let dropped = (1...3).map { slices.drop($0) }
    #expect(dropped == [false, true, false])
    var done: [RequestID] = []
    slices.release(Resumption {}) { done.append($0.id) }
    let droppable = (1...4).map { slices.droppable($0) != nil }
    #expect(droppable == [false, false, false, true])
    while let work = slices.next() {
      var budget = 1
      if work.turn(&budget) { slices.remove(work) }
    }
    #expect(done == [1, 3, 4])
  }

  @Test func A2_whatWaitedForTheRegistrationGoesOnInSlices() throws {
    let world = world()
    world.zoneFiles = ["Berlin": try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")]
    for number in 0..<50 {
      let request = Request.schedule(app: "app", try costly(world, "a\(number)"))
      world.handle(.request(UInt64(1000 + number), World.alice, request))
    }
    world.run()
    #expect(world.store.rows.count <= 2)
    var rows = [world.store.rows.count]
    while world.scheduler.hasSlicedWork {
      world.send(.clock)
      rows.append(world.store.rows.count)
    }
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $1 - $0 <= 1 })
    #expect(rows.last == 50)
    #expect(world.scheduler.pending.table.isSound)
  }
}
