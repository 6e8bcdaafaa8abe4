import Testing

@testable import BelfryCore

/// One user's flood, and another's one alarm (D9, T10).
@Suite struct EngineFairnessTests {
  /// Alice's and Bob's apps may be critical (S6).
  private func board(
    _ change: (inout EngineConfiguration) -> Void = { _ in }
  ) -> World {
    World { configuration in
      configuration.notifications = 10_000
      for peer in [World.alice, World.bob] {
        var override = EngineConfiguration.AppOverride()
        override.mayBeCritical = true
        configuration.overrides["app\(peer.uid)"] = override
      }
      change(&configuration)
    }
  }

  private func present(
    _ world: World, _ name: String, _ level: InterruptionLevel = .active, by peer: Peer
  ) {
    world.request(
      .presentNow(
        app: "app\(peer.uid)", world.alert(name) { $0.interruptionLevel = level }), by: peer)
  }

  private func schedule(
    _ world: World, _ name: String, in seconds: Double, _ level: InterruptionLevel = .active,
    by peer: Peer
  ) {
    world.request(
      .schedule(
        app: "app\(peer.uid)", world.alert(name, in: seconds) { $0.interruptionLevel = level }),
      by: peer)
  }

  /// Answers one at a time what the sink has in hand.
  private func work(_ world: World, _ count: Int) {
    var answered = 0
    while answered < count, answered < world.deliveries.count {
      world.send(.sink(0, .answered(token: world.deliveries[answered].token, .done(note: nil))))
      answered += 1
    }
  }

  @Test(arguments: [InterruptionLevel.critical, .timeSensitive, .active, .passive])
  func D9_oneUsersFloodDelaysAnothersAlarmByWhatIsInHand(level: InterruptionLevel) {
    let world = board()
    world.answer = { _ in nil }
    for index in 0..<600 { present(world, "b\(index)", by: World.bob) }
    present(world, "hers", level, by: World.alice)
    work(world, 10)
    let place = world.takeDelivered().firstIndex(of: "hers")
    // Two were with the sink; one more of his may come before it in the round.
    #expect(place == (level.isUrgent ? 2 : 3))
  }

  @Test(arguments: [InterruptionLevel.critical, .active])
  func D9_ofWhatIsDueAtOneInstantAnothersAlarmIsHandedOverAmongTheFirst(level: InterruptionLevel) {
    let world = board()
    world.answer = { _ in nil }
    for index in 0..<600 { schedule(world, "b\(index)", in: 10, by: World.bob) }
    schedule(world, "hers", in: 10, level, by: World.alice)
    world.advance(seconds: 10)
    #expect(world.takeDelivered() == (level == .critical ? ["hers", "b0"] : ["b0", "hers"]))
  }

  /// Each that had expired cost its user a turn.
  @Test func D9_whatHasExpiredTakesNoTurn() {
    let world = board()
    world.answer = { _ in nil }
    for number in 0..<6 { present(world, "bob\(number)", by: World.bob) }
    for number in 0..<3 {
      world.request(
        .presentNow(
          app: "app\(World.alice.uid)",
          world.alert("alice\(number)") {
            $0.expires = number < 2 ? world.now.real.advanced(by: 5 * Nanoseconds.second) : nil
          }), by: World.alice)
    }
    world.advance(seconds: 6)
    work(world, 2)
    #expect(world.takeDelivered() == ["bob0", "bob1", "bob2", "alice2"])
    #expect(world.kinds("alice0") == [.expired] && world.kinds("alice1") == [.expired])
  }

  @Test func D9_aSinkIsHandedNoMoreThanItWorksOn() {
    let world = board()
    world.answer = { _ in nil }
    for index in 0..<40 { present(world, "n\(index)", by: World.bob) }
    #expect(world.deliveries.count == 2)
    // What was answered `pending` is being worked on, and counts no more.
    world.send(.sink(0, .answered(token: world.deliveries[0].token, .pending)))
    #expect(world.deliveries.count == 3)
    world.send(
      .sink(
        0,
        .described(wantsAlerts: true, wantsBadges: false, wantsEverything: false, concurrency: 16)))
    #expect(world.deliveries.count == 16)
    // Where the sink says how many, pending ones are among them.
    world.send(.sink(0, .answered(token: world.deliveries[1].token, .pending)))
    #expect(world.deliveries.count == 16)
    world.send(.sink(0, .answered(token: world.deliveries[0].token, .done(note: nil))))
    #expect(world.deliveries.count == 17)
  }

  @Test func D9_pendingOnesOfASinkThatDoesNotSayAreBounded() {
    let world = board()
    world.answer = { _ in .pending }
    for index in 0..<100 { present(world, "n\(index)", by: World.bob) }
    #expect(world.deliveries.count == 64)
  }

  @Test func D9_aSinkGetsOneBadgeAtHandBeyondTheOneInHandAndAppsTakeTurns() {
    let world = board { $0.sinks = [World.sinks[1]] }
    for app in 1...6 {
      world.request(
        .presentNow(
          app: "a\(app)",
          world.alert("n") {
            $0.alertBody = nil
            $0.applicationIconBadgeNumber = 1
          }))
    }
    #expect(world.badges.count == 6)
    world.badges = []
    world.send(.sink(0, .down(reason: "gone")))
    world.send(.sink(0, .up))
    #expect(Set(world.badges.map { $0.app }).count == 6)
  }

