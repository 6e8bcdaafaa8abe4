import SchedulerFixtures
import Testing

@testable import BelfryCore

@Suite struct ForegroundTests {
  private func world() -> World {
    let world = World { $0.sinks = World.sinks }
    // The speaker is up at once, as one that has been prepared is.
    return world
  }

  @Test func D1_anAppInTheForegroundThatTakesItGetsItAlone() {
    let world = world()
    world.open(1)
    world.open(2)
    world.open(3, .background)
    world.schedule("tea", in: 10) {
      $0.soundName = "default"
      $0.applicationIconBadgeNumber = 4
    }
    world.advance(seconds: 10)
    #expect(world.words(in: 1) == ["received tea"])
    #expect(world.words(in: 2) == ["received tea"])
    #expect(world.words(in: 3).isEmpty)
    #expect(world.complete(1, 1) == .done)
    world.advance(seconds: 60)
    #expect(world.deliveries.isEmpty)
    #expect(world.badges.isEmpty)
    #expect(world.history(of: "tea") == ["app received"])
    #expect(world.events.map { $0.kind } == [.received])
    #expect(world.store.open.isEmpty)
    #expect(world.scheduler.nextWake == NextWake(real: nil, elapsed: nil))
  }

  @Test func D1_whatNoSessionTakesInTwoSecondsGoesOnAsInTheBackground() {
    let world = world()
    world.open(1)
    world.schedule("tea", in: 10) {
      $0.soundName = "default"
      $0.applicationIconBadgeNumber = 4
    }
    world.advance(seconds: 11.999)
    #expect(world.deliveries.isEmpty)
    world.advance(seconds: 0.001)
    #expect(world.deliveries.map { $0.sink } == [0, 1, 2])
    #expect(world.badges.map { $0.value } == [4])
    #expect(world.store.apps[1]?.badge == 4)
    #expect(
      world.history(of: "tea")
        == ["app unknown", "one delivered", "two delivered", "speaker delivered"])
    // Too late, and no harm.
    #expect(world.complete(1, 1) == .done)
    #expect(world.store.open.isEmpty)
  }

  /// Two crossings within the 2 s of a session that takes neither: one alert, not a burst.
  @Test(arguments: ["ends", "takes nothing"])
  func D1_T10_ofTwoThatGoOnAtOnceTheNewerGoesOut(how: String) {
    let world = World { $0.owner = World.alice.uid }
    world.open(1)
    world.schedule("door") {
      $0.region = CircularRegion(latitude: 52, longitude: 13, radius: 100)
      $0.regionTriggersOnce = false
    }
    for latitude in [53.0, 52, 53] {
      world.request(
        .fix(latitude: latitude, longitude: 13, accuracy: nil, time: nil), by: World.root)
    }
    #expect(world.words(in: 1) == ["received door", "received door"])
    if how == "ends" { world.close(1) } else { world.advance(seconds: 3) }
    #expect(world.deliveries.map { $0.occurrence.id.k } == [1])
    #expect(
      world.store.history.values.filter { $0.occurrence.k == 0 }.map { $0.state } == [.superseded])
    #expect(world.store.open.isEmpty && world.scheduler.sessions.isIdle)
  }

  /// The app has gone to the background meanwhile: the newer one goes out first, and alone.
  @Test func D1_T10_whatIsWithASessionIsSupersededByANewerThatIsNot() {
    let world = World { $0.owner = World.alice.uid }
    world.open(1)
    world.schedule("door") {
      $0.region = CircularRegion(latitude: 52, longitude: 13, radius: 100)
      $0.regionTriggersOnce = false
      $0.applicationIconBadgeNumber = 1
      $0.badgeOperation = .add
    }
    for latitude in [53.0, 52] {
      world.request(
        .fix(latitude: latitude, longitude: 13, accuracy: nil, time: nil), by: World.root)
    }
    world.request(.setState(session: 1, .background))
    world.request(.fix(latitude: 53, longitude: 13, accuracy: nil, time: nil), by: World.root)
    world.advance(seconds: 10)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [1])
    // Both have come.
    #expect(world.store.apps[1]?.badge == 2 && world.store.open.isEmpty)
  }

  @Test func D1_theLastForegroundSessionThatEndsLetsItGoOnAtOnce() {
    let world = world()
    world.open(1)
    world.open(2)
    world.schedule("tea", in: 10)
    world.advance(seconds: 10)
    world.close(1)
    #expect(world.deliveries.isEmpty)
    world.close(2)
    #expect(world.deliveries.map { $0.sink } == [0, 1])
  }

  @Test(arguments: [AppState.foreground, .background])
  func D1_stateIsJudgedAtTheDueInstant(state: AppState) {
    let world = world()
    world.open(1, state == .foreground ? .background : .foreground)
    world.schedule("tea", in: 10)
    world.advance(seconds: 9.9)
    #expect(world.request(.setState(session: 1, state)) == .done)
    world.advance(seconds: 0.1)
    // What it says afterwards is too late.
    world.request(.setState(session: 1, state == .foreground ? .background : .foreground))
    #expect(world.words(in: 1) == (state == .foreground ? ["received tea"] : []))
    #expect(world.deliveries.isEmpty == (state == .foreground))
  }

  @Test func D1_presentNowIsTheForegroundAppsToo() {
    let world = world()
    world.open(1)
    var notification = Notification()
    notification.identifier = "now"
    notification.alertBody = "Body"
    world.request(.presentNow(app: "app", notification))
    #expect(world.words(in: 1) == ["received now"])
    #expect(world.deliveries.isEmpty)
  }

  @Test func D1_aTestShowsItsSinkWhateverTheAppSays() {
    let world = world()
    world.open(1)
    world.request(.test(app: "app", sink: "one"))
    #expect(world.deliveries.map { $0.sink } == [0])
  }

  @Test func D1_anotherAppsForegroundDoesNotCount() {
    let world = world()
    world.open(1, app: "other")
    world.schedule("tea", in: 10)
    world.advance(seconds: 10)
    #expect(world.words(in: 1).isEmpty)
    #expect(world.deliveries.map { $0.sink } == [0, 1])
  }

  @Test func N15_whatIsCancelledBeforeTheAppTakesItIsNeverShown() {
    let world = world()
    world.open(1)
    world.schedule("tea", in: 10) { $0.applicationIconBadgeNumber = 4 }
    world.advance(seconds: 11)
    #expect(
      world.request(.cancel(app: "app", identifiers: ["tea"]))
        == .cancelled(cancelled: 0, withdrawn: 1))
    world.advance(seconds: 60)
    #expect(world.deliveries.isEmpty)
    #expect(world.history(of: "tea") == ["app withdrawn"])
    #expect(world.store.open.isEmpty)
    #expect(world.complete(1, 1) == .done)
  }

  @Test func N1_whatTheAppTakesReplacesWhatWasShown() {
    let world = world()
    world.schedule("tea", in: 10, repeats: .hour)
    world.advance(seconds: 10)
    #expect(world.deliveries.count == 2)
    world.schedule("tea", in: 20) { $0.alertTitle = "New" }
    world.open(1)
    world.advance(seconds: 20)
    world.complete(1, 1)
    #expect(world.withdrawals.map { $0.sink } == [0, 1])
    #expect(world.store.shown.isEmpty)
  }

  @Test func T10_aLateOneIsTheForegroundAppsToo() {
    let world = world()
    world.open(1)
    world.schedule("tea", in: 10, repeats: .minute)
    world.sleep(seconds: 155)
    world.advance(seconds: 1)
    #expect(world.words(in: 1) == ["received tea"])
    #expect(world.events(in: 1).first?.occurrence.missed == 2)
  }

  @Test func D9_sinksAndBadgeOperationAreThoseOfTheDueInstant() {
    let world = World { $0.sinks = World.sinks }
    world.open(1)
    for name in ["a", "b"] {
      world.schedule(name, in: 10) {
        $0.applicationIconBadgeNumber = 1
        $0.badgeOperation = .add
      }
    }
    world.advance(seconds: 20)
    #expect(world.store.apps[1]?.badge == 2)
  }

  @Test func D7_killedBeforeItIsDecidedItIsShownAfterTheStart() {
    let world = world()
    world.open(1)
    world.schedule("tea", in: 10) { $0.applicationIconBadgeNumber = 4 }
    world.advance(seconds: 11)
    world.restart()
    #expect(world.deliveries.map { $0.sink } == [0, 1])
    #expect(world.deliveries.allSatisfy { $0.attempt == 1 })
    #expect(world.store.apps[1]?.badge == 4)
    #expect(world.store.open.isEmpty)
    #expect(world.history(of: "tea") == ["app unknown", "one delivered", "two delivered"])
  }

  @Test func D8_noDiskIsNeededToAskTheApp() {
    let world = world()
    world.open(1)
    world.schedule("tea", in: 70)
    world.advance(seconds: 30)
    world.isBlocked = true
    world.advance(seconds: 40)
    #expect(world.words(in: 1) == ["received tea"])
    world.advance(seconds: 2)
    #expect(world.deliveries.map { $0.sink } == [0, 1])
  }

  @Test func D1_repeatsUnderAMinuteAreTheForegroundAppsToo() {
    let world = world()
    world.open(1)
    world.schedule("tick", in: 1, repeats: .second)
    for event in 1...10 {
      world.advance(seconds: 1)
      world.complete(1, Int64(event))
    }
    #expect(world.events(in: 1).count == 10)
    #expect(world.deliveries.isEmpty)
    #expect(world.problems.isEmpty)
  }
}
