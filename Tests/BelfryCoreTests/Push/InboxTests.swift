import SchedulerFixtures
import Testing

@testable import BelfryCore

/// What readers ask, as far as the scheduler answers it (P7, P8).
struct InboxTests {
  private func page(_ reply: Reply?) -> (ids: [UInt64], token: String, more: Bool)? {
    guard case .fetched(let entries, let token, let more)? = reply else { return nil }
    return (entries.map { $0.id.low }, token, more)
  }

  @Test func P7_pagesFollowEachOtherByToken() {
    let world = World()
    for id in 1...5 as ClosedRange<UInt64> { world.push(id) }
    let first = page(world.fetch(limit: 2))
    #expect(first?.ids == [1, 2] && first?.more == true)
    let second = page(world.fetch(since: first?.token, limit: 2))
    #expect(second?.ids == [3, 4] && second?.more == true)
    let third = page(world.fetch(since: second?.token, limit: 2))
    #expect(third?.ids == [5] && third?.more == false)
    world.push(6)
    #expect(page(world.fetch(since: third?.token))?.ids == [6])
    #expect(page(world.fetch(since: third?.token))?.ids == [6])
  }

  @Test func P7_anInboxThatIsNotThereYetHasATokenToo() {
    let world = World()
    let unused = page(world.fetch())
    #expect(unused?.ids == [] && unused?.more == false)
    #expect(world.store.apps.isEmpty)
    let other = page(world.fetch("other"))
    #expect(unused?.token != other?.token)
    #expect(world.fetch(since: other?.token) == .refused(.tokenForeign))
    world.schedule("a", in: 1000)
    #expect(page(world.fetch(since: unused?.token))?.ids == [])
    #expect(world.fetch(since: other?.token) == .refused(.tokenForeign))
    world.push(1)
    #expect(page(world.fetch(since: unused?.token))?.ids == [1])
  }

  @Test(arguments: [
    "", "x", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB",
    "AAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAA/AAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA",
    String(repeating: "é", count: 11), "\0", String(repeating: "A", count: 100_000),
  ])
  func P7_garbageIsForeign(token: String) {
    let world = World()
    #expect(world.fetch(since: token) == .refused(.tokenForeign))
    world.push(1)
    #expect(world.fetch(since: token) == .refused(.tokenForeign))
  }

  @Test(arguments: [Int32.min, -1, 0, 1001, .max])
  func P7_A2_pagesHaveALimit(limit: Int32) {
    let world = World()
    guard case .refused(.invalidField(let error))? = world.fetch(limit: limit) else {
      Issue.record("taken")
      return
    }
    #expect(error.field == "limit")
  }

