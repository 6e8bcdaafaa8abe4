import BelfryCore

/// The store in memory, as `StoreOperation` describes it; what it holds survives a crash.
public final class FakeStore {
  public struct DeliveryKey: Hashable {
    public var occurrence: OccurrenceID
    public var sink: String

    public init(occurrence: OccurrenceID, sink: String) {
      self.occurrence = occurrence
      self.sink = sink
    }
  }

  public struct InboxKey: Hashable {
    public var app: AppNumber
    public var container: String

    public init(app: AppNumber, container: String) {
      self.app = app
      self.container = container
    }
  }

  private struct Name: Hashable {
    var app: AppNumber
    var bytes: [UInt8]

    init(_ app: AppNumber, _ identifier: String?) {
      self.app = app
      bytes = Array((identifier ?? "").utf8)
    }
  }

  public var apps: [AppNumber: StoredApp] = [:]
  public var rows: [Slot: StoredNotification] = [:]
  public var open: [OccurrenceID: OpenOccurrence] = [:]
  public var history: [DeliveryKey: HistoryRow] = [:]
  public var shown: [DeliveryKey: ShownDelivery] = [:]
  /// Where what has a name was put last, and all that was ever shown of it: without them thousands of rows
  /// would be searched for each.
  private var slots: [Name: Slot] = [:]
  private var everShown: [Name: Set<DeliveryKey>] = [:]
  public var shownContent: [DeliveryKey: Notification] = [:]
  /// Every record, in order.
  public var recorded: [StoreRecord] = []
  /// What the user did and no session has taken.
  public var queuedEvents: [Int64: StoredQueuedEvent] = [:]
  public var snoozed: [OccurrenceID: StoredSnooze] = [:]
  public var waiting: [OccurrenceID: WaitingAlert] = [:]
  /// What sinks have yet to take back.
  public var owed: [(occurrence: OccurrenceID, sink: String)] = []
  public var inboxes: [InboxKey: [InboxEntry]] = [:]
  public var pauses: [Int64: StoredPause] = [:]
  public var skips: [Slot: StoredSkips] = [:]
  public var days: [StoredDays] = []
  /// The row of the history that grows, by pause and notification.
  var pauseRuns: [PauseRun: DeliveryKey] = [:]
  public var isFull = false
  public var lastClock: (boot: Int64, now: ClockReading)?
  public var lastFix: LocationFix?

  /// False: a disk on which everything can be read and nothing be written; records are held.
  public var takesRecords = true

  public init() {}

  /// nil: an operation that is not answered.
  public func perform(_ operation: StoreOperation) -> StoreOutcome? {
    switch operation {
    // A full disk changes nothing, and these say so.
    case .question(let question): return isFull ? .refusedHere : answer(question)
    case .change(let change): return isFull ? .refusedHere : carryOut(change)
    case .record(let record):
      recorded.append(record)
      take(record)
      return nil
    }
  }

  private func answer(_ question: StoreQuestion) -> StoreOutcome {
    switch question {
    case .load(let slots): return .loaded(slots.compactMap { rows[$0].map(withShown) })
    case .barrier: return .loaded([])
    case .find(let app, let identifier):
      return .found(find(app, identifier))
    case .findAll(let app, let identifiers):
      return .loaded(identifiers.compactMap { find(app, $0) })
    case .list(let wanted, _, _):
      return .listed(
        rows.values.filter { wanted?.contains($0.app) ?? true }.sorted { $0.slot < $1.slot },
        cursor: nil)
    case .listShown: return .shown([], cursor: nil)
    case .findShown(let app, let identifier, let id): return find(app, identifier, id)
    case .history: return .history(Array(history.values), cursor: nil)
    case .fetchInbox(let app, let container, let since, let blank, let limit):
      return fetch(InboxKey(app: app, container: container), since, blank, limit)
    }
  }

