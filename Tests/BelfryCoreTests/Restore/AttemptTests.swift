import SchedulerFixtures
import Testing

@testable import BelfryCore

/// D7: what comes after a restart is a first attempt, unless it may have been handed over before.
@Suite struct AttemptTests {
  /// An alert with a sound, shown.
  private func world(_ change: (inout Notification) -> Void = { _ in }) -> World {
    let world = World { $0.sinks = World.sinks }
    world.schedule("tea", in: 1) {
      $0.soundName = "default"
      change(&$0)
    }
    world.advance(seconds: 2)
    world.deliveries = []
    return world
  }

  private func snoozed(_ change: (inout Notification) -> Void = { _ in }) -> World {
    let world = world(change)
    let reply = world.request(
      .user(app: "app", .response(.snooze(Nanoseconds.minute), "tea")))
    #expect(reply == .snoozed(next: world.now.real.advanced(by: Nanoseconds.minute)))
    return world
  }

  /// It fell due while nobody was there to hand it over.
  @Test(arguments: [false, true])
  func D7_aSnoozeThatWasNeverHandedOverIsAFirstAttempt(_ isOtherBoot: Bool) {
    let world = snoozed()
    world.sleep(seconds: 300)
    if isOtherBoot { world.reboot(real: world.now.real) } else { world.restart() }
    world.advance(seconds: 60)
    #expect(world.deliveries.map { $0.occurrence.id.snooze } == [1, 1, 1])
    #expect(world.deliveries.map { $0.attempt } == [1, 1, 1])
    #expect(world.store.open.isEmpty)
  }

