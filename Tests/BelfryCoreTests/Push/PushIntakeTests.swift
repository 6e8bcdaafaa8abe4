import Testing

@testable import BelfryCore

/// The intake alone, without a scheduler around it.
@Suite struct PushIntakeTests {
  private var intake = PushIntake()
  private var turn = TurnBench()

  private func occurrence(_ uuid: UInt64, generation: Int64 = 0) -> Occurrence {
    var notification = Notification()
    notification.alertBody = "hello"
    notification.push = "{}"
    return Occurrence(
      id: OccurrenceID(uuid: UUIDBits(high: 0, low: uuid), generation: generation, k: 0),
      app: "app", notification: notification, due: turn.now.real)
  }

  /// A push of this id, in a request of that number; what comes of it at once.
  @discardableResult
  private mutating func admit(
    _ id: UInt64, request: RequestID, as uuid: UInt64? = nil
  ) -> [String]? {
    let occurrence = occurrence(uuid ?? id)
    return intake.admit(
      PushedNotification(occurrence.notification), id: UUIDBits(high: 0, low: id), occurrence,
      app: 1, request: request, &turn.turn
    ).map(words)
  }

  /// The store's answer for the push of a request.
  private mutating func answer(_ outcome: StoreOutcome, for request: RequestID) -> [String] {
    guard let number = intake.stored(for: request, limit: 9)?.number else { return ["none"] }
    return intake.receive(outcome, for: number).map(words) ?? ["nonsense"]
  }

  private func words(_ steps: [PushIntake.Step]) -> [String] {
    steps.map { step in
      switch step {
      case .show(let push, _): "show \(push.occurrence.id.uuid.low) \(push.attempt)"
      case .dropIntent(let id, _): "drop \(id.uuid.low)"
      case .accept(let request, _, let id): "accept \(request) \(id.uuid.low)"
      case .reply(let request, .pushed(let reply)):
        "reply \(request) \(reply.isDuplicate ? "duplicate" : "new")"
      case .reply(let request, .refused(.storeUnavailable)): "reply \(request) unavailable"
      case .reply(let request, _): "reply \(request) refused"
      }
    }
  }

  @Test mutating func P6_whatIsStoredIsShownAndAccepted() {
    #expect(admit(1, request: 10) == nil)
    #expect(intake.hasAny(of: 1) && !intake.hasAny(of: 2))
    #expect(answer(.pushed(.stored(shown: [])), for: 10) == ["show 1 0", "accept 10 1"])
    #expect(!intake.hasAny(of: 1) && intake.nextWake == nil)
  }

  @Test mutating func P9_aDuplicateIsAnsweredAndNotShown() {
    admit(1, request: 10)
    #expect(answer(.pushed(.duplicate), for: 10) == ["reply 10 duplicate"])
  }

  @Test mutating func D8_afterASecondItIsShownWithoutTheStore() {
    admit(1, request: 10)
    #expect(intake.nextWake == turn.now.elapsed + Nanoseconds.second)
    turn.pass(seconds: 1)
    #expect(words(intake.giveUpOverdue(&turn.turn)) == ["show 1 0", "reply 10 unavailable"])
    #expect(intake.nextWake == nil)
    #expect(intake.stored(for: 10, limit: 9)?.0.occurrence == nil)
    // It is neither shown nor answered again.
    #expect(answer(.pushed(.stored(shown: [])), for: 10) == [])
  }

  /// Whoever brings it again after that learns that it is stored, under the id that was shown.
  @Test mutating func D8_P9_whatWasShownWithoutTheStoreIsNotShownAgain() {
    admit(1, request: 10)
    #expect(
      answer(.failed(reason: "disk"), for: 10) == ["show 1 0", "reply 10 unavailable"])
    admit(1, request: 11, as: 2)
    #expect(answer(.pushed(.stored(shown: [])), for: 11) == ["drop 2", "accept 11 1"])
    admit(1, request: 12, as: 3)
    #expect(answer(.failed(reason: "disk"), for: 12) == ["reply 12 duplicate"])
  }

  @Test mutating func D8_whatComesBeyondTheMostIsOnlyShown() {
    for number in 1...UInt64(PushIntake.most) { admit(number, request: number) }
    turn.pass(seconds: 1)
    #expect(intake.giveUpOverdue(&turn.turn).count == 2 * PushIntake.most)
    #expect(admit(5000, request: 5000) == ["show 5000 0", "reply 5000 unavailable"])
    #expect(intake.stored(for: 5000, limit: 9) == nil)
  }

  @Test mutating func A1_whatAnAppLosesIsAnswered() {
    admit(1, request: 10)
    #expect(words(intake.removeAll(of: 1, named: "app")) == ["reply 10 refused"])
    #expect(!intake.hasAny(of: 1))
    admit(2, request: 11)
    #expect(
      words(intake.giveUp(of: 1, reason: "disk")) == ["show 2 0", "reply 11 unavailable"])
    #expect(!intake.hasAny(of: 1))
  }

  @Test mutating func D7_whatAnEarlierLifeStoredIsShownAsSecondAttempt() {
    let number = intake.resume(occurrence(1), app: 1, isSuspect: true, &turn.turn)
    let steps = intake.receive(.shown([], cursor: nil), for: number)
    #expect(steps.map(words) == ["show 1 1"])
    #expect(intake.receive(.shown([], cursor: nil), for: number)?.isEmpty == true)
  }

  @Test mutating func N1_whatIsShownMeanwhileIsReplaced() throws {
    let newer = occurrence(1, generation: 1)
    _ = intake.admit(
      PushedNotification(newer.notification), id: UUIDBits(high: 0, low: 7), newer, app: 1,
      request: 10, &turn.turn)
    let older = ShownDelivery(
      occurrence: occurrence(1).id, app: 1, identifier: "n", sink: "one")
    intake.noteShown(older)
    let number = try #require(intake.stored(for: 10, limit: 9)?.number)
    let steps = intake.receive(.pushed(.stored(shown: [])), for: number)
    guard case .show(let push, _)? = steps?.first else {
      Issue.record("it is not shown")
      return
    }
    #expect(push.shownMeanwhile == [older])
  }

  @Test mutating func aPluginsRequestsEndWithItsProcess() {
    let first = intake.beginPluginRequest(from: 0, token: 7)
    let second = intake.beginPluginRequest(from: 1, token: 8)
    #expect(first > PushIntake.firstPluginRequest && second > first)
    intake.forgetPluginRequests(of: 1)
    #expect(intake.endPluginRequest(second) == nil)
    #expect(intake.endPluginRequest(first)?.token == 7)
    #expect(intake.endPluginRequest(first) == nil)
  }
}