  private func carryOut(_ change: StoreChange) -> StoreOutcome {
    switch change {
    case .schedule(let row, let action, _):
      return isFull ? .refusedHere : .scheduled(schedule(row, action))
    case .cancel(let app, let identifiers, _):
      return cancel(app) { identifiers.contains($0.identifier ?? "") }
    case .cancelEqual(let app, var notification, _):
      return cancel(app) {
        notification.identifier = $0.identifier
        return $0 == notification
      }
    case .cancelAll(let app, _): return cancel(app) { _ in true }
    case .replaceAll(let app, let new, _, _): return isFull ? .refusedHere : replaceAll(app, new)
    case .commit: return takesRecords ? .committed : .refusedHere
    case .registerApp(let app):
      if !isFull { apps[app.number] = app }
      return .registered
    case .push(let push): return isFull ? .refusedHere : .pushed(self.push(push))
    case .markRead(let app, let container, let ids, let now):
      return isFull ? .refusedHere : mark(InboxKey(app: app, container: container), ids, now)
    }
  }

  private func take(_ record: StoreRecord) {
    switch record {
    case .intend(let occurrence, let app, let slot):
      if open[occurrence.id] == nil {
        open[occurrence.id] = OpenOccurrence(
          occurrence: occurrence, app: app, slot: slot, sinks: nil, settled: [])
      }
    case .withdrawIntent(let id, _): if open[id]?.sinks == nil { open[id] = nil }
    case .fired(let occurrence, let app, let slot, let sinks):
      open[occurrence.id] = OpenOccurrence(
        occurrence: occurrence, app: app, slot: slot, sinks: sinks, settled: [])
      guard let slot, let row = rows[slot], row.uuid == occurrence.id.uuid,
        row.generation == occurrence.id.generation
      else { return }
      if row.notification.firesOnce {
        rows[slot] = nil
      } else {
        rows[slot]!.firedThrough = occurrence.id.k
        if let side = occurrence.side { rows[slot]!.side = side }
      }
    case .settle(let row, let app, let isShown, let replaces, let closes):
      let key = DeliveryKey(occurrence: row.occurrence, sink: row.sink)
      history[key] = row
      shown[key] =
        isShown
        ? ShownDelivery(
          occurrence: row.occurrence, app: app, identifier: row.identifier, sink: row.sink) : nil
      if isShown { everShown[Name(app, row.identifier), default: []].insert(key) }
      if isShown { shownContent[key] = open[row.occurrence]?.occurrence.notification }
      for old in replaces {
        // What the app itself has taken replaces what any sink shows.
        let keys = shown.keys.filter {
          $0.occurrence == old && (row.sink == Sink.app || row.sink == $0.sink)
        }
        for key in keys { withdraw(key) }
      }
      open[row.occurrence]?.settled.append(row.sink)
      if closes { open[row.occurrence] = nil }
    case .finish(let slot, _, let generation):
      if rows[slot]?.generation == generation { rows[slot] = nil }
    case .skip(let slot, _, let generation, let k):
      if rows[slot]?.generation == generation { rows[slot]!.firedThrough = k }
    case .replanFromNow(let slot, _, let generation, let k):
      if rows[slot]?.generation == generation {
        rows[slot]!.generation += 1
        rows[slot]!.firedThrough = k
      }
    case .rebase(let slot, _, let generation, let anchor, let relative):
      if rows[slot]?.generation == generation {
        rows[slot]!.anchor = anchor
        rows[slot]!.relative = relative
      }
    case .noteClock(let boot, let now): lastClock = (boot, now)
    case .limitHistory, .limitBytes: break
    case .setBadge(let app, let badge): apps[app]?.badge = badge
    case .noteUse(let app, let used): apps[app]?.used = used
    case .noteCritical(let owner, let group):
      for number in apps.keys where apps[number]?.owner == owner {
        apps[number]?.criticalGroup = group
      }
    case .forgetApp(let app): forget(app)
    case .keepQueuedEvent(let stored): queuedEvents[stored.number] = stored
    case .forgetQueuedEvent(let number, _): queuedEvents[number] = nil
    case .markHandled(let id, _, _, let state, let reason, let sink):
      for key in shown.keys
      where sink == nil ? key.occurrence.base == id.base : key.occurrence == id && key.sink == sink
      {
        shown[key] = nil
        history[key]?.state = state
        history[key]?.reason = reason
      }
    case .queueWithdrawal(let id, let sink): owed.append((id, sink))
    case .withdrawalsConfirmed(let sink): owed.removeAll { $0.sink == sink }
    case .snooze(let stored): snoozed[stored.occurrence.id] = stored
    case .unsnooze(let id, _): snoozed[id] = nil
    case .keepWaitingAlert(let stored): waiting[stored.occurrence.id] = stored
    case .forgetWaitingAlert(let id, _): waiting[id] = nil
    case .register(let app, let registration): apps[app]?.registration = registration
    case .setSide(let slot, _, let generation, let side):
      if rows[slot]?.generation == generation { rows[slot]!.side = side }
    case .noteFix(let fix): lastFix = fix
    case .passOver(let row, let app, let slot, let generation, let k, let finishes, let pause):
      passOver(row, app, pause)
      guard let slot, rows[slot]?.generation == generation else { return }
      if finishes { rows[slot] = nil } else if let k { rows[slot]!.firedThrough = k }
    case .pause(let pause): pauses[pause.number] = pause
    case .resume(let number, _):
      pauses[number] = nil
      pauseRuns = pauseRuns.filter { $0.key.pause != number }
    case .setSkips(let stored): skips[stored.slot] = stored.skips.isEmpty ? nil : stored
    case .keepDays(let stored): keep(stored)
    }
  }

