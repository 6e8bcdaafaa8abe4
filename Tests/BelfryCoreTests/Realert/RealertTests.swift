import SchedulerFixtures
import Testing

@testable import BelfryCore

@Suite struct RealertTests {
  private static let console = SinkIndex(0)
  private static let exec = SinkIndex(1)
  private static let speaker = SinkIndex(2)

  private func world(configured: (inout EngineConfiguration) -> Void = { _ in }) -> World {
    World {
      $0.sinks = World.sinks
      configured(&$0)
    }
  }

  /// 'now:one 2m:speaker 5m:two'.
  private static let ladder = [
    LadderStep(after: 0, sinks: ["one"]),
    LadderStep(after: 2 * Nanoseconds.minute, sinks: ["speaker"]),
    LadderStep(after: 5 * Nanoseconds.minute, sinks: ["two"]),
  ]

  private func ringing(
    _ world: World, _ change: (inout Notification) -> Void = { $0.ladder = RealertTests.ladder }
  ) {
    world.schedule("tea", in: 1, change)
    world.advance(seconds: 2)
  }

  /// Sinks and steps of what was handed over since the last call.
  private func steps(_ world: World) -> [String] {
    defer { world.deliveries = [] }
    return world.deliveries.map { "\($0.sink).\($0.occurrence.id.step)" }
  }

  private func respond(_ world: World, _ response: UserResponse, _ id: String = "tea") -> Reply? {
    world.request(.user(app: "app", .response(response, id)))
  }

  @Test func E6_eachStepGoesToItsSinksOnlyAndInItsTime() {
    let world = world()
    ringing(world)
    #expect(steps(world) == ["0.0"])
    world.advance(seconds: 118)
    #expect(steps(world) == [])
    world.advance(seconds: 1)
    #expect(steps(world) == ["2.1"])
    world.advance(seconds: 180)
    #expect(steps(world) == ["1.2"])
    #expect(world.kinds("tea").filter { $0 == .unanswered }.isEmpty)
    world.advance(seconds: 60)
    #expect(world.kinds("tea").filter { $0 == .unanswered }.count == 1)
    #expect(world.store.history.values.filter { $0.state == .unanswered }.count == 1)
    #expect(world.store.waiting.isEmpty)
    world.advance(seconds: 3600)
    #expect(steps(world) == [])
  }

  /// A speaker without a sound of its own sounds the default one.
  @Test func E6_aStepSaysHowItIsShown() {
    let world = world()
    ringing(world) {
      $0.ladder = [
        LadderStep(after: 60 * Nanoseconds.second, sinks: ["speaker"]),
        LadderStep(
          after: 90 * Nanoseconds.second, sinks: ["speaker"], sound: "siren.wav", volume: 0.5,
          interruptionLevel: .timeSensitive),
      ]
    }
    // Without a step at once the occurrence goes to all who want it; it has no sound.
    #expect(steps(world) == ["0.0", "1.0"])
    world.advance(seconds: 60)
    #expect(world.deliveries.map { $0.occurrence.soundName } == ["default"])
    world.deliveries = []
    world.advance(seconds: 30)
    let step = world.deliveries.first
    #expect(step?.occurrence.soundName == "siren.wav" && step?.occurrence.volume == 0.5)
    #expect(step?.level == .timeSensitive)
  }

  @Test(arguments: [
    UserResponse.act(action: nil, text: nil), .dismiss, .acknowledge,
  ])
  func E6_theFirstAnswerEndsAllAndTakesBackWhatEveryStepHasShown(_ response: UserResponse) {
    let world = world()
    ringing(world)
    world.advance(seconds: 299)
    #expect(steps(world) == ["0.0", "2.1", "1.2"])
    #expect(respond(world, response) != nil)
    #expect(Set(world.withdrawals.map { $0.sink }) == [Self.console, Self.exec])
    #expect(world.store.waiting.isEmpty && world.store.shown.isEmpty)
    world.advance(seconds: 3600)
    #expect(steps(world) == [])
    #expect(!world.kinds("tea").contains(.unanswered))
  }

