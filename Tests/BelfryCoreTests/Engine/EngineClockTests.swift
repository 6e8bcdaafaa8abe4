import Testing

@testable import BelfryCore

/// A board that has just started: its clock is `ahead` of the last time known, and nobody has
/// called it synchronised.
private func board(
  ahead: Double = 3600, elapsed: Double = 10,
  _ change: (inout EngineConfiguration) -> Void = { _ in }
) -> World {
  let world = World {
    $0.isClockTrusted = false
    $0.knownTime = World.start.advanced(by: Int64(-ahead * 1e9))
    change(&$0)
  }
  world.now.elapsed = Int64(elapsed * 1e9)
  world.configuration.isClockTrusted = false
  world.asked = 0
  world.restart()
  return world
}

@Suite struct EngineClockTests {
  @Test func T9_E1_whatIsHeldIsListedWithWhatRingsAfterThePause() {
    let world = board(ahead: -3600)
    world.schedule("bell", in: 60, repeats: .minute)
    world.pause("bell", from: 30, until: 250)
    #expect(world.listing("bell")?.state == .held)
    #expect(world.listing("bell")?.next == World.start.advanced(by: 300 * Nanoseconds.second))
    #expect(world.listing("bell")?.passed.count == 1)
  }

  @Test func T9_aPlausibleClockHoldsOneShotsUntilItIsTrusted() {
    let world = board()
    world.schedule("once", in: 30)
    world.schedule("hourly", in: 30, repeats: .hour)
    world.schedule("late", in: 100)
    world.advance(seconds: 60)
    #expect(world.takeDelivered() == ["hourly"])
    #expect(world.kinds("once") == [.held])
    #expect(world.scheduler.status.held == 2)
    world.advance(seconds: 49)  // 119 s after the boot.
    #expect(world.takeDelivered() == [])
    world.advance(seconds: 1)
    #expect(world.takeDelivered() == ["once"])
    #expect(world.scheduler.status.held == 0 && world.scheduler.status.isClockTrusted)
    let row = world.store.history.values.first { $0.identifier == "once" }
    #expect(row?.reason == "was held for the clock" && row?.clock == .plausible)
    world.advance(seconds: 30)
    #expect(world.takeDelivered() == ["late"])
  }

  @Test func T9_anUntrustedClockHoldsAllThatGoesByIt() {
    let world = board(ahead: -10_000)
    world.schedule("once", in: 30)
    world.schedule("hourly", in: 30, repeats: .hour)
    world.schedule("in") { $0.fireIn = 20 * Nanoseconds.second }
    world.schedule("now")
    #expect(world.takeDelivered() == ["now"])
    world.advance(seconds: 600)
    #expect(world.takeDelivered() == ["in"])
    #expect(Set(world.kinds("once") + world.kinds("hourly")) == [.held])
    #expect(world.scheduler.status.clock == .untrusted && world.scheduler.status.held == 2)
    let reply = world.request(.list(app: "app", delivered: false, cursor: 0, limit: 10))
    guard case .listed(let rows, _) = reply else { return #expect(Bool(false)) }
    #expect(
      rows.allSatisfy { $0.state == .held && $0.reason?.contains("last time known") ?? false })
    // The time server answers.
    world.isSynchronised = true
    world.stepClock(seconds: 20_000)
    world.advance(seconds: 1)
    #expect(Set(world.takeDelivered()) == ["once", "hourly"])
    #expect(world.scheduler.status.clock == .synchronised)
  }

  @Test func T9_whatAnUntrustedClockShowsAtTheEndIsNotTheLastTimeKnown() {
    let world = board(ahead: -10_000)
    func noted() -> Instant? {
      guard case .noteClock(_, let noted) = world.scheduler.clockNote(at: world.now) else {
        return nil
      }
      return noted.real
    }
    #expect(noted() == World.start.advanced(by: 10_000 * Nanoseconds.second))
    world.request(.trustClock, by: World.root)
    #expect(noted() == world.now.real)
  }

