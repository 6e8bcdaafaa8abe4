@testable import BelfryCore

/// Starts a sink's process again, as the daemon does it: by time, with back-off, while something waits
/// for it; else a few times, and then only when it is asked for (D9).
struct SimulatedSupervisor {
  enum State: Hashable {
    case running, starting
    /// Until its time comes, or something is due for it.
    case down
  }

  var state = State.down
  /// Ends in a row.
  var ends: Int64 = 0
  var startedAt: Int64 = 0
  var endedAt: Int64 = 0
  /// The scheduler knows that it is down.
  var isToldDown = false

  static let timeout: Int64 = 3

  /// After how long it starts by itself; nil: it is in quarantine.
  mutating func pause(at now: Int64, isAwaited: Bool) -> Int64? {
    ends = now - startedAt >= Nanoseconds.minute ? 1 : ends + 1
    if !isAwaited, ends >= Self.timeout { return nil }
    return min(Nanoseconds.second << min(ends - 1, 6), Nanoseconds.minute)
  }
}

/// Processes of sinks: how they start and end.
extension Board {
  private static let startTime = 100 * Nanoseconds.millisecond

  /// What the ledger has to know of a shared board.
  func share(_ shape: LifeShape) {
    ledger.queues = sinks.map { _ in SinkQueue() }
    ledger.isSpeaker = { [sinks] in sinks[$0].kind == .speaker }
    ledger.failures = { [unowned self] sink, id in
      scheduler.sinks[sink].handedOver.first { $0.id == id }?.failures ?? 0
    }
  }

  func startSink(_ index: Int, after: Int64) {
    guard isShared else {
      return expect(.sink(SinkIndex(index), .up), sink: index, after: after)
    }
    // A start that waits for its time is not wanted any more.
    sinks[index].process += 1
    sinks[index].supervisor.state = after > Self.startTime ? .down : .starting
    expect(.sink(SinkIndex(index), .up), sink: index, after: after)
  }

  /// Its process ends, and another starts unless it cannot.
  func endSink(_ index: Int) {
    let wasUp = sinks[index].isUp
    sinks[index].process += 1
    sinks[index].isUp = false
    sinks[index].busyUntil = 0
    if isShared, !wasUp, sinks[index].supervisor.isToldDown {
      // A start under way comes to nothing.
      return fallBack(index)
    }
    expect(.sink(SinkIndex(index), .down(reason: "simulated")), sink: index)
    if !isShared, !sinks[index].isBroken { startSink(index, after: Nanoseconds.second) }
  }

  /// Something is due for it, or will be soon.
  func prepareShared(_ index: Int) {
    guard !sinks[index].isUp, sinks[index].supervisor.state == .down,
      sinks[index].supervisor.isToldDown
    else { return }
    let since = now.elapsed - sinks[index].supervisor.startedAt
    sinks[index].supervisor.ends = 0
    startSink(index, after: max(Self.startTime, Nanoseconds.second - since))
  }

  /// False: the scheduler does not hear of it.
  func hear(_ next: Coming, from sink: Int) -> Bool {
    switch next.event {
    case .sink(_, .up):
      sinks[sink].supervisor.startedAt = now.elapsed
      if sinks[sink].isBroken || now.elapsed < sinks[sink].refusesUntil {
        if !sinks[sink].supervisor.isToldDown {
          sinks[sink].supervisor.isToldDown = true
          handle(.sink(SinkIndex(sink), .down(reason: "it cannot start")))
        }
        fallBack(sink)
        return false
      }
      sinks[sink].supervisor.state = .running
      sinks[sink].supervisor.isToldDown = false
      ledger.isUp(sink)
    case .sink(_, .down):
      sinks[sink].supervisor.endedAt = now.elapsed
      fallBack(sink)
      sinks[sink].supervisor.isToldDown = true
      ledger.isDown(sink)
    case .sink(_, .answered(_, .pending)):
      if let id = next.delivery?.occurrence.id, ledger.queues[sink].inHand[id] != nil {
        ledger.queues[sink].pending.insert(id)
      }
    case .sink(_, .answered(_, .retry(let after))):
      if let delivery = next.delivery {
        ledger.retries(delivery.occurrence.id, at: sink, after: after)
      }
    default: break
    }
    return true
  }

  private func fallBack(_ index: Int) {
    sinks[index].supervisor.state = .down
    let queue = ledger.queues[index]
    let isAwaited = !queue.waiting.isEmpty || !queue.inHand.isEmpty
    if let pause = sinks[index].supervisor.pause(at: now.elapsed, isAwaited: isAwaited) {
      let process = sinks[index].process
      startSink(index, after: pause)
      // What it has to say of its end is still to be heard.
      for place in coming.indices
      where coming[place].sink == index && coming[place].process == process {
        if case .sink(_, .down) = coming[place].event {
          coming[place].process = sinks[index].process
        }
      }
    } else {
      note("sink \(index) is in quarantine")
    }
  }

  // MARK: Hand-overs

  func noteHandOver(_ id: OccurrenceID, _ sink: String) {
    handedOver?.insert(id.deliveryID(sink: sink))
  }

  /// What earlier lives of this boot have handed over is known to the next.
  func knowHandOvers() {
    if let handedOver {
      scheduler.restore { handedOver.contains($0.deliveryID(sink: $1)) }
      let names = [Sink.app] + configuration.sinks.map { $0.name }
      ledger.mayHaveHad = { id in
        names.contains { handedOver.contains(id.deliveryID(sink: $0)) }
      }
    } else {
      ledger.mayHaveHad = nil
    }
    handedOver = handedOver ?? []
  }

  // MARK: Queues

  func noteInQueues(_ operation: StoreOperation) {
    guard isShared, case .record(.fired(let occurrence, _, _, let names)) = operation else {
      return
    }
    for (index, sink) in configuration.sinks.enumerated() where names.contains(sink.name) {
      ledger.queued(occurrence, at: index)
    }
  }

  func leaveQueue(_ event: WatchEvent) {
    guard let id = event.occurrence, let name = event.sink,
      let sink = configuration.sinks.firstIndex(where: { $0.name == name })
    else { return }
    ledger.left(event, id, from: sink)
  }

  /// D9: what could be up again and has something waiting for it is tried at least every minute.
  func lookAtSinks() {
    ledger.lookAtQueues()
    for (index, sink) in sinks.enumerated() where !sink.isUp && !sink.isBroken {
      guard let awaited = ledger.queues[index].awaitedSince else { continue }
      // The back-off counts from the end of its process.
      let since = max(
        awaited, sink.refusesUntil, sink.supervisor.startedAt, sink.supervisor.endedAt)
      if now.elapsed - since > Nanoseconds.minute + 2 * Nanoseconds.second {
        ledger.fail(
          "D9 tries",
          "\(ledger.queues[index].waiting.count) wait for sink \(index), which has been well for "
            + "\(Nanoseconds.text(now.elapsed - since)) and is not tried")
      }
    }
  }
}
