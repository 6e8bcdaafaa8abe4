extension SchedulerEngine {
  public var status: SchedulerStatus {
    @export(interface) get {
      let sinks = sinks.map { sink in
        SchedulerStatus.SinkStatus(
          name: sink.sink.name, isUp: sink.isUp, queued: Int32(sink.queue.count),
          handedOver: Int32(sink.handedOver.count), failure: sink.failure)
      }
      return SchedulerStatus(
        pending: Int64(pending.count), prepared: Int64(pending.preparedCount),
        inFlight: sinks.reduce(Int64(sessions.offers.count)) {
          $0 + Int64($1.queued + $1.handedOver)
        },
        late: Int64(pending.table.lateCount), held: Int64(heldCount),
        heldReason: heldCount > 0 ? clock.reason(at: now) : nil, clock: clock.state(at: now),
        isClockTrusted: clock.isTrusted, next: next, apps: Int64(apps.count),
        sessions: Int64(sessions.count), queuedEvents: Int64(sessions.kept.count),
        location: location,
        sinks: sinks)
    }
  }

  private var next: (due: Instant, mode: ZoneMode, reason: String?)? {
    let table = pending.table
    let heads = [table.near.first, table.far.first, table.loose.first].compactMap { $0 }
    guard let next = heads.min(by: { $0.due < $1.due }), next.due != .distantFuture else {
      return nil
    }
    return told(next)
  }

  /// As far as is known without its content.
  func told(_ node: HeapNode) -> (due: Instant, mode: ZoneMode, reason: String?) {
    let entry = pending[node.slot]
    let one = PlannedOccurrence(k: index(of: node), due: node.due)
    // These hold for critical ones, too.
    var passed = PassedOver(
      pauses: pauses.concerning(node.slot, of: entry.app, isCritical: true),
      skips: pending.details[node.slot].skips?.skips ?? SkipSet(), days: nil)
    if let cause = passed.cause(of: one) { return (node.due, mode(of: entry), cause.reason) }
    passed.pauses = pauses.concerning(node.slot, of: entry.app, isCritical: false)
    let reason = passed.cause(of: one).map { $0.reason + ", unless it is critical" }
    return (node.due, mode(of: entry), reason)
  }

  func mode(of entry: PendingTable.Entry) -> ZoneMode {
    pending.shape(of: entry)?.mode ?? .absolute
  }

  /// When to send the next `.clock`, if nothing else happens before.
  public var nextWake: NextWake {
    @export(interface) get {
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
}

extension SchedulerEngine {
  /// So many rows of what waits are told at once.
  private static let mostWaiting = 1000

  /// What has been due and has not come to an end, of these apps; nil: of all (D9).
  func tellWaiting(_ id: RequestID, of uid: UInt32, _ apps: [AppNumber]?) {
    let meant = apps.map { Set<AppNumber>($0) }
    var left = sinks
    var rows: [HistoryRow] = []
    let work = SlicedWork(id, ticket: nil, drop: {}) { [unowned(unsafe) self] _ in
      if let sink = left.popLast() {
        rows += waiting(at: sink, of: meant)
        return false
      }
      let first = rows.sorted { $0.due < $1.due }.prefix(Self.mostWaiting)
      emit(.reply(id, .history(Array(first), cursor: nil)))
      return true
    }
    slices.add(work, of: uid)
  }

  private func waiting(at sink: SchedulerSink, of apps: Set<AppNumber>?) -> [HistoryRow] {
    let open = sink.handedOver + sink.queue.all
    return open.filter { apps?.contains($0.firing.app) ?? true }.prefix(Self.mostWaiting)
      .map { delivery in
        let occurrence = delivery.occurrence
        var row = HistoryRow(
          app: occurrence.app, identifier: occurrence.notification.identifier ?? "",
          occurrence: delivery.id, sink: sink.sink.name, due: occurrence.due,
          handedOver: delivery.handedOver, acknowledged: nil, state: .waiting,
          reason: sink.downReason.map { "it is down: " + $0 }, attempts: delivery.attempt)
        row.clock = delivery.firing.clock
        return row
      }
  }
}