  @Test func P8_whatIsMarkedComesAsAMark() {
    let world = World()
    for id in 1...3 as ClosedRange<UInt64> { world.push(id) }
    world.deliveries = []
    let token = page(world.fetch())?.token
    let ids = [2, 9, 2].map { UUIDBits(high: 7, low: $0) }
    #expect(
      world.request(.markRead(app: "app", container: "", ids: ids))
        == .markedRead(marked: [ids[0]], unknown: [ids[1]]))
    #expect(world.inbox() == [1, 3, 2])
    guard case .fetched(let entries, _, _)? = world.fetch(since: token) else {
      Issue.record("no page")
      return
    }
    #expect(entries.map { $0.kind } == [InboxEntry.readKind])
    #expect(entries[0].payload == nil && entries[0].id == ids[0])
    // Again it does nothing, and nothing that is shown goes.
    #expect(
      world.request(.markRead(app: "app", container: "", ids: [ids[0]]))
        == .markedRead(marked: [], unknown: []))
    #expect(world.withdrawals.isEmpty && world.store.shown.count == 3)
  }

  @Test func P8_A2_A4_marksAreBounded() {
    let world = World()
    let ids = (0...1000).map { UUIDBits(high: 7, low: $0) }
    guard
      case .refused(.invalidField(let error))? = world.request(
        .markRead(app: "app", container: "", ids: ids))
    else {
      Issue.record("taken")
      return
    }
    #expect(error.field == "ids")
    #expect(
      world.request(.markRead(app: "app", container: "", ids: Array(ids.prefix(2))))
        == .markedRead(marked: [], unknown: Array(ids.prefix(2))))
  }

  @Test func P7_tokensAreTheirText() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<1000 {
      let token = InboxToken(
        name: random.next(), position: Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
      )
      #expect(token.text.utf8.count == 22)
      #expect(InboxToken(text: token.text) == token)
    }
    #expect(
      InboxToken.blank(app: "ab", container: "c") != InboxToken.blank(app: "a", container: "bc"))
  }

  /// A1: whoever has the id next sees nothing of it, and its tokens are foreign.
  @Test func A1_P6_aForgottenAppsInboxGoesWithIt() {
    let world = World()
    world.push(1)
    let token = page(world.fetch())?.token
    world.advance(seconds: 31 * 86400)
    #expect(world.push(world.pushed(2), by: World.bob)?.isStored == true)
    #expect(page(world.fetch(by: World.bob))?.ids == [2])
    #expect(world.fetch(since: token, by: World.bob) == .refused(.tokenForeign))
    #expect(world.fetch() == .refused(.notOwner(app: "app")))
  }

  @Test func A1_P6_aManifestTakesThePushesUnderWayToo() {
    let world = World()
    world.schedule("a", in: 1000)
    world.isBlocked = true
    world.send(.request(91, World.alice, .push(app: "app", world.pushed(1))))
    var profile = AppProfile(id: "app")
    profile.owner = 1001
    world.send(.app(profile))
    #expect(world.replies[91] == .refused(.notOwner(app: "app")))
    world.advance(seconds: 2)
    world.isBlocked = false
    world.run()
    #expect(world.deliveries.isEmpty)
    #expect(world.store.inboxes.isEmpty && world.store.open.isEmpty)
  }

  // MARK: Plugins

  private func bring(
    _ world: World, _ token: UInt64, _ id: UInt64, uid: UInt32?, app: String = "app"
  ) {
    world.send(.sink(0, .push(token: token, uid: uid, app: app, world.pushed(id))))
  }

  @Test func P6_A1_pluginsHearWhatBecameOfTheirPushes() {
    let world = World()
    world.schedule("a", in: 1000)
    bring(world, 1, 1, uid: 1000)
    bring(world, 2, 1, uid: nil)
    bring(world, 3, 2, uid: 1001)
    bring(world, 4, 3, uid: nil, app: "no such id")
    world.store.isFull = true
    bring(world, 5, 4, uid: nil)
    #expect(world.pushAnswers.map { $0.token } == [1, 2, 3, 4, 5])
    #expect(world.pushAnswers[0].answer == .accepted)
    #expect(world.pushAnswers[1].answer == .duplicate)
    #expect(
      world.pushAnswers[2].answer == .refused(reason: "app: app belongs to another user"))
    guard case .refused = world.pushAnswers[3].answer, case .later = world.pushAnswers[4].answer
    else {
      Issue.record("\(world.pushAnswers)")
      return
    }
    #expect(world.takeBodies() == ["push 1", "push 4"])
  }

  @Test func P6_aPluginThatEndedHearsNothing() {
    let world = World()
    world.schedule("a", in: 1000)
    world.isBlocked = true
    bring(world, 1, 1, uid: 1000)
    world.send(.sink(0, .down(reason: "killed")))
    world.send(.sink(0, .up))
    world.isBlocked = false
    world.run()
    #expect(world.pushAnswers.isEmpty && world.inbox() == [1])
    bring(world, 1, 1, uid: 1000)
    #expect(world.pushAnswers.map { $0.answer } == [.duplicate])
  }
}
