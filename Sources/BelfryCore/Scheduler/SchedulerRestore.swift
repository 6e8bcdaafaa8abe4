extension Scheduler {
  /// Makes room for so many pending rows; before the first `restore`.
  public func reserve(_ count: Int) {
    pending.reserve(count)
  }

  /// What the books know of the time: the last one known, and how far the elapsed clock of a boot
  /// had come (T9).
  public func restore(lastTime: Instant?, boot: Int64?, elapsed: Int64) {
    if let lastTime { clock.known = max(clock.known, lastTime) }
    lastLife = boot.map { ($0, elapsed) }
  }

  /// The last fix that the books know of.
  public func restore(_ fix: LocationFix) {
    regions.restore(fix)
  }

  /// The board's zone as it is at the start, before any row.
  public func restore(boardZone name: String, _ rules: ZoneRules) {
    zones[0].name = name
    zones[0].rules = rules
  }

  public func restore(_ stored: StoredApp) {
    let app = SchedulerApp(
      number: stored.number, name: stored.name, owner: stored.owner, badge: stored.badge,
      standing: .done)
    app.used = stored.used
    app.notedUse = stored.used
    app.registration = stored.registration
    if let group = stored.criticalGroup { apps.noteCriticalGroup(group, of: app.owner) }
    apps.add(app)
  }

  /// Takes in a row of the scheduled list, in any order; false: it cannot be one, and is left out.
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
    noteCalendar(of: row.slot, row.plan, anchor: row.anchor)
    let plan = plan(of: entry)
    if plan == nil { entry.traits.insert(.unplanned) }
    let due = plan?.pending(firedThrough: row.firedThrough)?.due
    let isNew = pending.restore(
      entry, HeapNode(due: due ?? .distantFuture, sequence: row.sequence, slot: row.slot))
    if !isNew {
      pending.shapes.drop(entry.shape)
      forgetCalendar(of: row.slot)
    }
    if isNew { noteCritical(row.slot, sequence: row.sequence, row.critical, row.app) }
    if isNew, row.side != nil { regions.restore(row.slot) }
    if isNew, plan == nil { unplanned[row.slot] = row.firedThrough }
    if isNew, row.relative?.purpose == .atOnce { suspectSlots.insert(row.slot) }
    if isNew, let relative {
      restoredRelatives.append((row.slot, row.generation, relative))
    }
    return isNew
  }

  /// Takes in an occurrence that was prepared or fired and has not ended.
  ///
  /// What was only prepared is still pending by its row; what was handed over is handed over
  /// again, under the same id, to the sinks that have not settled (D7).
  public func restore(_ open: OpenOccurrence) {
    guard let sinks = open.sinks else {
      if open.slot == nil, open.occurrence.notification.push != nil {
        restoredPushes.append((open.occurrence, open.app))
        return
      }
      suspects[open.occurrence.id] = open.slot ?? 0
      return
    }
    let firing = OpenFiring(open.occurrence, app: open.app, isRecorded: true)
    restored.append((firing, sinks.filter { !open.settled.contains($0) }))
  }

  /// Whether it goes by the elapsed clock of this boot too (T9).
  private func isStillRelative(_ relative: RelativeTime) -> Bool {
    relative.boot == configuration.boot || relative.purpose != .interval || !relative.isSynchronised
  }

  /// Those that go by the elapsed clock: in the same boot to the instant, in a later one by the
  /// time that remained when the earlier was last heard of (T9).
  func resumeRelatives() {
    for (slot, generation, relative) in restoredRelatives {
      var relative = relative
      if relative.boot != configuration.boot {
        relative = carriedOver(relative, of: slot)
        let isDated = relative.purpose == .notBefore
        record(
          .rebase(
            slot, generation: generation,
            anchor: isDated ? pending[slot].anchor : turn.realDue(elapsed: relative.due), relative))
      }
      note(relative, of: slot)
      if relative.purpose == .notBefore {
        moveNotBefore(slot)
      } else {
        moveRelative(slot, due: relative.due)
      }
    }
    restoredRelatives = []
  }

  /// The same in terms of this boot.
  private func carriedOver(_ relative: RelativeTime, of slot: Slot) -> RelativeTime {
    var left: Int64 = 0
    switch relative.purpose {
    case .interval:
      var reached = relative.made
      if let last = lastLife, last.boot == relative.boot { reached = max(reached, last.elapsed) }
      left = max(0, relative.due - reached)
    case .atOnce where relative.isSynchronised:
      // By the wall-clock guess it is late (T10).
      left = min(0, pending[slot].anchor.nanoseconds(since: now.real))
    case .atOnce, .notBefore: break
    }
    return RelativeTime(
      made: now.elapsed, due: now.elapsed + left, boot: configuration.boot, isSynchronised: false,
      purpose: relative.purpose)
  }

  /// The first event: deals with what was restored.
  func resumeDeliveries() {
    for (firing, names) in restored {
      noteDates(in: firing.occurrence.notification)
      if firing.occurrence.notification.push != nil {
        apps[firing.app]?.collapsed.note(
          firing.occurrence.id, firing.occurrence.notification.identifier ?? "")
      }
      if names.contains(Sink.app) {
        resumeOffer(firing, names)
        continue
      }
      firing.open = Int32(names.count)
      if names.isEmpty { endWithoutSinks(firing) }
      for name in names {
        guard let sink = sinkQueues.named(name) else {
          // As below: what an earlier life may have handed over counts as one attempt.
          end(firing, sink: name, .failed, reason: "sink-removed", attempts: 1)
          continue
        }
        let parts = parts(of: firing.occurrence, firing.app)
        enqueue(delivery(of: firing, to: sink, parts: parts, attempt: 1, replaces: []))
      }
    }
    restored = []
  }

  /// It was with sessions of an earlier life, which have ended (D1).
  private func resumeOffer(_ firing: OpenFiring, _ names: [String]) {
    let sinks = names.compactMap { sinkQueues.named($0) }
    let removed = names.filter { $0 != Sink.app && sinkQueues.named($0) == nil }
    firing.open = Int32(1 + removed.count)
    for name in removed { end(firing, sink: name, .failed, reason: "sink-removed") }
    let showing = Showing(
      firing: firing, parts: parts(of: firing.occurrence.notification, firing.app), sinks: sinks,
      shown: [],
      attempt: 1)
    show(showing) { [self] in
      end(firing, sink: Sink.app, .unknown, reason: "its sessions ended", attempts: 1)
    }
  }

  /// Intents whose row has moved on are taken back; the others make their occurrence a suspect.
  func dropStaleIntents() {
    for (id, slot) in suspects {
      if let node = pending.node(of: slot), !LastPass.isBefore(id.k, index(of: node)),
        pending[slot].generation == Int32(truncatingIfNeeded: id.generation)
      {
        continue
      }
      suspects[id] = nil
      record(.withdrawIntent(id))
    }
  }
}