  /// What one sink shows of one step is enough.
  @Test func E6_aSinkAnswersForAllSteps() {
    let world = world()
    ringing(world)
    let first = world.deliveries[0].occurrence.id
    world.advance(seconds: 120)
    world.send(
      .sink(Self.console, .input(SinkInput(first, .dismiss, isLocked: false))))
    #expect(world.store.waiting.isEmpty)
    _ = steps(world)
    world.advance(seconds: 3600)
    #expect(steps(world) == [])
  }

  @Test func E6_acknowledgeWithoutAnIdMeansWhatCameLast() {
    let world = world()
    world.schedule("first", in: 1) { $0.realert = Realert(every: Nanoseconds.minute) }
    world.schedule("second", in: 2) { $0.realert = Realert(every: Nanoseconds.minute) }
    world.advance(seconds: 3)
    guard case .acknowledged(let name, _) = respond(world, .acknowledge, "") else {
      Issue.record("not acknowledged")
      return
    }
    #expect(name == "second")
    #expect(world.store.waiting.values.map { $0.occurrence.notification.identifier } == ["first"])
    _ = respond(world, .acknowledge, "")
    #expect(respond(world, .acknowledge, "") == .refused(.notFound(identifier: "")))
    #expect(
      world.request(.user(app: "app", .response(.acknowledge, "first")), by: World.bob)
        == .refused(.notOwner(app: "app")))
  }

  /// It has only sounded: nothing is shown, and yet there is something to answer.
  @Test func E6_whatOnlySoundsIsAnsweredToo() {
    let world = world()
    ringing(world) {
      $0.alertBody = nil
      $0.soundName = "default"
      $0.realert = Realert(every: Nanoseconds.minute)
    }
    #expect(respond(world, .dismiss) == .done)
    #expect(world.store.waiting.isEmpty)
  }

  @Test func E6_realertComesAtMostSoOftenAndThenNobodyHasAnswered() {
    let world = world()
    ringing(world) { $0.realert = Realert(every: 30 * Nanoseconds.second, atMost: 3) }
    _ = steps(world)
    world.advance(seconds: 89)
    #expect(steps(world) == ["0.1", "1.1", "0.2", "1.2", "0.3", "1.3"])
    // In the place of what the sink shows of it.
    #expect(world.store.shown.keys.allSatisfy { $0.occurrence.step == 3 })
    world.advance(seconds: 31)
    #expect(steps(world) == [])
    #expect(world.kinds("tea").contains(.unanswered))
    #expect(respond(world, .dismiss) == .done)
    #expect(world.store.shown.isEmpty)
  }

  @Test func E6_withALadderItsLastStepComesAgain() {
    let world = world()
    ringing(world) {
      $0.ladder = Self.ladder
      $0.realert = Realert(every: Nanoseconds.minute, atMost: 2)
    }
    world.advance(seconds: 600)
    #expect(steps(world) == ["0.0", "2.1", "1.2", "1.3", "1.4"])
  }

  @Test func E6_afterASnoozeTheyBeginAnew() {
    let world = world()
    ringing(world)
    world.advance(seconds: 120)
    _ = respond(world, .snooze(10 * Nanoseconds.minute))
    #expect(world.store.waiting.isEmpty)
    _ = steps(world)
    world.advance(seconds: 599)
    #expect(steps(world) == [])
    world.advance(seconds: 1)
    #expect(steps(world) == ["0.0"])
    world.advance(seconds: 120)
    #expect(world.deliveries.map { $0.occurrence.id.snooze } == [1])
    #expect(steps(world) == ["2.1"])
  }

  @Test func E6_aStepThatNoSinkTakesIsFollowedByTheNextAtOnce() {
    let world = world()
    world.answer = { $0.sink == Self.speaker ? .failed(reason: "no-device") : .done(note: nil) }
    ringing(world)
    world.advance(seconds: 119)
    #expect(steps(world) == ["0.0", "2.1"])
    world.advance(seconds: 9)
    #expect(steps(world) == [])
    world.advance(seconds: 1)
    #expect(steps(world) == ["1.2"])
  }

  @Test func E6_aSinkThatIsGoneIsPassedOver() {
    let world = world()
    ringing(world)
    world.configuration.sinks = [World.sinks[0], World.sinks[1]]
    world.restart()
    _ = steps(world)
    world.advance(seconds: 130)
    #expect(steps(world) == ["1.2"])
  }

  @Test func D7_E6_aKillBetweenStepsGoesOnWhereItStood() {
    let world = world()
    ringing(world)
    world.restart()
    _ = steps(world)
    world.advance(seconds: 118)
    #expect(steps(world) == [])
    world.advance(seconds: 1)
    #expect(steps(world) == ["2.1"])
    world.restart()
    world.advance(seconds: 180)
    #expect(steps(world) == ["1.2"])
    #expect(world.doubled.isEmpty)
    _ = respond(world, .dismiss)
    world.restart()
    world.advance(seconds: 3600)
    #expect(steps(world) == [])
  }

  /// Killed after the hand-over of a step, before the store has heard of it.
  @Test func D7_E6_aStepIsRepeatedUnderItsIdAndSaysSo() {
    let world = world()
    ringing(world)
    world.advance(seconds: 118.9)
    _ = steps(world)
    world.isBlocked = true
    world.advance(seconds: 1)
    #expect(steps(world) == ["2.1"])
    world.isBlocked = false
    world.restart()
    #expect(world.deliveries.map { $0.attempt } == [2])
    #expect(steps(world) == ["2.1"])
    #expect(world.store.open.isEmpty)
  }

  /// Killed between the records of a step.
  @Test func D7_E6_aStepWhoseFirstRecordIsWrittenComesOnce() {
    let world = world()
    ringing(world)
    _ = steps(world)
    world.isBlocked = true
    world.advance(seconds: 120)
    let fired = world.queue.firstIndex {
      if case .record(.fired) = $0.operation { true } else { false }
    }
    for (_, operation) in world.queue[...(fired ?? 0)] { _ = world.store.perform(operation) }
    world.isBlocked = false
    _ = steps(world)
    world.restart()
    #expect(steps(world) == ["2.1"])
    world.advance(seconds: 120)
    #expect(steps(world) == [])
    world.advance(seconds: 61)
    #expect(steps(world) == ["1.2"])
  }

  @Test func T10_E6_afterAnAbsenceOnlyTheNewestStepComes() {
    let world = world()
    ringing(world)
    _ = steps(world)
    world.sleep(seconds: 3600)
    world.send(.clock)
    #expect(steps(world) == ["1.2"])
    #expect(world.kinds("tea").filter { $0 == .unanswered }.isEmpty)
    world.advance(seconds: 61)
    #expect(world.kinds("tea").contains(.unanswered))
  }

  /// It counts by the clock that was synchronised, and else by the time that remained.
  @Test(arguments: [false, true])
  func T9_E6_aRebootGoesOnWhereItStood(isSynchronised: Bool) {
    let world = world()
    world.isSynchronised = isSynchronised
    world.send(.clockState(synchronised: isSynchronised))
    ringing(world)
    _ = steps(world)
    world.advance(seconds: 59)
    world.reboot(real: world.now.real.advanced(by: 30 * Nanoseconds.second), orderly: true)
    world.advance(seconds: isSynchronised ? 29 : 58)
    #expect(steps(world) == [])
    world.advance(seconds: 3)
    #expect(steps(world) == ["2.1"])
  }

  @Test func T8_E6_aStepOfTheClockNeitherHurriesNorDelaysIt() {
    let world = world()
    ringing(world)
    _ = steps(world)
    world.stepClock(seconds: 3600)
    #expect(steps(world) == [])
    world.stepClock(seconds: -7200)
    world.advance(seconds: 118)
    #expect(steps(world) == [])
    world.advance(seconds: 1)
    #expect(steps(world) == ["2.1"])
  }

  /// An app that schedules its list anew answers nothing that rings.
  @Test(arguments: [false, true])
  func N1_N15_E6_cancelEndsItAndWhatReplacesItWhenThatComes(isReplaced: Bool) {
    let world = world()
    world.schedule("tea", in: 1, repeats: .hour) { $0.ladder = Self.ladder }
    world.advance(seconds: 2)
    if isReplaced {
      world.schedule("tea", in: 7200)
    } else {
      world.request(.cancel(app: "app", identifiers: ["tea"]))
    }
    _ = steps(world)
    world.advance(seconds: 3600)
    #expect(steps(world).isEmpty == !isReplaced)
    world.advance(seconds: 7200)
    _ = steps(world)
    #expect(world.store.waiting.isEmpty)
  }

  @Test func N19_E6_whatExpiresIsNotShownAgain() {
    let world = world()
    ringing(world) {
      $0.ladder = Self.ladder
      $0.expires = $0.fireDate?.advanced(by: 30 * Nanoseconds.second)
    }
    _ = steps(world)
    world.advance(seconds: 600)
    #expect(steps(world) == [])
    #expect(world.kinds("tea").contains(.unanswered))
  }

  @Test func T10_E6_aNewerOccurrenceTakesOver() {
    let world = world()
    world.schedule("tea", in: 1, repeats: .minute) { $0.ladder = Self.ladder }
    world.advance(seconds: 62)
    #expect(steps(world) == ["0.0", "0.0"])
    #expect(world.store.waiting.keys.map { $0.k } == [1])
    #expect(world.events.last { $0.kind == .unanswered }?.reason == "a newer one has come")
  }

  /// D1: a session that takes it has answered.
  @Test func D1_E6_whatASessionTakesIsAnswered() {
    let world = world()
    world.request(.openSession(app: "app", session: 1, state: .foreground))
    world.schedule("tea", in: 1) { $0.realert = Realert(every: Nanoseconds.minute) }
    world.advance(seconds: 1)
    let event = world.told.last?.event.id ?? 0
    world.request(.complete(session: 1, event: event))
    world.advance(seconds: 3600)
    #expect(world.deliveries.isEmpty && world.store.waiting.isEmpty)
  }

  @Test func D9_E6_realertsOfOneUserDelayNoOthers() {
    let world = world()
    world.answer = { _ in nil }
    for number in 0..<60 {
      world.schedule("n\(number)", in: 1) { $0.realert = Realert(every: 30 * Nanoseconds.second) }
    }
    world.answer = { _ in .done(note: nil) }
    world.advance(seconds: 2)
    world.request(
      .schedule(app: "other", world.alert("alarm", in: 29)), by: World.bob)
    _ = world.takeDelivered()
    world.advance(seconds: 29)
    #expect(world.takeDelivered().prefix(2).contains("alarm"))
  }

  @Test func A2_E6_anAppHasAtMost256Waiting() {
    let world = world { $0.notifications = 1000 }
    for number in 0...256 {
      world.request(
        .presentNow(
          app: "app",
          world.alert("n\(number)") { $0.realert = Realert(every: Nanoseconds.hour) }))
    }
    #expect(world.store.waiting.count == 256)
    #expect(world.events.last { $0.kind == .unanswered }?.identifier == "n0")
  }

  @Test func A4_E6_aLadderNamesSinksThatAreThere() {
    let world = world()
    let reply = world.request(
      .schedule(
        app: "app",
        world.alert("tea", in: 1) {
          $0.ladder = [
            LadderStep(after: 0, sinks: ["one"]),
            LadderStep(after: Nanoseconds.second, sinks: ["speakr"]),
          ]
        }))
    guard case .refused(.invalidField(let error)) = reply else {
      Issue.record("it is taken")
      return
    }
    #expect(error.field == "ladder[1].sinks" && error.reason.contains("did you mean speaker?"))
  }
}
