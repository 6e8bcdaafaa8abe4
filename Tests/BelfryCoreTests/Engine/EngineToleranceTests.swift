import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// Wake-ups joined by tolerance (T12).
@Suite struct EngineToleranceTests {
  /// Passes time by the wakes that the scheduler asks for; how many there were.
  private func wakes(_ world: World, seconds: Int64) -> Int {
    let end = world.now.real.advanced(by: seconds * Nanoseconds.second)
    var count = 0
    while let wake = world.scheduler.nextWake.real, wake <= end {
      let step = max(0, wake.nanoseconds(since: world.now.real))
      world.now.real = world.now.real.advanced(by: step)
      world.now.elapsed += step
      count += 1
      world.send(.clock)
    }
    let rest = end.nanoseconds(since: world.now.real)
    world.now.real = end
    world.now.elapsed += rest
    world.send(.clock)
    return count
  }

  private func schedule(_ world: World, _ name: String, in seconds: Double, tolerance: Int64) {
    world.schedule(name, in: seconds) { $0.tolerance = tolerance * Nanoseconds.second }
  }

  @Test func T12_whatMayComeTogetherDoesByOneWake() {
    let world = World()
    schedule(world, "a", in: 1000, tolerance: 120)
    schedule(world, "b", in: 1050, tolerance: 300)
    schedule(world, "c", in: 1100, tolerance: 60)
    #expect(world.scheduler.status.next?.due == World.start.advanced(by: 1000 * Nanoseconds.second))
    #expect(wakes(world, seconds: 2000) == 1)
    #expect(world.takeDelivered() == ["a", "b", "c"])
    #expect(world.scheduler.pending.table.isSound && world.scheduler.pending.count == 0)
  }

  @Test func T12_anExactOneIsExactAndTakesOthersAlong() {
    let world = World()
    schedule(world, "exact", in: 1000, tolerance: 0)
    schedule(world, "before", in: 970, tolerance: 600)
    schedule(world, "behind", in: 1001, tolerance: 600)
    let alone = World()
    schedule(alone, "exact", in: 1000, tolerance: 0)
    #expect(wakes(world, seconds: 1000) == wakes(alone, seconds: 1000))
    let deliveries = world.deliveries
    #expect(world.takeDelivered() == ["before", "exact"])
    #expect(deliveries.last?.handedOver == deliveries.last?.occurrence.due)
    _ = wakes(world, seconds: 700)
    #expect(world.takeDelivered() == ["behind"])
  }

  @Test func T10_T12_withinItsToleranceItIsNotLate() {
    let world = World { $0.late = .drop }
    schedule(world, "a", in: 1000, tolerance: 600)
    schedule(world, "b", in: 5000, tolerance: 600)
    _ = wakes(world, seconds: 2000)
    #expect(world.takeDelivered() == ["a"])
    world.sleep(seconds: 3700)
    world.send(.clock)
    #expect(world.takeDelivered() == [] && world.kinds("b") == [.missed])
  }

  /// As it was scheduled, and as it is read from the store.
  @Test(arguments: [false, true])
  func T12_N19_nothingIsShownBeyondItsExpiry(_ isRestarted: Bool) {
    let world = World()
    func put(_ name: String, tolerance: Int64, _ change: (inout Notification) -> Void) {
      world.schedule(name, in: 1000) {
        $0.tolerance = tolerance * Nanoseconds.second
        $0.expires = World.start.advanced(by: 1010 * Nanoseconds.second)
        change(&$0)
      }
    }
    put("short", tolerance: 60) { _ in }
    put("daily", tolerance: 5) { $0.repeatInterval = .day }
    if isRestarted { world.restart() }
    _ = wakes(world, seconds: 2000)
    #expect(world.deliveries.allSatisfy { $0.handedOver == $0.occurrence.due })
    #expect(world.takeDelivered().sorted() == ["daily", "short"])
    // It ends before that.
    put("within", tolerance: 5) {
      $0.expires = world.now.real.advanced(by: 1010 * Nanoseconds.second)
    }
    _ = wakes(world, seconds: 2000)
    #expect(world.deliveries.allSatisfy { $0.handedOver > $0.occurrence.due })
    #expect(world.takeDelivered() == ["within"])
    #expect(Notification().tolerance(from: World.start) == 0)
    var patient = Notification()
    patient.tolerance = 60
    patient.expires = World.start
    #expect(patient.tolerance(from: World.start.advanced(by: -60)) == 60)
    #expect(patient.tolerance(from: World.start.advanced(by: -59)) == 0)
    patient.timeZone = "Europe/Berlin"
    #expect(patient.tolerance(from: World.start.advanced(by: -Nanoseconds.hour)) == 0)
    patient.expires = nil
    #expect(patient.tolerance(from: .distantFuture) == 60)
  }

