import BelfryCore

/// What a simulated life has broken.
struct Fault: Hashable {
  /// The invariant, by its rule.
  var rule: String
  var text: String
}

/// Remembers what was promised and holds everything that happens against it: the rules, told slowly.
final class Ledger {
  struct DeliveryKey: Hashable {
    var id: OccurrenceID
    var sink: SinkIndex
  }

  private(set) var fault: Fault?
  var now = Now(real: .distantPast, elapsed: 0)
  var clock = ClockModel()
  /// Of the board.
  var zone = ZoneRules.utc
  /// As their files have them now.
  var zones: [String: ZoneRules] = [:]
  /// That the elapsed clock counts in.
  var boot: Int64 = 0
  /// The disk takes what it is given.
  var isDiskWell = true
  /// When something last happened that can make things late or move them, on the elapsed clock.
  private(set) var quietSince: Int64 = 0
  private(set) var pending: [PromiseName: Promise] = [:]
  /// Promises that have fired for good, dropped or been replaced, by uuid: what a crash may bring back.
  private(set) var past: [UUIDBits: Promise] = [:]
  private(set) var firings = 0
  private(set) var handOvers = 0
  private(set) var replans = 0
  private(set) var lostNotices = 0
  /// Ended by an answered cancel request for ever.
  private var ended: Set<UUIDBits> = []
  /// Every uuid there was, and the newest request that has spoken of it.
  private var known: [PromiseName: [UUIDBits: RequestID]] = [:]
  private var lastOrder = 0
  /// real - elapsed when `clockMoved` was told last.
  var lastOffset: Int64?
  private var attempts: [DeliveryKey: Int32] = [:]
  /// Of the life of the process in hand.
  private var attemptsNow: [DeliveryKey: Int32] = [:]
  private var settled: Set<DeliveryKey> = []
  /// Stand in the books.
  private var intended: Set<OccurrenceID> = []
  /// Of what goes by instants alone.
  private var dues: [OccurrenceID: Instant] = [:]
  /// Of which the scheduler has heard that they are done, in this life of the process.
  private var acknowledged: Set<DeliveryKey> = []
  /// Stood in the books when the process started: handed over again, it says so (D7).
  private var suspects: Set<OccurrenceID> = []
  /// By k 0 of its generation.
  private var newestHanded: [DeliveryKey: Int64] = [:]
  /// What fired last when it was due, for N21.
  private var lastOnTime: (instant: Instant, order: Int)?

  let limit: Int32
  let grace: Int64
  let policy: LatePolicy

  init(limit: Int32, configuration: SchedulerConfiguration) {
    self.limit = limit
    grace = configuration.grace
    policy = configuration.late
  }

  func fail(_ rule: String, _ text: @autoclosure () -> String) {
    if fault == nil { fault = Fault(rule: rule, text: text()) }
  }

  func disturb() { quietSince = now.elapsed }

  func isQuiet(for time: Int64) -> Bool { now.elapsed - quietSince >= time }

  /// Long enough for all that is late to have fired in its turn.
  var patience: Int64 {
    70 * Duration.second + Int64(pending.count) * 250 * Duration.millisecond
  }

  // MARK: Promises

  /// A notification is in the books, and somebody was told so or may find out.
  func enter(
    _ name: PromiseName, uuid: UUIDBits, generation: Int64, _ notification: Notification,
    _ oracle: DueOracle, purpose: RelativeTime.Purpose?, lastK: Int64, request: RequestID = 0
  ) {
    if let old = pending[name] { past[old.uuid] = old }
    lastOrder += 1
    let promise = Promise(
      name, (uuid, generation), notification, oracle, purpose: purpose, lastK: lastK,
      order: lastOrder, at: now.real)
    promise.elapsedDue = notification.fireIn.map { now.elapsed + $0 }
    pending[name] = promise
    promise.request = request
    known[name, default: [:]][uuid] = request
  }

  /// Ends what requests before this one have promised.
  func cancel(_ name: PromiseName, before request: RequestID, forEver: Bool) {
    if forEver {
      for (uuid, last) in known[name] ?? [:] where last < request { ended.insert(uuid) }
    }
    if pending[name]?.request ?? 0 < request { end(name) }
  }

