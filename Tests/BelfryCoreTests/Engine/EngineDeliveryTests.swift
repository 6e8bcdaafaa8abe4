import Testing

@testable import BelfryCore

@Suite struct EngineDeliveryTests {
  /// Which sinks get what: alert, sound, badge, userInfo; the sinks by name and the parts.
  @Test(
    arguments: [
      (true, false, 0, false, ["one", "two"]), (true, true, 0, false, ["one", "two", "speaker"]),
      (false, true, 0, false, ["two", "speaker"]), (false, false, 3, false, ["two"]),
      (false, false, 0, true, ["two"]), (true, true, 3, true, ["one", "two", "speaker"]),
    ] as [(Bool, Bool, Int64, Bool, [String])])
  func D9_sinksByParts(alert: Bool, sound: Bool, badge: Int64, info: Bool, expected: [String]) {
    let world = World { $0.sinks = World.sinks }
    world.schedule("n", in: 1) {
      $0.alertBody = alert ? "body" : nil
      $0.soundName = sound ? "default" : nil
      $0.applicationIconBadgeNumber = badge
      $0.userInfo = info ? ["a": .integer(1)] : [:]
    }
    world.advance(seconds: 1)
    #expect(world.deliveries.map { World.sinks[Int($0.sink)].name } == expected)
    var parts: DeliveryParts = []
    if alert { parts.insert(.alert) }
    if sound { parts.insert(.sound) }
    if badge != 0 { parts.insert(.badge) }
    if info { parts.insert(.userInfo) }
    for delivery in world.deliveries {
      #expect(delivery.parts == (delivery.sink == 2 ? .sound : parts))
      #expect(delivery.badge == (badge == 0 ? nil : badge))
    }
    #expect(world.store.history.count == expected.count && world.store.open.isEmpty)
  }

  @Test(
    arguments: [
      (nil, 0, 5, nil), (nil, 7, 5, 7), (nil, -1, 5, 0), (.set, 0, 5, 0), (.add, 2, 5, 7),
      (.add, -9, 5, 0), (.clear, 9, 5, 0), (.add, Int64(Int32.max), 5, Int64(Int32.max)),
    ] as [(BadgeOperation?, Int64, Int64, Int64?)])
  func N11_badgeIsJudgedAtTheDueInstant(
    operation: BadgeOperation?, number: Int64, before: Int64, after: Int64?
  ) {
    let world = World { $0.sinks = [World.sinks[1]] }
    world.schedule("n", in: 10) {
      $0.badgeOperation = operation
      $0.applicationIconBadgeNumber = number
    }
    world.schedule("before", in: 5) { $0.applicationIconBadgeNumber = before }
    world.advance(seconds: 10)
    #expect(world.deliveries.map { $0.badge } == [before, after])
    #expect(world.badges.map { $0.value } == (after.map { [before, $0] } ?? [before]))
    #expect(world.store.apps[1]?.badge == after ?? before)
    world.badges = []
    world.restart()
    let kept = after ?? before
    #expect(world.badges.map { $0.value } == (kept == 0 ? [] : [kept]))
  }

  @Test func D9_withoutASinkItIsToldAndEnds() {
    let world = World { $0.sinks = [] }
    world.schedule("n", in: 1)
    world.advance(seconds: 1)
    #expect(world.kinds() == [.failed])
    #expect(world.store.history.values.map { $0.reason } == ["no-sink"])
    #expect(world.store.rows.isEmpty && world.store.open.isEmpty)
  }

  @Test func D7_anUnansweredDeliveryGoesOutAgainUnderItsId() {
    let world = World()
    world.answer = { _ in nil }
    world.schedule("n", in: 10)
    world.advance(seconds: 10)
    world.send(.sink(0, .down(reason: "crashed")))
    world.advance(seconds: 5)
    world.answer = { _ in .done(note: nil) }
    world.send(.sink(0, .up))
    #expect(world.deliveries.map { $0.attempt } == [1, 2])
    #expect(Set(world.deliveries.map { $0.occurrence.id }).count == 1)
    #expect(Set(world.deliveries.map { $0.token }).count == 2)
    let row = world.store.history.values.first
    #expect(row?.state == .delivered && row?.attempts == 2)
    #expect(row?.handedOver == World.start.advanced(by: 10 * Nanoseconds.second))
  }

  @Test func D7_afterARestartWhatHadNotEndedGoesOutAgain() {
    let world = World { $0.sinks = World.sinks }
    world.answer = { $0.sink == 0 ? .done(note: nil) : nil }
    world.schedule("n", in: 10)
    world.advance(seconds: 10)
    world.answer = { _ in .done(note: nil) }
    world.restart()
    #expect(world.deliveries.map { $0.sink } == [0, 1, 1])
    #expect(world.deliveries.map { $0.attempt } == [1, 1, 2])
    #expect(world.store.open.isEmpty)
    world.restart()
    #expect(world.deliveries.count == 3)
  }

