import SchedulerFixtures
import Testing

@testable import BelfryCore

@Suite struct HappeningTests {
  private func world() -> World {
    let world = World()
    // The app is known.
    world.schedule("later", in: 1_000_000)
    return world
  }

  // MARK: D3

  @Test func T12_D4_aCompletedActionLeavesNothingToWakeFor() {
    let world = World()
    world.open(1, .background)
    world.act("door", World.action("open"))
    #expect(world.scheduler.nextWake.elapsed != nil)
    #expect(world.complete(1, 1) == .done)
    #expect(world.scheduler.nextWake == NextWake(real: nil, elapsed: nil))
  }

  @Test func D3_aRunningAppIsToldThatItWasActivated() {
    let world = world()
    world.open(1, .background)
    world.act("tea")
    #expect(world.words(in: 1) == ["activated tea"])
    #expect(world.events(in: 1).first?.delivered == world.now.real)
    #expect(world.launches.isEmpty)
    #expect(world.store.queuedEvents.isEmpty)
    #expect(world.history(of: "tea") == ["app received"])
  }

  @Test func D3_theForegroundSessionIsTheOne() {
    let world = world()
    world.open(1)
    world.open(2, .background)
    world.act("tea")
    #expect(world.words(in: 1) == ["activated tea"])
    #expect(world.words(in: 2).isEmpty)
  }

  @Test func D3_anAppThatDoesNotRunIsStartedAndItsLaunchOptionWaits() {
    let world = world()
    world.act("tea")
    world.act("cake")
    world.act("milk")
    #expect(world.launches.map { $0.attempt } == [1])
    world.send(.launched(app: "app", failure: nil))
    world.advance(seconds: 20)
    #expect(world.open(1) == .sessionOpened(1, waiting: 3))
    #expect(world.words(in: 1) == ["launch tea", "activated cake", "activated milk"])
    world.advance(seconds: 100)
    #expect(world.launches.count == 1)
    #expect(world.store.queuedEvents.isEmpty)
    // Another session gets nothing of it.
    world.open(2)
    #expect(world.words(in: 2).isEmpty)
    #expect(world.history(of: "tea") == ["app received"])
  }

  @Test func D3_anAppThatOpensNoSessionIsStartedOnceMore() {
    let world = world()
    world.act("tea")
    world.send(.launched(app: "app", failure: nil))
    world.advance(seconds: 30)
    #expect(world.launches.map { $0.attempt } == [1, 2])
    world.advance(seconds: 29)
    #expect(world.history(of: "tea").isEmpty)
    world.advance(seconds: 1)
    #expect(world.history(of: "tea") == ["app failed"])
    #expect(world.store.history.values.first?.reason == "launch-timeout")
    #expect(world.store.queuedEvents.isEmpty)
    #expect(world.open(1) == .sessionOpened(1, waiting: 0))
    #expect(world.words(in: 1).isEmpty)
    // The next tap starts it again.
    world.close(1)
    world.act("cake")
    #expect(world.launches.map { $0.attempt } == [1, 2, 1])
  }