  func end(_ name: PromiseName) {
    if let promise = pending.removeValue(forKey: name) { past[promise.uuid] = promise }
  }

  private func promise(_ id: OccurrenceID, _ name: PromiseName) -> Promise? {
    guard let promise = pending[name], promise.uuid == id.uuid else { return nil }
    return promise
  }

  private func describe(_ occurrence: Occurrence) -> String {
    "\(occurrence.notification.identifier ?? "") \(occurrence.id.text) due "
      + RFC3339.text(occurrence.due)
  }

  // MARK: Firing

  /// The scheduler has let an occurrence fire: its first hand-over, or its record.
  func fired(_ occurrence: Occurrence) {
    let id = occurrence.id
    let name = PromiseName(
      app: occurrence.app, identifier: occurrence.notification.identifier ?? "")
    if name.identifier.hasPrefix("now") { return }
    guard let promise = promise(id, name), id.generation >= promise.generation,
      id.generation > promise.generation || id.k > promise.lastK
    else { return }
    firings += 1
    var what: String { describe(occurrence) }
    if occurrence.due > now.real { fail("T10 early", "\(what) fires at \(RFC3339.text(now.real))") }
    if let due = promise.elapsedDue, now.elapsed < due - Duration.millisecond {
      fail("T10 early", "\(what) fires \(Duration.text(due - now.elapsed)) early")
    }
    if promise.notification.fireIn == nil,
      !promise.mayBeDue(id.k, at: occurrence.due, now: now)
    {
      fail(
        "T4 due",
        "\(what), and not \(promise.oracle.due(id.k).map { RFC3339.text($0) } ?? "never")"
      )
    }
    if id.generation != promise.generation { checkReplan(promise, occurrence) }
    if !clock.lets(promise, at: now) {
      fail("T9 held", "\(what) fires by a clock that nobody trusts")
    }
    // What repeats every second is seen here when a sink gets it, which may be later.
    if promise.notification.repeatInterval != .second {
      checkOrderAndLateness(promise, occurrence)
      checkBurst(promise, occurrence)
    }
    promise.advance(to: id, at: now, isSynchronised: clock.isSynchronised)
    if promise.oracle.next(after: id.k) == nil { end(name) }
  }

  /// T8: the same occurrences come again under another generation.
  private func checkReplan(_ promise: Promise, _ occurrence: Occurrence) {
    var what: String { describe(occurrence) }
    replans += 1
    guard let step = promise.mayReplanAt else {
      return fail(
        "T8 twice",
        "\(what) after \(promise.generation).\(promise.lastK), planned afresh "
          + "without cause")
    }
    if occurrence.due < step {
      fail("T8 twice", "\(what) was past at the step back to \(RFC3339.text(step))")
    }
  }

  private func checkOrderAndLateness(_ promise: Promise, _ occurrence: Occurrence) {
    var what: String { describe(occurrence) }
    let late = now.real.nanoseconds(since: occurrence.due)
    if promise.repeats, let next = promise.oracle.next(after: occurrence.id.k)?.due,
      next <= now.real
    {
      fail("T10 newest", "\(what) fires at \(RFC3339.text(now.real)), when a newer one has come")
    }
    if occurrence.missed > promise.oracle.count(after: promise.lastK, before: occurrence.id.k),
      occurrence.id.generation == promise.generation
    {
      fail("T10 missed", "\(what) says \(occurrence.missed) missed after k \(promise.lastK)")
    }
    if late > grace + promise.tolerance, !mayFire(promise.notification.late ?? policy, late) {
      fail("T10 late", "\(what) fires \(late / Duration.second) s late")
    }
    guard isQuiet(for: 65 * Duration.second), promise.notification.fireIn == nil else { return }
    if late > promise.tolerance + Duration.millisecond {
      fail("T10 on time", "\(what) fires \(Duration.text(late)) late on a quiet board")
    }
    // What replaces another and is due at once is read from the books first.
    guard late == 0, promise.enteredAt < now.real, promise.tolerance == 0 else { return }
    if let last = lastOnTime, last.instant == now.real, last.order > promise.order {
      fail("N21 order", "\(what) fires after one that was scheduled later")
    }
    lastOnTime = (now.real, promise.order)
  }