  private func forget(_ app: AppNumber) {
    inboxes = inboxes.filter { $0.key.app != app }
    queuedEvents = queuedEvents.filter { $0.value.app != app }
    let name = apps[app]?.name
    apps[app] = nil
    rows = rows.filter { $0.value.app != app }
    skips = skips.filter { $0.value.app != app }
    pauses = pauses.filter { $0.value.app != app }
    open = open.filter { $0.value.app != app }
    history = history.filter { $0.value.app != name }
    shown = shown.filter { $0.value.app != app }
    waiting = waiting.filter { $0.value.app != app }
  }

  private func withdraw(_ key: DeliveryKey) {
    shown[key] = nil
    history[key]?.state = .withdrawn
  }

  private func find(
    _ app: AppNumber?, _ identifier: String?, _ id: OccurrenceID?
  ) -> StoreOutcome {
    let meant = shown.filter { key, row in
      (app.map { $0 == row.app } ?? true) && (identifier.map { $0 == row.identifier } ?? true)
        && (id.map { $0.base == row.occurrence.base } ?? true)
    }
    return .shown(
      meant.map { key, row in
        var found = ShownOccurrence(
          shown: row, due: history[key]?.due ?? .distantPast,
          notification: shownContent[key] ?? Notification())
        found.delivered = history[key]?.acknowledged
        return found
      }, cursor: nil)
  }

  private func find(_ app: AppNumber, _ identifier: String) -> StoredNotification? {
    guard let slot = slots[Name(app, identifier)], let row = rows[slot], row.app == app,
      row.notification.identifier == identifier
    else { return nil }
    return row
  }

  private func withShown(_ row: StoredNotification) -> StoredNotification {
    var row = row
    let keys = everShown[Name(row.app, row.notification.identifier)] ?? []
    row.shown = keys.compactMap { shown[$0] }.filter {
      $0.occurrence.uuid == row.uuid
        ? $0.occurrence.generation < row.generation
        : $0.app == row.app && $0.identifier == row.notification.identifier
    }
    row.shown.sort {
      ($0.occurrence.generation, $0.occurrence.k, $0.sink)
        < ($1.occurrence.generation, $1.occurrence.k, $1.sink)
    }
    return row
  }

