import Testing

@testable import BelfryCore

@Suite struct PauseTests {
  @Test func E1_aPausedRepeatStaysSkipsAndRingsAgainAtItsOwnTime() throws {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    let reply = world.pause("bell", from: 90, until: 250)
    guard case .paused(let paused)? = reply else { return #expect(Bool(false)) }
    #expect(paused.ending.isEmpty && paused.more == 0)
    world.advance(seconds: 125)
    #expect(world.listing("bell")?.state == .paused)
    #expect(world.listing("bell")?.next == World.start.advanced(by: 300 * Nanoseconds.second))
    world.advance(seconds: 255)
    #expect(world.rung() == [60, 300, 360])
    let row = try #require(world.skippedRows.first)
    #expect(world.skippedRows.count == 1)
    #expect(row.missed == 2 && row.due == World.start.advanced(by: 240 * Nanoseconds.second))
    #expect(row.missedSince == World.start.advanced(by: 120 * Nanoseconds.second))
    #expect(row.reason?.contains("it is paused until") == true)
    #expect(world.kinds("bell").count { $0 == .skipped } == 3)
    #expect(world.problems.isEmpty)
  }

  @Test func E1_aOneShotThatIsDueInThePauseIsNamedAndLeavesAsSkipped() throws {
    let world = World()
    world.schedule("once", in: 60)
    world.schedule("later", in: 200)
    let reply = world.pause(until: 100)
    guard case .paused(let paused)? = reply else { return #expect(Bool(false)) }
    #expect(paused.ending.map { $0.identifier } == ["once"])
    #expect(paused.ending.first?.due == World.start.advanced(by: 60 * Nanoseconds.second))
    world.advance(seconds: 61)
    #expect(world.listed() == ["later"])
    #expect(world.store.rows.count == 1)
    world.advance(seconds: 200)
    #expect(world.rung() == [200])
    #expect(world.skippedRows.map { $0.text } == ["once"])
  }

  @Test func E1_spansThatJoinAreOne() {
    let world = World()
    let until = { (reply: Reply?) -> Instant? in
      guard case .paused(let paused)? = reply else { return .distantPast }
      return paused.until
    }
    let told = { world.listing("bell")?.reason ?? "" }
    let end = { (seconds: Double) in "it is paused until " + RFC3339.text(world.at(seconds)) }
    world.schedule("bell", in: 60, repeats: .minute)
    world.pause("bell", until: 200)
    #expect(until(world.pause("bell")) == nil)
    #expect(until(world.pause("bell", until: 100)) == nil)
    #expect(told() == "it is paused until it is resumed" && world.store.pauses.count == 1)
    world.restart()
    #expect(told() == "it is paused until it is resumed")
    #expect(world.resume("bell")?.resumed == 1 && world.store.pauses.isEmpty)

    world.pause("bell", until: 200)
    #expect(until(world.pause("bell", from: 200, until: 300)) == world.at(300))
    world.pause("bell", from: 350, until: 400)
    #expect(told() == end(300) && world.store.pauses.count == 2)
    #expect(until(world.pause("bell", from: 250, until: 360)) == world.at(400))
    #expect(told() == end(400) && world.store.pauses.count == 1)
    world.restart()
    #expect(told() == end(400))
    world.advance(seconds: 500)
    #expect(world.rung() == [420, 480] && world.skippedRows.count == 1)
  }

  @Test func E1_ofSeveralScopesTheLastToEndIsTold() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    let end = { (what: String, seconds: Double) in
      what + " is paused until " + RFC3339.text(world.at(seconds))
    }
    world.pause("bell", until: 200)
    world.pause(app: nil, until: 300, by: World.root)
    #expect(world.listing("bell")?.reason == end("everything", 300))
    // It goes on where that ends.
    world.pause(from: 250, until: 400)
    #expect(world.listing("bell")?.reason == end("its app", 400))
    #expect(world.listing("bell")?.next == world.at(420))
  }

  @Test func E1_theCountGoesOnInAPause() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute) { $0.count = 3 }
    world.pause("bell", until: 130)
    world.advance(seconds: 600)
    #expect(world.rung() == [180])
    #expect(world.listed().isEmpty && world.store.rows.isEmpty)
  }

  @Test func E1_aRepeatThatEndsInThePauseLeavesTheList() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute) { $0.count = 2 }
    world.pause("bell")
    world.advance(seconds: 600)
    #expect(world.rung().isEmpty)
    #expect(world.listed().isEmpty && world.store.rows.isEmpty)
    #expect(world.store.pauses.isEmpty)
  }

  @Test func E1_everythingIsTheOperatorsAloneAndCriticalOnesGoByName() {
    let world = World { $0.owner = World.alice.uid }
    let other = World()
    #expect(other.pause(app: nil) == .refused(.notPermitted))
    world.schedule("alarm", in: 60, repeats: .minute) { $0.interruptionLevel = .critical }
    world.schedule("bell", in: 60, repeats: .minute)
    guard case .paused(let paused)? = world.pause(app: nil, by: World.root) else {
      return #expect(Bool(false))
    }
    #expect(paused.critical == 1)
    world.advance(seconds: 61)
    #expect(world.takeDelivered() == ["alarm"])
    world.pause("alarm")
    world.advance(seconds: 120)
    #expect(world.takeDelivered().isEmpty)
    #expect(world.resume(app: nil, by: World.root)?.resumed == 1)
    world.advance(seconds: 60)
    #expect(world.takeDelivered() == ["bell"])
  }

  @Test func A1_nobodyPausesAnothersNotifications() {
    let world = World()
    world.schedule("bell", in: 60)
    #expect(world.pause("bell", by: World.bob) == .refused(.notOwner(app: "app")))
    #expect(world.pause("none") == .refused(.notFound(identifier: "none")))
    #expect(world.store.pauses.isEmpty)
  }

  @Test func E1_killedAtAnyPointThePauseHoldsAndTheHistoryGrowsOneRow() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    world.pause("bell")
    for _ in 0..<5 {
      world.advance(seconds: 61)
      world.restart()
    }
    #expect(world.rung().isEmpty)
    #expect(world.skippedRows.count == 1)
    #expect(world.skippedRows.first?.missed == 4)
    world.resume("bell")
    world.restart()
    world.advance(seconds: 60)
    #expect(world.rung() == [360])
  }

  @Test func T10_afterAnAbsenceOnlyWhatWasNotPausedRingsLate() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    world.pause("bell", from: 100, until: 200)
    world.sleep(seconds: 310)
    world.send(.clock)
    world.advance(seconds: 1)
    // 60 was missed, 120 and 180 were paused, 240 was missed, 300 is the newest.
    #expect(world.rung() == [300])
    #expect(world.deliveries.isEmpty)
    #expect(world.skippedRows.first?.missed == 1)
  }

  @Test func T10_whatWasMissedBeforeThePauseRingsOnceInIt() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    world.pause("bell", from: 100)
    world.sleep(seconds: 200)
    world.send(.clock)
    world.advance(seconds: 1)
    #expect(world.rung() == [60])
    #expect(world.skippedRows.count == 1)
    #expect(world.skippedRows.first?.missed == 1)
  }

  @Test func E1_repeatsUnderAMinuteAreCountedWhole() {
    let world = World()
    world.schedule("tick", in: 1, repeats: .second)
    world.pause("tick", until: 150.5)
    world.advance(seconds: 160)
    #expect(world.rung().first == 151)
    #expect(world.skippedRows.count == 1)
    #expect(world.skippedRows.first?.missed == 149)
    #expect(world.problems.isEmpty)
  }

  @Test func E1_aPauseThatEndsBeforeItBeginsIsRefusedByField() {
    let world = World()
    world.schedule("bell", in: 60)
    for (from, until) in [(100.0, 50.0), (nil, -5.0), (10, 10)] as [(Double?, Double)] {
      guard case .refused(.invalidField(let error))? = world.pause("bell", from: from, until: until)
      else { return #expect(Bool(false)) }
      #expect(error.field == "until")
    }
    #expect(world.store.pauses.isEmpty)
  }

  @Test func E1_T9_byAClockThatIsNotSetNobodyPausesAtOnce() {
    let world = World {
      $0.isClockTrusted = false
      $0.knownTime = World.start.advanced(by: Nanoseconds.day)
    }
    world.schedule("bell", in: 90_000)
    guard case .refused(.invalidField(let error))? = world.pause("bell") else {
      return #expect(Bool(false))
    }
    #expect(error.field == "from")
    #expect(world.store.pauses.isEmpty)
  }

  @Test func E1_theSameAgainAddsNothingAndOneWithinAnotherIsTheOther() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    world.pause("bell", from: 100, until: 200)
    world.pause("bell", from: 120, until: 150)
    #expect(world.store.pauses.count == 1)
    world.pause("bell")
    #expect(world.store.pauses.count == 1)
    #expect(world.store.pauses.values.first?.until == nil)
    #expect(world.resume("bell")?.resumed == 1)
    #expect(world.store.pauses.isEmpty)
  }

  @Test func A2_aScopeHasSoManyPauses() {
    let world = World()
    world.schedule("bell", in: 60)
    for number in 0..<PauseList.most {
      world.pause("bell", from: Double(number) * 100 + 100, until: Double(number) * 100 + 150)
    }
    let reply = world.pause("bell", from: 10, until: 50)
    #expect(reply == .refused(.limitReached(limit: "pauses", value: Int64(PauseList.most))))
    #expect(world.store.pauses.count == PauseList.most)
  }

  @Test func E1_N14_whatIsPresentedNowIsSkippedWhileItsAppIsPaused() {
    let world = World()
    world.schedule("bell", in: 600)
    world.pause()
    let reply = world.request(.presentNow(app: "app", world.alert("now")))
    guard case .scheduled(let presented)? = reply else { return #expect(Bool(false)) }
    #expect(presented.warnings.first?.contains("its app is paused") == true)
    #expect(world.takeDelivered().isEmpty)
    #expect(world.kinds("now") == [.skipped])
  }

  @Test func E1_cancelledOnesTakeTheirPauseAlong() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    world.pause("bell")
    world.request(.cancel(app: "app", identifiers: ["bell"]))
    #expect(world.store.pauses.isEmpty)
    world.schedule("bell", in: 60, repeats: .minute)
    world.advance(seconds: 61)
    #expect(world.takeDelivered() == ["bell"])
  }

  @Test func E1_N1_oneThatIsScheduledAgainIsStillPaused() {
    let world = World()
    world.schedule("bell", in: 60, repeats: .minute)
    world.pause("bell")
    let reply = world.schedule("bell", in: 30, repeats: .minute)
    #expect(reply?.next == nil)
    #expect(reply?.warnings.isEmpty == false)
    world.restart()
    world.advance(seconds: 100)
    #expect(world.takeDelivered().isEmpty)
  }

  @Test func E1_whatRingsAlreadyGoesOn() {
    let world = World()
    world.schedule("bell", in: 60)
    world.answer = { _ in nil }
    world.advance(seconds: 61)
    world.pause()
    #expect(world.withdrawals.isEmpty)
    #expect(world.takeDelivered() == ["bell"])
  }

  @Test func E1_statusTellsOpenPauses() {
    let world = World()
    world.schedule("bell", in: 60)
    world.pause()
    world.pause("bell", until: 100)
    let status = world.scheduler.pauses(for: World.alice)
    #expect(status.spans.map { $0.app } == ["app"])
    #expect(status.spans.first?.until == nil)
    #expect(status.notifications == 1 && status.openNotifications == 0)
    #expect(world.scheduler.pauses(for: World.bob) == PauseStatus())
  }

  @Test func A2_thousandsOfOneShotsAreNamedInSlices() {
    let world = World { $0.notifications = 5000 }
    for number in 0..<3000 { world.schedule("n\(number)", in: 100 + Double(number)) }
    guard case .paused(let paused)? = world.pause(until: 2000) else {
      return #expect(Bool(false))
    }
    #expect(paused.ending.count == PauseReply.most)
    #expect(paused.ending.first?.identifier == "n0")
    #expect(paused.more == 1900 - Int64(PauseReply.most))
  }
}