  private func mayFire(_ policy: LatePolicy, _ late: Int64) -> Bool {
    switch policy {
    case .fire: true
    case .drop: false
    case .seconds(let most): late <= most * Duration.second
    }
  }

  private func checkBurst(_ promise: Promise, _ occurrence: Occurrence) {
    var what: String { describe(occurrence) }
    guard let before = promise.firedAt, promise.repeats, before.elapsed > quietSince else {
      return
    }
    let last = promise.oracle.last(through: occurrence.id.k - 1)?.due
    let apart = last.map { occurrence.due.nanoseconds(since: $0) } ?? grace
    let least = min(grace, apart - promise.tolerance)
    if now.elapsed - before.elapsed < least - Duration.millisecond {
      fail(
        "T10 burst", "\(what) fires \(Duration.text(now.elapsed - before.elapsed)) after the last")
    }
  }

  /// An occurrence ends without a hand-over.
  func dropped(_ event: WatchEvent, _ id: OccurrenceID) {
    let name = PromiseName(app: event.app, identifier: event.identifier)
    guard let promise = promise(id, name) else { return }
    let late = now.real.nanoseconds(since: event.due ?? now.real)
    if event.kind == .missed {
      let policy = promise.notification.late ?? policy
      if late <= grace || mayFire(policy, late) {
        fail(
          "T10 dropped", "\(name.identifier) \(id.text) is missed, \(late / Duration.second) s late"
        )
      }
      if id.generation != promise.generation, promise.mayReplanAt == nil {
        fail("T8 twice", "\(name.identifier) \(id.text) is missed, planned afresh without cause")
      }
      promise.advance(to: id, at: now, isSynchronised: clock.isSynchronised)
    } else if let expires = promise.notification.expires, expires < now.real {
      return end(name)
    } else {
      fail("N19 expired", "\(name.identifier) \(id.text) expires too soon")
    }
    if promise.oracle.next(after: id.k) == nil { end(name) }
  }

  // MARK: Hand-overs

  func handedOver(_ delivery: Delivery) {
    handOvers += 1
    let id = delivery.occurrence.id
    let key = DeliveryKey(id: id, sink: delivery.sink)
    var what: String {
      "\(describe(delivery.occurrence)) to sink \(delivery.sink), attempt \(delivery.attempt)"
    }
    if let before = attemptsNow[key], delivery.attempt != before + 1 {
      fail("D7 attempts", "\(what) follows attempt \(before)")
    }
    if attemptsNow[key] == nil, attempts[key] != nil, suspects.contains(id), delivery.attempt < 2 {
      fail("D7 attempts", "\(what) may have been shown in an earlier life")
    }
    if settled.contains(key) { fail("D7 twice", "\(what) has ended in the books") }
    if ended.contains(id.uuid) { fail("N15 cancelled", "\(what) after it was cancelled") }
    let line = DeliveryKey(
      id: OccurrenceID(uuid: id.uuid, generation: id.generation, k: 0), sink: delivery.sink)
    if delivery.attempt == 1, let newest = newestHanded[line], newest > id.k {
      fail("T10 order", "\(what) after k \(newest)")
    }
    newestHanded[line] = max(newestHanded[line] ?? 0, id.k)
    attempts[key] = delivery.attempt
    attemptsNow[key] = delivery.attempt
    checkPrepared(delivery)
    fired(delivery.occurrence)
  }

