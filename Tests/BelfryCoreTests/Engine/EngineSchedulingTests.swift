import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

@Suite struct EngineSchedulingTests {
  @Test func N20_aOneShotIsListedUntilItsHandOver() {
    let world = World()
    let reply = world.schedule("tea", in: 10)
    #expect(reply?.scheduled == true)
    #expect(reply?.next == World.start.advanced(by: 10 * Nanoseconds.second))
    #expect(world.listed() == ["tea"])
    world.advance(seconds: 9.999)
    #expect(world.takeDelivered() == [])
    #expect(world.listed() == ["tea"])
    world.advance(seconds: 0.001)
    #expect(world.takeDelivered() == ["tea"])
    #expect(world.listed() == [])
    #expect(world.kinds() == [.delivered])
    #expect(world.store.rows.isEmpty && world.store.open.isEmpty)
    world.advance(seconds: 100_000)
    #expect(world.takeDelivered() == [])
  }

  @Test func N1_equalIsUnchangedAndOtherwiseReplaces() {
    let world = World()
    let tea = world.alert("tea", in: 100)
    guard case .scheduled(let first) = world.request(.schedule(app: "app", tea)),
      case .scheduled(let again) = world.request(.schedule(app: "app", tea))
    else {
      Issue.record("refused")
      return
    }
    #expect(again.unchanged && !again.replaced && again.occurrence == first.occurrence)
    var later = tea
    later.fireDate = tea.fireDate?.advanced(by: 50 * Nanoseconds.second)
    guard case .scheduled(let replaced) = world.request(.schedule(app: "app", later)) else {

      Issue.record("refused")
      return

    }
    #expect(replaced.replaced && replaced.next == later.fireDate)
    #expect(replaced.occurrence?.uuid == first.occurrence?.uuid)
    #expect(replaced.occurrence?.generation == 1)
    #expect(world.listed() == ["tea"])
    world.advance(seconds: 149)
    #expect(world.takeDelivered() == [])
    world.advance(seconds: 1)
    #expect(world.takeDelivered() == ["tea"])
  }

  @Test func N1_aReplacementThatCommitsAfterTheOldOneFiredFiresToo() {
    let world = World()
    world.schedule("tea", in: 10)
    world.advance(seconds: 9)
    world.isBlocked = true
    world.schedule("tea", in: 21)
    world.schedule("other", in: 22, app: "other")
    world.advance(seconds: 5)
    #expect(world.takeDelivered() == ["tea"])
    world.isBlocked = false
    world.run()
    #expect(world.listed() == ["tea"])
    world.advance(seconds: 60)
    #expect(world.takeDelivered() == ["tea", "other"])
    #expect(world.store.rows.isEmpty && world.problems == [])
  }

  @Test func N2_nilAndPastFireAtOnceAndAreNotLate() {
    let world = World { $0.late = .drop }
    world.schedule("nil")
    world.schedule("past", in: -1000)
    world.schedule("distantPast") { $0.fireDate = .distantPast }
    #expect(world.takeDelivered() == ["nil", "past", "distantPast"])
  }

  @Test func N2_distantFutureIsListedAndNeverFires() {
    let world = World()
    let reply = world.schedule("never") { $0.fireDate = .distantFuture }
    #expect(reply?.scheduled == true && reply?.next == nil)
    #expect(world.listed() == ["never"])
    #expect(world.scheduler.nextWake == NextWake(real: nil, elapsed: nil))
  }