  @Test func D3_anAppThatCannotBeStartedHasAReasonInTheHistory() {
    let world = world()
    world.act("tea")
    world.send(.launched(app: "app", failure: "there is no /bin/tea"))
    #expect(
      world.store.history.values.map { $0.reason } == [
        "could not be started: there is no /bin/tea"
      ])
    #expect(world.open(1) == .sessionOpened(1, waiting: 0))
    #expect(world.store.queuedEvents.isEmpty)
  }

  /// An app without a manifest starts itself: a tap on its alert is no failure.
  @Test func D3_anAppThatNothingStartsHasNoFailedRow() {
    let world = world()
    world.act("tea")
    world.act("pill", World.action("taken"))
    world.send(.nothingToLaunch(app: "app"))
    #expect(world.store.history.values.allSatisfy { $0.sink != Sink.app })
    #expect(
      world.store.queuedEvents.values.map { $0.queuedEvent.occurrence.notification.identifier } == [
        "pill"
      ])
    world.advance(seconds: 3600)
    world.open(1)
    #expect(world.words(in: 1) == ["handleAction pill"])
    world.complete(1, 1)
    #expect(world.history(of: "pill") == ["app received"] && world.history(of: "tea").isEmpty)
    world.close(1)
    world.act("cake")
    #expect(world.launches.count == 2)
  }

  @Test func D3_openingTheAppByItselfHandsItNothing() {
    let world = world()
    world.schedule("badge", in: 10) {
      $0.alertBody = nil
      $0.applicationIconBadgeNumber = 3
    }
    world.advance(seconds: 20)
    #expect(world.open(1) == .sessionOpened(1, waiting: 0))
    #expect(world.told.isEmpty)
  }

  @Test func D3_aKilledDaemonStillHasTheLaunchOption() {
    let world = world()
    world.act("tea")
    #expect(world.store.queuedEvents.count == 1)
    world.restart()
    world.advance(seconds: 4)
    #expect(world.launches.count == 1)
    #expect(world.open(1) == .sessionOpened(1, waiting: 1))
    #expect(world.words(in: 1) == ["launch tea"])
    #expect(world.store.queuedEvents.isEmpty)
  }

  @Test func D3_aKilledDaemonStartsTheAppIfItDoesNotComeBack() {
    let world = world()
    world.act("tea")
    world.restart()
    world.advance(seconds: 5)
    #expect(world.launches.map { $0.attempt } == [1, 1])
  }

  @Test func D3_whatTheAppDiedBeforeReadingIsHandedOnAndNothingElse() {
    let world = world()
    world.open(1, .background)
    world.act("tea")
    world.act("cake")
    // It has read the first, and never will the second.
    world.send(.sessionClosed(1, isUnread: true, readThrough: 1))
    #expect(world.launches.map { $0.attempt } == [1])
    #expect(world.open(2) == .sessionOpened(2, waiting: 1))
    #expect(world.words(in: 2) == ["launch cake 2"])
    world.close(2)
    #expect(world.launches.count == 1 && world.store.queuedEvents.isEmpty)
  }

  // MARK: D4

  @Test func D4_anActionIsCompletedOnce() {
    let world = world()
    world.open(1)
    world.act("pill", World.action("taken", text: "two"))
    let event = world.events(in: 1)[0]
    #expect(event.kind == .handleAction && event.action == "taken" && event.text == "two")
    #expect(world.store.queuedEvents.count == 1)
    world.advance(seconds: 29)
    #expect(world.complete(1, event.id) == .done)
    #expect(world.store.queuedEvents.isEmpty)
    world.advance(seconds: 100)
    #expect(world.events(in: 1).count == 1)
    #expect(world.history(of: "pill") == ["app received"])
  }

  @Test func D4_anActionThatIsNotCompletedIsSentThreeTimesInAll() {
    let world = world()
    world.open(1)
    world.act("pill", World.action("taken"))
    world.advance(seconds: 89)
    #expect(
      world.words(in: 1)
        == ["handleAction pill", "handleAction pill 2", "handleAction pill 3"])
    #expect(world.history(of: "pill").isEmpty)
    world.advance(seconds: 1)
    #expect(world.history(of: "pill") == ["app failed"])
    #expect(world.store.queuedEvents.isEmpty)
    world.advance(seconds: 100)
    #expect(world.events(in: 1).count == 3)
  }

  @Test func D4_anEarlierSendingMayBeCompletedToo() {
    let world = world()
    world.open(1)
    world.act("pill", World.action("taken"))
    world.advance(seconds: 30)
    world.complete(1, 1)
    world.advance(seconds: 100)
    #expect(world.events(in: 1).count == 2)
    #expect(world.history(of: "pill") == ["app received"])
  }

  @Test func D4_anAppThatDiesInItsHandlerGetsItAgain() {
    let world = world()
    world.open(1)
    world.act("pill", World.action("taken"))
    world.close(1)
    #expect(world.launches.map { $0.attempt } == [1])
    #expect(world.open(2) == .sessionOpened(2, waiting: 1))
    #expect(world.words(in: 2) == ["handleAction pill 2"])
    world.close(2)
    world.open(3)
    #expect(world.words(in: 3) == ["handleAction pill 3"])
    world.close(3)
    #expect(world.history(of: "pill") == ["app failed"])
    #expect(world.open(4) == .sessionOpened(4, waiting: 0))
  }

  @Test func D4_anotherSessionGetsItAtOnce() {
    let world = world()
    world.open(1)
    world.open(2, .background)
    world.act("pill", World.action("taken"))
    world.close(1)
    #expect(world.words(in: 2) == ["handleAction pill 2"])
    #expect(world.launches.isEmpty)
  }

  @Test func D4_aKilledDaemonSendsItAgain() {
    let world = world()
    world.open(1)
    world.act("pill", World.action("taken", text: "two"))
    world.restart()
    world.open(2)
    #expect(world.words(in: 2) == ["handleAction pill 2"])
    #expect(world.events(in: 2).first?.text == "two")
    world.complete(2, 1)
    world.restart()
    #expect(world.open(3) == .sessionOpened(3, waiting: 0))
  }

  @Test func D4_anActionOutlivesAnAppThatCannotBeStarted() {
    let world = world()
    world.act("pill", World.action("taken"))
    world.send(.launched(app: "app", failure: "there is no /bin/tea"))
    #expect(world.history(of: "pill") == ["app failed"])
    world.advance(seconds: 3600)
    world.open(1)
    #expect(world.words(in: 1) == ["handleAction pill"])
    world.complete(1, 1)
    #expect(world.history(of: "pill") == ["app received"])
  }

  @Test func D4_anActionWaitsADayAndNoLonger() {
    let world = world()
    world.act("pill", World.action("taken"))
    world.send(.launched(app: "app", failure: "there is no /bin/tea"))
    world.advance(seconds: 86_400)
    #expect(world.history(of: "pill") == ["app expired"])
    #expect(world.store.queuedEvents.isEmpty)
  }

  @Test func A2_soManyActionsWaitForAnAppAndNoMore() {
    let world = world()
    for number in 0..<100 { world.act("pill\(number)", World.action("taken")) }
    #expect(world.store.queuedEvents.count == 64)
    #expect(world.history(of: "pill35") == ["app failed"])
    #expect(world.history(of: "pill36").isEmpty)
  }

  // MARK: Others

  @Test func D3_whatASessionNeverReadIsTheNextOnes() {
    let world = world()
    world.open(1)
    world.act("tea")
    world.act("pill", World.action("taken"))
    world.open(2, .background)
    world.close(1, isUnread: true)
    #expect(world.words(in: 2) == ["activated tea 2", "handleAction pill 2"])
  }

  @Test func D3_whatASessionReadIsItsOwn() {
    let world = world()
    world.open(1)
    world.act("tea")
    world.open(2, .background)
    world.close(1)
    #expect(world.words(in: 2).isEmpty)
  }

  @Test func D4_dismissalsReachEverySessionAndNobodyLater() {
    let world = world()
    world.act("tea", .dismissed)
    world.open(1)
    world.open(2, .background)
    world.act("cake", .dismissed)
    for session: SessionID in [1, 2] { #expect(world.words(in: session) == ["dismissed cake"]) }
    #expect(world.launches.isEmpty)
    #expect(world.complete(1, 1) == .done)
  }
}
