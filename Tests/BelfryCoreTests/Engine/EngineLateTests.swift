import Testing

@testable import BelfryCore

@Suite struct EngineLateTests {
  @Test func T10_aOneShotMissedWhileOffFiresOnceAndLate() {
    let world = World()
    world.schedule("tea", in: 10)
    world.sleep(seconds: 3600)
    world.restart()
    world.advance(seconds: 10)
    #expect(world.deliveries.count == 1)
    let delivery = world.deliveries[0]
    #expect(delivery.occurrence.due == World.start.advanced(by: 10 * Nanoseconds.second))
    #expect(delivery.handedOver == World.start.advanced(by: 3600 * Nanoseconds.second))
    world.advance(seconds: 100_000)
    #expect(world.deliveries.count == 1)
  }

  @Test func T10_aRepeatFiresOnceAsItsNewestMissed() {
    let world = World()
    world.schedule("r", in: 0, repeats: .hour)
    world.advance(seconds: 1)
    world.deliveries = []
    world.sleep(seconds: 5.5 * 3600)
    world.restart()
    world.advance(seconds: 60)
    #expect(world.deliveries.count == 1)
    let occurrence = world.deliveries[0].occurrence
    #expect(occurrence.id.k == 5 && occurrence.missed == 4)
    #expect(occurrence.missedSince == World.start.advanced(by: Nanoseconds.hour))
    world.advance(seconds: 3600)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [5, 6])
    #expect(world.deliveries[1].occurrence.missed == 0)
  }

  @Test func T10_missedOnesFoldIntoTheNextWithinGrace() {
    let world = World()
    world.schedule("r", in: 0, repeats: .hour)
    world.advance(seconds: 1)
    world.deliveries = []
    world.sleep(seconds: 3 * 3600 - 3)  // Two seconds before k = 3.
    world.restart()
    world.advance(seconds: 1.9)
    #expect(world.deliveries.isEmpty)
    world.advance(seconds: 0.2)
    #expect(world.deliveries.count == 1)
    let occurrence = world.deliveries[0].occurrence
    #expect(occurrence.id.k == 3 && occurrence.missed == 2)
    #expect(occurrence.missedSince == World.start.advanced(by: Nanoseconds.hour))
    #expect(world.deliveries[0].handedOver == occurrence.due)
  }

  @Test(
    arguments: [
      // the notification's own, the app's, the daemon's; late by; fires
      (nil, nil, .fire, 1000, true), (nil, nil, .drop, 1000, false),
      (nil, nil, .drop, 4, true), (.fire, nil, .drop, 1000, true),
      (nil, .drop, .fire, 1000, false), (.fire, .drop, .drop, 1000, true),
      (.seconds(60), nil, .fire, 59, true), (.seconds(60), nil, .fire, 61, false),
      (.seconds(0), nil, .fire, 4, true), (.seconds(0), nil, .fire, 6, false),
    ] as [(LatePolicy?, LatePolicy?, LatePolicy, Double, Bool)])
  func T10_latePolicy(
    own: LatePolicy?, app: LatePolicy?, daemon: LatePolicy, by: Double, fires: Bool
  ) {
    let world = World {
      $0.late = daemon
      $0.overrides["app"] = .init()
      $0.overrides["app"]?.limits.late = app
    }
    world.schedule("a", in: 10) { $0.late = own }
    world.sleep(seconds: 10 + by)
    world.restart()
    world.advance(seconds: 60)
    #expect(world.takeDelivered() == (fires ? ["a"] : []))
    #expect(world.kinds().contains(.missed) == !fires)
    #expect(world.store.history.values.map { $0.state } == [fires ? .delivered : .missed])
    #expect(world.store.rows.isEmpty && world.store.open.isEmpty)
  }

  @Test func T10_aCrashLeavesATraceOfWhatIsDropped() {
    let world = World { $0.late = .drop }
    world.schedule("a", in: 10)
    world.advance(seconds: 5)
    world.isBlocked = true
    world.sleep(seconds: 100)
    world.send(.clock)
    // After any of these the process may end.
    while !world.queue.isEmpty {
      world.commitOne()
      #expect(!world.store.rows.isEmpty || !world.store.history.isEmpty)
    }
    #expect(world.store.rows.isEmpty && world.store.history.values.map { $0.state } == [.missed])
  }

  @Test func T10_aDroppedRepeatGoesOnWithItsNext() {
    let world = World { $0.late = .drop }
    world.schedule("r", in: 0, repeats: .hour)
    world.advance(seconds: 1)
    world.deliveries = []
    world.sleep(seconds: 2.5 * 3600)
    world.restart()
    world.advance(seconds: 1800)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [3])
    #expect(world.deliveries[0].occurrence.missed == 0)
    #expect(world.kinds().filter { $0 == .missed }.count == 1)
  }

  @Test func T10_manyLateOnesAreStaggeredAndDelayNoneThatIsOnTime() {
    let world = World { $0.notifications = 10_000 }
    for index in 0..<1200 { world.schedule("late\(index)", in: 10) }
    world.schedule("sharp", in: 3630)
    world.sleep(seconds: 3600)
    world.restart()
    world.advance(seconds: 10)
    #expect((45...55).contains(world.deliveries.count))
    world.deliveries = []
    world.advance(seconds: 20)
    let sharp = world.deliveries.first { $0.occurrence.notification.identifier == "sharp" }
    #expect(sharp?.handedOver == sharp?.occurrence.due && sharp != nil)
    world.advance(seconds: 300)
    #expect(world.store.rows.isEmpty)
    #expect(world.store.history.count == 1201)
  }

  @Test func T10_aMinuteRepeatNeverBursts() {
    let world = World()
    world.schedule("r", in: 0, repeats: .minute)
    for _ in 0..<20 {
      world.advance(seconds: 150)
      let before = world.deliveries.count
      world.sleep(seconds: 1000)
      world.send(.clock)
      #expect(world.deliveries.count - before <= 1)
    }
    let ks = world.deliveries.map { $0.occurrence.id.k }
    #expect(ks == ks.sorted() && Set(ks).count == ks.count)
  }

  @Test func T8_aStepBackFiresNothingAgain() {
    let world = World()
    world.isSynchronised = true
    world.restart()
    world.schedule("once", in: 10)
    world.schedule("hourly", in: 10, repeats: .hour)
    world.advance(seconds: 20)
    #expect(world.takeDelivered() == ["once", "hourly"])
    world.stepClock(seconds: -3600)
    world.restart()
    world.advance(seconds: 2 * 3600)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [1])
  }

  @Test func T8_aStepForwardMakesLate() {
    let world = World()
    for index in 0..<200 { world.schedule("n\(index)", in: 50, app: "app\(index % 10)") }
    world.advance(seconds: 10)
    world.stepClock(seconds: 86_400)
    #expect(world.deliveries.count == 1)
    world.advance(seconds: 0.2)
    #expect(world.deliveries.count == 2)
    world.advance(seconds: 60)
    #expect(world.deliveries.count == 200)
  }

  @Test func T8_aStepBackAfterAStepForwardKeepsAppointments() {
    let world = World { $0.notifications = 5000 }
    for index in 0..<1500 { world.schedule("n\(index)", in: Double(100 + index)) }
    world.stepClock(seconds: 1_000_000)
    world.stepClock(seconds: -1_000_000)
    let fired = world.deliveries.count
    world.deliveries = []
    world.advance(seconds: 2000)
    #expect(world.deliveries.count == 1500 - fired)
    #expect(world.deliveries.allSatisfy { $0.handedOver == $0.occurrence.due })
  }

  @Test(arguments: [nil, "Europe/Berlin"] as [String?])
  func T8_T10_whatFoldedIntoTheNextComesAfterAStepBack(zone: String?) {
    let world = World()
    world.zoneFiles["Europe/Berlin"] = .utc
    world.isSynchronised = true
    world.send(.clockState(synchronised: true))
    world.schedule("minutely", in: 60, repeats: .minute) {
      $0.timeZone = zone
      if zone != nil { $0.zoneMode = .zoned }
    }
    world.advance(seconds: 58)
    // Two seconds before k = 180, so nothing fires there.
    world.stepClock(seconds: 3 * 3600)
    #expect(world.deliveries.isEmpty)
    world.stepClock(seconds: -3 * 3600)
    world.advance(seconds: 122)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [0, 1, 2])
    #expect(world.deliveries.allSatisfy { $0.handedOver == $0.occurrence.due })
    #expect(world.deliveries.allSatisfy { $0.occurrence.missed == 0 })
  }

  @Test func T12_withNothingDueThereIsNoWake() {
    let world = World()
    #expect(world.scheduler.nextWake == NextWake(real: nil, elapsed: nil))
    world.schedule("far", in: 10_000)
    #expect(
      world.scheduler.nextWake
        == NextWake(real: World.start.advanced(by: 9940 * Nanoseconds.second), elapsed: nil))
  }

  @Test func T12_whatIsCancelledShortlyBeforeItIsDueLeavesNoWake() {
    let world = World()
    world.schedule("soon", in: 30)
    world.advance(seconds: 10)
    world.request(.cancel(app: "app", identifiers: ["soon"]))
    #expect(world.scheduler.nextWake.real == nil && world.scheduler.nextWake.elapsed == nil)
  }

  @Test func N19_expiresIsTheEndOfShowing() {
    let world = World()
    world.schedule("kept", in: 10) { $0.expires = $0.fireDate?.advanced(by: 1) }
    world.schedule("late", in: 10) { $0.expires = $0.fireDate?.advanced(by: Nanoseconds.minute) }
    world.schedule("hourly", in: 10, repeats: .hour) {
      $0.expires = $0.fireDate?.advanced(by: Nanoseconds.hour + Nanoseconds.minute)
    }
    world.advance(seconds: 9)
    world.sleep(seconds: 1.001)
    world.send(.clock)
    #expect(world.takeDelivered() == ["kept", "late", "hourly"])
    world.schedule("late", in: 10) { $0.expires = $0.fireDate?.advanced(by: Nanoseconds.minute) }
    world.sleep(seconds: 2 * 3600)
    world.restart()
    world.advance(seconds: 3600)
    #expect(world.takeDelivered() == [])
    #expect(Set(world.events.filter { $0.kind == .expired }.map { $0.identifier }).count == 2)
    #expect(world.store.rows.isEmpty)
  }
}
