/// Occurrences that were snoozed: relative one-shots of their own (T9, D11), which neither the limit
/// of N17 nor the scheduled list counts.
struct SnoozeList {
  /// An occurrence that comes again.
  struct Entry {
    /// Counts up in the order of snoozing.
    let number: Int64
    let app: AppNumber
    let occurrence: Occurrence
    /// When it is due on the elapsed clock; nil: it goes by the real one (T9).
    let elapsed: Int64?
    /// An earlier life may have handed it over (D7).
    var isSuspect = false
    /// Its sinks have been made ready, and its intent is written.
    fileprivate(set) var isPrepared = false

    /// Nanoseconds until it is due; negative: it is late by so many.
    func left(at now: ClockReading) -> Int64 {
      guard let elapsed else { return occurrence.due.nanoseconds(since: now.real) }
      return elapsed.subtractingReportingOverflow(now.elapsed).partialValue
    }

    /// The occurrence with its due by the real clock, which may have been set since it was snoozed.
    func occurrence(at now: ClockReading) -> Occurrence {
      guard elapsed != nil else { return occurrence }
      var occurrence = occurrence
      let due = now.real.advanced(by: left(at: now))
      if due.nanoseconds(since: occurrence.due).magnitude > Self.apart { occurrence.due = due }
      return occurrence
    }

    /// It is this occurrence, or what it was snoozed to.
    func comes(of id: OccurrenceID) -> Bool {
      occurrence.id.unsnoozed == id.unsnoozed && occurrence.id.snooze >= id.snooze
    }

    /// Less than this is the time between two readings of the clocks.
    private static let apart = Nanoseconds.millisecond.magnitude

    /// T9: whether it waits for a better clock; `isClockWrong`: what the real clock shows is known to
    /// be wrong.
    func isHeld(_ isClockWrong: Bool) -> Bool { elapsed == nil && isClockWrong }
  }

  /// Most of an app at a time (A2).
  static let most = 64

  private var entries: [Entry] = []
  private var lastNumber: Int64 = 0

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  func hasAny(of app: AppNumber) -> Bool { entries.contains { $0.app == app } }

  // MARK: Entering

  /// Has what is shown come again after `duration`; when by the real clock. It throws where that
  /// cannot be.
  mutating func snooze(
    _ shown: Occurrence, for duration: Int64, of app: AppNumber, isSynchronised: Bool,
    _ turn: inout Turn
  ) throws(RequestError) -> Instant {
    let first = shown.id.unsnoozed
    let others = entries.count { $0.app == app && $0.occurrence.id.unsnoozed != first }
    guard others < Self.most else {
      throw .limitReached(limit: "snoozes", value: Int64(Self.most))
    }
    var again = shown
    again.id.snooze += 1
    again.id.step = 0
    again.due = turn.now.real.advanced(by: duration)
    again.missed = 0
    again.isForApp = false
    again.missedSince = nil
    if let expires = again.notification.expires, expires < again.due {
      throw .invalidField(FieldError("duration", .outOfRange, "it expires before that"))
    }
    let relative = RelativeTime(
      made: turn.now.elapsed, due: turn.now.elapsed + duration, boot: turn.configuration.boot,
      isSynchronised: isSynchronised)
    // An earlier life may have been killed before the store had it marked handled: it keeps the newest too.
    entries.removeAll { $0.occurrence.id == again.id }
    add(again, app, elapsed: relative.due)
    turn.record(.snooze(StoredSnooze(again, app: app, relative: relative)))
    return again.due
  }

  private mutating func add(
    _ occurrence: Occurrence, _ app: AppNumber, elapsed: Int64?, isSuspect: Bool = false
  ) {
    lastNumber += 1
    entries.append(
      Entry(
        number: lastNumber, app: app, occurrence: occurrence, elapsed: elapsed,
        isSuspect: isSuspect))
  }

  /// Whether an earlier life may have handed it over.
  func isSuspect(_ id: OccurrenceID) -> Bool {
    entries.contains { $0.isSuspect && $0.occurrence.id == id }
  }

  /// What was prepared in this life and has not come: the store need not take it for shown.
  var onlyPrepared: [(OccurrenceID, app: AppNumber)] {
    entries.filter { $0.isPrepared && !$0.isSuspect }.map { ($0.occurrence.id, app: $0.app) }
  }

  /// Takes in one of an earlier life (T9): in the same boot it is due to the instant; in a later one by
  /// the real clock, if that was synchronised when it was snoozed, else by the time that remained when
  /// the earlier boot was last heard of, at `lastHeard` on its elapsed clock. `isSuspect`: it was prepared.
  mutating func resume(
    _ stored: StoredSnooze, lastHeard: Int64?, isSuspect: Bool, _ turn: inout Turn
  ) {
    let relative = stored.relative
    var elapsed: Int64? = relative.due
    if relative.boot != turn.configuration.boot {
      let reached = max(relative.made, lastHeard ?? relative.made)
      elapsed =
        relative.isSynchronised ? nil : turn.now.elapsed + max(0, relative.due - reached)
      if let elapsed {
        turn.record(.snooze(stored.counted(in: turn.configuration.boot, turn.now, to: elapsed)))
      }
    }
    add(stored.occurrence, stored.app, elapsed: elapsed, isSuspect: isSuspect)
  }

