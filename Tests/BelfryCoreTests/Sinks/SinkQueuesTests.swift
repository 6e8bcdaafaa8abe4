import Testing

@testable import BelfryCore

/// The queues alone, without a scheduler around them.
@Suite struct SinkQueuesTests {
  private var queues = SinkQueues(World.sinks)
  private var turn = TurnBench()

  private func delivery(_ uuid: UInt64, k: Int64 = 0, pending: Bool = false) -> OpenDelivery {
    var notification = Notification()
    notification.identifier = "n\(uuid)"
    let occurrence = Occurrence(
      id: OccurrenceID(uuid: UUIDBits(high: 0, low: uuid), generation: 0, k: k), app: "app",
      notification: notification, due: turn.now.real)
    let delivery = OpenDelivery(
      FiredOccurrence(occurrence, app: 1, isRecorded: true), owner: 1000, urgency: .rest,
      order: Int64(uuid), sink: 0, parts: .alert, since: turn.now.elapsed, attempt: 0,
      replaces: [])
    delivery.pendingUntil = pending ? turn.now.elapsed + Nanoseconds.minute : nil
    return delivery
  }

  private func hasRoom(_ sink: SchedulerSink, isCritical: Bool = false) -> Bool {
    queues.hasRoom(sink, isCritical: isCritical, window: 4)
  }

  @Test func D9_aSinkIsHandedNoMoreThanItWorksOn() {
    let sink = queues.all[0]
    sink.handedOver = [delivery(1)]
    #expect(hasRoom(sink))
    sink.handedOver.append(delivery(2))
    #expect(!hasRoom(sink))
    sink.handedOver[0].pendingUntil = .max
    #expect(hasRoom(sink))
    sink.concurrency = 2
    #expect(!hasRoom(sink))
    sink.concurrency = 9
    sink.handedOver += [delivery(3), delivery(4)]
    #expect(!hasRoom(sink))
  }

  @Test func D7_aSinkThatEndedIsHandedOneAtATime() {
    let sink = queues.all[0]
    sink.isDoubted = true
    #expect(hasRoom(sink))
    sink.handedOver = [delivery(1)]
    #expect(!hasRoom(sink))
    sink.handedOver = [delivery(1, pending: true)]
    #expect(hasRoom(sink))
  }

  @Test func S6_theSpeakerHasMoreRoomForCriticalSounds() {
    let speaker = queues.all[2]
    speaker.handedOver = (1...4).map { delivery($0) }
    #expect(!hasRoom(speaker) && hasRoom(speaker, isCritical: true))
  }

  @Test func T10_aNewerOccurrenceSupersedesAnOlderOne() {
    let sink = queues.all[0]
    sink.queue.insert(delivery(1, k: 5), now: 0)
    #expect(queues.isSuperseded(delivery(1, k: 4), at: sink))
    #expect(!queues.isSuperseded(delivery(1, k: 6), at: sink))
    #expect(!queues.isSuperseded(delivery(2, k: 4), at: sink))
    #expect(queues.hasAny(of: NotificationName(1, "n1")))
    #expect(!queues.hasAny(of: NotificationName(1, "n2")))
    #expect(!queues.hasAny(of: NotificationName(2, "n1")))
  }

  @Test mutating func N15_whatIsToBeTakenBackIsOwedUntilTheSinkConfirms() {
    let sink = queues.all[0]
    for number in 1...2 {
      queues.takeBack(delivery(UInt64(number)).id, at: sink, &turn.turn)
    }
    #expect(sink.isOwed && turn.takeRecords().count == 2)
    queues.noteTakenBack(by: sink, &turn.turn)
    #expect(sink.isOwed && turn.takeRecords().isEmpty)
    queues.noteTakenBack(by: sink, &turn.turn)
    #expect(!sink.isOwed && turn.takeRecords().count == 1)
    // A sound ends with the speaker, which owes nothing.
    queues.takeBack(delivery(3).id, at: queues.all[2], &turn.turn)
    #expect(turn.takeRecords().isEmpty && !queues.all[2].isOwed)
  }

  @Test mutating func N15_whatAnEarlierLifeLeftIsToldOnceTheSinkIsUp() {
    queues.restore(owed: delivery(1).id, by: "one")
    queues.restore(owed: delivery(2).id, by: "gone")
    queues.restore(owed: delivery(3).id, by: "gone")
    queues.forgiveGone(&turn.turn)
    #expect(turn.takeRecords().count == 1)
    queues.payOff(queues.all[0], &turn.turn)
    #expect(turn.takeCommands().count == 1)
    queues.payOff(queues.all[0], &turn.turn)
    #expect(turn.takeCommands().isEmpty)
    queues.noteTakenBack(by: queues.all[0], &turn.turn)
    #expect(turn.takeRecords().count == 1)
  }

  @Test mutating func T12_theNextWakeIsThatOfWhateverComesFirst() {
    let sink = queues.all[0]
    #expect(queues.nextWake(turn.turn) == NextWake(real: nil, elapsed: nil))
    sink.handedOver = [delivery(1)]
    sink.progress = turn.now.elapsed
    let deadline = turn.turn.configuration.answerDeadline
    #expect(queues.nextWake(turn.turn).elapsed == turn.now.elapsed + deadline)
    #expect(!queues.isSilent(sink, turn.turn))
    turn.pass(seconds: deadline / Nanoseconds.second)
    #expect(queues.isSilent(sink, turn.turn))
    sink.isInterrupted = true
    #expect(!queues.isSilent(sink, turn.turn))
  }

  @Test mutating func tokensAndOrdersAreUsedOnce() {
    let tokens = (0..<3).map { _ in queues.nextToken() }
    let orders = (0..<3).map { _ in queues.nextOrder() }
    #expect(tokens == [1, 2, 3] && orders == [1, 2, 3])
    #expect(queues.named("two") === queues.all[1] && queues.named("three") == nil)
  }
}
