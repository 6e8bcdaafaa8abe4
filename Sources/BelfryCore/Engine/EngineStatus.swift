extension SchedulerEngine {
  public var status: SchedulerStatus {
    let sinks = sinks.map { sink in
      SchedulerStatus.SinkStatus(
        name: sink.sink.name, isUp: sink.isUp, queued: Int32(sink.queue.count),
        handedOver: Int32(sink.handedOver.count))
    }
    return SchedulerStatus(
      pending: Int64(pending.count), prepared: Int64(pending.preparedCount),
      inFlight: sinks.reduce(Int64(sessions.offers.count)) {
        $0 + Int64($1.queued + $1.handedOver)
      },
      late: Int64(pending.table.lateCount), held: Int64(heldCount),
      heldReason: heldCount > 0 ? clock.reason(at: now) : nil, clock: clock.state(at: now),
      isClockTrusted: clock.isTrusted, next: next, apps: Int64(apps.count),
      sessions: Int64(sessions.count), queuedEvents: Int64(sessions.kept.count), location: location,
      sinks: sinks)
  }

  private var next: (due: Instant, mode: ZoneMode)? {
    let table = pending.table
    let heads = [table.near.first, table.far.first, table.loose.first].compactMap { $0 }
    guard let next = heads.min(by: { $0.due < $1.due }), next.due != .distantFuture else {
      return nil
    }
    return (next.due, mode(of: pending[next.slot]))
  }

  func mode(of entry: PendingTable.Entry) -> ZoneMode {
    pending.shape(of: entry)?.mode ?? .absolute
  }

  /// When to send the next `.clock`, if nothing else happens before.
  public var nextWake: NextWake {
    var wake = pending.nextWake(turn) { lateTurn(of: user(of: $0)) }
    if regions.wantsLoad { wake.merge(elapsed: pending.lookAhead.notBefore) }
    wake.merge(clock.nextWake(now))
    if isWalking || hasSlicedWork { wake.merge(elapsed: now.elapsed) }
    wake.merge(elapsed: calendars.nextWake)
    wake.merge(elapsed: sessions.nextWake)
    wake.merge(elapsed: pushes.nextWake)
    wake.merge(nextSnoozeWake)
    wake.merge(NextWake(real: nil, elapsed: nil, alarm: nextSnoozeAlarm))
    wake.merge(nextStepWake)
    wake.merge(sinkQueues.nextWake(turn))
    return wake
  }
}
