import Testing

@testable import BelfryCore

/// What is delivered at once goes by no clock (N2); what a doubtful clock took for past is judged
/// by a better one.
@Suite struct EngineAtOnceTests {
  /// Reaches the store, and nobody is left to hand it over.
  private func scheduleAndDie(_ world: World, _ notification: BelfryCore.Notification) {
    world.schedule("other", in: 1_000_000)
    world.isBlocked = true
    world.request(.schedule(app: "app", notification))
    for (_, operation) in world.queue { _ = world.store.perform(operation) }
    world.isBlocked = false
  }

  @Test(arguments: [nil, -3600.0], [-86_400.0, -10, -0.5, 10, 86_400])
  func N2_aStepOfTheClockBeforeItIsInTheBooksChangesNothing(date: Double?, step: Double) {
    let world = World { $0.late = .drop }
    world.schedule("other", in: 1_000_000)
    world.isBlocked = true
    world.request(.schedule(app: "app", world.alert("now", in: date)))
    world.stepClock(seconds: step)
    world.isBlocked = false
    world.run()
    #expect(world.takeDelivered() == ["now"] && world.early.isEmpty)
  }

  @Test(arguments: [nil, -3600.0], [-86_400.0, -10, 86_400])
  func N2_aStepOfTheClockWhileItsContentIsReadChangesNothing(date: Double?, step: Double) {
    let world = World { $0.late = .drop }
    scheduleAndDie(world, world.alert("now", in: date))
    world.isBlocked = true
    world.restart()
    world.stepClock(seconds: step)
    world.isBlocked = false
    world.run()
    #expect(world.takeDelivered() == ["now"] && world.early.isEmpty)
  }

  @Test(arguments: [nil, -3600.0], [-86_400.0, -10, 10, 86_400])
  func N2_T9_afterACrashOrABootWithAnotherClockItIsDeliveredAtOnce(date: Double?, step: Double) {
    for isBoot in [false, true] {
      let world = World()
      scheduleAndDie(world, world.alert("now", in: date))
      let real = world.now.real.advanced(by: Int64(step * 1e9))
      if isBoot {
        // Not known to be right either.
        world.configuration.isClockTrusted = false
        world.configuration.knownTime = world.now.real
        world.reboot(real: real)
      } else {
        world.now.real = real
        world.restart()
      }
      world.advance(seconds: 1)
      #expect(world.takeDelivered() == ["now"] && world.early.isEmpty)
      #expect(world.store.rows.values.map { $0.notification.identifier } == ["other"])
    }
  }

  @Test(arguments: [-86_400.0, 86_400]) func R1_T8_aStepOfTheClockFiresNoRegion(step: Double) {
    let world = World()
    world.schedule("near") {
      $0.region = CircularRegion(latitude: 52.5, longitude: 13.4, radius: 100)
    }
    world.stepClock(seconds: step)
    world.restart()
    world.stepClock(seconds: -step)
    world.advance(seconds: 2 * 86_400)
    #expect(world.takeDelivered() == [] && world.listed() == ["near"])
  }

