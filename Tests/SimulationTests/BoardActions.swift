@testable import BelfryCore

/// What happens to a board from outside.
extension Board {
  static let identifiers = 12

  /// Carries out one action; what it sets off at once has happened when it returns.
  func perform(_ action: LifeAction) {
    if trace != nil { trace!.append("\(RFC3339.text(now.real)) \(action)") }
    ledger.now = now
    ledger.passUntold()
    switch action {
    case .schedule, .presentNow, .cancel, .cancelAll, .replaceAll, .replaceBySame, .trust:
      ask(action)
    case .pass(let length): advance(length)
    case .sleep(let length):
      move(length)
      ledger.slept()
      surprise()
    case .step(let step):
      now.real = now.real.advanced(by: step)
      surprise()
    case .synchronise:
      now.real = truth
      isSynchronised = true
      surprise()
      handle(.clockState(synchronised: true))
      ledger.review()
    case .loseSync: isSynchronised = false
    case .travel(let place):
      zone = place
      ledger.zone = rules(of: place)
      ledger.moveZones()
      handle(.boardZone(LifeShape.zones[place].name, rules(of: place)))
    case .zoneFile(let place, let isOther): replaceZone(place, by: isOther)
    case .drift(let rate): drift = rate
    case .crash, .stop, .reboot: end(action)
    case .disk(let state): set(disk: state)
    case .trickle(let count):
      for _ in 0..<count where !queue.isEmpty && !isDead && disk == .blocked { writeOne() }
    case .manner, .sinkDown, .sinkUp: act(onSink: action)
    case .open, .close, .turn, .response, .answerSnooze, .cancelSnooze, .input, .fix, .register:
      act(inApps: action)
    case .flood, .meddle, .outage: act(ofUsers: action)
    case .everyday(let app, let everyday): act(everyday, app: app)
    case .days(let app, let name, let change): changeDays(app, name, change)
    }
    run()
    if disk != .healthy { ledger.disturb() }
    look()
  }

  /// The clocks are not what they were when the scheduler looked last.
  private func surprise() {
    ledger.now = now
    ledger.disturb()
    ledger.lookForLate()
    handle(.clock, isSurprise: true)
    ledger.clockSet()
  }

  private func set(disk state: DiskState) {
    disk = state
    store.refuses = state == .refusing
    ledger.isDiskWell = state == .healthy
    ledger.lookForLate()
    ledger.disturb()
  }

  /// T7: another release of the zone files.
  private func replaceZone(_ place: Int, by isOther: Bool) {
    if isOther { otherZones.insert(place) } else { otherZones.remove(place) }
    let (name, rules) = (LifeShape.zones[place].name, rules(of: place))
    if let old = ledger.zones[name] { ledger.replacedZones[name] = (old, now.elapsed) }
    ledger.zones[name] = rules
    if place == zone { ledger.zone = rules }
    ledger.moveZones()
    if watchedZones.contains(name) { handle(.zone(name, .rules(rules))) }
    if place == zone, !isDead { handle(.boardZone(name, rules)) }
    run()
    // What was read of a zone that nothing goes by holds for a second.
    advance(Nanoseconds.second + Nanoseconds.millisecond)
  }

  private func act(onSink action: LifeAction) {
    switch action {
    case .manner(let sink, let manner) where sinks.indices.contains(sink):
      sinks[sink].manner = manner
      if isShared { ledger.note(manner, at: sink) }
    case .sinkDown(let sink) where sinks.indices.contains(sink):
      sinks[sink].isBroken = true
      endSink(sink)
    case .sinkUp(let sink) where sinks.indices.contains(sink) && sinks[sink].isBroken:
      sinks[sink].isBroken = false
      startSink(sink, after: 0)
    case .sinkUp(let sink) where sinks.indices.contains(sink) && isShared:
      sinks[sink].refusesUntil = min(sinks[sink].refusesUntil, now.elapsed)
    default: break
    }
  }

  // MARK: Ends

  private func end(_ action: LifeAction) {
    switch action {
    case .crash(0, let written): die(written: written)
    case .crash(let commands, let written): death = (commands, written)
    case .stop: stop()
    case .reboot(let off, let clock): stop { boot(off: off, clock) }
    default: break
    }
  }

  private func boot(off: Int64, _ clock: BootClock) {
    let (real, died) = (now.real, now.elapsed)
    truth = truth.advanced(by: off)
    now.elapsed = 8 * Nanoseconds.second
    for index in sinks.indices { sinks[index].refusesUntil = 0 }
    configuration.boot += 1
    handedOver = nil
    configuration.isClockTrusted = isAlwaysTrusted
    isSynchronised = false
    switch clock {
    case .kept: now.real = real.advanced(by: off)
    case .none: now.real = Instant(nanoseconds: 10 * Nanoseconds.second)
    case .wrong(let error): now.real = truth.advanced(by: error)
    }
    ledger.now = now
    ledger.starts(died: died)
  }

