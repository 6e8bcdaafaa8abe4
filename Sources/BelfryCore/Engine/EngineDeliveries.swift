/// Who gets what has fired (D9), and in what order: queues, hand-overs, supersession.
extension SchedulerEngine {
  /// What there is of a notification to show (D9).
  func parts(of notification: Notification, _ app: AppNumber) -> DeliveryParts {
    var parts: DeliveryParts = []
    if hasAlert(notification, app) { parts.insert(.alert) }
    if notification.changesBadge { parts.insert(.badge) }
    if notification.soundName != nil { parts.insert(.sound) }
    // The payload is what a push has in its place.
    if !notification.userInfo.isEmpty || notification.push != nil { parts.insert(.userInfo) }
    return parts
  }

  func wants(_ sink: Sink, _ parts: DeliveryParts) -> Bool {
    switch sink.kind {
    case .speaker: parts.contains(.sound)
    case .plugin: sink.wantsEverything || (sink.wantsAlerts && parts.contains(.alert))
    }
  }

  /// Whether a sink gets an occurrence that has these parts: it wants it, and is one of its sinks.
  func gets(_ sink: Sink, _ parts: DeliveryParts, of occurrence: Occurrence) -> Bool {
    wants(sink, parts) && occurrence.goes(to: sink.name)
  }

  /// An occurrence has come: fixes its sinks, changes the badge, hands over.
  ///
  /// `slot` nil: it was never scheduled. `attempt`: earlier hand-overs under this id. `only`: the
  /// one sink that gets it, if it wants it or not.
  @discardableResult
  func deliver(
    _ occurrence: Occurrence, app: AppNumber, slot: Slot?, shown: [ShownDelivery],
    attempt: Int32, isRecorded: Bool, wasHeld: Bool = false, only: SchedulerSink?
  ) -> FiredOccurrence {
    let parts = parts(of: occurrence, app)
    let firing = FiredOccurrence(occurrence, app: app, isRecorded: isRecorded)
    firing.clock = clock.state(at: now)
    firing.wasHeld = wasHeld
    let notification = occurrence.notification
    let isNothing = parts.isEmpty && isBlank(notification, self.parts(of: notification, app))
    let wanting = isNothing ? [] : sinks.filter { gets($0.sink, parts, of: occurrence) }
    var showing = Presentation(
      firing: firing, parts: parts, sinks: only.map { [$0] } ?? wanting, shown: shown,
      attempt: attempt)
    if only == nil { showing.silence = withheld(occurrence, app, parts) }
    // What names its sinks goes to these alone (N19, E6); so does a test.
    let isForAll = only == nil && occurrence.id.step == 0 && notification.sinks.isEmpty
    if isForAll, offer(showing, slot: slot) { return firing }
    showing.shown = overtakeOffers(by: firing) + shown
    let names = showing.sinks.map { $0.sink.name }
    show(showing) { [self] in
      guard isRecorded else { return }
      record(.fired(occurrence, app: app, slot: slot, sinks: names))
    }
    return firing
  }

  /// As in the background (D1): changes the badge, hands over. `tell` tells the store.
  func show(_ showing: Presentation, tell: () -> Void) {
    let firing = showing.firing
    if showing.parts.contains(.badge) {
      firing.badge = changeBadge(of: firing.app, by: firing.occurrence.notification)
    }
    firing.open += Int32(showing.sinks.count)
    let deliveries = showing.sinks.map { sink in
      let lately = apps[firing.app]?.shown(before: firing, at: sink) ?? []
      let before = showing.shown.filter { $0.sink == sink.sink.name }.map { $0.occurrence }
      return delivery(
        of: firing, to: sink, parts: showing.parts, attempt: showing.attempt,
        replaces: before.filter { !lately.contains($0) } + lately + sink.unanswered(before: firing))
    }
    // What can go out goes out before the store hears of it: its intent stands there already.
    let queued = deliveries.filter { !handOverAtOnce($0) }
    beginWaiting(firing)
    tell()
    for delivery in queued { enqueue(delivery) }
    let gone = firing.occurrence.sinks.filter { sinkQueues.named($0) == nil }
    for name in gone {
      firing.open += 1
      end(firing, sink: name, .failed, reason: "sink-removed")
    }
    if showing.sinks.isEmpty { return gone.isEmpty ? endWithoutSinks(firing) : () }
    if let reason = showing.silence {
      firing.open += 1
      end(firing, sink: Sink.speaker, .silenced, reason: reason)
    }
  }

  func delivery(
    of firing: FiredOccurrence, to sink: SchedulerSink, parts: DeliveryParts, attempt: Int32,
    replaces: [OccurrenceID]
  ) -> OpenDelivery {
    let order = sinkQueues.nextOrder()
    let level = effectiveLevel(firing.occurrence.level, app: firing.app)
    return OpenDelivery(
      firing, owner: apps[firing.app]?.owner ?? 0, urgency: Urgency(level), order: order,
      sink: sink.index, parts: sink.sink.kind == .speaker ? .sound : parts,
      since: now.elapsed, attempt: attempt, replaces: replaces)
  }