  /// Killed after the hand-over, before the store has heard of it.
  @Test func D7_aSnoozeThatMayHaveBeenHandedOverSaysSo() {
    let world = snoozed()
    world.advance(seconds: 59.9)
    world.isBlocked = true
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.attempt } == [1, 1, 1])
    world.isBlocked = false
    world.deliveries = []
    world.restart()
    #expect(world.deliveries.map { $0.attempt } == [2, 2, 2])
    #expect(world.store.open.isEmpty && world.store.snoozed.isEmpty)
  }

  /// Stopped in an orderly way in the second before it is due; so with what is scheduled.
  @Test func D7_whatWasOnlyPreparedAtAnOrderlyEndIsAFirstAttempt() {
    let world = snoozed()
    world.schedule("bell", in: 60)
    world.advance(seconds: 59.9)
    #expect(world.store.open.count == 2)
    for record in world.scheduler.unshown { _ = world.store.perform(.record(record)) }
    #expect(world.store.open.isEmpty)
    world.sleep(seconds: 30)
    world.restart()
    world.advance(seconds: 10)
    #expect(world.deliveries.count == 5 && world.deliveries.allSatisfy { $0.attempt == 1 })
  }

  /// Killed after it was prepared, before it was due: nobody was handed it, in time or late.
  @Test(arguments: [0.0, 0.5, 300])
  func D7_whatWasOnlyPreparedAtAKillIsAFirstAttempt(_ off: Double) {
    let world = snoozed()
    world.schedule("bell", in: 60)
    world.schedule("daily", in: 60) { $0.repeatInterval = .day }
    world.advance(seconds: 59.6)
    #expect(world.store.open.count == 3)
    world.sleep(seconds: off)
    world.restart()
    world.advance(seconds: 10)
    #expect(world.deliveries.count == 7 && world.deliveries.allSatisfy { $0.attempt == 1 })
    #expect(world.store.open.isEmpty)
  }

  /// Another boot knows nothing of that: it may have been shown.
  @Test func D7_afterAPowerCutWhatWasPreparedMayHaveBeenShown() {
    let world = snoozed()
    world.advance(seconds: 59.6)
    world.reboot(real: world.now.real.advanced(by: Nanoseconds.minute))
    world.advance(seconds: 60)
    #expect(!world.deliveries.isEmpty && world.deliveries.allSatisfy { $0.attempt == 2 })
  }

  /// Prepared twice, handed over in between: the third life knows.
  @Test func D7_itIsKnownOverSeveralLives() {
    let world = world()
    world.schedule("bell", in: 60)
    world.advance(seconds: 59.6)
    world.restart()
    world.isBlocked = true
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.attempt } == [1, 1])
    world.isBlocked = false
    world.restart()
    #expect(world.deliveries.map { $0.attempt } == [1, 1, 2, 2])
  }

  /// Its sink is down over several lives: it was never handed over.
  @Test func D7_whatOnlyWaitedForASinkIsAFirstAttempt() {
    let world = World { $0.sinks = World.sinks }
    let sinks = world.configuration.sinks.indices.map { SinkIndex($0) }
    for sink in sinks { world.send(.sink(sink, .down(reason: "gone"))) }
    world.schedule("tea", in: 1) { $0.soundName = "default" }
    world.advance(seconds: 2)
    for _ in 0..<2 {
      world.restart(sinksUp: false)
      world.advance(seconds: 60)
    }
    #expect(world.deliveries.isEmpty)
    for sink in sinks { world.send(.sink(sink, .up)) }
    #expect(world.deliveries.map { $0.attempt } == [1, 1, 1])
    #expect(world.store.open.isEmpty)
    #expect(world.store.history.values.allSatisfy { $0.attempts == 1 })
  }

  /// One sink had it, the other only waited.
  @Test func D7_eachSinkHasAttemptsOfItsOwn() {
    let world = World { $0.sinks = World.sinks }
    world.send(.sink(0, .down(reason: "gone")))
    world.answer = { _ in nil }
    world.schedule("tea", in: 1)
    world.advance(seconds: 2)
    #expect(world.deliveries.map { "\($0.sink) \($0.attempt)" } == ["1 1"])
    world.deliveries = []
    world.restart()
    #expect(world.deliveries.map { "\($0.sink) \($0.attempt)" } == ["0 1", "1 2"])
  }

  /// Due at once, and nothing of it is in the books but that it is scheduled.
  @Test(arguments: [false, true])
  func D7_whatIsDueAtOnceIsKnownByTheLogAlone(_ isDown: Bool) {
    let world = World()
    if isDown { world.send(.sink(0, .down(reason: "gone"))) }
    world.holdsRecords = true
    world.schedule("now") { $0.fireDate = nil }
    #expect(world.deliveries.count == (isDown ? 0 : 1) && world.store.rows.count == 1)
    world.holdsRecords = false
    world.deliveries = []
    world.restart()
    #expect(world.deliveries.map { $0.attempt } == [isDown ? 1 : 2])
  }

  /// What is left of a snooze that is not there any more is forgotten.
  @Test func D7_anIntentWithoutItsSnoozeIsTakenBack() {
    let world = snoozed()
    world.advance(seconds: 59.9)
    world.store.snoozed = [:]
    world.restart()
    #expect(world.store.open.isEmpty)
  }

  private func ringing() -> World {
    world { $0.realert = Realert(every: Nanoseconds.minute) }
  }

  @Test func D7_E6_aStepThatWasNeverHandedOverIsAFirstAttempt() {
    let world = ringing()
    world.sleep(seconds: 300)
    world.restart()
    #expect(!world.deliveries.isEmpty)
    #expect(world.deliveries.allSatisfy { $0.attempt == 1 && $0.occurrence.id.step > 1 })
  }

  /// What was only prepared when somebody answered leaves nothing behind.
  @Test func D7_E6_anAnswerTakesBackTheIntentOfTheNextStep() {
    let world = ringing()
    world.advance(seconds: 58.9)
    #expect(world.store.open.count == 1)
    #expect(world.request(.user(app: "app", .response(.dismiss, "tea"))) == .done)
    #expect(world.store.open.isEmpty && world.store.waiting.isEmpty)
  }

  /// A step that comes as a newer one leaves no intent of the one that it stands for.
  @Test func D7_E6_aNewerStepTakesBackTheIntentOfTheOneBefore() {
    let world = ringing()
    world.advance(seconds: 58.9)
    world.sleep(seconds: 200)
    world.restart()
    #expect(world.deliveries.allSatisfy { $0.attempt == 1 })
    #expect(world.store.open.isEmpty)
  }
}