  @Test func T9_N2_whatWasDueAtOnceWhenTheProcessDiedIsNotHeld() {
    let world = board(ahead: -10_000)
    world.schedule("other", in: 30)
    world.isBlocked = true
    world.request(.schedule(app: "app", world.alert("now")))
    // It reached the store, and nobody was left to hand it over.
    for (_, operation) in world.queue { _ = world.store.perform(operation) }
    world.isBlocked = false
    world.restart()
    world.advance(seconds: 1)
    #expect(world.takeDelivered() == ["now"])
  }

  @Test func T9_anUntrustedClockThatRunsPastTheKnownTimeIsPlausible() {
    let world = board(ahead: -60, elapsed: 500)
    world.schedule("once", in: 10)
    world.advance(seconds: 59)
    #expect(world.takeDelivered() == [])
    world.advance(seconds: 2)
    #expect(world.takeDelivered() == ["once"])
  }

  @Test func T9_theKernelIsAskedEveryFiveSecondsAndOnlyWhileSomethingIsHeld() {
    let world = board()
    world.asked = 0
    world.advance(seconds: 60)
    #expect(world.asked == 0)
    #expect(world.scheduler.nextWake == NextWake(real: nil, elapsed: nil))
    world.schedule("once", in: 10_000)
    world.advance(seconds: 30)
    #expect((6...7).contains(world.asked))
    world.isSynchronised = true
    world.advance(seconds: 5)
    world.asked = 0
    #expect(world.scheduler.status.isClockTrusted)
    world.advance(seconds: 600)
    #expect(world.asked == 0)
  }

  @Test func T9_trustHoldsUntilTheNextBoot() {
    let world = board(ahead: -10_000)
    world.schedule("once", in: 10)
    #expect(world.request(.trustClock, by: World.alice) == .refused(.notPermitted))
    #expect(world.request(.trustClock, by: World.root) == .trusted(released: 1))
    #expect(world.request(.trustClock, by: World.root) == .trusted(released: 0))
    world.stepClock(seconds: -5)
    world.restart()
    world.advance(seconds: 20)
    #expect(world.takeDelivered() == ["once"])
  }

  @Test func T9_whatWasHeldCanBeCancelledAndReplaced() {
    let world = board()
    for name in ["a", "b", "c"] { world.schedule(name, in: 5) }
    world.advance(seconds: 10)
    #expect(world.scheduler.pending.table.held.nodes.count == 3)
    world.request(.cancel(app: "app", identifiers: ["a"]))
    world.schedule("b", in: 105)
    world.advance(seconds: 200)
    #expect(world.takeDelivered() == ["c", "b"])
    #expect(world.scheduler.pending.table.isSound)
  }

  @Test func T9_relativeOnesFollowNoStep() {
    for step in [-86_400.0, -10, 10, 86_400] {
      let world = World()
      world.schedule("tea") { $0.fireIn = 600 * Nanoseconds.second }
      world.advance(seconds: 300)
      world.stepClock(seconds: step)
      world.advance(seconds: 299)
      #expect(world.takeDelivered() == [])
      world.restart()
      world.advance(seconds: 1)
      #expect(world.takeDelivered() == ["tea"], "step \(step)")
      #expect(world.store.rows.isEmpty)
    }
  }

  @Test(arguments: [
    // made synchronised, stopped orderly; off for; then due after the boot
    (true, false, 100.0, 200.0), (true, true, 100, 200), (false, true, 100, 300),
    (false, false, 100, 600), (false, true, 100_000, 300),
  ]) func T9_relativeOnesAfterAReboot(
    synchronised: Bool, orderly: Bool, off: Double, expected: Double
  ) {
    let world = World()
    world.isSynchronised = synchronised
    world.send(.clockState(synchronised: synchronised))
    world.schedule("tea") { $0.fireIn = 600 * Nanoseconds.second }
    world.advance(seconds: 300)
    world.reboot(real: world.now.real.advanced(by: Int64(off * 1e9)), orderly: orderly)
    world.advance(seconds: expected - 1)
    #expect(world.takeDelivered() == [])
    world.restart()
    world.advance(seconds: 1)
    #expect(world.takeDelivered() == ["tea"])
  }

