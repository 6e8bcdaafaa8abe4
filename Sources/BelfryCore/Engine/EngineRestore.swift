extension SchedulerEngine {
  /// Makes room for so many pending rows; before the first `restore`.
  public func reserve(_ count: Int) {
    pending.reserve(count)
  }

  /// What the store knows of the time: the last one known, and how far the elapsed clock of a boot
  /// had come (T9).
  @export(interface)
  public func restore(lastTime: Instant?, boot: Int64?, elapsed: Int64) {
    if let lastTime { clock.learn(lastTime) }
    restoredState?.setLastLife(boot: boot, elapsed: elapsed)
  }

  /// The last fix that the store knows of.
  @export(interface)
  public func restore(_ fix: LocationFix) {
    regions.restore(fix)
  }

  /// The board's zone as it is at the start, before any row.
  @export(interface)
  public func restore(boardZone name: String, _ rules: ZoneRules) {
    zones.setBoard(name, rules)
  }

  @export(interface)
  public func restore(_ stored: StoredApp) {
    let app = SchedulerApp(
      number: stored.number, name: stored.name, owner: stored.owner, badge: stored.badge,
      registrationState: .done)
    app.used = stored.used
    app.notedUse = stored.used
    app.registration = stored.registration
    if let group = stored.criticalGroup { apps.noteCriticalGroup(group, of: app.owner) }
    apps.add(app)
  }

  /// Takes in a row of the scheduled list, in any order; false: it cannot be one, and is left out.
  @export(interface)
  public func restore(_ row: PendingSummary) -> Bool {
    guard apps[row.app] != nil, row.plan != nil || row.firedThrough >= -1 else { return false }
    lastSequence = max(lastSequence, row.sequence)
    let relative = row.relative.flatMap { isStillRelative($0) ? $0 : nil }
    var traits = wakes(isUrgent: row.isUrgent)
    if let relative { traits.formUnion(self.traits(of: relative.purpose)) }
    if row.side != nil { traits = [.region, .unheld] }
    if row.critical != nil { traits.insert(.critical) }
    var entry = entry(
      app: row.app, generation: row.generation, anchor: row.anchor, unit: row.unit,
      stored: row.plan, tolerance: row.side == nil ? row.tolerance : 0, traits: traits)
    let plan = plan(of: entry)
    if plan == nil { entry.traits.insert(.unplanned) }
    let due = plan?.pending(firedThrough: row.firedThrough)?.due
    let isNew = pending.restore(
      entry, HeapNode(due: due ?? .distantFuture, sequence: row.sequence, slot: row.slot))
    if !isNew {
      pending.dropShape(entry.shape)
    }
    if isNew { noteCalendar(of: row.slot, row.plan, anchor: row.anchor) }
    if isNew { noteCritical(row.slot, sequence: row.sequence, row.critical, row.app) }
    if isNew, row.side != nil { regions.restore(row.slot) }
    if isNew, plan == nil { pending.setUnplanned(row.slot, firedThrough: row.firedThrough) }
    if isNew, row.relative?.purpose == .atOnce {
      pending.noteDueAtOnce(row.slot)
      restoredState?.hasAtOnce = true
    }
    if isNew, let relative {
      restoredState?.add(relative, slot: row.slot, generation: row.generation)
    }
    return isNew
  }

  /// What is known of hand-overs by earlier lives, before the occurrences: whether this one may have
  /// gone to the sink of that name (D7). Without it each may have.
  @export(interface)
  public func restore(handOvers mayHaveHandedOver: @escaping (OccurrenceID, String) -> Bool) {
    self.handOvers.know(of: [Sink.app] + sinks.map { $0.sink.name }, has: mayHaveHandedOver)
  }

  /// Something that was to be due at once was restored: nobody prepared it.
  public var hasRestoredAtOnce: Bool { restoredState?.hasAtOnce ?? false }

  public var sinkNames: [String] { sinks.map { $0.sink.name } }

  /// Takes in an occurrence that was prepared or fired and has not ended.
  @export(interface)
  public func restore(_ open: OpenOccurrence) {
    let id = open.occurrence.id
    if open.sinks == nil { handOvers.notePrepared(id) }
    restoredState?.add(
      open, handedOver: (open.sinks ?? []).filter { handOvers.mayInclude(id, $0) },
      isSuspect: handOvers.mayInclude(id))
  }

  /// Whether it goes by the elapsed clock of this boot too (T9).
  private func isStillRelative(_ relative: RelativeTime) -> Bool {
    relative.boot == configuration.boot || relative.purpose != .interval || !relative.isSynchronised
  }

  /// Those that go by the elapsed clock: in the same boot to the instant, in a later one by the
  /// time that remained when the earlier was last heard of (T9).
  func resumeRelatives(_ restored: RestoredState) {
    for one in restored.relatives {
      let slot = one.slot
      var relative = one.time
      if relative.boot != configuration.boot {
        relative = carriedOver(relative, of: slot, reached: restored.reached(relative))
        let isDated = relative.purpose == .notBefore
        record(
          .rebase(
            slot, app: pending[slot].app, generation: one.generation,
            anchor: isDated ? pending[slot].anchor : turn.realDue(elapsed: relative.due), relative))
      }
      pending.setElapsedDue(relative.elapsedDue, of: slot)
      move(slot, by: relative.elapsedDue)
    }
  }

  /// The same in terms of this boot; the elapsed clock of the earlier one had come to `reached`.
  private func carriedOver(
    _ relative: RelativeTime, of slot: Slot, reached: Int64
  ) -> RelativeTime {
    var left: Int64 = 0
    switch relative.purpose {
    case .interval: left = max(0, relative.due - reached)
    case .atOnce where relative.isSynchronised:
      // By the wall-clock guess it is late (T10).
      left = min(0, pending[slot].anchor.nanoseconds(since: now.real))
    case .atOnce, .notBefore: break
    }
    return RelativeTime(
      made: now.elapsed, due: now.elapsed + left, boot: configuration.boot, isSynchronised: false,
      purpose: relative.purpose)
  }

  /// The first event: deliveries of an earlier life that have not ended go on.
  func resumeDeliveries(_ restored: RestoredState) {
    for open in restored.deliveries {
      let (firing, names) = (open.firing, open.sinks)
      noteDates(in: firing.occurrence.notification)
      if firing.occurrence.notification.push != nil {
        apps[firing.app]?.collapsed.note(
          firing.occurrence.id, firing.occurrence.notification.identifier ?? "")
      }
      if restored.isPutOff(firing.occurrence.id) {
        endPutOff(open)
        continue
      }
      if names.contains(Sink.app) {
        resumeOffer(open)
        continue
      }
      firing.open = Int32(names.count)
      if names.isEmpty { endWithoutSinks(firing) }
      for name in names {
        guard let sink = sinkQueues.named(name) else {
          end(firing, sink: name, .failed, reason: "sink-removed", attempts: open.attempts(name))
          continue
        }
        let parts = parts(of: firing.occurrence, firing.app)
        enqueue(
          delivery(
            of: firing, to: sink, parts: parts, attempt: open.attempts(name), replaces: []))
      }
      findReplaced(by: firing)
    }
  }

  /// It was snoozed before it had ended, and has not been told so.
  private func endPutOff(_ open: RestoredState.Delivery) {
    let (firing, names) = (open.firing, open.sinks)
    firing.open = Int32(max(1, names.count))
    if names.isEmpty { end(firing, sink: "", .snoozed, reason: nil) }
    for name in names {
      sinkQueues.named(name).map { takeBack(firing.occurrence.id, at: $0.index) }
      end(firing, sink: name, .snoozed, reason: nil, attempts: open.attempts(name))
    }
  }

  /// It was with sessions of an earlier life, which have ended (D1).
  private func resumeOffer(_ open: RestoredState.Delivery) {
    let (firing, names) = (open.firing, open.sinks)
    let sinks = names.compactMap { sinkQueues.named($0) }
    let removed = names.filter { $0 != Sink.app && sinkQueues.named($0) == nil }
    firing.open = Int32(1 + removed.count)
    for name in removed {
      end(firing, sink: name, .failed, reason: "sink-removed", attempts: open.attempts(name))
    }
    let showing = Presentation(
      firing: firing, parts: parts(of: firing.occurrence.notification, firing.app), sinks: sinks,
      shown: [], attempt: open.handedOver.contains { $0 != Sink.app } ? 1 : 0)
    show(showing) { [self] in
      end(
        firing, sink: Sink.app, .unknown, reason: "its sessions ended",
        attempts: open.attempts(Sink.app))
    }
  }

  /// Intents whose row has moved on are taken back; the others make their occurrence a suspect.
  func resumeIntents(_ restored: RestoredState) {
    for id in restored.preparedAgain where !snoozes.isSuspect(id) && !waiting.isSuspect(id) {
      record(.withdrawIntent(id, app: nil))
    }
    for intent in restored.intents {
      let (id, slot) = (intent.id, intent.slot)
      if let node = pending.node(of: slot), !LastPass.isBefore(id.k, index(of: node)),
        pending[slot].generation == Int32(truncatingIfNeeded: id.generation)
      {
        pending.addSuspect(id, of: slot)
      } else {
        record(.withdrawIntent(id, app: nil))
      }
    }
  }
}
