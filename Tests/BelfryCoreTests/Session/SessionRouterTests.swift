import Testing

@testable import BelfryCore

/// The router alone, without a scheduler around it.
@Suite struct SessionRouterTests {
  private var router = SessionRouter()
  private var turn = TurnBench()

  private func occurrence(_ uuid: UInt64, k: Int64 = 0) -> Occurrence {
    var notification = Notification()
    notification.identifier = "n\(uuid)"
    return Occurrence(
      id: OccurrenceID(uuid: UUIDBits(high: 0, low: uuid), generation: 0, k: k),
      app: "app", notification: notification, due: turn.now.real)
  }

  private mutating func act(_ uuid: UInt64, _ kind: QueuedEvent.Kind = .activated) {
    router.hand(
      QueuedEvent(kind, occurrence(uuid), delivered: nil), to: 1, clock: .plausible, &turn.turn)
  }

  private mutating func open(_ id: SessionID, _ state: AppState = .foreground) {
    _ = router.open(id, of: 1, uid: 1000, state)
    router.giveWaiting(to: id, clock: .plausible, &turn.turn)
  }

  private mutating func offer(_ uuid: UInt64, k: Int64 = 0) -> Bool {
    let firing = FiredOccurrence(occurrence(uuid, k: k), app: 1, isRecorded: true)
    let showing = Presentation(firing: firing, parts: .alert, sinks: [], shown: [], attempt: 0)
    return router.offer(showing, &turn.turn)
  }

  /// What goes out, in short.
  private mutating func said() -> [String] {
    turn.takeCommands().compactMap { command in
      switch command {
      case .session(let session, let event): "\(session) \(event.kind) \(event.attempt)"
      case .launch(let app, let attempt): "launch \(app) \(attempt)"
      case .endSession(let session, _): "end \(session)"
      case .store(_, .record(.keepQueuedEvent(let stored))): "keep \(stored.number)"
      case .store(_, .record(.forgetQueuedEvent(let number, _))): "forget \(number)"
      case .store(_, .record(.settle(let row, _, _, _, let closes))): "\(row.state) \(closes)"
      default: nil
      }
    }
  }

  private static let action = QueuedEvent.Kind.handleAction(
    identifier: "later", text: nil, .background)

  @Test mutating func D3_anAppThatDoesNotRunIsStartedAndLaunchedWithWhatWasDone() {
    act(1)
    #expect(said() == ["keep 1", "launch app 1"])
    #expect(router.hasAny(of: 1) && !router.isIdle)
    open(7)
    #expect(said() == ["7 launch 1", "received false", "forget 1"])
    #expect(router.isIdle && router.nextWake == nil)
  }

  @Test mutating func D3_anAppThatNeverComesIsStartedTwice() {
    act(1)
    _ = said()
    let deadline = turn.turn.configuration.launchDeadline / Nanoseconds.second
    turn.pass(seconds: deadline)
    router.watchQueuedEvents(clock: .plausible, &turn.turn)
    #expect(said() == ["launch app 2"])
    turn.pass(seconds: deadline)
    router.watchQueuedEvents(clock: .plausible, &turn.turn)
    #expect(said() == ["failed false", "forget 1"])
    #expect(router.isIdle && router.nextWake == nil)
  }

  @Test mutating func D4_anActionIsSentAgainUntilItIsCompleted() throws {
    open(7)
    act(1, Self.action)
    #expect(said() == ["7 handleAction 1", "keep 1"])
    turn.pass(seconds: turn.turn.configuration.actionDeadline / Nanoseconds.second)
    router.watchQueuedEvents(clock: .plausible, &turn.turn)
    #expect(said() == ["7 handleAction 2", "keep 1"])
    let done = try router.complete(
      event: 2, in: 7, uid: 1000, clock: .plausible, &turn.turn)
    guard case .action = done else {
      Issue.record("\(done)")
      return
    }
    #expect(said() == ["received false", "forget 1"])
    #expect(router.isIdle && router.nextWake == nil)
  }

