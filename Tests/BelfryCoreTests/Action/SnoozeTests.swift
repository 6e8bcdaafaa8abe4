import SchedulerFixtures
import Testing

@testable import BelfryCore

@Suite struct SnoozeTests {
  /// An alert with a sound and a badge, shown.
  private func world(
    _ change: (inout Notification) -> Void = { _ in },
    configured: (inout EngineConfiguration) -> Void = { _ in }
  ) -> World {
    let world = World {
      $0.sinks = World.sinks
      configured(&$0)
    }
    world.schedule("tea", in: 1) {
      $0.soundName = "default"
      $0.applicationIconBadgeNumber = 1
      $0.badgeOperation = .add
      change(&$0)
    }
    world.advance(seconds: 2)
    return world
  }

  private func snooze(_ world: World, _ seconds: Int64, _ id: String = "tea") -> Reply? {
    world.request(.user(app: "app", .response(.snooze(seconds * Nanoseconds.second), id)))
  }

  private func snoozed(_ world: World) -> [ListedNotification] {
    guard
      case .listed(let rows, nil) = world.request(
        .snoozed(app: "app", cursor: 0, limit: 100))
    else { return [] }
    return rows
  }

  /// The store go on saying that it is shown.
  @Test func D7_D11_whileTheDiskTakesNothingItIsNotSnoozedTwiceUnderOneId() {
    let world = world()
    world.holdsRecords = true
    #expect(snooze(world, 60) != nil)
    world.deliveries = []
    world.advance(seconds: 61)
    #expect(Set(world.deliveries.map { $0.occurrence.id.snooze }) == [1])
    world.deliveries = []
    #expect(snooze(world, 60) == .refused(.notFound(identifier: "tea")))
    world.advance(seconds: 61)
    #expect(world.deliveries.isEmpty)
  }

  /// Killed when the store has that it fired, and not yet that it is snoozed no longer.
  @Test func D7_D11_aKillAsItFiresDoesNotBringItTwice() {
    let world = world()
    _ = snooze(world, 60)
    world.advance(seconds: 59)
    world.isBlocked = true
    world.answer = { _ in nil }
    world.advance(seconds: 2)
    let fired = world.queue.firstIndex {
      if case .record(.fired) = $0.operation { true } else { false }
    }
    for (_, operation) in world.queue[...(fired ?? 0)] { _ = world.store.perform(operation) }
    #expect(world.store.snoozed.count == 1 && world.store.open.count == 1)
    world.isBlocked = false
    world.answer = { _ in .done(note: nil) }
    world.deliveries = []
    world.restart()
    world.advance(seconds: 60)
    #expect(world.deliveries.map { $0.sink } == [0, 1, 2])
    #expect(world.deliveries.map { $0.attempt } == [2, 2, 2])
    #expect(world.store.snoozed.isEmpty && world.store.open.isEmpty)
  }