  /// False: it has to wait.
  private func handOverAtOnce(_ delivery: OpenDelivery) -> Bool {
    let sink = sinkQueues[delivery.sink]
    guard sink.canTake, sink.queue.isEmpty,
      hasRoom(sink, isCritical: delivery.urgency == .critical),
      !sinkQueues.isSuperseded(delivery, at: sink), silence(of: delivery, at: sink) == nil
    else { return false }
    handOver(delivery, to: sink)
    return true
  }

  /// Puts a delivery at the end of its sink's queue, where it supersedes an older occurrence of its
  /// notification that has not gone out (T10). It goes out when all that is due has fired
  /// (`watchSinks`): an older one that went before would be a burst with the newer.
  func enqueue(_ delivery: OpenDelivery) {
    let sink = sinkQueues[delivery.sink]
    if sink.isRemoved { return finish(delivery, .failed, reason: "sink-removed") }
    if sinkQueues.isSuperseded(delivery, at: sink) {
      return finish(delivery, .superseded, reason: nil)
    }
    supersede(in: sink, by: delivery)
    sink.queue.insert(delivery, now: now.elapsed)
    cut(sink)
    // D9: what is due for a sink that is down tries it.
    if !sink.isUp { emit(.prepare(sink.index, delivery.occurrence)) }
  }

  private func supersede(in sink: SchedulerSink, by newer: OpenDelivery) {
    let waiting = sink.queue.deliveries(of: newer.name)
    guard let older = waiting.first(where: { $0.isOvertaken(by: newer) }) else { return }
    sink.queue.remove(older)
    newer.takeOver(older)
    finish(older, .superseded, reason: nil)
  }

  /// Hands over what a sink can take now.
  func pump(_ sink: SchedulerSink) {
    guard sink.canTake else { return }
    pumpBadges(sink)
    // Before turns are taken: what has expired has none, or it would cost its user's next one its own.
    for over in sink.queue.takeExpired(at: now) {
      finish(over, .expired, reason: "expired while it waited")
    }
    sink.queue.admit(now: now.elapsed)
    while sink.queue.hasReady, hasRoom(sink, isCritical: sink.queue.isNextCritical),
      let delivery = sink.queue.next()
    {
      handOver(delivery, to: sink)
    }
  }

  private func hasRoom(_ sink: SchedulerSink, isCritical: Bool) -> Bool {
    sinkQueues.hasRoom(sink, isCritical: isCritical, window: Int(configuration.window))
  }

  private func handOver(_ delivery: OpenDelivery, to sink: SchedulerSink) {
    if let reason = silence(of: delivery, at: sink) {
      return silence(delivery, at: sink, reason: reason)
    }
    if !sink.isBusy { sink.progress = now.elapsed }
    delivery.noteRinging(at: now)
    delivery.token = sinkQueues.nextToken()
    delivery.attempt += 1
    delivery.handedOver = delivery.handedOver ?? now.real
    delivery.pendingUntil = nil
    sink.handedOver.append(delivery)
    let notification = delivery.occurrence.notification
    var handed = Delivery(
      token: delivery.token, sink: sink.index, occurrence: delivery.occurrence,
      text: text(of: notification, delivery.firing.app), parts: delivery.parts,
      attempt: delivery.attempt, badge: delivery.firing.badge, handedOver: now.real,
      replaces: delivery.tellReplaced()?.deliveryID(sink: sink.sink.name),
      actions: category(of: notification, delivery.firing.app)?.offered ?? [])
    handed.repetition = delivery.repetition
    handed.fade = fade(of: delivery)
    handed.level = effectiveLevel(delivery.occurrence.level, app: delivery.firing.app)
    handed.owner = apps[delivery.firing.app]?.owner ?? 0
    emit(.handOver(handed))
  }

  /// E11: it goes on over repeats, and over the steps of what waits for an answer.
  private func fade(of delivery: OpenDelivery) -> SoundFade? {
    let length = delivery.occurrence.notification.fadeIn
    guard delivery.parts == .sound, length > 0, let since = delivery.ringsSince else { return nil }
    let alert = delivery.id.step > 0 ? waiting[delivery.id.uuid] : nil
    return SoundFade(since: alert?.stored.relative.made ?? since, length: length)
  }

  // MARK: The end of a delivery

  /// A delivery ends; it is in no queue any more.
  func finish(_ delivery: OpenDelivery, _ state: DeliveryState, reason: String?) {
    var (state, reason) = (state, reason)
    let again = delivery.repetition - delivery.silences
    if delivery.repetition > 0, again >= 0 {
      // It has been heard, whatever became of the last time.
      if [.superseded, .expired, .failed, .unknown, .silenced].contains(state) {
        state = .delivered
      }
      let words = "sounded again " + counted(again, "time")
      reason = reason.map { $0 + "; " + words } ?? words
    }
    let sink = sinkQueues[delivery.sink]
    let isShown =
      state == .delivered && sink.sink.kind == .plugin && delivery.parts.contains(.alert)
    if state == .delivered { waiting.noteTaken(delivery.id) }
    if isShown {
      for older in delivery.replaces where older != delivery.replacedBySink {
        takeBack(older, at: sink.index)
      }
      pushes.noteShown(
        ShownDelivery(
          occurrence: delivery.id, app: delivery.firing.app,
          identifier: delivery.occurrence.notification.identifier ?? "", sink: sink.sink.name))
      delivery.firing.noteShown(at: sink.index)
      apps[delivery.firing.app]?.noteShown(delivery, at: sink.sink.name)
    }
    end(
      delivery.firing, sink: sink.sink.name, state, reason: reason,
      handedOver: delivery.handedOver, attempts: delivery.attempt, shown: isShown,
      replaces: isShown ? delivery.replaces : [])
  }