  // MARK: Time

  /// What has come and is not held, in order of its due.
  func due(at now: ClockReading, isClockWrong: Bool) -> [Entry] {
    if entries.isEmpty { return [] }
    return entries.filter { $0.left(at: now) <= 0 && !$0.isHeld(isClockWrong) }
      .sorted { ($0.left(at: now), $0.number) < ($1.left(at: now), $1.number) }
  }

  /// Marks what is due within `lead` and not held as prepared; what was not before.
  mutating func prepare(
    within lead: Int64, at now: ClockReading, isClockWrong: Bool
  ) -> [Entry] {
    var prepared: [Entry] = []
    for place in entries.indices
    where !entries[place].isPrepared && entries[place].left(at: now) <= lead
      && !entries[place].isHeld(isClockWrong)
    {
      entries[place].isPrepared = true
      prepared.append(entries[place])
    }
    return prepared
  }

  /// When the next is due, or to be prepared. `turnOf`: when the next late one of an app may go out, on
  /// the elapsed clock (T10).
  func nextWake(
    at now: ClockReading, lead: Int64, isClockWrong: Bool, turnOf: (AppNumber) -> Int64
  ) -> NextWake {
    var wake = NextWake(real: nil, elapsed: nil)
    for entry in entries {
      let lead = entry.isPrepared || entry.isHeld(isClockWrong) ? 0 : lead
      if entry.left(at: now) <= 0 {
        // Late, and waiting for its turn or for a better clock.
        guard !entry.isHeld(isClockWrong) else { continue }
        wake.elapsed = min(wake.elapsed ?? .max, turnOf(entry.app))
      } else if let elapsed = entry.elapsed {
        wake.elapsed = min(wake.elapsed ?? .max, elapsed - lead)
      } else {
        let due = entry.occurrence.due.advanced(by: -lead)
        wake.real = min(wake.real ?? .distantFuture, due)
      }
    }
    return wake
  }

  /// When a sleeping board is to be awake for one (T11); `wakes`: whether it is for such a
  /// notification.
  func nextAlarm(at now: ClockReading, lead: Int64, wakes: (Notification) -> Bool) -> Instant? {
    var alarm: Instant?
    for entry in entries {
      let left = entry.left(at: now) - lead
      guard left > 0, wakes(entry.occurrence.notification) else { continue }
      alarm = min(alarm ?? .distantFuture, now.real.advanced(by: left))
    }
    return alarm
  }

  // MARK: Leaving

  mutating func remove(_ entry: Entry) {
    entries.removeAll { $0.number == entry.number }
  }

  /// Removes those that a cancel request means (N15).
  mutating func removeAll(_ selection: Selection, of app: AppNumber) -> [Entry] {
    guard hasAny(of: app) else { return [] }
    let named = selection.occurrences
    return removeAll { entry in
      entry.app == app
        && (selection.contains(entry.occurrence.notification)
          || named.contains { entry.comes(of: $0) })
    }
  }

  /// Removes those of earlier generations than this one, which replaces them (N1).
  mutating func removeAll(before id: OccurrenceID) -> [Entry] {
    removeAll {
      $0.occurrence.id.uuid == id.uuid && $0.occurrence.id.generation < id.generation
    }
  }

  mutating func removeAll(of app: AppNumber) {
    entries.removeAll { $0.app == app }
  }

  private mutating func removeAll(where isMeant: (Entry) -> Bool) -> [Entry] {
    guard !entries.isEmpty else { return [] }
    let meant = entries.filter(isMeant)
    if !meant.isEmpty { entries.removeAll(where: isMeant) }
    return meant
  }

  // MARK: Looking

  /// What of an app waits that a response means (D11).
  func all(_ target: ResponseTarget, of app: AppNumber) -> [Entry] {
    entries.filter { $0.app == app && target.contains($0) }
  }

  /// At most `limit` of them after `cursor`, in order of snoozing, and the cursor of the next page;
  /// `apps` nil: of every app.
  func page(of apps: [AppNumber]?, after cursor: Int64, limit: Int32) -> ([Entry], next: Int64?) {
    let most = Int(max(1, limit))
    let rows = entries.filter { entry in
      entry.number > cursor && (apps?.contains(entry.app) ?? true)
    }
    return (Array(rows.prefix(most)), rows.count > most ? rows[most - 1].number : nil)
  }
}

extension StoredSnooze {
  /// The same, counted on the elapsed clock of another boot.
  fileprivate func counted(in boot: Int64, _ now: ClockReading, to due: Int64) -> StoredSnooze {
    let relative = RelativeTime(made: now.elapsed, due: due, boot: boot, isSynchronised: false)
    return StoredSnooze(occurrence, app: app, relative: relative)
  }
}