  @Test func D9_whoeverHasMostLosesWhatHeCanBestDoWithout() {
    let world = board { $0.queue = 10 }
    world.send(.sink(0, .down(reason: "gone")))
    present(world, "ring", .critical, by: World.alice)
    present(world, "hers", by: World.alice)
    present(world, "alarm", .critical, by: World.bob)
    for index in 0..<40 { present(world, "b\(index)", by: World.bob) }
    let expired = world.events.filter { $0.kind == .expired }.map { $0.identifier }
    #expect(expired == (0..<33).map { "b\($0)" })
    world.send(.sink(0, .up))
    let delivered = world.takeDelivered()
    #expect(delivered.prefix(4) == ["ring", "alarm", "hers", "b33"])
    #expect(delivered.count == 10)
  }

  @Test func D9_oneThatAsksToBeTriedLaterHoldsUpNobody() {
    let world = board()
    world.answer = {
      $0.attempt == 1 && $0.occurrence.notification.identifier == "b0"
        ? .retry(after: 30 * Nanoseconds.second) : .done(note: nil)
    }
    for index in 0..<3 { present(world, "b\(index)", by: World.bob) }
    #expect(world.takeDelivered() == ["b0", "b1", "b2"])
    world.advance(seconds: 29)
    #expect(world.deliveries.isEmpty)
    world.advance(seconds: 2)
    #expect(world.takeDelivered() == ["b0"])
  }

  @Test func D9_whatIsDueForASinkThatIsDownTriesItEachTime() {
    let world = board()
    world.send(.sink(0, .down(reason: "no display")))
    schedule(world, "a", in: 100, by: World.alice)
    world.advance(seconds: 99.5)
    #expect(world.prepared.count == 1)
    world.advance(seconds: 1)
    #expect(world.prepared.count == 2 && world.scheduler.isAwaited(0))
    // That it has ended again is no reason to try it at once.
    world.send(.sink(0, .up))
    world.answer = { _ in nil }
    schedule(world, "b", in: 100, by: World.alice)
    world.advance(seconds: 100)
    let tries = world.prepared.count
    world.send(.sink(0, .down(reason: "crashed")))
    #expect(world.prepared.count == tries && world.scheduler.isAwaited(0))
    world.answer = { _ in .done(note: nil) }
    world.send(.sink(0, .up))
    #expect(!world.scheduler.isAwaited(0))
  }

  @Test func S6_D9_criticalOfWhoMayNotBeTakesNobodysTurn() {
    let world = World()
    world.answer = { _ in nil }
    for index in 0..<100 { present(world, "b\(index)", .critical, by: World.bob) }
    present(world, "hers", by: World.alice)
    work(world, 10)
    #expect(world.takeDelivered().firstIndex(of: "hers") == 3)
  }

  // MARK: After downtime

  @Test(arguments: [InterruptionLevel.critical, .active])
  func T10_manyLateOnesOfOneUserDelayNoneOfAnother(level: InterruptionLevel) {
    let world = board()
    for index in 0..<1200 { schedule(world, "b\(index)", in: Double(10 + index), by: World.bob) }
    schedule(world, "hers", in: 1500, level, by: World.alice)
    world.sleep(seconds: 3600)
    world.restart()
    #expect(Set(world.takeDelivered()) == ["b0", "hers"])
    world.advance(seconds: 300)
    #expect(world.deliveries.count == 1199 && world.store.rows.isEmpty)
  }

  @Test func T10_ofAUsersOwnLateOnesTheCriticalOneComesFirst() {
    let world = board()
    for index in 0..<300 { schedule(world, "b\(index)", in: Double(10 + index), by: World.bob) }
    schedule(world, "urgent", in: 1500, .timeSensitive, by: World.bob)
    schedule(world, "alarm", in: 1501, .critical, by: World.bob)
    world.sleep(seconds: 3600)
    world.restart()
    world.advance(seconds: 1)
    #expect(world.takeDelivered().prefix(3) == ["alarm", "urgent", "b0"])
    #expect(world.scheduler.pending.table.isSound)
  }

  @Test func T10_lateOnesOfManyUsersAllComeWithinTheirOwnPace() {
    let world = board()
    for user: UInt32 in 0..<40 {
      let peer = Peer(uid: 2000 + user, pid: 1, isOperator: false)
      for index in 0..<20 { schedule(world, "\(user)-\(index)", in: Double(10 + index), by: peer) }
    }
    world.sleep(seconds: 3600)
    world.restart()
    #expect(world.takeDelivered().count == 40)
    world.advance(seconds: 5)
    #expect(world.store.rows.isEmpty && world.deliveries.count == 760)
  }

  // MARK: Attempts

  @Test(arguments: [nil, -60, 0, 0.3] as [Double?])
  func D7_whatWasDueAtOnceAndMayHaveBeenShownIsASecondAttempt(seconds: Double?) {
    let world = World()
    world.schedule("other", in: 1_000_000)
    world.isBlocked = true
    world.schedule("now", in: seconds)
    world.sleep(seconds: 0.4)
    world.isBlocked = false
    while world.deliveries.isEmpty, !world.queue.isEmpty { world.commitOne() }
    // Its intent is in the transaction of its row; the rest is lost with the process.
    if let next = world.queue.first, case .record(.intend) = next.operation {
      _ = world.store.perform(next.operation)
    }
    world.restart()
    #expect(world.deliveries.map { $0.attempt } == [1, 2])
    #expect(Set(world.deliveries.map { $0.occurrence.id }).count == 1)
  }

  @Test func D7_anIntentThatWasWrittenWithARowGoesWithIt() {
    let world = World()
    world.schedule("a", in: 100)
    world.schedule("a", in: 0.5)
    #expect(world.store.open.count == 1)
    world.request(.cancelAll(app: "app"))
    #expect(world.store.open.isEmpty && world.scheduler.pending.details.earlyIntentCount == 0)
  }
}