  @Test func D7_whatWasIntendedAndNotRecordedIsASecondAttempt() {
    let world = World()
    world.schedule("n", in: 10)
    world.advance(seconds: 9.5)
    #expect(world.store.open.count == 1)
    world.isBlocked = true
    world.advance(seconds: 0.5)
    world.restart()
    world.isBlocked = false
    world.run()
    #expect(world.deliveries.map { $0.attempt } == [1, 2])
    #expect(Set(world.deliveries.map { $0.occurrence.id }).count == 1)
    #expect(world.store.rows.isEmpty && world.store.open.isEmpty)
  }

  @Test func D8_aHungSinkIsInterruptedAndEndsUnknown() {
    let world = World()
    world.answer = { _ in nil }
    world.schedule("n", in: 10)
    world.advance(seconds: 19.9)
    #expect(world.interrupted == [])
    for attempt in 1...3 {
      world.advance(seconds: 10)
      #expect(world.interrupted.count == attempt)
      world.send(.sink(0, .down(reason: "no answer")))
      world.send(.sink(0, .up))
    }
    #expect(world.deliveries.map { $0.attempt } == [1, 2, 3])
    #expect(world.store.history.values.map { $0.state } == [.unknown])
    #expect(world.kinds() == [.failed])
    #expect(world.store.open.isEmpty)
  }

  @Test func D8_aSlowSinkWithMuchInHandIsNotHung() {
    let world = World { $0.notifications = 100 }
    world.answer = { _ in nil }
    world.send(
      .sink(
        0,
        .described(wantsAlerts: true, wantsBadges: false, wantsEverything: false, concurrency: 60)))
    for index in 0..<60 { world.schedule("n\(index)", in: 10) }
    world.advance(seconds: 10)
    #expect(world.deliveries.count == 60)
    for delivery in world.deliveries {
      world.advance(seconds: 5)
      world.send(.sink(0, .answered(token: delivery.token, .done(note: nil))))
    }
    #expect(world.interrupted == [] && world.kinds().allSatisfy { $0 == .delivered })
  }

  @Test func D8_aDeliveryThatKillsItsSinkTakesNoOtherWithIt() {
    let world = World()
    // The sink works in order, and gets no further than this one.
    var isStuck = false
    world.answer = { delivery in
      isStuck = isStuck || delivery.occurrence.notification.identifier == "killer"
      return isStuck ? nil : .done(note: nil)
    }
    for name in ["killer", "a", "b"] { world.schedule(name, in: 10) }
    world.advance(seconds: 10)
    for death in 1...3 {
      isStuck = false
      world.send(.sink(0, .down(reason: "killed by signal 11")))
      world.send(.sink(0, .up))
      #expect(world.kinds().count { $0 == .delivered } == (death < 3 ? 0 : 2))
    }
    let ended = world.store.history.values.map { ($0.identifier, $0.state) }
    #expect(ended.first { $0.0 == "killer" }?.1 == .unknown)
    #expect(ended.count { $0.1 == .delivered } == 2 && world.store.open.isEmpty)
  }

  @Test func D8_whatAllKillsItsSinkIsGivenUpOneAfterAnother() {
    let world = World()
    world.answer = { _ in nil }
    for index in 0..<5 { world.schedule("n\(index)", in: 10) }
    world.advance(seconds: 10)
    #expect(world.deliveries.count == 2)
    for death in 1...16 {
      world.send(.sink(0, .down(reason: "killed by signal 11")))
      world.send(.sink(0, .up))
      // Alone, so that its strike is its own.
      #expect(world.deliveries.count <= 2 + death)
    }
    #expect(world.store.history.values.map { $0.state } == Array(repeating: .unknown, count: 5))
    #expect(world.store.history.values.allSatisfy { $0.attempts <= 4 })
    // What answers gets two again.
    world.answer = { _ in .done(note: nil) }
    for index in 5..<8 { world.schedule("n\(index)", in: 10) }
    world.advance(seconds: 10)
    #expect(world.kinds().count { $0 == .delivered } == 3)
  }

  @Test func D8_oneSinkDelaysNoOther() {
    let world = World { $0.sinks = World.sinks }
    world.answer = { $0.sink == 0 ? nil : .done(note: nil) }
    for index in 1...30 { world.schedule("n\(index)", in: Double(index)) }
    world.advance(seconds: 31)
    let other = world.deliveries.filter { $0.sink == 1 }
    #expect(other.count == 30 && other.allSatisfy { $0.handedOver == $0.occurrence.due })
  }

