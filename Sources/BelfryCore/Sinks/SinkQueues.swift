/// The sinks with what each has to do, and what they have yet to take back (D9, N15).
struct SinkQueues {
  /// How many a sink that does not say how it works is handed at a time.
  static let atHand = 2
  /// What the speaker gets beyond its window.
  static let criticalRoom = 16

  /// Those in use, in the configuration's order.
  private(set) var all: [SchedulerSink] = []
  /// By their index, which is never used again: also those that have left the configuration.
  private var places: [SchedulerSink] = []
  private var byName: [ByteString: SchedulerSink] = [:]
  private var lastToken: UInt64 = 0
  /// Of deliveries, in order of firing.
  private var lastOrder: Int64 = 0
  /// Sinks that had something to take back, and are gone from the configuration.
  private var gone: Set<ByteString> = []

  init(_ sinks: [Sink]) {
    _ = change(to: sinks)
  }

  /// Also one that has left the configuration.
  subscript(index: SinkIndex) -> SchedulerSink { places[Int(index)] }

  func named(_ name: String) -> SchedulerSink? { byName[name] }

  /// nil: it has left the configuration.
  func inUse(_ index: SinkIndex) -> SchedulerSink? {
    guard places.indices.contains(Int(index)) else { return nil }
    let sink = places[Int(index)]
    return sink.isRemoved ? nil : sink
  }

  /// The configuration names these from now on; the answer is those that have left it. One that comes
  /// back is another, with another index.
  mutating func change(to sinks: [Sink]) -> [SchedulerSink] {
    let before = byName
    (all, byName) = ([], [:])
    for sink in sinks {
      let place: SchedulerSink
      if let known = before[sink.name] {
        place = known
      } else {
        place = SchedulerSink(index: SinkIndex(places.count), sink: sink)
        places.append(place)
      }
      all.append(place)
      byName[sink.name] = place
    }
    let removed = places.filter { !$0.isRemoved && byName[$0.sink.name] == nil }
    for sink in removed { sink.isRemoved = true }
    return removed
  }

  /// Names a hand-over or a question, once in this life.
  mutating func nextToken() -> UInt64 {
    lastToken += 1
    return lastToken
  }

  /// The place of a delivery in the order of firing.
  mutating func nextOrder() -> Int64 {
    lastOrder += 1
    return lastOrder
  }

  // MARK: Queues

  /// D9: a sink has no more in hand than it works on, so that what comes later and is more urgent, or
  /// another user's, waits for no more than that.
  func hasRoom(_ sink: SchedulerSink, isCritical: Bool, window: Int) -> Bool {
    // The speaker has turns of its own, in which a critical sound goes before all others (S6).
    if sink.sink.kind == .speaker {
      return sink.handedOver.count < window + (isCritical ? Self.criticalRoom : 0)
    }
    guard sink.handedOver.count < window else { return false }
    // One at a time, so that the one by which it ends is known for sure and soon given up.
    if sink.isDoubted { return !sink.handedOver.contains { $0.pendingUntil == nil } }
    if sink.concurrency > 0 { return sink.handedOver.count < Int(sink.concurrency) }
    // What was answered `pending` is being worked on; of the rest one is, and the next is at hand.
    return sink.handedOver.count { $0.pendingUntil == nil } < Self.atHand
  }

  /// Whether a newer occurrence of the same notification has overtaken it.
  func isSuperseded(_ delivery: OpenDelivery, at sink: SchedulerSink) -> Bool {
    sink.queue.deliveries(of: delivery.name).contains { delivery.isOvertaken(by: $0) }
      || sink.handedOver.contains { delivery.isOvertaken(by: $0) }
  }

  /// Whether any sink has something under an identifier of an app, waiting or in hand.
  func hasAny(of name: NotificationName) -> Bool {
    all.contains { sink in
      !sink.queue.deliveries(of: name).isEmpty || sink.handedOver.contains { $0.name == name }
    }
  }

  // MARK: Time

  /// How long a sink may go without a sign of life while it has work in hand.
  func timeout(with sink: SchedulerSink, _ configuration: EngineConfiguration) -> Int64 {
    guard sink.sink.kind == .speaker else { return configuration.answerDeadline }
    return configuration.soundDeadline + configuration.sounds.longest + configuration.sounds.wake
  }

