/// What sinks say, and what is done about those that say nothing.
extension SchedulerEngine {
  func take(_ event: SinkEvent, from index: SinkIndex) {
    // One that has left the configuration has nothing to say.
    guard let sink = sinkQueues.inUse(index) else { return }
    switch event {
    case .described(
      let wantsAlerts, let wantsBadges, let wantsEverything, let calendars, let concurrency):
      sink.sink.wantsAlerts = wantsAlerts
      sink.sink.wantsBadges = wantsBadges
      sink.sink.wantsEverything = wantsEverything
      sink.calendars = calendars
      sink.concurrency = concurrency
      reviseCalendars()
    case .device(let missing): sink.missingDevice = missing
    case .ready(let duration):
      pending.preparation.noteStart(after: duration)
    case .up:
      sink.goUp()
      sinkQueues.payOff(sink, &turn)
      tellBadges(to: sink)
      reviseCalendars()
    case .down(let reason, let unsent): goDown(sink, reason: reason, unsent: unsent)
    case .answered(let token, let answer): take(answer, token: token, from: sink)
    case .started(let token, let note):
      sink.progress = now.elapsed
      if note != SinkEvent.waitsForDevice { noteTaken(token, at: sink) }
    case .withdrawalConfirmed: sinkQueues.noteTakenBack(by: sink, &turn)
    case .calendar(let token, let answer): take(answer, token: token, from: sink)
    case .input(let input): take(input, from: sink)
    case .push(let token, let uid, let app, let pushed):
      take(pushed, into: app, token: token, uid: uid, from: sink)
    }
    pump(sink)
  }

  private func take(_ answer: DeliveryAnswer, token: UInt64, from sink: SchedulerSink) {
    if takeBadgeAnswer(answer, token: token, from: sink) {
      sink.progress = now.elapsed
      return
    }
    // An answer to what was withdrawn, or handed over to a process that is gone.
    guard let position = sink.handedOver.firstIndex(where: { $0.token == token }) else { return }
    sink.progress = now.elapsed
    sink.isDoubted = false
    let delivery = sink.handedOver[position]
    if case .pending = answer {
      delivery.pendingUntil = now.elapsed + configuration.pendingDeadline
      waiting.noteTaken(delivery.id)
      return
    }
    sink.handedOver.remove(at: position)
    switch answer {
    case _ where delivery.soundsAgain(answer, at: now, after: configuration.soundPause):
      // It is no attempt more to deliver it.
      delivery.attempt -= 1
      soundAgain(delivery, at: sink)
    case .done(let note):
      sink.noteEnd(failure: nil)
      finish(delivery, .delivered, reason: note)
    case .failed(let reason): fail(delivery, at: sink, reason)
    case .silenced(let reason): silence(delivery, at: sink, reason: reason)
    case .retry(let after) where delivery.attempt < configuration.attempts:
      delivery.notBefore = now.elapsed + min(max(after, 0), configuration.waitLimit)
      putBack([delivery], to: sink)
    case .retry, .pending:
      fail(delivery, at: sink, "not taken in " + counted(delivery.attempt, "attempt"))
    }
  }

  /// The log has the first that a sink does not show, and no more until it shows one again.
  private func fail(_ delivery: OpenDelivery, at sink: SchedulerSink, _ reason: String) {
    if sink.failure == nil {
      let app = apps[delivery.firing.app]?.name ?? ""
      let identifier = delivery.firing.occurrence.notification.identifier ?? ""
      emit(.log(.warning, "\(sink.sink.name) did not show \(app) \(identifier): \(reason)"))
    }
    sink.noteEnd(failure: reason)
    finish(delivery, .failed, reason: reason)
  }

  /// A sound can be heard: its step has been taken (E6).
  private func noteTaken(_ token: UInt64, at sink: SchedulerSink) {
    guard !waiting.isEmpty, let delivery = sink.handedOver.first(where: { $0.token == token })
    else { return }
    waiting.noteTaken(delivery.id)
  }