  /// As SIGTERM does: what the disk takes is written.
  private func stop(meanwhile: () -> Void = {}) {
    if disk == .healthy {
      for unshown in scheduler.unshown { queue.append((0, .record(unshown))) }
      queue.append((0, .record(scheduler.clockNote(at: now))))
      die(written: queue.count, meanwhile: meanwhile)
    } else {
      die(written: 0, meanwhile: meanwhile)
    }
  }

  // MARK: Time

  /// Passes time as a daemon does: by the wakes that the scheduler asks for.
  func advance(_ length: Int64) {
    var end = now.elapsed + length
    var stuck = 0
    while true {
      let wake = scheduler.nextWake
      var next = min(wake.elapsed ?? .max, wake.real.map { elapsed(at: $0) } ?? .max)
      next = max(next, now.elapsed)
      let other = max(now.elapsed, coming.first?.at ?? .max)
      let target = min(next, other, end)
      let step = target - now.elapsed
      stuck = step == 0 ? stuck + 1 : 0
      if stuck > 5000 { return ledger.fail("T12 spins", "it wakes for nothing, again and again") }
      move(step)
      let boot = configuration.boot
      if next == target {
        wakes += 1
        handle(.clock)
      }
      run()
      // A crash on the way starts a new process, not a new boot.
      if configuration.boot != boot { end = now.elapsed }
      if disk != .healthy { ledger.disturb() }
      if ledger.fault != nil || (now.elapsed >= end && step == 0) { return }
      if now.elapsed >= end, next > end, other > end { return }
    }
  }

  func move(_ length: Int64) {
    let (whole, rest) = (length / 1_000_000, length % 1_000_000)
    now.real = now.real.advanced(by: length + whole * drift + rest * drift / 1_000_000)
    now.elapsed += length
    truth = truth.advanced(by: length)
    ledger.now = now
  }

  /// When the real clock will show an instant, as far as anybody can tell.
  private func elapsed(at real: Instant) -> Int64 {
    let ahead = real.nanoseconds(since: now.real)
    if ahead <= 0 { return now.elapsed }
    let length = Double(ahead) * 1_000_000 / Double(1_000_000 + drift)
    guard length < 4e18 else { return .max }
    let exact = drift == 0 ? ahead : Int64(length.rounded(.up)) + 1
    return now.elapsed.addingReportingOverflow(exact).overflow ? .max : now.elapsed + exact
  }

  // MARK: Looking

  /// While all is well: what is listed is what was promised, and nobody wakes for nothing.
  func look() {
    guard disk == .healthy, asked.isEmpty, death == nil, ledger.fault == nil else { return }
    for app in LifeShape.apps.prefix(isShared ? 5 : 2) {
      request(.list(app: app, delivered: false, cursor: 0, limit: 1000))
    }
    if hasApps {
      for app in LifeShape.apps.prefix(2) { request(.snoozed(app: app, cursor: 0, limit: 1000)) }
      ledger.lookForOffers()
      ledger.lookForSnoozes()
    }
    if hasApps || isEveryday { ledger.lookForAlerts() }
    ledger.lookForLost()
    if queue.isEmpty {
      ledger.checkRecords()
      ledger.checkPassRecords()
    }
    if isShared { lookAtSinks() }
    lookAtMemory()
    let isIdle =
      ledger.pending.isEmpty && scheduler.status.inFlight == 0 && coming.isEmpty
      && scheduler.sinks.allSatisfy { $0.badges.isEmpty }
      && ledger.snoozes.isEmpty && ledger.ringing.isEmpty && scheduler.sessions.isIdle
    let wake = scheduler.nextWake
    if isIdle, wake.real != nil || wake.elapsed != nil {
      ledger.fail("T12 idle", "with nothing to come it asks for a wake: \(wake)")
    }
  }

  private func lookAtMemory() {
    let count = scheduler.pending.count
    let kept = [scheduler.pending.details.count, scheduler.pending.lookAhead.count]
    if let most = kept.max(), most > count {
      ledger.fail("D8 memory", "\(count) are pending, and \(kept) are kept of them")
    }
    if !scheduler.storeRequests.awaited.isEmpty || scheduler.pending.details.suspectCount > count {
      let count = scheduler.storeRequests.awaited.count
      ledger.fail("D8 memory", "\(count) answers awaited while nothing is asked")
    }
    for sink in scheduler.sinks {
      if sink.queue.count > Int(sink.isUp ? configuration.burst : configuration.queue)
        || sink.handedOver.count > Int(configuration.window) + SinkQueues.criticalRoom
      {
        ledger.fail("A2 memory", "\(sink.queue.count) wait for \(sink.sink.name)")
      }
    }
    if !scheduler.pending.table.isSound { ledger.fail("heap", "the heaps are not sound") }
  }
}

extension Board {
  /// After the healing: nothing is left over.
  func checkEnd() {
    let open = store.read().open.filter { $0.sinks != nil }
    if let first = open.first {
      ledger.fail("D7 open", "\(first.occurrence.id.text) is open for ever")
    }
    let status = scheduler.status
    if status.inFlight > 0 { ledger.fail("D7 open", "\(status.inFlight) deliveries never end") }
  }
}
