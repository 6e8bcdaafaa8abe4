import SchedulerFixtures
import Testing

@testable import BelfryCore

/// A disk that hangs or refuses silences no push (D8).
struct PushDiskTests {
  private func world() -> World {
    let world = World()
    world.schedule("a", in: 100_000)
    return world
  }

  @Test func D8_P6_aStuckDiskDelaysAPushBySecondAtMost() {
    let world = world()
    world.isBlocked = true
    #expect(world.push(1) == nil)
    world.advance(seconds: 0.9)
    #expect(world.takeBodies() == [])
    world.advance(seconds: 0.1)
    #expect(world.takeBodies() == ["push 1"])
    #expect(world.replies.values.contains { $0.isUnavailable })
    // It comes back: stored, and not shown again; nobody is answered twice.
    world.replies = [:]
    world.isBlocked = false
    world.run()
    #expect(world.replies.isEmpty)
    #expect(world.takeBodies() == [])
    #expect(world.inbox() == [1])
    #expect(world.fate(World.identifier(1)) == ["one delivered"])
    #expect(world.store.open.isEmpty)
    #expect(world.push(1)?.isDuplicate == true)
    world.restart()
    #expect(world.takeBodies() == [])
  }

  @Test func D8_P6_aRefusingDiskDelaysNothing() {
    let world = world()
    world.store.isFull = true
    #expect(world.push(1)?.isUnavailable == true)
    #expect(world.takeBodies() == ["push 1"])
    // Sent again while it still refuses: not shown again.
    #expect(world.push(1)?.isUnavailable == true)
    #expect(world.takeBodies() == [])
    world.store.isFull = false
    guard case .pushed(let reply)? = world.push(1) else {
      Issue.record("not stored")
      return
    }
    #expect(!reply.isDuplicate && reply.occurrence != nil)
    #expect(world.takeBodies() == [])
    #expect(world.inbox() == [1])
    #expect(world.store.open.isEmpty)
    #expect(world.push(1)?.isDuplicate == true)
  }

  @Test func P9_D8_whatIsStoredIsADuplicateWhateverTheDiskDoes() {
    let world = world()
    #expect(world.push(1)?.isStored == true)
    #expect(world.takeBodies() == ["push 1"])
    world.store.isFull = true
    #expect(world.push(1)?.isDuplicate == true)
    world.store.isFull = false
    world.replies = [:]
    world.isBlocked = true
    world.push(1)
    world.advance(seconds: 1)
    #expect(world.replies.values.contains { $0.isDuplicate })
    world.replies = [:]
    world.isBlocked = false
    world.run()
    #expect(world.replies.isEmpty)
    #expect(world.takeBodies() == [])
    #expect(world.inbox() == [1])
    #expect(world.store.open.isEmpty)
  }

  /// The app that nobody has used yet is refused by the disk as well.
  @Test func D8_P6_aNewAppsPushIsShownThoughTheDiskRefuses() {
    let world = World()
    world.store.isFull = true
    #expect(world.push(1)?.isUnavailable == true)
    #expect(world.push(1)?.isUnavailable == true)
    #expect(world.takeBodies() == ["push 1"])
    world.store.isFull = false
    #expect(world.push(1)?.isStored == true)
    #expect(world.takeBodies() == [])
    #expect(world.inbox() == [1])
    #expect(world.store.apps.count == 1)
  }

  @Test func D8_P6_aNewAppsPushIsShownThoughTheDiskIsStuck() {
    let world = World()
    world.isBlocked = true
    world.push(1)
    world.push(2)
    world.advance(seconds: 1)
    #expect(world.takeBodies() == ["push 1", "push 2"])
    world.isBlocked = false
    world.run()
    #expect(world.takeBodies() == [])
    #expect(world.inbox() == [1, 2])
    #expect(world.store.open.isEmpty)
  }

  /// Two of one id, the first refused and shown, the second taken: its intent is taken back.
  @Test func D8_P9_aTwinIsNotShownByTheNextLife() {
    let world = world()
    world.isBlocked = true
    world.send(.request(91, World.alice, .push(app: "app", world.pushed(1))))
    world.send(.request(92, World.alice, .push(app: "app", world.pushed(1))))
    world.store.isFull = true
    world.commitOne()
    #expect(world.takeBodies() == ["push 1"])
    world.store.isFull = false
    world.isBlocked = false
    world.run()
    #expect(world.replies[91]?.isUnavailable == true && world.replies[92]?.isStored == true)
    #expect(world.takeBodies() == [])
    #expect(world.store.open.isEmpty)
    world.restart()
    #expect(world.takeBodies() == [])
  }

  /// However many come while the disk hangs, what is kept of them is bounded and all are shown.
  @Test func D8_P6_A2_whatWaitsForAStuckDiskIsBounded() {
    let world = world()
    world.isBlocked = true
    let most = UInt64(PushIntake.most)
    for id in 1...most { world.push(id) }
    world.advance(seconds: 1)
    let before = world.queue.count
    for id in most + 1...most + 50 {
      #expect(world.push(id)?.isUnavailable == true)
    }
    #expect(
      world.queue.allSatisfy {
        if case .change(.push(let push)) = $0.operation { push.id.low <= most } else { true }
      })
    #expect(world.queue.count - before < 200)
    // The sink answers though the disk does not.
    #expect(world.takeBodies().count == Int(most) + 50)
    world.isBlocked = false
    world.run()
    #expect(world.takeBodies() == [])
  }

  /// At the start as well.
  @Test func D8_P6_aStuckDiskAtTheStartDelaysByASecondAtMost() {
    let world = world()
    world.isBlocked = true
    world.send(.request(91, World.alice, .push(app: "app", world.pushed(1))))
    _ = world.store.perform(world.queue.removeFirst().operation)
    world.restart()
    #expect(world.takeBodies() == [])
    world.advance(seconds: 1)
    #expect(world.takeBodies() == ["push 1"])
    world.isBlocked = false
    world.run()
    #expect(world.takeBodies() == [])
    #expect(world.store.open.isEmpty)
  }
}
