import Testing

@testable import BelfryCore

/// N15: a new notification under an identifier that is still shown takes the place of the older one when
/// it is shown, and not before.
@Suite struct EngineAnewTests {
  private func shown(_ world: World) -> [String] {
    world.store.shownContent.filter { world.store.shown[$0.key] != nil }
      .map { $0.value.alertBody ?? "" }.sorted()
  }

  private func tea(_ world: World, _ body: String, in seconds: Double? = nil) {
    world.schedule("tea", in: seconds ?? 0) { $0.alertBody = body }
    world.advance(seconds: 0.1)
  }

  @Test func N15_itGoesWhenTheNewOneIsShown() {
    let world = World { $0.sinks = World.sinks }
    tea(world, "first")
    world.schedule("other", in: 0) { $0.alertBody = "other" }
    world.advance(seconds: 1)
    tea(world, "second", in: 60)
    #expect(shown(world) == ["first", "first", "other", "other"] && world.withdrawals.isEmpty)
    world.deliveries = []
    world.advance(seconds: 60)
    #expect(world.deliveries.count == 2 && world.deliveries.allSatisfy { $0.replaces != nil })
    #expect(shown(world) == ["other", "other", "second", "second"])
    #expect(
      world.history(of: "tea") == [
        "one withdrawn", "two withdrawn", "one delivered", "two delivered",
      ])
  }

  @Test func N15_whatIsDueAtOnceKnowsItToo() {
    let world = World()
    tea(world, "first")
    tea(world, "second")
    #expect(shown(world) == ["second"])
    #expect(world.deliveries.map { $0.replaces != nil } == [false, true])
  }

  @Test func N15_soDoesWhatReplacesAList() {
    let world = World()
    tea(world, "first")
    world.request(.replaceAll(app: "app", [world.alert("tea", in: 30)]))
    world.advance(seconds: 29)
    #expect(shown(world) == ["first"])
    world.advance(seconds: 2)
    #expect(shown(world).count == 1 && shown(world) != ["first"])
  }

  @Test func N15_afterARestartToo() {
    let world = World()
    tea(world, "first")
    tea(world, "second", in: 60)
    world.restart()
    world.advance(seconds: 61)
    #expect(shown(world) == ["second"])
  }

  /// It was handed over, and its sink had not answered when the board was cut off: N1 as well.
  @Test(arguments: [false, true])
  func D7_N1_N15_whatIsHandedOverAgainTakesItsPlaceToo(_ replaces: Bool) {
    let world = World()
    if replaces {
      world.schedule("tea", in: 0, repeats: .hour) { $0.alertBody = "first" }
      world.advance(seconds: 1)
    } else {
      tea(world, "first")
    }
    world.answer = { _ in nil }
    tea(world, "second")
    world.answer = { _ in .done(note: nil) }
    world.restart()
    world.advance(seconds: 1)
    #expect(world.deliveries.last?.attempt == 2 && shown(world) == ["second"])
  }

  /// What the older one left is with the sink, unanswered, when the new one fires.
  @Test func N15_whatIsStillInHandGoesToo() {
    let world = World()
    world.answer = { _ in nil }
    tea(world, "first")
    let first = world.deliveries[0]
    tea(world, "second")
    #expect(world.deliveries.last?.replaces == first.occurrence.id.deliveryID(sink: "one"))
    for delivery in world.deliveries {
      world.send(.sink(0, .answered(token: delivery.token, .done(note: nil))))
    }
    #expect(shown(world) == ["second"])
  }

  /// T10: while its sink is down the newer one takes the older one's place in the queue.
  @Test func N15_whatWaitsIsOvertaken() {
    let world = World()
    world.send(.sink(0, .down(reason: "away")))
    tea(world, "first")
    tea(world, "second")
    world.send(.sink(0, .up))
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.text.body } == ["second"])
    #expect(world.history(of: "tea") == ["one delivered", "one superseded"])
  }

  /// An occurrence of a repeat takes nothing of its own away, and what had its identifier before.
  @Test func N15_aRepeatKeepsItsOwn() {
    let world = World()
    tea(world, "first")
    world.schedule("tea", in: 60, repeats: .minute) { $0.alertBody = "again" }
    world.advance(seconds: 190)
    #expect(shown(world) == ["again", "again", "again"])
  }

  @Test func N15_otherAppsAndSpellingsAreOtherNames() {
    let world = World()
    for name in ["caf\u{E9}", "cafe\u{301}"] {
      world.schedule(name, in: 0) { $0.alertBody = name }
    }
    world.request(.schedule(app: "other", world.alert("tea", in: 0)))
    tea(world, "first")
    world.advance(seconds: 1)
    #expect(world.store.shown.count == 4)
  }

  // MARK: What is presented

  private func present(_ world: World, _ body: String, id: String? = "tea") {
    var notification = Notification()
    notification.identifier = id
    notification.alertBody = body
    world.request(.presentNow(app: "app", notification))
  }

  @Test func N14_N15_whatIsPresentedTakesItsPlaceToo() {
    let world = World { $0.sinks = World.sinks }
    tea(world, "first")
    present(world, "second")
    #expect(shown(world) == ["second", "second"])
    present(world, "third")
    #expect(shown(world) == ["third", "third"])
    // Sinks are told which one it replaces.
    #expect(world.deliveries.filter { $0.replaces != nil }.count == 4)
    present(world, "by itself", id: nil)
    #expect(shown(world).count == 4 && world.withdrawals.isEmpty)
  }

  @Test func N14_N15_whatAnEarlierLifeHasShownIsWithdrawn() {
    let world = World { $0.sinks = World.sinks }
    tea(world, "first")
    world.restart()
    present(world, "second")
    #expect(shown(world) == ["second", "second"] && world.withdrawals.count == 2)
  }

  @Test func N14_N15_notBeforeItIsShown() {
    let world = World()
    tea(world, "first")
    world.answer = { _ in nil }
    world.deliveries = []
    present(world, "second")
    #expect(shown(world) == ["first"])
    world.send(.sink(0, .answered(token: world.deliveries[0].token, .done(note: nil))))
    #expect(shown(world) == ["second"])
  }

  @Test func N14_N15_notWhereItIsNotShown() {
    let world = World()
    tea(world, "first")
    world.answer = { _ in .failed(reason: "no paper") }
    present(world, "second")
    world.advance(seconds: 1)
    #expect(shown(world) == ["first"] && world.withdrawals.isEmpty)
  }

  @Test func D8_N14_itIsShownWithoutWaitingForTheBooks() {
    let world = World()
    tea(world, "first")
    world.deliveries = []
    world.isBlocked = true
    present(world, "second")
    #expect(world.deliveries.map { $0.text.body } == ["second"])
  }

  /// A is shown at one sink and fails at the other.
  @Test func N14_N15_itGoesFromTheSinksThatShowTheNewOne() {
    let world = World { $0.sinks = World.sinks }
    tea(world, "first")
    world.restart()
    world.answer = { $0.sink == 0 ? .done(note: nil) : .failed(reason: "no paper") }
    present(world, "second")
    world.advance(seconds: 1)
    #expect(shown(world) == ["first", "second"])
    #expect(world.withdrawals.map { $0.sink } == [0])
    #expect(
      world.history(of: "tea") == ["one withdrawn", "two delivered", "one delivered", "two failed"])
  }

  /// What comes while the books are asked is newer, and stays.
  @Test func N14_N15_theNewestStaysHoweverLateTheBooksAnswer() {
    let world = World()
    tea(world, "first")
    world.restart()
    world.isBlocked = true
    for body in ["second", "third"] {
      present(world, body)
      world.now.real = world.now.real.advanced(by: 1000)
    }
    world.isBlocked = false
    world.run()
    #expect(shown(world) == ["third"])
  }

  /// The content of what is scheduled is read long before it is due.
  @Test func N15_whatWasShownSinceItWasReadGoesToo() {
    let world = World()
    tea(world, "second", in: 60)
    present(world, "between")
    world.advance(seconds: 61)
    #expect(shown(world) == ["second"])
  }

  // MARK: What it has left

  /// Nothing that was to come is silenced by a newer one of its name.
  @Test func N15_D11_itsSnoozeComesAllTheSame() {
    let world = World()
    tea(world, "first")
    world.request(.user(app: "app", .response(.snooze(600 * Nanoseconds.second), "tea")))
    tea(world, "second", in: 300)
    world.advance(seconds: 301)
    #expect(world.store.snoozed.count == 1 && shown(world) == ["second"])
    world.advance(seconds: 600)
    // It takes nothing away either.
    #expect(shown(world) == ["first", "second"])
  }

  @Test func N15_E6_itsLadderGoesOnUntilSomebodyAnswers() {
    let world = World()
    world.schedule("tea", in: 0) {
      $0.alertBody = "first"
      $0.realert = Realert(every: Nanoseconds.minute, atMost: 9)
    }
    world.advance(seconds: 1)
    tea(world, "second", in: 90)
    world.advance(seconds: 91)
    #expect(world.store.waiting.count == 1 && shown(world) == ["second"])
    world.advance(seconds: 30)
    #expect(shown(world) == ["first", "second"])
    world.request(.user(app: "app", .response(.dismiss, "tea")))
    #expect(world.store.waiting.isEmpty && shown(world).isEmpty)
  }

  /// A snooze that waits for its sink is overtaken by nothing of another notification, and overtakes none.
  @Test func T10_D11_aSnoozeOvertakesNoOther() {
    let world = World()
    tea(world, "first")
    world.request(.user(app: "app", .response(.snooze(60 * Nanoseconds.second), "tea")))
    world.send(.sink(0, .down(reason: "away")))
    tea(world, "second")
    world.advance(seconds: 61)
    world.deliveries = []
    world.send(.sink(0, .up))
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.text.body } == ["second", "first"])
  }

  @Test func N15_D1_whatTheAppTakesItselfGoesInItsPlace() {
    let world = World()
    tea(world, "first")
    world.open(1)
    tea(world, "second", in: 5)
    world.advance(seconds: 6)
    #expect(world.withdrawals.isEmpty)
    world.complete(1, 1)
    #expect(shown(world).isEmpty && world.withdrawals.count == 1)
  }
}
