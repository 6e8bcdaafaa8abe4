import SchedulerFixtures
import Testing

@testable import BelfryCore

/// Pushes are kept in inboxes and shown as what is presented at once (P6, P9).
struct PushTests {
  @Test func P6_aPushIsKeptAndShown() {
    let world = World()
    let reply = world.push(5)
    guard case .pushed(let pushed)? = reply else {
      Issue.record("\(String(describing: reply))")
      return
    }
    #expect(pushed.id == UUIDBits(high: 7, low: 5) && !pushed.isDuplicate)
    #expect(world.deliveries.map { $0.occurrence.id } == [pushed.occurrence])
    #expect(world.deliveries[0].occurrence.notification.identifier == World.identifier(5))
    #expect(world.deliveries[0].occurrence.notification.push == #"{"aps":{"alert":"push 5"}}"#)
    #expect(world.deliveries[0].parts.contains([.alert, .userInfo]))
    #expect(world.fate(World.identifier(5)) == ["one delivered"])
    #expect(world.inbox() == [5])
    #expect(world.store.open.isEmpty)
    #expect(world.listed() == [])
  }

  @Test func P6_aPushWithNothingToDeliverIsNotCalledDelivered() {
    let world = World()
    world.push(world.pushed(1) { $0.notification.alertBody = nil })
    world.push(
      world.pushed(2) {
        $0.notification.alertBody = nil
        $0.notification.applicationIconBadgeNumber = 3
      })
    #expect(
      world.fate(World.identifier(1))
        == [" discarded: nothing to show: it has no alert, badge or sound"])
    #expect(world.fate(World.identifier(2)) == [" delivered"])
    #expect(world.deliveries.isEmpty && world.inbox() == [1, 2])
  }

  @Test func P6_everyContainerHasAnInboxOfItsOwn() {
    let world = World()
    for container in ["", "one", "two"] {
      world.push(world.pushed(1) { $0.container = container })
    }
    world.push(world.pushed(2) { $0.container = "two" })
    #expect(world.takeBodies() == ["push 1", "push 1", "push 1", "push 2"])
    #expect(world.inbox() == [1] && world.inbox("one") == [1] && world.inbox("two") == [1, 2])
  }

  @Test func P6_A2_anAppHasSixteenContainers() {
    let world = World()
    for number in 0..<16 {
      #expect(world.push(world.pushed(1) { $0.container = "c\(number)" })?.isStored == true)
    }
    world.deliveries = []
    #expect(
      world.push(world.pushed(1) { $0.container = "c16" })
        == .refused(.limitReached(limit: "containers", value: 16)))
    #expect(world.deliveries.isEmpty && world.store.open.isEmpty)
    #expect(world.push(world.pushed(2) { $0.container = "c15" })?.isStored == true)
  }

  @Test(arguments: [
    ("", "ck.cid", false), ("a", "", true), (String(repeating: "c", count: 255), "", true),
    (String(repeating: "c", count: 256), "ck.cid", false), ("a\u{7}b", "ck.cid", false),
  ])
  func P6_A4_containersAreNames(name: String, field: String, isRight: Bool) {
    let world = World()
    let reply = world.push(world.pushed(1) { $0.container = name })
    if isRight || name.isEmpty {
      #expect(reply?.isStored == true)
    } else if case .refused(.invalidField(let error))? = reply {
      #expect(error.field == field)
    } else {
      Issue.record("\(String(describing: reply))")
    }
  }

  @Test func P6_A4_whatBreaksARuleOfNChangesNothing() {
    let world = World()
    let reply = world.push(
      world.pushed(1) {
        $0.notification.alertBody = String(repeating: "x", count: 16 * 1024 + 1)
      })
    guard case .refused(.invalidField(let error))? = reply else {
      Issue.record("\(String(describing: reply))")
      return
    }
    #expect(error.field == "alertBody" && error.code == .tooLong)
    #expect(world.store.apps.isEmpty && world.store.inboxes.isEmpty && world.deliveries.isEmpty)
    let bare = world.push(world.pushed(1) { $0.notification.push = nil })
    guard case .refused(.invalidField(let error))? = bare else {
      Issue.record("\(String(describing: bare))")
      return
    }
    #expect(error.field == "payload")
  }

  /// Nobody says of a notification of his own that it came as a push.
  @Test func P6_clientsDoNotSetTheField() {
    let world = World()
    let own = world.alert("a", in: 10) { $0.push = "{}" }
    let requests: [Request] = [
      .schedule(app: "app", own), .presentNow(app: "app", own), .cancelEqual(app: "app", own),
      .replaceAll(app: "app", [own]), .nextOfDraft(own, count: 1, after: nil),
    ]
    for request in requests {
      guard case .refused(.invalidField(let error))? = world.request(request) else {
        Issue.record("\(request)")
        continue
      }
      #expect(["push", "notifications[0].push"].contains(error.field))
    }
  }

  @Test func P6_A1_aPeerPushesIntoAppsThatItOwns() {
    let world = World()
    world.schedule("a", in: 1000)
    #expect(world.push(world.pushed(1), by: World.bob) == .refused(.notOwner(app: "app")))
    #expect(world.fetch(by: World.bob) == .refused(.notOwner(app: "app")))
    #expect(
      world.request(.markRead(app: "app", container: "", ids: []), by: World.bob)
        == .refused(.notOwner(app: "app")))
    #expect(world.push(world.pushed(1), by: World.root)?.isStored == true)
    #expect(world.push(world.pushed(2), by: World.alice)?.isStored == true)
    #expect(world.inbox() == [1, 2])
  }

  /// What expired before it came, while its sender could not reach the board, waits for the app.
  @Test func P6_N19_whatHasExpiredIsKeptAndNotShown() {
    let world = World()
    let reply = world.push(
      world.pushed(1) { $0.notification.expires = world.now.real.advanced(by: -Nanoseconds.second) }
    )
    #expect(reply?.isStored == true)
    #expect(world.deliveries.isEmpty && world.store.open.isEmpty)
    #expect(
      world.fate(World.identifier(1)) == [" expired: expired before it could be shown"])
    #expect(world.inbox() == [1])
  }

  // MARK: Twice is once

  @Test func P9_theSameIdTwiceIsOne() {
    let world = World()
    #expect(world.push(1)?.isStored == true)
    let again = world.push(1)
    #expect(
      again
        == .pushed(
          PushReply(id: UUIDBits(high: 7, low: 1), isDuplicate: true, occurrence: nil)))
    #expect(world.takeBodies() == ["push 1"])
    #expect(world.inbox() == [1])
    // Another life, and after it was read.
    world.restart()
    world.request(.markRead(app: "app", container: "", ids: [UUIDBits(high: 7, low: 1)]))
    #expect(world.push(1)?.isDuplicate == true)
    #expect(world.takeBodies() == [])
  }

  @Test func P9_twoAtOnceAreOne() {
    let world = World()
    world.schedule("a", in: 1000)
    world.isBlocked = true
    world.send(.request(91, World.alice, .push(app: "app", world.pushed(1))))
    world.send(.request(92, World.alice, .push(app: "app", world.pushed(1))))
    world.isBlocked = false
    world.run()
    #expect(world.replies[91]?.isStored == true && world.replies[92]?.isDuplicate == true)
    #expect(world.takeBodies() == ["push 1"])
  }

  @Test func P9_withoutAnIdEachIsOne() {
    let world = World()
    guard case .pushed(let one)? = world.push(world.pushed(nil)),
      case .pushed(let two)? = world.push(world.pushed(nil))
    else {
      Issue.record("not stored")
      return
    }
    #expect(one.id != two.id)
    #expect(
      world.deliveries.map { $0.occurrence.notification.identifier } == [one.id.text, two.id.text])
  }

  /// A nid is a stranger's word: two apps may get the same.
  @Test func P9_D7_twoAppsMayGetTheSameId() {
    let world = World()
    world.push(world.pushed(1), into: "one")
    world.push(world.pushed(1), into: "two")
    #expect(world.deliveries.count == 2)
    #expect(world.deliveries[0].occurrence.id.uuid != world.deliveries[1].occurrence.id.uuid)
  }

  // MARK: Collapsing

  private func collapsing(_ world: World, _ id: UInt64) -> PushedNotification {
    world.pushed(id) { $0.notification.identifier = "score" }
  }

  @Test func P6_N1_theSameCollapseIdReplacesWhatIsShown() {
    let world = World()
    world.push(collapsing(world, 1))
    let first = world.deliveries[0].occurrence.id
    #expect(world.store.shown.keys.map { $0.occurrence } == [first])
    world.push(collapsing(world, 2))
    #expect(world.deliveries[1].replaces == first.deliveryID(sink: "one"))
    let second = world.deliveries[1].occurrence.id
    #expect(second.uuid == first.uuid && second.generation == 1)
    #expect(world.store.shown.keys.map { $0.occurrence } == [second])
    #expect(world.inbox() == [1, 2])
    // Another life knows it from the store alone.
    world.restart()
    world.push(collapsing(world, 3))
    #expect(world.deliveries[2].replaces == second.deliveryID(sink: "one"))
    #expect(world.store.shown.keys.map { $0.occurrence } == [world.deliveries[2].occurrence.id])
  }

  @Test func P6_N1_whatWaitsForASinkIsSupersededByItsCollapseId() {
    let world = World()
    world.send(.sink(0, .down(reason: "broken")))
    for id in 1...3 as ClosedRange<UInt64> { world.push(collapsing(world, id)) }
    world.restart(sinksUp: false)
    world.push(collapsing(world, 4))
    world.send(.sink(0, .up))
    #expect(world.takeBodies() == ["push 4"])
    #expect(world.store.shown.count == 1)
  }

  @Test func P6_N1_whatIsWithTheSinkIsReplacedToo() {
    let world = World()
    world.answer = { _ in nil }
    world.push(collapsing(world, 1))
    world.push(collapsing(world, 2))
    #expect(world.deliveries.count == 2)
    #expect(
      world.deliveries[1].replaces == world.deliveries[0].occurrence.id.deliveryID(sink: "one"))
    for delivery in world.deliveries {
      world.send(.sink(0, .answered(token: delivery.token, .done(note: nil))))
    }
    #expect(world.store.shown.keys.map { $0.occurrence } == [world.deliveries[1].occurrence.id])
  }

  /// The sink's answer comes after the store has looked, and before it has answered.
  @Test func P6_N1_whatCameToBeShownMeanwhileIsReplacedToo() {
    let world = World()
    world.answer = { _ in nil }
    world.push(collapsing(world, 1))
    let first = world.deliveries[0]
    world.isBlocked = true
    world.send(.request(91, World.alice, .push(app: "app", collapsing(world, 2))))
    world.send(.sink(0, .answered(token: first.token, .done(note: nil))))
    world.isBlocked = false
    world.run()
    let second = world.deliveries[1]
    #expect(second.replaces == first.occurrence.id.deliveryID(sink: "one"))
    world.send(.sink(0, .answered(token: second.token, .done(note: nil))))
    #expect(world.store.shown.keys.map { $0.occurrence } == [second.occurrence.id])
  }

  // MARK: A crash

  /// Between the commit and what would have been shown.
  @Test func P6_D7_whatWasStoredIsShownByTheNextLife() {
    let world = World()
    world.schedule("a", in: 1000)
    world.isBlocked = true
    world.send(.request(91, World.alice, .push(app: "app", world.pushed(1))))
    let (_, operation) = world.queue.removeFirst()
    _ = world.store.perform(operation)
    let intended = world.store.open.keys.first
    world.isBlocked = false
    world.restart()
    #expect(world.replies[91] == nil)
    #expect(world.deliveries.map { $0.occurrence.id } == [intended])
    // It has been stored, and handed over to nobody.
    #expect(world.deliveries[0].attempt == 1)
    #expect(world.fate(World.identifier(1)) == ["one delivered"])
    #expect(world.store.open.isEmpty)
    // Whoever brought it and heard nothing brings it again.
    #expect(world.push(1)?.isDuplicate == true)
    world.deliveries = []
    world.restart()
    #expect(world.deliveries.isEmpty)
  }

  @Test func P6_nothingHappenedBeforeTheCommit() {
    let world = World()
    world.schedule("a", in: 1000)
    world.isBlocked = true
    world.send(.request(91, World.alice, .push(app: "app", world.pushed(1))))
    world.isBlocked = false
    world.restart()
    #expect(world.deliveries.isEmpty && world.inbox().isEmpty)
    #expect(world.push(1)?.isStored == true)
    #expect(world.takeBodies() == ["push 1"])
  }
}
