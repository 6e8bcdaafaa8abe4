/// Figures for `status`; cheap to take.
public struct SchedulerStatus: Sendable {
  public struct SinkStatus: Hashable, Sendable {
    public var name: String
    public var isUp: Bool
    /// Waiting for it.
    public var queued: Int32
    /// Handed over and not answered.
    public var handedOver: Int32
  }

  /// Where the board is, and who waits for what of it.
  public struct LocationStatus: Hashable, Sendable {
    public var fix: LocationFix?
    /// Pending notifications with a region.
    public var regions: Int64
    /// Apps with such ones that are not allowed to know where the board is (R5), in order.
    public var denied: [String]
  }

  /// It tells of everybody's notifications, not of one user's alone.
  public var isWhole = true
  public var pending: Int64
  public var prepared: Int64
  /// Deliveries that have not ended.
  public var inFlight: Int64
  /// Late ones that wait for their turn (T10).
  public var late: Int64
  /// Those that wait for a better clock, and why (T9).
  public var held: Int64
  public var heldReason: String?
  public var clock: ClockState
  public var isClockTrusted: Bool
  /// When the next notification fires, late ones aside, and by which mode; nil: nothing is pending,
  /// or for ever.
  public var next: (due: Instant, mode: ZoneMode)?
  public var apps: Int64
  /// Open ones.
  public var sessions: Int64
  /// What the user did that waits for an app, or for its completion (D3, D4).
  public var happenings: Int64
  public var location: LocationStatus
  public var sinks: [SinkStatus]
}

extension Scheduler {
  public var status: SchedulerStatus {
    let sinks = sinks.map { sink in
      SchedulerStatus.SinkStatus(
        name: sink.sink.name, isUp: sink.isUp, queued: Int32(sink.queue.count),
        handedOver: Int32(sink.handedOver.count))
    }
    var prepared: Int64 = 0
    for content in contents.values {
      if case .loaded(_, isPrepared: true) = content { prepared += 1 }
    }
    return SchedulerStatus(
      pending: Int64(pending.count), prepared: prepared,
      inFlight: sinks.reduce(Int64(sessions.offers.count)) {
        $0 + Int64($1.queued + $1.handedOver)
      },
      late: Int64(pending.lateCount), held: Int64(heldCount),
      heldReason: heldCount > 0 ? clock.reason(at: now) : nil, clock: clock.state(at: now),
      isClockTrusted: clock.isTrusted, next: next, apps: Int64(apps.count),
      sessions: Int64(sessions.count), happenings: Int64(sessions.kept.count), location: location,
      sinks: sinks)
  }

  private var next: (due: Instant, mode: ZoneMode)? {
    let heads = [pending.near.first, pending.far.first, pending.loose.first].compactMap { $0 }
    guard let next = heads.min(by: { $0.due < $1.due }), next.due != .distantFuture else {
      return nil
    }
    return (next.due, mode(of: pending[next.slot]))
  }

  func mode(of entry: PendingTable.Entry) -> ZoneMode {
    entry.shape == 0 ? .absolute : pending.shapes[entry.shape].mode
  }

  /// When to send the next `.clock`, if nothing else happens before.
  public var nextWake: NextWake {
    var wake = nextWakeOfPending
    if let ask = nextAsk {
      wake.elapsed = min(wake.elapsed ?? .max, ask)
      // T9: then it is plausible, then trusted.
      switch clock.state(at: now) {
      case .untrusted: wake.real = min(wake.real ?? .distantFuture, clock.known)
      case .plausible: wake.elapsed = min(wake.elapsed ?? .max, clock.trustAfter)
      case .synchronised: break
      }
    }
    let others = [nextCalendarWake, sessions.nextWake, pushes.nextWake]
    wake.elapsed = ([wake.elapsed] + others).compactMap { $0 }.min()
    wake.alarm = [nextAlarm, nextSnoozeAlarm].compactMap { $0 }.min()
    let snoozed = nextSnoozeWake
    wake.real = [wake.real, snoozed.real].compactMap { $0 }.min()
    wake.elapsed = [wake.elapsed, snoozed.elapsed].compactMap { $0 }.min()
    if isWalking || hasSlicedWork { wake.elapsed = min(wake.elapsed ?? .max, now.elapsed) }
    let other = sinkQueues.nextWake(turn)
    wake.real = [wake.real, other.real].compactMap { $0 }.min()
    wake.elapsed = [wake.elapsed, other.elapsed].compactMap { $0 }.min()
    return wake
  }

  /// T11: awake and prepared when it is due; if it falls asleep once more, again at its due.
  private var nextAlarm: Instant? {
    guard var due = pending.waking.first?.due else { return nil }
    if due <= now.real {
      // Late or held, and no reason to be woken.
      due =
        pending.waking.nodes.lazy.map { $0.due }.filter { $0 > self.now.real }.min()
        ?? .distantFuture
    }
    guard due != .distantFuture else { return nil }
    let before = due.advanced(by: -prepareLead)
    return before > now.real ? before : due
  }

  private var nextWakeOfPending: NextWake {
    // What was to be prepared may have been cancelled since (T12).
    var real = pending.near.isEmpty ? .distantFuture : nextPrepare
    var elapsed: Int64?
    let hasRoom = pending.near.count < Self.nearCapacity
    for node in pending.near {
      guard case .loaded = contents[node.slot] else { continue }
      if node.due > now.real {
        if node.due >= real { break }
        real = min(real, pending.latest(of: node))
        continue
      }
      if intents[node.slot] != nil {
        // The answer wakes, or the end of its tolerance.
        real = min(real, pending.latest(of: node))
        continue
      }
      // It is due, and still here: late, and waiting for its turn.
      elapsed = min(elapsed ?? .max, lateTurn(of: user(of: node.slot)))
    }
    if hasRoom, let first = pending.far.first, first.due != .distantFuture {
      real = min(real, first.due.advanced(by: -configuration.readAhead))
    }
    // T12: the first one whose time runs out wakes for all that may come by then.
    if hasRoom, let first = pending.windows.first, first.due != .distantFuture {
      real = min(real, first.due.advanced(by: -min(configuration.readAhead, Self.looseAhead)))
    }
    if !toLoad.isEmpty || regions.wantsLoad { elapsed = min(elapsed ?? .max, loadNotBefore) }
    return NextWake(real: real == .distantFuture ? nil : real, elapsed: elapsed)
  }
}