  /// Whether a sink has given no sign of life for too long, and is to be ended.
  func isSilent(_ sink: SchedulerSink, _ turn: Turn) -> Bool {
    sink.isBusy && !sink.isInterrupted
      && turn.now.elapsed - sink.progress >= timeout(with: sink, turn.configuration)
  }

  /// When one of the sinks has something to do, if nothing else happens.
  func nextWake(_ turn: Turn) -> NextWake {
    var wake = NextWake(real: nil, elapsed: nil)
    for sink in all {
      let other = nextWake(of: sink, turn)
      wake.real = [wake.real, other.real].compactMap { $0 }.min()
      wake.elapsed = [wake.elapsed, other.elapsed].compactMap { $0 }.min()
    }
    return wake
  }

  private func nextWake(of sink: SchedulerSink, _ turn: Turn) -> NextWake {
    let (now, configuration) = (turn.now.elapsed, turn.configuration)
    var wake = NextWake(real: nil, elapsed: nil)
    func sooner(_ instant: Int64) { wake.elapsed = min(wake.elapsed ?? .max, instant) }
    if sink.isBusy, !sink.isInterrupted {
      sooner(sink.progress + timeout(with: sink, configuration))
    }
    for delivery in sink.handedOver {
      if let until = delivery.pendingUntil { sooner(until) }
    }
    let over = sink.queue.nextOver(limit: configuration.waitLimit)
    if let elapsed = over.elapsed { sooner(elapsed) }
    wake.real = over.real
    if sink.isUp, let retry = sink.queue.nextRetry, retry > now { sooner(retry) }
    for change in sink.badges.values where sink.isUp && change.notBefore > now {
      sooner(change.notBefore)
    }
    return wake
  }

  // MARK: Taking back

  /// Has a sink take back what it shows or sounds; `token` 0: of an earlier life.
  ///
  /// The store remembers it until the sink says that it is done (N15): a kill of the clock while the sink
  /// is down, hangs or has not come to it loses no withdrawal, and the next life tells it again.
  func takeBack(
    _ id: OccurrenceID, at sink: SchedulerSink, token: UInt64 = 0, _ turn: inout Turn
  ) {
    if sink.isRemoved { return }
    turn.emit(.withdraw(sink.index, token: token, id))
    // A sound ends with the speaker.
    guard sink.sink.kind == .plugin else { return }
    sink.takingBack += 1
    sink.isOwed = true
    turn.record(.queueWithdrawal(id, sink: sink.sink.name))
  }

  /// A sink is up: it is told what an earlier life has left.
  func payOff(_ sink: SchedulerSink, _ turn: inout Turn) {
    for id in sink.owed {
      sink.takingBack += 1
      turn.emit(.withdraw(sink.index, token: 0, id))
    }
    sink.owed = []
  }

  /// A sink has taken back one of those.
  func noteTakenBack(by sink: SchedulerSink, _ turn: inout Turn) {
    guard sink.takingBack > 0 else { return }
    sink.takingBack -= 1
    guard sink.takingBack == 0, sink.isOwed, sink.owed.isEmpty else { return }
    sink.isOwed = false
    turn.record(.withdrawalsConfirmed(sink: sink.sink.name))
  }

  /// It has left the configuration: of it nothing is wanted any more.
  func forgive(_ sink: SchedulerSink, _ turn: inout Turn) {
    (sink.isUp, sink.owed, sink.takingBack, sink.isOwed) = (false, [], 0, false)
    turn.record(.withdrawalsConfirmed(sink: sink.sink.name))
  }

  /// What an earlier life has left; before the first event.
  mutating func restore(owed id: OccurrenceID, by name: String) {
    guard let sink = byName[name] else {
      gone.insert(name)
      return
    }
    sink.isOwed = true
    sink.owed.append(id)
  }

  /// The first event: of sinks that are gone from the configuration nothing is wanted any more.
  mutating func forgiveGone(_ turn: inout Turn) {
    for name in gone.sorted() { turn.record(.withdrawalsConfirmed(sink: name.text)) }
    gone = []
  }
}