  @Test mutating func D2_aDismissalGoesToEverySessionAndWaitsForNone() {
    act(1, .dismissed)
    #expect(said() == [] && router.isIdle)
    open(7)
    open(8, .background)
    act(2, .dismissed)
    #expect(said() == ["7 dismissed 1", "8 dismissed 1"])
  }

  @Test mutating func D3_whatMayNotHaveBeenReadIsHandedOn() throws {
    open(7)
    act(1)
    act(2)
    _ = said()
    let ended = router.close(7)
    let closed = try #require(ended)
    router.handOn(closed, readThrough: 1, clock: .plausible, &turn.turn)
    #expect(said() == ["keep 2", "launch app 1"])
    let again = router.close(7)
    #expect(again.map { _ in true } == nil)
  }

  @Test mutating func D1_onlySessionsInTheForegroundAreAsked() throws {
    let nobody = offer(1)
    open(7, .background)
    let inBackground = offer(1)
    try router.setState(.foreground, of: 7, uid: 1000)
    let inForeground = offer(1)
    #expect(!nobody && !inBackground && inForeground)
    #expect(said() == ["7 received 1"])
    #expect(router.offers.count == 1)
    let taken = try router.complete(event: 1, in: 7, uid: 1000, clock: .plausible, &turn.turn)
    guard case .offer = taken else {
      Issue.record("\(taken)")
      return
    }
    #expect(router.offers.isEmpty && router.nextWake == nil)
  }

  @Test mutating func D1_T10_offersAreClosedInOrder() {
    open(7)
    for k in 0..<3 { _ = offer(1, k: Int64(k)) }
    let newest = FiredOccurrence(occurrence(1, k: 2), app: 1, isRecorded: true)
    let older = router.offers.close(before: newest)
    #expect(older.map { $0.showing.firing.occurrence.id.k } == [0, 1])
    #expect(router.offers.closeOverdue(at: turn.now).isEmpty)
    turn.pass(seconds: 60)
    #expect(router.offers.closeOverdue(at: turn.now).count == 1)
    #expect(router.offers.isEmpty)
  }

  @Test mutating func A1_nobodyElseSpeaksOfASession() {
    open(7)
    #expect(throws: RequestError.unknownSession(7)) {
      try router.setState(.background, of: 7, uid: 1001)
    }
    #expect(throws: RequestError.self) {
      _ = try router.complete(event: 1, in: 7, uid: 1000, clock: .plausible, &turn.turn)
    }
    #expect(router.open(7, of: 2, uid: 1001, .foreground) == nil)
    router.endAll(of: 1, reason: "another user's", &turn.turn)
    #expect(said() == ["end 7"] && router.count == 0)
  }

  @Test func A2_sessionsAreLimitedByAppAndByUser() {
    var router = router
    for id in 1...3 { _ = router.open(SessionID(id), of: 1, uid: 1000, .background) }
    #expect(router.limitPassed(of: 1, uid: 1000, ofApp: 3, ofUser: 9) == 3)
    #expect(router.limitPassed(of: 2, uid: 1000, ofApp: 3, ofUser: 3) == 3)
    #expect(router.limitPassed(of: 2, uid: 1001, ofApp: 3, ofUser: 3) == nil)
  }

  @Test mutating func D3_afterAStartAppsHaveTimeToComeBack() {
    let stored = StoredQueuedEvent(
      number: 5, app: 1, queuedEvent: QueuedEvent(.activated, occurrence(1), delivered: nil),
      attempt: 0, since: turn.now.real)
    router.restore(stored, isKnown: true)
    router.restore(stored, isKnown: false)
    router.resume(clock: .plausible, &turn.turn)
    #expect(said() == [] && router.kept.count == 1)
    turn.pass(seconds: 5)
    router.watchQueuedEvents(clock: .plausible, &turn.turn)
    #expect(said() == ["launch app 1"])
  }
}