  private func schedule(
    _ row: StoredNotification, _ action: LimitAction
  ) -> StoreOutcome.Scheduled {
    if let old = find(row.app, row.notification.identifier ?? "") {
      if old.notification == row.notification {
        return .unchanged(summary(old), uuid: old.uuid)
      }
      var discarded: String?
      if (old.side == nil) != (row.side == nil) {
        switch action {
        case .none: break
        case .discardNew: return .discardedNew
        case .refuse: return .refused
        case .onlyReplace: break
        case .discard(let slot):
          let gone = rows.removeValue(forKey: slot)
          if let gone { dropIntents(gone) }
          discarded = gone?.notification.identifier
        }
      }
      var new = row
      new.slot = old.slot
      new.uuid = old.uuid
      new.generation = old.generation + 1
      rows[old.slot] = new
      dropIntents(old)
      return .replaced(
        previous: summary(old), uuid: new.uuid, generation: new.generation,
        shown: withShown(new).shown, discarded: discarded)
    }
    switch action {
    case .none: break
    case .discardNew: return .discardedNew
    case .refuse, .onlyReplace: return .refused
    case .discard(let slot):
      // Gone already if it has fired meanwhile.
      let gone = rows.removeValue(forKey: slot)
      if let gone { dropIntents(gone) }
      put(row)
      return .added(discarded: gone?.notification.identifier, shown: withShown(row).shown)
    }
    precondition(rows[row.slot] == nil, "slot \(row.slot) is taken")
    put(row)
    return .added(discarded: nil, shown: withShown(row).shown)
  }

  private func put(_ row: StoredNotification) {
    rows[row.slot] = row
    slots[Name(row.app, row.notification.identifier)] = row.slot
  }

  private func cancel(_ app: AppNumber, _ isMeant: (Notification) -> Bool) -> StoreOutcome {
    guard !isFull else { return .refusedHere }
    let gone = rows.values.filter { $0.app == app && isMeant($0.notification) }
      .sorted { $0.slot < $1.slot }
    for row in gone {
      rows[row.slot] = nil
      dropIntents(row)
    }
    // What is shown is known by the identifier alone here.
    let names = Set(gone.compactMap { $0.notification.identifier })
    let seen = shown.filter { entry in
      var probe = Notification()
      probe.identifier = entry.value.identifier
      return entry.value.app == app
        && (names.contains(entry.value.identifier) || isMeant(probe))
    }
    for key in seen.keys { withdraw(key) }
    let withdrawn = seen.values.sorted {
      ($0.occurrence.uuid.low, $0.occurrence.generation, $0.occurrence.k, $0.sink)
        < ($1.occurrence.uuid.low, $1.occurrence.generation, $1.occurrence.k, $1.sink)
    }
    return .cancelled(cancelled(gone, shown: withdrawn))
  }

  private func replaceAll(_ app: AppNumber, _ new: [StoredNotification]) -> StoreOutcome {
    let names = Set(new.compactMap { $0.notification.identifier })
    let gone = rows.values.filter {
      $0.app == app && !names.contains($0.notification.identifier ?? "")
    }.sorted { $0.slot < $1.slot }
    for row in gone {
      rows[row.slot] = nil
      dropIntents(row)
    }
    return .replacedAll(new.map { schedule($0, .none) }, cancelled: cancelled(gone))
  }

  private func cancelled(
    _ gone: [StoredNotification], shown: [ShownDelivery] = []
  ) -> StoreOutcome.Cancelled {
    .init(
      rows: gone.map(summary), identifiers: gone.map { $0.notification.identifier ?? "" },
      shown: shown)
  }

  private func dropIntents(_ row: StoredNotification) {
    for (id, open) in open where open.sinks == nil && id.uuid == row.uuid { self.open[id] = nil }
  }

  public func summary(_ row: StoredNotification) -> PendingSummary {
    var summary = PendingSummary(
      slot: row.slot, app: row.app, generation: row.generation, sequence: row.sequence,
      anchor: row.anchor, unit: row.notification.repeatInterval, firedThrough: row.firedThrough)
    summary.plan = row.plan
    summary.relative = row.relative
    summary.tolerance = row.tolerance
    summary.side = row.side
    summary.isUrgent = row.notification.interruptionLevel.isUrgent
    summary.critical =
      row.notification.interruptionLevel == .critical ? row.notification.identifier : nil
    return summary
  }
}

extension StoreOutcome {
  static let refusedHere = StoreOutcome.failed(reason: "disk full")
}