  @Test func D9_pendingHasADeadlineOfItsOwn() {
    let world = World()
    world.answer = { _ in .pending }
    world.schedule("a", in: 10)
    world.schedule("b", in: 10)
    world.advance(seconds: 60)
    world.send(.sink(0, .answered(token: world.deliveries[0].token, .done(note: "n"))))
    #expect(world.store.history.values.map { $0.state } == [.delivered])
    world.advance(seconds: 20)
    #expect(Set(world.store.history.values.map { $0.state }) == [.delivered, .unknown])
    #expect(world.interrupted == [])
  }

  @Test func D9_retryComesAgainLater() {
    let world = World()
    world.answer = { $0.attempt == 1 ? .retry(after: 30 * Nanoseconds.second) : .done(note: nil) }
    world.schedule("a", in: 10)
    world.schedule("b", in: 20)
    world.advance(seconds: 100)
    #expect(
      world.deliveries.map {
        Int($0.handedOver.nanoseconds(since: World.start) / Nanoseconds.second)
      } == [10, 20, 40, 50])
    world.answer = { _ in .retry(after: -1) }
    world.schedule("c", in: 10)
    world.advance(seconds: 100)
    #expect(world.store.history.values.filter { $0.state == .failed }.count == 1)
  }

  @Test func T10_aNewerOccurrenceSupersedesOneThatWaits() {
    let world = World()
    world.send(.sink(0, .down(reason: "gone")))
    world.schedule("r", in: 0, repeats: .minute)
    world.schedule("other", in: 70)
    world.advance(seconds: 600)
    #expect(world.deliveries.isEmpty)
    world.send(.sink(0, .up))
    #expect(world.deliveries.map { $0.occurrence.id.k } == [0, 10])
    #expect(world.takeDelivered() == ["other", "r"])
    #expect(world.kinds("r").filter { $0 == .superseded }.count == 10)
  }

  @Test func D9_whatWaitsExpiresAfterADayAndOverAThousand() {
    let world = World { $0.notifications = 2000 }
    world.send(.sink(0, .down(reason: "gone")))
    for index in 0..<1002 { world.schedule("n\(index)", in: 10) }
    world.schedule("soon", in: 20) { $0.expires = $0.fireDate?.advanced(by: Nanoseconds.hour) }
    world.advance(seconds: 30)
    #expect(world.events.map { $0.kind } == [.expired, .expired, .expired])
    #expect(world.events.map { $0.identifier } == ["n0", "n1", "n2"])
    world.advance(seconds: 3600)
    #expect(world.events.last?.identifier == "soon" && world.events.count == 4)
    world.advance(seconds: 86_400)
    #expect(world.events.count == 1003 && world.store.open.isEmpty)
  }

  @Test func A1_D9_oneUsersFloodPushesOutHisOwn() {
    let world = World { $0.queue = 10 }
    world.send(.sink(0, .down(reason: "gone")))
    for index in 0..<3 {
      world.request(.presentNow(app: "hers", world.alert("h\(index)", in: 0)), by: World.alice)
    }
    for index in 0..<40 {
      world.request(.presentNow(app: "his", world.alert("b\(index)", in: 0)), by: World.bob)
    }
    world.send(.sink(0, .up))
    let wanted = ["h0", "b33", "h1", "b34", "h2"] + (35..<40).map { "b\($0)" }
    #expect(world.takeDelivered() == wanted)
  }

  @Test func A1_A2_whatIsLargeAndWaitsIsBoundedToo() {
    let world = World()
    world.send(.sink(0, .down(reason: "gone")))
    world.request(.presentNow(app: "hers", world.alert("hers", in: 0)), by: World.alice)
    var large = world.alert("large", in: 0)
    large.userInfo = ["list": .array((0..<20_000).map { _ in .integer(1) })]
    for index in 0..<200 {
      large.identifier = "b\(index)"
      world.request(.presentNow(app: "his", large), by: World.bob)
    }
    let expired = world.events.filter { $0.kind == .expired }
    #expect(expired.count > 100 && expired.first?.identifier == "b0")
    world.send(.sink(0, .up))
    let delivered = world.takeDelivered()
    #expect(delivered.first == "hers" && delivered.last == "b199")
    #expect(delivered.count + expired.count == 201)
  }

  @Test func D9_manyDueAtOnceAreNoReasonToLoseAnyAtASinkThatWorks() {
    let world = World { $0.notifications = 2000 }
    for index in 0..<1500 { world.schedule("n\(index)", in: 10) }
    // A window's worth is answered at a time.
    world.advance(seconds: 20)
    #expect(world.takeDelivered() == (0..<1500).map { "n\($0)" })
    #expect(!world.events.contains { $0.kind == .expired })
    // What waits when it goes down is what may wait for a sink that is down.
    world.answer = { _ in nil }
    for index in 0..<1500 { world.schedule("m\(index)", in: 10) }
    world.advance(seconds: 11)
    world.send(.sink(0, .down(reason: "gone")))
    #expect(world.events.filter { $0.kind == .expired }.map { $0.identifier }.last == "m499")
    #expect(world.events.filter { $0.kind == .expired }.count == 500)
  }

  @Test func D9_aSinkThatLeftTheConfigurationHasFailed() {
    let world = World { $0.sinks = World.sinks }
    world.answer = { _ in nil }
    world.schedule("n", in: 10)
    world.advance(seconds: 10)
    world.configuration.sinks = [World.sinks[1]]
    world.answer = { _ in .done(note: nil) }
    world.restart()
    let states = world.store.history.values.map {
      "\($0.sink) \($0.state) \($0.reason ?? "") \($0.attempts)"
    }
    // Both had been handed over once in the earlier life.
    #expect(Set(states) == ["one failed sink-removed 1", "two delivered  2"])
    #expect(world.store.open.isEmpty)
  }

  @Test func D9_aNewSinkGetsNothingFromBefore() {
    let world = World()
    world.answer = { _ in nil }
    world.schedule("n", in: 10)
    world.advance(seconds: 10)
    world.configuration.sinks = World.sinks
    world.restart()
    #expect(world.deliveries.map { $0.sink } == [0, 0])
  }

  @Test func D9_whatAPluginDescribesHoldsFromThenOn() {
    let world = World()
    world.send(
      .sink(
        0, .described(wantsAlerts: true, wantsBadges: true, wantsEverything: true)))
    world.schedule("badge", in: 1) {
      $0.alertBody = nil
      $0.applicationIconBadgeNumber = 4
    }
    world.advance(seconds: 1)
    #expect(world.takeDelivered() == ["badge"])
    #expect(world.badges.map { $0.value } == [4])
  }

  @Test func preparing_startsTheSpeakerAheadOfTheDue() {
    let world = World { $0.sinks = World.sinks }
    world.schedule("n", in: 100) { $0.soundName = "default" }
    world.advance(seconds: 98.7)
    #expect(world.prepared.isEmpty && world.store.open.isEmpty)
    world.advance(seconds: 0.4)
    #expect(world.prepared.map { $0.sink } == [2])
    #expect(world.store.open.count == 1)
    #expect(
      world.request(.list(app: "app", delivered: false, cursor: 0, limit: 9))
        == .listed(
          [
            ListedNotification(
              app: "app", notification: world.store.rows[1]!.notification,
              next: World.start.advanced(by: 100 * Nanoseconds.second), state: .prepared)
          ], cursor: nil))
    world.request(.cancelAll(app: "app"))
    #expect(world.store.open.isEmpty)
    world.advance(seconds: 10)
    #expect(world.takeDelivered() == [])
  }

  @Test func D9_aSinkThatIsDownIsCalledWhenSomethingIsDue() {
    let world = World()
    world.send(.sink(0, .down(reason: "quarantined")))
    world.schedule("n", in: 100)
    world.advance(seconds: 99.5)
    #expect(world.prepared.map { $0.sink } == [0])
    world.advance(seconds: 1)
    #expect(world.prepared.count == 2 && world.deliveries.isEmpty)
  }

  @Test func S_aSleepingSpeakerIsStartedByItsFirstSound() {
    let world = World { $0.sinks = [World.sinks[2]] }
    world.send(.sink(0, .down(reason: "idle")))
    world.request(
      .presentNow(app: "app", world.alert("now") { $0.soundName = "default" }))
    #expect(world.prepared.count == 1 && world.deliveries.isEmpty)
    world.send(.sink(0, .up))
    #expect(world.takeDelivered() == ["now"])
  }

  @Test func secondRepeatsSpareTheBooks() {
    let world = World()
    world.schedule("s", in: 0, repeats: .second)
    world.advance(seconds: 1)
    world.store.recorded = []
    world.deliveries = []
    world.advance(seconds: 600)
    #expect(world.deliveries.count == 600)
    #expect(world.store.recorded.count <= 22)  // `fired` and `settle`, every minute.
    #expect(
      !world.store.recorded.contains {
        if case .intend = $0 { true } else { false }
      })
  }

  @Test func test_goesToOneSinkOrEvery() {
    let world = World { $0.sinks = World.sinks }
    guard case .testing(let id, let all) = world.request(.test(app: "app", sink: nil)) else {
      Issue.record("refused")
      return
    }
    #expect(all == ["one", "two", "speaker"] && world.deliveries.count == 3)
    #expect(world.deliveries.allSatisfy { $0.occurrence.id == id })
    world.deliveries = []
    world.request(.test(app: "app", sink: "speaker"))
    #expect(world.deliveries.map { $0.sink } == [2])
    #expect(
      world.request(.test(app: "app", sink: "nobody")) == .refused(.unknownSink(name: "nobody")))
  }
}