  /// D7: what a crash could repeat is known to the books before anybody sees it.
  private func checkPrepared(_ delivery: Delivery) {
    let occurrence = delivery.occurrence
    let name = PromiseName(
      app: occurrence.app, identifier: occurrence.notification.identifier ?? "")
    // Of what is pending still, and for the first time: not of what it has replaced.
    guard let promise = promise(occurrence.id, name), promise.purpose != .atOnce,
      occurrence.id.generation >= promise.generation,
      occurrence.id.generation > promise.generation || occurrence.id.k > promise.lastK
    else { return }
    if promise.purpose == nil, promise.oracle.zone == nil {
      let before = dues.updateValue(occurrence.due, forKey: occurrence.id)
      if let before, before != occurrence.due {
        fail("D7 due", "\(describe(occurrence)) was due at \(RFC3339.text(before))")
      }
    }
    let late = now.real.nanoseconds(since: occurrence.due)
    guard isDiskWell, isQuiet(for: 65 * Duration.second),
      promise.notification.repeatInterval != .second,
      now.real.nanoseconds(since: promise.enteredAt) > 65 * Duration.second,
      late <= max(promise.tolerance, Duration.millisecond)
    else { return }
    if !intended.contains(occurrence.id) {
      fail("D7 intent", "\(describe(occurrence)) goes out before the books know of it")
    }
  }

  func acknowledged(_ delivery: Delivery) {
    guard delivery.occurrence.notification.repeatInterval != .second else { return }
    acknowledged.insert(DeliveryKey(id: delivery.occurrence.id, sink: delivery.sink))
  }

  /// The disk has had all that the scheduler had to say.
  func checkRecords() {
    if let key = acknowledged.subtracting(settled).first {
      fail(
        "D7 record", "\(key.id.text) is done at sink \(key.sink), and the books never hear of it")
    }
    acknowledged = []
  }

  /// What has reached the disk.
  func written(_ operation: BookOperation, sinks: [String: SinkIndex]) {
    switch operation {
    case .settle(let row, _, _, _, _):
      if let sink = sinks[row.sink] {
        settled.insert(DeliveryKey(id: row.occurrence, sink: sink))
      }
    case .intend(let occurrence, _, _): intended.insert(occurrence.id)
    case .withdrawIntent(let id): intended.remove(id)
    default: break
    }
  }

  // MARK: Crashes

  /// A new process has read the books. `touched`: what requests without an answer may have changed;
  /// `discards`: how many others their additions may have sent away from an app's list.
  func restarted(
    _ state: StoredState, touched: (PromiseName) -> Bool, discards: [String: Int]
  ) {
    attemptsNow = [:]
    acknowledged = []
    newestHanded = [:]
    suspects = Set(state.open.map { $0.occurrence.id })
    var missing = pending
    let apps = Dictionary(uniqueKeysWithValues: state.apps.map { ($0.number, $0.name) })
    for row in state.rows {
      let name = PromiseName(
        app: apps[row.app] ?? "", identifier: row.notification.identifier ?? "")
      missing[name] = nil
      take(row, name, isTouched: touched(name))
    }
    var left = discards
    for name in missing.values.sorted(by: { $0.order < $1.order }).map({ $0.name }) {
      let hasExpired = pending[name]?.notification.expires.map { $0 < now.real } ?? false
      if touched(name) || hasExpired {
        end(name)
      } else if let more = left[name.app], more > 0 {
        // N17: nobody is left to be told of it.
        left[name.app] = more - 1
        lostNotices += 1
        end(name)
      } else {
        fail("lost", "\(name.identifier) of \(name.app) was promised and is not in the books")
      }
    }
  }

  private func take(_ row: StoredNotification, _ name: PromiseName, isTouched: Bool) {
    let key = row.uuid
    if let promise = pending[name], promise.uuid == key,
      promise.notification == row.notification
    {
      // Planned afresh, or what fired never reached the books.
      if promise.generation != row.generation { promise.mayReplanAt = nil }
      promise.mustReplanAt = nil
      promise.generation = row.generation
      promise.lastK = row.firedThrough
      return
    }
    if !isTouched, let back = past[key], back.notification == row.notification {
      past[key] = nil
      back.generation = row.generation
      back.lastK = row.firedThrough
      pending[name] = back
    } else if isTouched {
      enter(row, name)
    } else {
      fail("N1 books", "\(name.identifier) of \(name.app) is in the books and was never promised")
    }
    if ended.contains(key) { fail("N15 cancelled", "\(name.identifier) is back in the books") }
  }
}