  /// D11: until somebody acknowledges it.
  func soundAgain(_ delivery: OpenDelivery, at sink: SchedulerSink) {
    if delivery.soundsLeft > 0 { delivery.soundsLeft -= 1 }
    delivery.repetition += 1
    delivery.token = 0
    delivery.pendingUntil = nil
    delivery.notBefore = now.elapsed + configuration.soundPause
    if sinkQueues.isSuperseded(delivery, at: sink) {
      return finish(delivery, .superseded, reason: nil)
    }
    delivery.order = sinkQueues.nextOrder()
    sink.queue.insert(delivery, now: now.elapsed)
  }

  /// Its process has ended: what it had not answered goes out again, under the same ids (D7). What
  /// it had in hand is held against it, so that a delivery that kills its sink is not sent for ever.
  private func goDown(_ sink: SchedulerSink, reason: String, unsent: [UInt64]) {
    sink.goDown(reason)
    pushes.forgetPluginRequests(of: sink.index)
    dropQuestions(of: sink, unsent: unsent, reason: reason)
    sink.isInterrupted = false
    reviseCalendars()
    let untouched = sink.handedOver.filter { unsent.contains($0.token) }
    let unanswered = sink.handedOver.filter { !unsent.contains($0.token) }
    sink.handedOver = []
    if !unanswered.isEmpty { sink.isDoubted = true }
    for delivery in untouched { delivery.takeBackAttempt() }
    (unanswered.first { $0.pendingUntil == nil } ?? unanswered.first)?.failures += 1
    for delivery in unanswered where delivery.failures >= configuration.attempts {
      finish(delivery, .unknown, reason: reason)
    }
    // What had reached it was handed over before what had not.
    putBack(untouched, to: sink)
    putBack(unanswered.filter { $0.failures < configuration.attempts }, to: sink)
    for (number, change) in sink.badges where change.token != 0 {
      if unsent.contains(change.token) { sink.badges[number]?.attempt -= 1 }
      putBackBadge(number, of: sink, after: 0)
    }
    cut(sink)
  }

  /// It has left the configuration: what it had, or was to get, ends (D9).
  func remove(_ sink: SchedulerSink) {
    pushes.forgetPluginRequests(of: sink.index)
    dropQuestions(of: sink, unsent: [], reason: "sink-removed")
    let open = sink.handedOver + sink.queue.removeAll { _ in true }
    (sink.handedOver, sink.badges) = ([], [:])
    sinkQueues.forgive(sink, &turn)
    for delivery in open { finish(delivery, .failed, reason: "sink-removed") }
  }

  /// To where it stood in its line, unless a newer occurrence of the same waits there.
  private func putBack(_ deliveries: [OpenDelivery], to sink: SchedulerSink) {
    for delivery in deliveries.reversed() {
      if sinkQueues.isSuperseded(delivery, at: sink) {
        finish(delivery, .superseded, reason: nil)
        continue
      }
      delivery.token = 0
      delivery.pendingUntil = nil
      sink.queue.insert(delivery, now: now.elapsed, first: true)
    }
  }

  // MARK: Time

  func watchSinks() {
    for sink in sinks {
      if sinkQueues.isSilent(sink, turn) {
        sink.isInterrupted = true
        emit(.interrupt(sink.index, reason: "no answer within its deadline"))
      }
      giveUpPending(sink)
      giveUpWaiting(sink)
      pump(sink)
    }
  }

  private func giveUpPending(_ sink: SchedulerSink) {
    let isOver = { [now] (delivery: OpenDelivery) in (delivery.pendingUntil ?? .max) <= now.elapsed
    }
    guard sink.handedOver.contains(where: isOver) else { return }
    let over = sink.handedOver.filter(isOver)
    sink.handedOver.removeAll(where: isOver)
    for delivery in over { finish(delivery, .unknown, reason: "no answer after `pending`") }
  }

  private func giveUpWaiting(_ sink: SchedulerSink) {
    for delivery in sink.queue.takeOver(at: now, limit: configuration.waitLimit) {
      let hasExpired = delivery.occurrence.notification.expires.map { $0 < now.real } ?? false
      finish(
        delivery, .expired,
        reason: hasExpired
          ? "it expired before this sink had it" : "waited too long for this sink")
    }
  }
}