  /// Killed when the store has the snooze, and not yet that its alert was put away: what waits is moved.
  @Test func D7_D11_aKillAsItIsSnoozedLetsNobodySnoozeItTwice() {
    let world = world()
    world.isBlocked = true
    _ = snooze(world, 60)
    // The store is asked what is shown, and have the snooze of all that follows.
    world.commitOne()
    world.commitOne()
    #expect(world.store.snoozed.count == 1 && !world.store.shown.isEmpty)
    world.isBlocked = false
    world.restart()
    guard case .snoozed = snooze(world, 30) else { return #expect(Bool(false), "not moved") }
    #expect(world.store.snoozed.keys.map { $0.snooze } == [2])
    world.deliveries = []
    world.advance(seconds: 61)
    #expect(world.deliveries.map { $0.occurrence.id.snooze } == [2, 2, 2])
  }

  /// A crossing is what replaces it (R1), as much as what the clock brings.
  @Test func N1_D11_aCrossingOfWhatReplacedItEndsItsSnooze() {
    // It is pending still, so that the circle replaces it.
    let world = world({ $0.repeatInterval = .hour }, configured: { $0.owner = World.alice.uid })
    _ = snooze(world, 60)
    world.schedule("tea") {
      $0.region = CircularRegion(latitude: 52, longitude: 13, radius: 100)
    }
    for latitude in [53.0, 52] {
      #expect(snoozed(world).count == 1)
      world.request(
        .fix(latitude: latitude, longitude: 13, accuracy: nil, time: nil), by: World.root)
    }
    #expect(snoozed(world).isEmpty && world.store.snoozed.isEmpty)
  }

  @Test func D11_aSnoozedAlertComesAgainUnderItsOwnId() {
    let world = world()
    let first = world.deliveries[0].occurrence
    let due = world.now.real.advanced(by: 60 * Nanoseconds.second)
    #expect(snooze(world, 60) == .snoozed(next: due))
    #expect(world.kinds("tea").contains(.snoozed))
    #expect(Set(world.withdrawals.map { $0.sink }) == [0, 1])
    #expect(snoozed(world).map { $0.next } == [due])
    #expect(snoozed(world).map { $0.state } == [.snoozed])
    // It is not scheduled, and does not count (N17).
    #expect(world.listed().isEmpty)
    world.deliveries = []
    world.advance(seconds: 59)
    #expect(world.deliveries.isEmpty)
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.sink } == [0, 1, 2])
    let again = world.deliveries[0].occurrence
    #expect(again.id.text == first.id.text + ".s1" && again.due == due)
    #expect(again.notification == first.notification)
    // The badge has had its change.
    #expect(world.request(.user(app: "app", .badge)) == .badge(1))
    #expect(snoozed(world).isEmpty && world.store.snoozed.isEmpty)
    guard case .snoozed = snooze(world, 60, again.id.text) else {
      return #expect(Bool(false), "not again")
    }
    world.deliveries = []
    world.advance(seconds: 61)
    #expect(world.deliveries.first?.occurrence.id.text == first.id.text + ".s2")
  }

  @Test func D11_aSnoozeIsReadyForItsSound() {
    let world = world()
    _ = snooze(world, 60)
    world.prepared = []
    world.advance(seconds: 59.5)
    #expect(world.prepared.map { $0.sink } == [2])
  }

  @Test func D11_aSnoozeSurvivesARestart() {
    let world = world()
    _ = snooze(world, 60)
    world.restart()
    #expect(snoozed(world).count == 1)
    world.deliveries = []
    world.advance(seconds: 61)
    #expect(world.takeDelivered() == ["tea", "tea", "tea"])
    world.restart()
    world.advance(seconds: 61)
    #expect(world.deliveries.isEmpty)
  }

  @Test func D11_aStepOfTheClockMovesNoSnooze() {
    let world = world()
    _ = snooze(world, 60)
    world.deliveries = []
    world.stepClock(seconds: 3600)
    #expect(world.deliveries.isEmpty)
    world.stepClock(seconds: -7200)
    world.advance(seconds: 61)
    #expect(world.deliveries.count == 3)
    let due = world.deliveries[0].occurrence.due
    #expect(abs(world.now.real.nanoseconds(since: due)) <= 2 * Nanoseconds.second)
  }

  @Test(arguments: [true, false])
  func D11_afterABootItGoesByTheRealClockOrByWhatRemained(_ synchronised: Bool) {
    let world = World {
      $0.sinks = World.sinks
      $0.isClockTrusted = true
    }
    world.isSynchronised = synchronised
    world.restart()
    world.schedule("tea", in: 1)
    world.advance(seconds: 2)
    _ = snooze(world, 600)
    world.advance(seconds: 100)
    world.deliveries = []
    // Off for 200 s by the real clock.
    world.reboot(real: world.now.real.advanced(by: 200 * Nanoseconds.second), orderly: true)
    world.advance(seconds: 299)
    #expect(world.deliveries.isEmpty)
    world.advance(seconds: 2)
    #expect(world.deliveries.isEmpty != synchronised)
    world.advance(seconds: 200)
    #expect(world.deliveries.count == 2)
  }

  @Test func T10_aLateSnoozeGoesByItsPolicy() {
    for policy in [LatePolicy.fire, .drop] {
      let world = world { $0.late = policy }
      _ = snooze(world, 60)
      world.deliveries = []
      world.sleep(seconds: 300)
      world.send(.clock)
      #expect(world.deliveries.isEmpty == (policy == .drop))
      #expect(world.kinds("tea").contains(.missed) == (policy == .drop))
      #expect(world.store.snoozed.isEmpty)
    }
  }

  @Test func N19_aSnoozeExpires() {
    let world = world { $0.expires = World.start.advanced(by: 100 * Nanoseconds.second) }
    guard case .refused(.invalidField(let error)) = snooze(world, 200) else {
      return #expect(Bool(false), "beyond its expiry")
    }
    #expect(error.field == "duration")
    _ = snooze(world, 60)
    world.deliveries = []
    world.sleep(seconds: 120)
    world.send(.clock)
    #expect(world.deliveries.isEmpty && world.kinds("tea").last == .expired)
    #expect(world.store.snoozed.isEmpty)
  }

  @Test func D11_durationsAreBounded() {
    let world = world()
    for duration in [0, -1, 1, 7 * Nanoseconds.day + 1, .max, .min] {
      let reply = world.request(.user(app: "app", .response(.snooze(duration), "tea")))
      guard case .refused(.invalidField(let error)) = reply else {
        #expect(Bool(false), "\(duration)")
        continue
      }
      #expect(error.field == "duration" && error.code == .outOfRange)
    }
    #expect(snoozed(world).isEmpty && world.withdrawals.isEmpty)
  }

  @Test func N15_cancellingTakesTheSnoozeAlong() {
    let selections: [Request] = [
      .cancel(app: "app", identifiers: ["tea"]), .cancelAll(app: "app"),
    ]
    for request in selections {
      let world = world()
      _ = snooze(world, 60)
      #expect(world.request(request) == .cancelled(cancelled: 1, withdrawn: 0))
      world.deliveries = []
      world.advance(seconds: 120)
      #expect(world.deliveries.isEmpty && world.store.snoozed.isEmpty)
    }
    let world = world()
    let content = world.deliveries[0].occurrence.notification
    _ = snooze(world, 60)
    #expect(
      world.request(.cancelEqual(app: "app", content)) == .cancelled(cancelled: 1, withdrawn: 0))
  }

  @Test func N1_aReplacementThatComesTakesTheSnoozeAlong() {
    let world = World()
    world.schedule("bell", in: 1, repeats: .hour)
    world.advance(seconds: 2)
    _ = snooze(world, 6000, "bell")
    world.schedule("bell", in: 10, repeats: .hour) { $0.alertTitle = "new" }
    #expect(snoozed(world).count == 1)
    world.advance(seconds: 20)
    #expect(snoozed(world).isEmpty)
    #expect(world.kinds("bell").contains(.withdrawn))
  }

  @Test func A2_anAppHasSoManySnoozesAndNoMore() {
    let world = World { $0.notifications = 100 }
    for number in 0...64 { world.schedule("n\(number)", in: 1) }
    world.advance(seconds: 2)
    for number in 0..<64 {
      guard case .snoozed = snooze(world, 60, "n\(number)") else {
        return #expect(Bool(false), "\(number)")
      }
    }
    #expect(
      snooze(world, 60, "n64") == .refused(.limitReached(limit: "snoozes", value: 64)))
    guard
      case .listed(let rows, let cursor?) = world.request(.snoozed(app: nil, cursor: 0, limit: 60)),
      case .listed(let rest, nil) = world.request(.snoozed(app: nil, cursor: cursor, limit: 60))
    else { return #expect(Bool(false), "no pages") }
    #expect(rows.count == 60 && rest.count == 4)
    guard
      case .listed(let others, nil) = world.request(
        .snoozed(app: nil, cursor: 0, limit: 100), by: World.bob)
    else { return #expect(Bool(false)) }
    #expect(others.isEmpty)
  }

  @Test func D5_settingsAreJudgedWhenItComesAgain() {
    let world = world()
    _ = snooze(world, 60)
    world.request(.user(app: "app", .register(AppRegistration(settings: .sound))))
    world.deliveries = []
    world.advance(seconds: 61)
    #expect(world.deliveries.map { $0.parts } == [.sound, .sound])
  }
}
