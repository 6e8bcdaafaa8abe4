/// Occurrences that were snoozed: relative one-shots of their own (T9, D11), which neither the
/// limit of N17 nor the scheduled list counts.
extension Scheduler {
  /// Most of an app at a time (A2).
  static let mostSnoozes = 64

  /// When it is due; throws where it cannot be.
  func snooze(
    _ shown: Occurrence, for duration: Int64, _ app: SchedulerApp
  ) throws(RequestError) -> Instant {
    guard snoozes.count(where: { $0.app == app.number }) < Self.mostSnoozes else {
      throw .limitReached(limit: "snoozes", value: Int64(Self.mostSnoozes))
    }
    var again = shown
    again.id.snooze += 1
    again.due = now.real.advanced(by: duration)
    again.missed = 0
    again.isForApp = false
    again.missedSince = nil
    if let expires = again.notification.expires, expires < again.due {
      throw .invalidField(FieldError("duration", .outOfRange, "it expires before that"))
    }
    let relative = RelativeTime(
      made: now.elapsed, due: now.elapsed + duration, boot: configuration.boot,
      isSynchronised: clock.isSynchronised)
    // An earlier life may have been killed before the books had it put away: they keep the newest too.
    snoozes.removeAll { $0.occurrence.id == again.id }
    add(again, app.number, elapsed: relative.due)
    record(.snooze(StoredSnooze(again, app: app.number, relative: relative)))
    return again.due
  }

  private func add(_ occurrence: Occurrence, _ app: AppNumber, elapsed: Int64?) {
    lastSnooze += 1
    snoozes.append(Snooze(number: lastSnooze, app: app, occurrence, elapsed: elapsed))
  }

  // MARK: Time

  /// Fires what has come; late ones one at a time with pauses between (T10).
  func fireSnoozes() {
    guard !snoozes.isEmpty else { return }
    let due = snoozes.filter { $0.left(at: now) <= 0 && !isHeld($0) }
    for snooze in due.sorted(by: { ($0.left(at: now), $0.number) < ($1.left(at: now), $1.number) })
    {
      let late = -snooze.left(at: now)
      if late > configuration.grace {
        let user = apps[snooze.app]?.owner ?? 0
        if now.elapsed < lateTurn(of: user) { continue }
        if reasonToDrop(snooze, late: late) == nil { takeLateTurn(of: user) }
      }
      fire(snooze, late: late)
    }
  }

  /// T9: only what goes by the real clock, and that is known to be wrong.
  private func isHeld(_ snooze: Snooze) -> Bool {
    snooze.elapsed == nil && !clock.isTrusted && clock.state(at: now) == .untrusted
  }

  private func fire(_ snooze: Snooze, late: Int64) {
    snoozes.removeAll { $0 === snooze }
    var occurrence = snooze.occurrence
    // The real clock may have been set since.
    if snooze.elapsed != nil, abs(now.real.nanoseconds(since: occurrence.due) - late) > Self.apart {
      occurrence.due = now.real.advanced(by: -late)
    }
    if let expires = occurrence.notification.expires, expires < now.real {
      end(snooze, occurrence, .expired, reason: "expired before it could be shown")
    } else if late > configuration.grace, let reason = reasonToDrop(snooze, late: late) {
      end(snooze, occurrence, .missed, reason: reason)
    } else {
      deliver(
        occurrence, app: snooze.app, slot: nil, shown: [], attempt: snooze.isSuspect ? 1 : 0,
        isRecorded: true, only: nil)
    }
    // After what became of it, so that a crash between the two loses nothing.
    record(.unsnooze(occurrence.id))
  }

  /// Less than this is the time between two readings of the clocks.
  private static let apart = Duration.millisecond

  private func reasonToDrop(_ snooze: Snooze, late: Int64) -> String? {
    let app = apps[snooze.app].map { profile(of: $0) }
    return (snooze.occurrence.notification.late ?? app?.late ?? configuration.late)
      .reasonToDrop(late: late)
  }

  private func end(
    _ snooze: Snooze, _ occurrence: Occurrence, _ state: DeliveryState, reason: String?
  ) {
    let firing = OpenFiring(occurrence, app: snooze.app, isRecorded: true)
    firing.open = 1
    end(firing, sink: "", state, reason: reason)
  }

  /// Has the sinks made ready of what is due soon.
  func prepareSnoozes() {
    for snooze in snoozes where !snooze.isPrepared && snooze.left(at: now) <= prepareLead {
      snooze.isPrepared = true
      let parts = parts(of: snooze.occurrence, snooze.app)
      for sink in sinks where wants(sink.sink, parts) {
        if sink.sink.kind == .speaker || !sink.isUp {
          emit(.prepare(sink.index, snooze.occurrence))
        }
      }
    }
  }