  @Test func N2_T10_afterANightOffItSaysHowLateItIs() {
    let world = World()
    world.isSynchronised = true
    world.send(.clockState(synchronised: true))
    scheduleAndDie(world, world.alert("now"))
    let asked = world.now.real
    world.reboot(real: world.now.real.advanced(by: 8 * Nanoseconds.hour))
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.occurrence.due } == [asked])
  }

  /// A step back had made it the latest of all, and it was discarded in place of one that counts.
  @Test func N17_whatIsToBeDeliveredAtOnceIsNeverDiscardedAndNeverCounts() {
    let world = World { $0.notifications = 2 }
    world.schedule("a", in: 3600)
    scheduleAndDie(world, world.alert("now"))
    world.isBlocked = true
    world.now.real = world.now.real.advanced(by: -Nanoseconds.day)
    world.restart()
    world.request(.schedule(app: "app", world.alert("soon", in: 60)))
    world.request(.schedule(app: "app", world.alert("too late", in: 1_000_000)))
    world.isBlocked = false
    world.run()
    #expect(world.takeDelivered() == ["now"])
    #expect(Set(world.listed()) == ["a", "soon"])
    #expect(world.kinds("other") == [.discarded] && world.kinds("too late") == [.discarded])
  }

  @Test(arguments: [false, true])
  func N17_whatReplacesOneThatIsStillToBeDeliveredAtOnceIsAnAddition(isRestored: Bool) {
    let world = World { $0.notifications = 1 }
    if isRestored {
      scheduleAndDie(world, world.alert("now"))
      world.isBlocked = true
      world.restart()
    } else {
      world.schedule("other", in: 1_000_000)
      world.isBlocked = true
      world.request(.schedule(app: "app", world.alert("now")))
    }
    world.request(.schedule(app: "app", world.alert("now", in: 2_000_000)))
    world.isBlocked = false
    world.run()
    #expect(world.takeDelivered() == ["now"] && world.listed() == ["other"])
    #expect(world.store.rows.count == 1 && world.kinds("now").contains(.discarded))
  }

  @Test func N17_oneToBeDeliveredAtOnceTakesNoRoomWhileItWaits() {
    let world = World { $0.notifications = 2 }
    scheduleAndDie(world, world.alert("now"))
    world.isBlocked = true
    world.restart()
    world.request(.schedule(app: "app", world.alert("b", in: 7200)))
    world.isBlocked = false
    world.run()
    #expect(Set(world.listed()) == ["other", "b"] && world.kinds().contains(.discarded) == false)
  }

  /// A board whose clock is a day ahead and believed by nobody.
  private func boardAhead() -> World {
    let world = World {
      $0.isClockTrusted = false
      $0.knownTime = World.start.advanced(by: -2 * Nanoseconds.day)
    }
    world.now.elapsed = 10 * Nanoseconds.second
    world.configuration.isClockTrusted = false
    world.restart()
    return world
  }

  @Test(arguments: [false, true]) func N2_T9_theDoubtOfADateOutlivesTheProcess(boots: Bool) {
    let world = boardAhead()
    let start = world.now.real.advanced(by: -Nanoseconds.day)
    world.schedule("coming") { $0.fireDate = start.advanced(by: Nanoseconds.hour) }
    world.schedule("past") { $0.fireDate = start.advanced(by: -Nanoseconds.hour) }
    world.advance(seconds: 30)
    #expect(world.takeDelivered() == [])
    if boots {
      world.reboot(real: world.now.real)
    } else {
      world.restart()
    }
    world.isSynchronised = true
    world.stepClock(seconds: -86_400)
    world.advance(seconds: 60)
    #expect(world.takeDelivered() == ["past"])
    world.advance(seconds: 3600)
    #expect(world.deliveries.map { $0.occurrence.due } == [start.advanced(by: Nanoseconds.hour)])
    #expect(world.takeDelivered() == ["coming"] && world.early.isEmpty)
  }

  @Test func N2_T9_aCorrectedBootShowsThatADateWasNotPast() {
    let world = boardAhead()
    let start = world.now.real.advanced(by: -Nanoseconds.day)
    world.schedule("coming") { $0.fireDate = start.advanced(by: Nanoseconds.hour) }
    world.isSynchronised = true
    world.reboot(real: start.advanced(by: Nanoseconds.minute))
    world.advance(seconds: 3000)
    #expect(world.takeDelivered() == [])
    world.advance(seconds: 600)
    #expect(world.takeDelivered() == ["coming"])
  }

  @Test func N2_T2_aFloatingDateThatWasNotPastStaysFloating() throws {
    let world = boardAhead()
    let start = world.now.real.advanced(by: -Nanoseconds.day)
    world.zoneFiles["UTC"] = .utc
    world.schedule("alarm") {
      $0.fireDate = start.advanced(by: 5 * Nanoseconds.hour)
      $0.timeZone = "UTC"
    }
    world.isSynchronised = true
    world.stepClock(seconds: -86_400)
    world.send(.boardZone("West", try ZoneRules(posix: "WST2")))
    world.restart()
    world.send(.boardZone("West", try ZoneRules(posix: "WST2")))
    world.advance(seconds: 7 * 3600 - 60)
    #expect(world.takeDelivered() == [])
    world.advance(seconds: 61)
    #expect(world.takeDelivered() == ["alarm"])
  }
}