  @Test func T8_aStepBackOfUpToThreeHoursFiresNoRepeatTwice() {
    let world = World()
    world.isSynchronised = true
    world.send(.clockState(synchronised: true))
    world.schedule("hourly", in: 0, repeats: .hour)
    world.advance(seconds: 4 * 3600 + 1)
    world.stepClock(seconds: -3 * 3600)
    world.advance(seconds: 4 * 3600)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [0, 1, 2, 3, 4, 5])
    #expect(world.deliveries.allSatisfy { $0.occurrence.id.generation == 0 })
  }

  @Test(arguments: [(true, -86_400.0), (false, -7200)])
  func T8_afterALongOrUnsynchronisedStepBackRepeatsArePlannedAfresh(
    synchronised: Bool, step: Double
  ) {
    let world = World()
    world.isSynchronised = synchronised
    world.send(.clockState(synchronised: synchronised))
    world.schedule("hourly", in: 0, repeats: .hour)
    world.schedule("once", in: 1800)
    world.advance(seconds: 30 * 3600 + 1)
    world.deliveries = []
    world.stepClock(seconds: step)
    #expect(world.said.contains { $0.contains("1 repeat had fired ahead") })
    world.restart()
    world.advance(seconds: 3 * 3600)
    let first = 31 + Int64(step) / 3600
    #expect(world.deliveries.map { $0.occurrence.id.k } == [first, first + 1, first + 2])
    #expect(world.deliveries.allSatisfy { $0.occurrence.id.generation == 1 })
    #expect(world.deliveries.allSatisfy { $0.handedOver == $0.occurrence.due })
  }

  /// Planned by a clock that ran ahead, and in the store only when it was corrected.
  @Test(arguments: [false, true]) func T8_N5_aStepBackBeforeARepeatIsInTheBooksCounts(isList: Bool)
  {
    let world = World()
    world.schedule("other", in: 1_000_000)
    world.isBlocked = true
    // Three days ahead: its first occurrence would be as far away.
    let daily = world.alert("daily", in: -8 * 86_400 + 60, repeats: .day)
    world.request(
      isList ? .replaceAll(app: "app", [daily]) : .schedule(app: "app", daily))
    world.stepClock(seconds: -3 * 86_400)
    world.isBlocked = false
    world.run()
    let row = world.store.rows.values.first { $0.notification.identifier == "daily" }
    #expect(row?.generation == 1 && row?.firedThrough == 4)
    world.advance(seconds: 61)
    #expect(world.takeDelivered() == ["daily"])
    world.restart()
    world.advance(seconds: 86_400)
    #expect(world.takeDelivered() == ["daily"] && world.early.isEmpty)
  }

  @Test func T8_aBoardThatRanDaysAheadAndBootsCorrectedIsNotSilent() {
    let world = board(ahead: -1) { $0.trustAfter = 0 }
    world.configuration.knownTime = .distantPast
    world.schedule("daily", in: 3600, repeats: .day)
    world.stepClock(seconds: 3 * 86_400)
    world.advance(seconds: 2 * 3600)
    world.deliveries = []
    world.reboot(real: World.start.advanced(by: 7200 * Nanoseconds.second))
    world.advance(seconds: 86_400)
    #expect(world.deliveries.count == 1)
    #expect(world.deliveries[0].handedOver == World.start.advanced(by: 90_000 * Nanoseconds.second))
  }

  /// Its zone was not loaded when the others were looked through.
  @Test func T8_T3_aZonedOneIsPlannedAfreshAsSoonAsItsZoneIsThere() {
    let world = World()
    world.zoneFiles["Etc/UTC"] = .utc
    world.schedule("hourly", in: 0, repeats: .hour) {
      $0.timeZone = "Etc/UTC"
      $0.zoneMode = .zoned
    }
    world.advance(seconds: 30 * 3600 + 1)
    world.zoneFiles = [:]
    world.restart()
    world.stepClock(seconds: -7200)
    world.advance(seconds: 1)
    world.send(.zone("Etc/UTC", .rules(.utc)))
    world.deliveries = []
    world.advance(seconds: 3 * 3600)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [29, 30, 31])
    #expect(world.deliveries.allSatisfy { $0.occurrence.id.generation == 1 })
  }

  @Test func D7_T8_whatWasPassedOverWhileItWasLateHasItsIntentAfterAStepBack() {
    let world = World()
    world.isSynchronised = true
    world.send(.clockState(synchronised: true))
    for name in ["a", "b"] { world.schedule(name, in: 200, repeats: .hour) }
    world.stepClock(seconds: 3 * 3600)
    // One at a time: the other waits for its turn.
    #expect(world.takeDelivered() == ["a"])
    world.stepClock(seconds: -3 * 3600)
    world.advance(seconds: 199.5)
    #expect(world.store.open.values.map { $0.occurrence.notification.identifier } == ["b"])
    world.advance(seconds: 1)
    #expect(world.takeDelivered() == ["b"])
  }

  @Test func T8_manyRepeatsAreReviewedInTurns() {
    let world = World { $0.notifications = 100_000 }
    for index in 0..<5000 { world.schedule("n\(index)", in: Double(index % 50), repeats: .day) }
    world.advance(seconds: 86_400)
    world.deliveries = []
    world.stepClock(seconds: -86_400)
    world.advance(seconds: 1)
    #expect(!world.scheduler.isReviewing && world.scheduler.pending.table.isSound)
    world.advance(seconds: 100)
    // All but those due at the very instant that it was set to.
    #expect(world.deliveries.count == 4900)
  }

  @Test(
    arguments: [
      (.urgent, [nil, 300.0, 300, 200, nil]), (.all, [100, 100, 100, 100, 300]),
      (.never, [nil, nil, nil, nil, nil]),
    ] as [(EngineConfiguration.Wake, [Double?])])
  func T11_aSleepingBoardIsWokenForThoseThatMayWakeIt(
    wake: EngineConfiguration.Wake, expected: [Double?]
  ) {
    let world = World { $0.wake = wake }
    func alarm() -> Double? {
      world.scheduler.nextWake.alarm.map {
        // So much earlier it is prepared.
        Double($0.nanoseconds(since: World.start)) / 1e9 + 1
      }
    }
    var seen: [Double?] = []
    world.schedule("active", in: 100)
    seen.append(alarm())
    world.schedule("critical", in: 300) { $0.interruptionLevel = .critical }
    seen.append(alarm())
    world.restart()
    seen.append(alarm())
    world.schedule("timely", in: 200) { $0.interruptionLevel = .timeSensitive }
    seen.append(alarm())
    world.request(
      .cancel(
        app: "app", identifiers: wake == .all ? ["active", "timely"] : ["critical", "timely"]))
    seen.append(alarm())
    #expect(seen == expected)
    #expect(world.scheduler.pending.table.isSound)
  }

  @Test func T8_D7_rowsReadFromBeforeItWasPlannedAfreshBearNoOldIDs() {
    let world = World()
    world.schedule("minutely", in: 0, repeats: .minute)
    world.advance(seconds: 600.5)
    world.deliveries = []
    // The disk takes nothing, and gives what it last took.
    world.holdsRecords = true
    world.stepClock(seconds: -300)
    world.advance(seconds: 120)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [6, 7])
    #expect(world.deliveries.allSatisfy { $0.occurrence.id.generation == 1 })
  }

  /// Takes a day's lead back from the clock before it is believed.
  @Test(arguments: [(3600.0, 3600.0), (-3600.0, 60.0)])
  func T9_N2_aDateThatAClockAheadTookForPastIsHeldAndJudgedByTheCorrectedOne(
    fromTrueNow: Double, expected: Double
  ) {
    let world = board(ahead: 90_000)
    let start = world.now.real.advanced(by: -Nanoseconds.day)
    world.schedule("once") { $0.fireDate = start.advanced(by: Int64(fromTrueNow * 1e9)) }
    world.advance(seconds: 60)
    #expect(world.takeDelivered() == [] && world.kinds("once") == [.held])
    world.isSynchronised = true
    world.stepClock(seconds: -86_400)
    world.restart()
    world.advance(seconds: 7200)
    #expect(world.takeDelivered() == ["once"])
    let row = world.store.history.values.first { $0.identifier == "once" }
    let handed = row?.handedOver?.nanoseconds(since: start) ?? 0
    #expect(Double(handed) / 1e9 == expected)
    #expect(world.early.isEmpty)
  }
}