  @Test func T12_aRepeatIsNotJoinedWithItself() {
    let world = World()
    world.schedule("minutely", in: 60, repeats: .minute) { $0.tolerance = Nanoseconds.hour }
    _ = wakes(world, seconds: 3600)
    #expect((59...60).contains(world.deliveries.count))
    #expect(world.deliveries.allSatisfy { $0.occurrence.missed == 0 })
  }

  /// Nobody else wakes, or another takes it along that is at its due or far from it.
  @Test(arguments: [nil, 0, 30, 100] as [Double?])
  func T12_D7_beforeItComesItsIntentStandsInTheBooks(other: Double?) {
    let world = World()
    schedule(world, "a", in: 1000, tolerance: 120)
    if let other { schedule(world, "other", in: 1000 + other, tolerance: 0) }
    world.answer = { _ in nil }
    while world.deliveries.isEmpty {
      guard let wake = world.scheduler.nextWake.real else { return #expect(Bool(false)) }
      let step = max(0, wake.nanoseconds(since: world.now.real))
      world.now.real = world.now.real.advanced(by: step)
      world.now.elapsed += step
      world.handle(.clock)
      // The disk answers until it is handed over, and then nobody writes anything more.
      while !world.queue.isEmpty, world.deliveries.isEmpty { world.commitOne() }
    }
    #expect(world.deliveries.first?.occurrence.notification.identifier == "a")
    world.restart()
    world.advance(seconds: 130)
    let attempts = world.deliveries.filter { $0.occurrence.notification.identifier == "a" }
    #expect(attempts.map { $0.attempt } == [1, 2])
  }

  /// Dates of its own may lie close to those of the rule; that makes it no repeat by the second.
  @Test func D7_T6_aRuleWithDatesHasItsIntentInTheBooksToo() throws {
    let world = World()
    let rule = try RecurrenceRule.parse("FREQ=MONTHLY")
    world.schedule("rent", in: 100) {
      $0.rrule = rule
      $0.rdate = [World.start.advanced(by: Nanoseconds.day)]
    }
    world.advance(seconds: 99.5)
    #expect(world.store.open.count == 1 && world.deliveries.isEmpty)
    world.advance(seconds: 1)
    #expect(world.takeDelivered() == ["rent"])
  }

  @Test func T12_D8_aBlockedDiskHoldsItNoLongerThanItsTolerance() {
    let world = World()
    schedule(world, "a", in: 1000, tolerance: 30)
    world.advance(seconds: 1014)
    schedule(world, "b", in: 10, tolerance: 20)
    world.isBlocked = true
    world.advance(seconds: 40)
    for delivery in world.deliveries {
      let late = delivery.handedOver.nanoseconds(since: delivery.occurrence.due)
      let tolerance = delivery.occurrence.notification.tolerance
      #expect(late >= 0 && late <= tolerance)
    }
    #expect(Set(world.takeDelivered()) == ["a", "b"])
  }

  @Test(arguments: 0..<8)
  func T12_randomOnesComeNeitherEarlyNorLateAndWakeLess(run: Int) {
    let seed = TestSeed.here() &+ UInt64(run)
    var random = SeededRandom(seed: seed)
    let world = World { $0.notifications = 1000 }
    let exact = World { $0.notifications = 1000 }
    var windows: [String: Int64] = [:]
    for index in 0..<100 {
      let seconds = Double(random.next() % 7200 + 1)
      let tolerance = random.next() % 4 == 0 ? 0 : Int64(random.next() % 900)
      windows["n\(index)"] = tolerance
      schedule(world, "n\(index)", in: seconds, tolerance: tolerance)
      schedule(exact, "n\(index)", in: seconds, tolerance: 0)
    }
    let (joined, alone) = (wakes(world, seconds: 9000), wakes(exact, seconds: 9000))
    #expect(joined <= alone, "seed \(seed): \(joined) wakes, \(alone) without tolerance")
    #expect(world.deliveries.count == exact.deliveries.count, "seed \(seed)")
    for delivery in world.deliveries {
      let tolerance = windows[delivery.occurrence.notification.identifier ?? ""] ?? 0
      let late = delivery.handedOver.nanoseconds(since: delivery.occurrence.due)
      #expect(late >= 0 && late <= tolerance * Nanoseconds.second, "seed \(seed): \(late)")
    }
    #expect(world.scheduler.pending.table.isSound, "seed \(seed)")
  }
}
