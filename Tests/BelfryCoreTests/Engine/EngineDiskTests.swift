import Testing

@testable import BelfryCore

@Suite struct EngineDiskTests {
  @Test func D8_aDiskThatDoesNotAnswerDelaysNothingThatIsLoaded() {
    let world = World { $0.notifications = 1000 }
    for index in 0..<300 { world.schedule("n\(index)", in: 1 + Double(index) / 5) }
    world.schedule("r", in: 2, repeats: .minute)
    world.isBlocked = true
    world.advance(seconds: 59)
    #expect(world.deliveries.count >= 290)
    #expect(world.deliveries.allSatisfy { $0.handedOver == $0.occurrence.due })
    world.isBlocked = false
    world.run()
    world.advance(seconds: 600)
    #expect(world.takeDelivered().count == 301 + 10)
    #expect(world.store.open.isEmpty)
  }

  @Test func D8_aFullDiskRefusesTheNewAndDeliversTheOld() {
    let world = World()
    world.schedule("old", in: 100)
    world.advance(seconds: 50)
    world.store.isFull = true
    #expect(
      world.request(.schedule(app: "app", world.alert("new", in: 1)))
        == .refused(.storeUnavailable(reason: "disk full")))
    #expect(
      world.request(.cancelAll(app: "app"))
        == .refused(.storeUnavailable(reason: "disk full")))
    #expect(
      world.request(.schedule(app: "fresh", world.alert("new", in: 1)))
        == .refused(.storeUnavailable(reason: "disk full")))
    world.advance(seconds: 60)
    #expect(world.takeDelivered() == ["old"])
    world.store.isFull = false
    #expect(world.schedule("new", in: 1, app: "fresh")?.scheduled == true)
    #expect(world.scheduler.status.pending == 1)
  }

  @Test func D8_N14_whatIsPresentedNowIsShownWithAWarningThatTheDiskDoesNotHaveIt() throws {
    let world = World()
    world.schedule("old", in: 100)
    world.store.isFull = true
    let reply = world.request(.presentNow(app: "app", world.alert("now")))
    guard case .scheduled(let shown) = reply else {
      Issue.record("\(String(describing: reply))")
      return
    }
    #expect(shown.warnings == ["disk full; it is shown, but a restart forgets it"])
    #expect(world.takeDelivered() == ["now"])
    world.store.isFull = false
    guard case .scheduled(let kept) = world.request(.presentNow(app: "app", world.alert("kept")))
    else {
      Issue.record("not presented")
      return
    }
    #expect(kept.warnings.isEmpty)
    #expect(world.takeDelivered() == ["kept"])
  }

  @Test func D8_loadingIsTriedAgainAfterAFailure() {
    let world = World()
    world.schedule("n", in: 100)
    world.store.isFull = true
    world.advance(seconds: 98)
    world.store.isFull = false
    world.advance(seconds: 2)
    #expect(world.deliveries.map { $0.handedOver == $0.occurrence.due } == [true])
  }

  @Test func aRowThatTheBooksHaveLostIsToldAndForgotten() {
    let world = World()
    world.schedule("n", in: 100)
    world.store.rows = [:]
    world.advance(seconds: 200)
    #expect(world.problems.count == 1 && world.scheduler.status.pending == 0)
    #expect(world.scheduler.nextWake == NextWake(real: nil, elapsed: nil))
  }

  @Test func restore_takesNoNonsense() {
    let scheduler = SchedulerEngine(configuration: EngineConfiguration()) {
      UUIDBits(high: 0, low: 0)
    }
    scheduler.restore(StoredApp(number: 1, name: "app", owner: 0, badge: 0))
    func row(_ slot: Slot, app: AppNumber = 1, through: Int64 = -1) -> PendingSummary {
      PendingSummary(
        slot: slot, app: app, generation: 0, sequence: 1, anchor: World.start, unit: nil,
        firedThrough: through)
    }
    #expect(scheduler.restore(row(7)))
    #expect(!scheduler.restore(row(7)))
    #expect(!scheduler.restore(row(0)))
    #expect(!scheduler.restore(row(-1)))
    #expect(!scheduler.restore(row(.max)))
    #expect(!scheduler.restore(row(8, app: 2)))
    #expect(!scheduler.restore(row(8, through: -2)))
    #expect(scheduler.status.pending == 1)
  }
}