  /// When the next is due, or to be prepared.
  var nextSnoozeWake: NextWake {
    var wake = NextWake(real: nil, elapsed: nil)
    for snooze in snoozes {
      let lead = snooze.isPrepared ? 0 : prepareLead
      if snooze.left(at: now) <= 0 {
        // Late, and waiting for its turn or for a better clock.
        let turn = lateTurn(of: apps[snooze.app]?.owner ?? 0)
        if !isHeld(snooze) { wake.elapsed = min(wake.elapsed ?? .max, turn) }
      } else if let elapsed = snooze.elapsed {
        wake.elapsed = min(wake.elapsed ?? .max, elapsed - lead)
      } else {
        let due = snooze.occurrence.due.advanced(by: -lead)
        wake.real = min(wake.real ?? .distantFuture, due)
      }
    }
    return wake
  }

  /// When a sleeping board is to be awake for one (T11).
  var nextSnoozeAlarm: Instant? {
    var alarm: Instant?
    for snooze in snoozes {
      let isUrgent = snooze.occurrence.notification.interruptionLevel.isUrgent
      let left = snooze.left(at: now) - prepareLead
      guard wakes(isUrgent: isUrgent).contains(.wakes), left > 0 else { continue }
      alarm = min(alarm ?? .distantFuture, now.real.advanced(by: left))
    }
    return alarm
  }

  // MARK: Leaving

  /// Cancelled with their notifications (N15); how many.
  func cancelSnoozes(_ selection: Selection, of app: SchedulerApp) -> Int {
    drop { $0.app == app.number && selection.contains($0.occurrence.notification) }
  }

  /// What replaces a notification has come: what was put off of it is not shown any more (N1).
  func dropSnoozes(before id: OccurrenceID) {
    guard !snoozes.isEmpty else { return }
    _ = drop {
      $0.occurrence.id.uuid == id.uuid && $0.occurrence.id.generation < id.generation
    }
  }

  private func drop(_ isMeant: (Snooze) -> Bool) -> Int {
    let meant = snoozes.filter(isMeant)
    snoozes.removeAll(where: isMeant)
    for snooze in meant {
      end(snooze, snooze.occurrence, .withdrawn, reason: nil)
      record(.unsnooze(snooze.occurrence.id))
    }
    return meant.count
  }

  /// Another's from now on, who learns nothing of it (A1).
  func forgetSnoozes(of app: SchedulerApp) {
    snoozes.removeAll { $0.app == app.number }
  }

  // MARK: Telling

  /// Rows in order of being made; `apps` nil: of every app.
  func listSnoozes(_ id: RequestID, _ wanted: [AppNumber]?, cursor: Int64, limit: Int32) {
    let most = Int(max(1, limit))
    let rows = snoozes.filter { snooze in
      snooze.number > cursor && (wanted?.contains(snooze.app) ?? true)
    }.sorted { $0.number < $1.number }
    let page = rows.prefix(most).map { snooze in
      ListedNotification(
        app: apps[snooze.app]?.name ?? "", notification: snooze.occurrence.notification,
        next: now.real.advanced(by: snooze.left(at: now)), state: .snoozed)
    }
    emit(.reply(id, .listed(page, cursor: rows.count > most ? rows[most - 1].number : nil)))
  }

  // MARK: A start

  /// Takes in one of the books; after the apps and what is known of the time.
  public func restore(_ stored: StoredSnooze) {
    restoredState?.add(stored)
  }

  /// The first event (T9): in the same boot to the instant, in a later one by the real clock if it
  /// was synchronised when they were made, else by the time that remained when the earlier boot was
  /// last heard of.
  func resumeSnoozes(_ restored: RestoredState) {
    let fired = Set(restored.deliveries.map { $0.firing.occurrence.id })
    for stored in restored.snoozes where apps[stored.app] != nil {
      if fired.contains(stored.occurrence.id) {
        // Killed between the two records, it is on its way by the first.
        record(.unsnooze(stored.occurrence.id))
        continue
      }
      endSnoozed(stored)
      let relative = stored.relative
      var elapsed: Int64? = relative.due
      if relative.boot != configuration.boot {
        let reached = restored.reached(relative)
        elapsed = relative.isSynchronised ? nil : now.elapsed + max(0, relative.due - reached)
        if let elapsed { record(.snooze(stored.counted(in: configuration.boot, now, to: elapsed))) }
      }
      add(stored.occurrence, stored.app, elapsed: elapsed)
      snoozes.last?.isSuspect = (snoozes.last?.left(at: now) ?? 1) <= 0
    }
  }

  /// Killed before the books had it put away, what was snoozed would seem to be shown still, and could
  /// be snoozed again under an id that has been used (D7).
  private func endSnoozed(_ stored: StoredSnooze) {
    var shown = stored.occurrence.id
    shown.snooze -= 1
    record(
      .putAway(
        shown, app: stored.app, identifier: stored.occurrence.notification.identifier ?? "",
        .snoozed, reason: nil))
  }
}

extension StoredSnooze {
  /// The same, counted on the elapsed clock of another boot.
  fileprivate func counted(in boot: Int64, _ now: Now, to due: Int64) -> StoredSnooze {
    let relative = RelativeTime(made: now.elapsed, due: due, boot: boot, isSynchronised: false)
    return StoredSnooze(occurrence, app: app, relative: relative)
  }
}