  @Test(
    arguments: [
      // fireDate in seconds from now, unit, seconds until the first three
      (nil, RepeatUnit.minute, [0, 60, 120]),
      (-90, .minute, [30, 90, 150]),
      (0, .minute, [0, 60, 120]),
      (10, .hour, [10, 3610, 7210]),
      (-86_400, .day, [0, 86_400, 172_800]),
    ] as [(Double?, RepeatUnit, [Int])])
  func N5_aRepeatStartsAtItsNextOccurrence(date: Double?, unit: RepeatUnit, expected: [Int]) {
    let world = World()
    world.schedule("r", in: date, repeats: unit)
    world.advance(seconds: Double(expected[2]))
    #expect(
      world.deliveries.map {
        Int($0.handedOver.nanoseconds(since: World.start) / Nanoseconds.second)
      } == expected)
    #expect(Set(world.deliveries.map { $0.occurrence.id }).count == 3)
  }

  @Test func N13_T4_monthlyFrom31January() {
    let world = World()
    let january = Instant(nanoseconds: 1_769_860_800 * Nanoseconds.second)  // 2026-01-31T12:00Z
    world.schedule("m", repeats: .month) { $0.fireDate = january }
    guard
      case .occurrences(let next, _) = world.request(
        .next(app: "app", identifier: "m", count: 3, after: nil))
    else {
      Issue.record("refused")
      return
    }
    let days = next.map { $0.instant.nanoseconds(since: january) / Nanoseconds.day }
    #expect(days == [59, 89, 120])  // 31 March, 30 April, 31 May
  }

  @Test func N14_presentNowIsNeverListed() {
    let world = World()
    let reply = world.request(.presentNow(app: "app", world.alert("now", in: 1000)))
    guard case .scheduled = reply else {
      Issue.record("\(String(describing: reply))")
      return
    }
    #expect(world.takeDelivered() == ["now"])
    #expect(world.listed() == [])
    #expect(world.store.open.isEmpty)
  }

  @Test func N16_replaceAllKeepsReplacesAndCancels() {
    let world = World()
    let kept = world.alert("kept", in: 100)
    world.request(.schedule(app: "app", kept))
    world.schedule("changed", in: 200)
    world.schedule("gone", in: 300)
    let changed = world.alert("changed", in: 50)
    let list = [kept, changed, world.alert("new", in: 60)]
    guard case .replacedAll(let reply) = world.request(.replaceAll(app: "app", list)) else {

      Issue.record("refused")
      return

    }
    #expect(
      reply
        == ReplaceAllReply(added: 1, replaced: 1, unchanged: 1, cancelled: 1, discarded: []))
    #expect(Set(world.listed()) == ["kept", "changed", "new"])
    guard case .replacedAll(let again) = world.request(.replaceAll(app: "app", list)) else {

      Issue.record("refused")
      return

    }
    #expect(again.unchanged == 3 && again.added + again.replaced + again.cancelled == 0)
    world.advance(seconds: 400)
    #expect(world.takeDelivered() == ["changed", "new", "kept"])
  }

  @Test func N16_anIdentifierTwiceInAListIsRefused() {
    let world = World()
    let list = [world.alert("a", in: 1), world.alert("a", in: 2)]
    guard
      case .refused(.invalidField(let error)) = world.request(.replaceAll(app: "app", list))
    else {
      Issue.record("taken")
      return
    }
    #expect(error.field == "notifications[1].identifier")
  }

  @Test func N18_occurrencesOfADraft() {
    let world = World()
    let draft = world.alert("d", in: 30, repeats: .hour)
    let reply = world.request(.nextOfDraft(draft, count: 2, after: nil))
    let due = [30, 3630].map { World.start.advanced(by: $0 * Nanoseconds.second) }
    #expect(
      reply == .occurrences(due.map { UpcomingOccurrence(instant: $0, because: nil) }))
    #expect(world.listed() == [])
  }

  /// Draft and scheduled one give the same, back to `after` and on.
  @Test func N18_whoLooksBackIsToldWhatWas() {
    let world = World()
    let start = World.start
    let hourly = world.alert("h", in: -7200, repeats: .hour)
    world.request(.schedule(app: "app", hourly))
    for (after, expected) in [
      (-99_999, [-7200, -3600, 0, 3600]), (-7200, [-3600, 0, 3600]), (-1, [0, 3600]),
      (1, [3600]), (4000, [7200]),
    ] {
      let after = start.advanced(by: Int64(after) * Nanoseconds.second)
      let due = expected.map {
        UpcomingOccurrence(
          instant: start.advanced(by: Int64($0) * Nanoseconds.second), because: nil)
      }
      let count = Int32(expected.count)
      #expect(
        world.request(.nextOfDraft(hourly, count: count, after: after)) == .occurrences(due))
      #expect(
        world.request(.next(app: "app", identifier: "h", count: count, after: after))
          == .occurrences(due))
    }
  }

  @Test func N18_whatFiredOnceIsToldOfADraft() {
    let world = World()
    let past = World.start.advanced(by: -60 * Nanoseconds.second)
    let once = world.alert("o", in: -60)
    let was = UpcomingOccurrence(instant: past, because: nil)
    #expect(
      world.request(.nextOfDraft(once, count: 2, after: past.advanced(by: -1)))
        == .occurrences([was]))
  }

  @Test func N21_equalDuesFireInTheOrderOfScheduling() {
    let world = World { $0.notifications = 1000 }
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    let names = (0..<200).map { "n\($0)" }.shuffled(using: &random)
    for name in names { world.schedule(name, in: 500) }
    world.advance(seconds: 500)
    #expect(world.takeDelivered() == names, "seed \(seed)")
    for name in names { world.schedule(name, in: 500) }
    world.restart()
    world.advance(seconds: 500)
    #expect(world.takeDelivered() == names, "seed \(seed)")
  }

  @Test func N21_whatReplacesAnotherAndIsDueAtOnceIsNotOvertaken() {
    let world = World()
    world.schedule("old", in: 500)
    world.schedule("shown", in: 0, repeats: .hour)
    #expect(world.takeDelivered() == ["shown"])
    // Their answers come together, each before anything more can be read from the store.
    world.isBlocked = true
    for name in ["old", "shown", "new"] {
      world.send(.request(100, World.alice, .schedule(app: "app", world.alert(name))))
    }
    world.isBlocked = false
    world.run()
    // The second still withdraws what its first generation shows (N1).
    #expect(world.deliveries.map { $0.replaces != nil } == [false, true, false])
    #expect(world.takeDelivered() == ["old", "shown", "new"])
  }

  @Test func A1_anAppBelongsToWhoUsedItFirst() {
    let world = World()
    world.schedule("a", in: 100)
    let requests: [Request] = [
      .schedule(app: "app", world.alert("b", in: 1)),
      .presentNow(app: "app", world.alert("b")),
      .cancel(app: "app", identifiers: ["a"]), .cancelAll(app: "app"),
      .replaceAll(app: "app", []),
      .list(app: "app", delivered: false, cursor: 0, limit: 10),
      .next(app: "app", identifier: "a", count: 1, after: nil),
      .history(app: "app", cursor: 0, limit: 10), .stopSound(app: "app"),
    ]
    for request in requests {
      #expect(world.request(request, by: World.bob) == .refused(.notOwner(app: "app")))
    }
    #expect(world.listed(app: nil, by: World.bob) == [])
    #expect(world.listed(by: World.root) == ["a"])
    #expect(world.listed(app: nil, by: World.root) == ["a"])
    world.restart()
    #expect(world.request(requests[0], by: World.bob) == .refused(.notOwner(app: "app")))
  }

  @Test func A1_theAppOfAUserIsNobodyElsesToTakeFirst() {
    let world = World()
    let request = Request.schedule(app: "user.1000", world.alert("a", in: 100))
    #expect(world.request(request, by: World.bob) == .refused(.notOwner(app: "user.1000")))
    // The operator may act for the user, to whom it belongs all the same.
    _ = world.request(request, by: World.root)
    #expect(world.listed(app: "user.1000", by: World.alice) == ["a"])
    world.restart()
    #expect(world.listed(app: nil, by: World.alice) == ["a"])
    #expect(world.listed(app: nil, by: World.bob) == [])
  }

  @Test(
    arguments: [
      ("user.0", 0), ("user.4294967295", .max), ("user.4294967296", nil), ("user.", nil),
      ("user.01", nil), ("user.1a", nil), ("users.1", nil), ("user.1.2", 1), ("user", nil),
      ("user.1.AlarmClock", 1), ("user.1.", nil), ("user..1", nil), ("user.01.a", nil),
      ("user.99999999999999999999", nil),
    ] as [(String, UInt32?)])
  func A1_whoseAppANameIs(name: String, uid: UInt32?) {
    #expect(SchedulerApp.user(of: name) == uid)
  }

  @Test(arguments: ["", "a b", "é", String(repeating: "x", count: 129), "a/b"])
  func A1_aBadAppIdIsRefusedByName(app: String) {
    let world = World()
    let reply = world.request(.schedule(app: app, world.alert("a", in: 1)))
    guard case .refused(.invalidField(let error)) = reply else {
      Issue.record("taken")
      return
    }
    #expect(error.field == "app")
  }
}