  /// Nobody wants it: a badge alone needs nobody, an alert, a sound or data alone would have.
  func endWithoutSinks(_ firing: FiredOccurrence) {
    firing.open = 1
    let wanted = parts(of: firing.occurrence.notification, firing.app)
    let parts = parts(of: firing.occurrence, firing.app)
    let cut = wanted.subtracting(parts).intersection([.alert, .sound])
    if isBlank(firing.occurrence.notification, wanted), parts.isDisjoint(with: [.alert, .sound]) {
      let isCounted = parts.contains(.badge)
      return end(
        firing, sink: "", isCounted ? .delivered : .discarded,
        reason: isCounted
          ? "alertBody came out empty: only the badge" : "alertBody came out empty: nothing to show"
      )
    }
    if parts.contains(.sound), !parts.contains(.alert),
      let silence = withheld(firing.occurrence, firing.app, parts)
    {
      end(firing, sink: Sink.speaker, .silenced, reason: silence)
    } else if parts.isDisjoint(with: [.alert, .sound]) {
      // D5: what was to be seen or heard may not be.
      let reason =
        cut.isEmpty
        ? emptiness(firing.occurrence.notification, wanted, parts)
        : "settings leave out: \(cut.words)"
      if reason == nil, wanted.contains(.badge), !parts.contains(.badge) {
        end(firing, sink: "", .discarded, reason: "settings leave out: badge")
      } else if reason == nil, !parts.contains(.badge) {
        end(firing, sink: "", .failed, reason: "no-sink")
      } else {
        end(firing, sink: "", reason == nil ? .delivered : .discarded, reason: reason)
      }
    } else {
      end(firing, sink: "", .failed, reason: "no-sink")
    }
  }

  /// Why there was nothing to deliver of a push that no sink takes as it is (P1); nil: there was.
  private func emptiness(
    _ notification: Notification, _ wanted: DeliveryParts, _ parts: DeliveryParts
  ) -> String? {
    guard notification.push != nil, !parts.contains(.badge) else { return nil }
    return wanted.contains(.badge)
      ? "settings leave out: badge" : "nothing to show: it has no alert, badge or sound"
  }

  /// It has a body or a title, of which nothing is left once they are looked up.
  private func isBlank(_ notification: Notification, _ parts: DeliveryParts) -> Bool {
    (notification.alertBody ?? notification.alertTitle) != nil && !parts.contains(.alert)
  }

  func end(
    _ firing: FiredOccurrence, sink: String, _ state: DeliveryState, reason: String?,
    handedOver: Instant? = nil, attempts: Int32 = 0, shown: Bool = false,
    replaces: [OccurrenceID] = []
  ) {
    turn.end(
      firing, clock: clock.state(at: now), sink: sink, state, reason: reason,
      handedOver: handedOver, attempts: attempts, shown: shown, replaces: replaces)
  }
}

extension DeliveryState {
  /// The event that tells of it; what became of it being unknown is a failure to those who watch.
  var event: WatchEvent.Kind {
    switch self {
    case .delivered: .delivered
    case .missed: .missed
    case .superseded: .superseded
    case .withdrawn: .withdrawn
    case .discarded: .discarded
    case .expired: .expired
    case .failed, .unknown, .waiting: .failed
    case .silenced: .silenced
    case .received: .received
    case .activated: .activated
    case .dismissed: .dismissed
    case .snoozed: .snoozed
    case .cancelled: .cancelled
    case .replaced: .replaced
    case .unanswered: .unanswered
    case .skipped: .skipped
    }
  }
}

extension OccurrenceID {
  /// Whether this goes when the other is shown, which came later and is of the same identifier: it is of
  /// an earlier generation (N1), or of another notification (N15), whose place a snooze or a step does not
  /// take.
  func isReplaced(by newer: OccurrenceID) -> Bool {
    uuid == newer.uuid
      ? generation < newer.generation : newer.snooze == 0 && newer.step == 0
  }

  /// Whether this goes in place of an older one of the same identifier that has not gone out (T10, N15).
  func overtakes(_ older: OccurrenceID) -> Bool {
    uuid == older.uuid ? older.isOlder(than: self) : snooze == 0 && step == 0
  }

  /// Whether this is an earlier occurrence of the same notification.
  func isOlder(than other: OccurrenceID) -> Bool {
    guard uuid == other.uuid else { return false }
    if generation != other.generation { return generation < other.generation }
    if k != other.k { return LastPass.isBefore(k, other.k) }
    return snooze == other.snooze ? step < other.step : snooze < other.snooze
  }
}
