import Testing

@testable import BelfryCore

@Suite struct EngineCancelTests {
  @Test func D8_whatIsCancelledBeforeItCouldComeAgainIsForgotten() {
    let world = World()
    world.schedule("a", in: 100)
    world.advance(seconds: 99.5)
    #expect(world.store.open.count == 1)
    // Its intent is met by a start whose clock is an hour behind.
    world.now.real = world.now.real.advanced(by: -Nanoseconds.hour)
    world.restart()
    #expect(world.scheduler.pending.details.suspectCount == 1)
    world.request(.cancel(app: "app", identifiers: ["a"]))
    #expect(world.scheduler.pending.details.suspectCount == 0 && world.store.open.isEmpty)
  }

  @Test func N15_byIdentifierByValueOrAll() {
    let world = World()
    for name in ["a", "b", "c", "d"] {
      world.schedule(name, in: 100) { $0.alertBody = name == "d" ? "other" : "same" }
    }
    #expect(
      world.request(.cancel(app: "app", identifiers: ["a", "nobody"]))
        == .cancelled(cancelled: 1, withdrawn: 0))
    let same = world.alert("whatever", in: 100) { $0.alertBody = "same" }
    #expect(
      world.request(.cancelEqual(app: "app", same)) == .cancelled(cancelled: 2, withdrawn: 0))
    #expect(world.listed() == ["d"])
    #expect(world.request(.cancelAll(app: "app")) == .cancelled(cancelled: 1, withdrawn: 0))
    #expect(
      world.request(.cancelAll(app: "unknown")) == .cancelled(cancelled: 0, withdrawn: 0))
    world.advance(seconds: 200)
    #expect(world.takeDelivered() == [])
    #expect(world.scheduler.status.pending == 0)
  }

  @Test func D10_whoWatchesHearsWhatLeavesTheListUnfired() {
    let world = World()
    for name in ["a", "b", "c", "d"] { world.schedule(name, in: 100) }
    world.schedule("a", in: 100)
    world.schedule("b", in: 200)
    world.request(.cancel(app: "app", identifiers: ["b", "nobody"]))
    world.request(.replaceAll(app: "app", [world.alert("a", in: 100), world.alert("d", in: 50)]))
    world.request(.cancelAll(app: "app"))
    let told = world.events.map { event in
      let seconds = event.due.map { $0.nanoseconds(since: world.now.real) / Nanoseconds.second }
      return "\(event.kind) \(event.identifier) \(seconds ?? -1)"
    }
    #expect(
      told == [
        "replaced b 100", "cancelled b 200", "cancelled c 100", "replaced d 100", "cancelled a 100",
        "cancelled d 50",
      ])
  }

  @Test func N15_withdrawsWhatIsShownInHandOrWaiting() {
    let world = World { $0.sinks = World.sinks }
    world.answer = { $0.sink == 0 ? .done(note: nil) : nil }
    world.schedule("n", in: 10) { $0.soundName = "default" }
    world.send(.sink(2, .down(reason: "idle")))
    world.advance(seconds: 10)
    #expect(
      world.request(.cancel(app: "app", identifiers: ["n"]))
        == .cancelled(cancelled: 0, withdrawn: 3))
    #expect(Set(world.withdrawals.map { $0.sink }) == [0, 1])
    #expect(world.store.history.values.allSatisfy { $0.state == .withdrawn })
    #expect(world.store.open.isEmpty && world.store.shown.isEmpty)
    world.send(.sink(1, .answered(token: 2, .done(note: nil))))
    world.send(.sink(2, .up))
    #expect(world.deliveries.count == 2)
  }

  @Test func N15_whatComesToBeShownWhileTheBooksCancelIsWithdrawnToo() {
    let world = World()
    world.answer = { _ in nil }
    world.schedule("n", in: 10)
    world.advance(seconds: 10)
    world.isBlocked = true
    world.request(.cancel(app: "app", identifiers: ["n"]))
    world.send(.sink(0, .answered(token: world.deliveries[0].token, .done(note: nil))))
    world.isBlocked = false
    world.run()
    #expect(world.replies.values.contains(.cancelled(cancelled: 0, withdrawn: 1)))
    #expect(world.withdrawals.count == 1)
    #expect(world.store.history.values.map { $0.state } == [.withdrawn])
    #expect(world.store.shown.isEmpty)
  }

  @Test func N15_everyShownOneOfARepeatUnderAMinuteIsWithdrawn() {
    let world = World()
    world.schedule("tick", in: 1, repeats: .second)
    world.schedule("other", in: 1, repeats: .second)
    world.advance(seconds: 10.5)
    #expect(world.takeDelivered().filter { $0 == "tick" }.count == 10)
    #expect(
      world.request(.cancel(app: "app", identifiers: ["tick"]))
        == .cancelled(cancelled: 1, withdrawn: 10))
    #expect(Set(world.withdrawals.map { $0.occurrence.k }) == Set(0..<10))
    #expect(
      world.request(.cancel(app: "app", identifiers: ["tick"]))
        == .cancelled(cancelled: 0, withdrawn: 0))
  }

  @Test func N1_aReplacementWithdrawsWhatIsShownWhenItIsDelivered() {
    let world = World()
    world.schedule("n", in: 0, repeats: .minute)
    world.advance(seconds: 150)
    #expect(world.store.shown.count == 3)
    world.schedule("n", in: 100)
    #expect(world.store.shown.count == 3 && world.withdrawals.isEmpty)
    world.deliveries = []
    world.advance(seconds: 100)
    #expect(world.deliveries.count == 1 && world.store.shown.count == 1)
    #expect(world.deliveries[0].replaces != nil && world.withdrawals.count == 2)
    let states = world.store.history.values.map { $0.state }
    #expect(states.filter { $0 == .withdrawn }.count == 3)
  }

  @Test func N1_replacingARepeatUnderAMinuteWithdrawsWhatTheBooksNeverHeardOf() {
    let world = World()
    world.schedule("tick", in: 1, repeats: .second)
    world.schedule("other", in: 1, repeats: .second)
    world.advance(seconds: 5.5)
    world.schedule("tick", in: 2)
    #expect(world.withdrawals.isEmpty)
    world.deliveries = []
    world.advance(seconds: 3)
    let last = world.deliveries.last { $0.occurrence.notification.identifier == "tick" }
    // One is updated, the four before it are withdrawn; the neighbour's stay.
    #expect(last?.occurrence.id.generation == 1 && last?.replaces != nil)
    #expect(world.withdrawals.count == 4)
    #expect(
      world.request(.cancel(app: "app", identifiers: ["tick"]))
        == .cancelled(cancelled: 0, withdrawn: 1))
  }

  @Test func S7_stopSoundStopsWhatPlaysAndWhatWaits() {
    let world = World {
      $0.sinks = [World.sinks[2]]
      $0.window = 1
    }
    world.answer = { _ in nil }
    for name in ["a", "b"] { world.schedule(name, in: 1) { $0.soundName = "default" } }
    world.advance(seconds: 1)
    #expect(world.request(.stopSound(app: "app")) == .stopped(2))
    #expect(world.stopped == ["app"])
    #expect(world.request(.stopSound(app: nil), by: World.root) == .stopped(1))
    #expect(world.stopped == ["app", nil])
  }
}
