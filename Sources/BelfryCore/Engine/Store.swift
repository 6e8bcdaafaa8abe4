/// Number of a pending notification: its row in the store and its place in memory, from 1, reused.
public typealias Slot = Int32
/// Number of an app in the store.
public typealias AppNumber = Int32

/// What the elapsed clock says of when a one-shot is due (T9, N2), in nanoseconds.
public struct RelativeTime: Hashable, Sendable {
  public enum Purpose: UInt8, CaseIterable, Sendable {
    /// In so much time: due at `due`, whatever the real clock shows.
    case interval
    /// At once (N2): the same, and `due` is when it was scheduled.
    case atOnce
    /// Its date was past by a clock that nobody trusts: due at its date, but not before `due`, when
    /// it was scheduled (N2, T9).
    case notBefore
  }

  /// When it was scheduled.
  public var made: Int64
  public var due: Int64
  /// The boot that these count in.
  public var boot: Int64
  /// The real clock was synchronised then, so that after another boot it can tell the due.
  public var isSynchronised: Bool
  public var purpose: Purpose

  public init(
    made: Int64, due: Int64, boot: Int64, isSynchronised: Bool, purpose: Purpose = .interval
  ) {
    self.purpose = purpose
    self.made = made
    self.due = due
    self.boot = boot
    self.isSynchronised = isSynchronised
  }
}

/// When a row is due where that is more than a unit counted in UTC (T2, T3, T6).
public struct StoredPlan: Hashable, Sendable {
  public var plan: RepeatPlan
  public var mode: ZoneMode
  /// Of a zoned one.
  public var zone: String?

  public init(_ plan: RepeatPlan, mode: ZoneMode, zone: String?) {
    self.plan = plan
    self.mode = mode
    self.zone = zone
  }

  public var repeats: Bool { plan.pattern != .once }
}

/// A row of the store's scheduled list.
public struct StoredNotification: Hashable, Sendable {
  public var slot: Slot
  public var app: AppNumber
  public var uuid: UUIDBits
  public var generation: Int64
  /// Order of scheduling (N21), unique.
  public var sequence: Int64
  /// Due of occurrence 0: `fireDate`, or the instant of scheduling where that is nil or, for a
  /// one-shot, past (N2, T4); where `plan` is floating or zoned, that wall clock as if it showed UTC.
  public var anchor: Instant
  /// The newest k that was handed over or dropped; -1: none.
  public var firedThrough: Int64
  /// nil: once, or every `repeatInterval`, counted in UTC.
  public var plan: StoredPlan?
  /// Set where it goes by the elapsed clock; `anchor` is then a guess, but for `notBefore`.
  public var relative: RelativeTime?
  /// Of one with a region: where the board is; `anchor` is then `distantFuture`, and k counts the
  /// crossings that have fired (D7).
  public var side: RegionSide?
  /// Its `identifier` is set.
  public var notification: Notification
  /// What sinks show that this replaces (N1, N15), as it was read. `loss`: what was damaged.
  public var shown: [ShownDelivery]
  public var loss: String?

  public init(
    slot: Slot, app: AppNumber, uuid: UUIDBits, generation: Int64, sequence: Int64,
    anchor: Instant, firedThrough: Int64, notification: Notification, shown: [ShownDelivery] = []
  ) {
    self.slot = slot
    self.app = app
    self.uuid = uuid
    self.generation = generation
    self.sequence = sequence
    self.anchor = anchor
    self.firedThrough = firedThrough
    self.notification = notification
    self.shown = shown
  }

  /// How much later than due it may come (T12).
  public var tolerance: Int64 { side == nil ? notification.tolerance(from: anchor) : 0 }
}

/// What the clock keeps in memory of each row: all but its content.
public struct PendingSummary: Hashable, Sendable {
  public var slot: Slot
  public var app: AppNumber
  public var generation: Int64
  public var sequence: Int64
  public var anchor: Instant
  public var unit: RepeatUnit?
  public var firedThrough: Int64
  public var plan: StoredPlan?
  public var relative: RelativeTime?
  /// In nanoseconds (T12).
  public var tolerance: Int64 = 0
  /// It is timeSensitive or critical (T11).
  public var isUrgent = false
  /// Of a critical one: its identifier (S6).
  public var critical: String?
  /// As in `StoredNotification`.
  public var side: RegionSide?

  public init(
    slot: Slot, app: AppNumber, generation: Int64, sequence: Int64, anchor: Instant,
    unit: RepeatUnit?, firedThrough: Int64
  ) {
    self.slot = slot
    self.app = app
    self.generation = generation
    self.sequence = sequence
    self.anchor = anchor
    self.unit = unit
    self.firedThrough = firedThrough
  }
}

/// An app as the store knows it.
public struct StoredApp: Hashable, Sendable {
  public var number: AppNumber
  public var name: String
  /// The uid that used the id first (A1).
  public var owner: UInt32
  public var badge: Int64
  /// When something entered or left it last; `distantPast`: not known.
  public var used: Instant
  /// nil: it never registered (D5).
  public var registration: AppRegistration?
  /// The group by which its owner may be critical, as last seen (S6); nil: none.
  public var criticalGroup: UInt32?

  public init(
    number: AppNumber, name: String, owner: UInt32, badge: Int64, used: Instant = .distantPast
  ) {
    self.number = number
    self.name = name
    self.owner = owner
    self.badge = badge
    self.used = used
  }
}

/// A delivery that a sink still shows.
public struct ShownDelivery: Hashable, Sendable {
  public var occurrence: OccurrenceID
  public var app: AppNumber
  public var identifier: String
  public var sink: String

  public init(occurrence: OccurrenceID, app: AppNumber, identifier: String, sink: String) {
    self.occurrence = occurrence
    self.app = app
    self.identifier = identifier
    self.sink = sink
  }
}

/// An occurrence whose deliveries had not all ended when the store was last written.
public struct OpenOccurrence: Hashable, Sendable {
  public var occurrence: Occurrence
  public var app: AppNumber
  /// The row it came from; nil: `presentNow`, or it comes again.
  public var slot: Slot?
  /// Sinks fixed at the due instant (D9); nil: only intended, may have been handed over.
  public var sinks: [String]?
  /// Sinks whose delivery has ended.
  public var settled: [String]

  public init(
    occurrence: Occurrence, app: AppNumber, slot: Slot?, sinks: [String]?, settled: [String]
  ) {
    self.occurrence = occurrence
    self.app = app
    self.slot = slot
    self.sinks = sinks
    self.settled = settled
  }
}

/// What time it was, and how far the clock could be believed (T8).
public struct ClockStamp: Hashable, Sendable {
  public var real: Instant
  public var state: ClockState

  public init(real: Instant, state: ClockState) {
    self.real = real
    self.state = state
  }
}

/// What to do with N17's limit, or R4's, if a scheduled notification turns out to be an addition:
/// also one that replaces a pending one with a region by one without, or the other way round.
public enum LimitAction: Hashable, Sendable {
  case none
  /// This pending one goes.
  case discard(Slot)
  /// The new one itself goes.
  case discardNew
  /// The operator's policy `refuse`.
  case refuse
  /// It is an edit (E7): what is gone is not added again.
  case onlyReplace
}

/// One thing for the store thread to do: carried out in groups, in turns, and answered after the commit.
public enum StoreOperation: Sendable {
  case question(StoreQuestion)
  case change(StoreChange)
  case record(StoreRecord)
}

/// What the store is asked: it reads, writes nothing, and always answers.
public enum StoreQuestion: Sendable {
  case load([Slot])
  /// Answered by `loaded`, with none, once all that was recorded before of the app's user, nil: of
  /// everybody, is in the store, or was offered to a disk that takes nothing.
  case barrier(app: AppNumber?)
  case find(app: AppNumber, identifier: String)
  /// Answered by `loaded`: those that are there.
  case findAll(app: AppNumber, identifiers: [String])
  /// `apps` nil: every app.
  case list(apps: [AppNumber]?, cursor: Int64, limit: Int32)
  case listShown(apps: [AppNumber]?, cursor: Int64, limit: Int32)
  case history(apps: [AppNumber]?, cursor: Int64, limit: Int32)
  /// What sinks show of an app's identifier, or of an occurrence and its steps; answered by `shown`.
  /// `app` nil: of every app. Neither: the newest that is shown of the app.
  case findShown(app: AppNumber?, String?, OccurrenceID?)
  /// What has come since a token (P7), at most so many entries; `since` nil: all. `blank` is what an
  /// inbox answers that is not there yet, and is taken for.
  case fetchInbox(
    app: AppNumber, container: String, since: InboxToken?, blank: InboxToken, limit: Int32)
}

/// What the store is to change. It always answers: `StoreOutcome.failed` if the disk refuses, and then
/// nothing has changed.
public enum StoreChange: Sendable {
  /// N1 is decided inside: the row is added, replaces the pending one of the same app and
  /// identifier (keeping its slot and uuid, generation + 1, all else from the new row), or changes
  /// nothing when all fields are equal.
  /// `at`, here and below: what is cancelled, replaced or discarded leaves a history row with its text
  /// and this time; nil: none.
  indirect case schedule(StoredNotification, ifAdded: LimitAction, at: ClockStamp? = nil)
  case cancel(app: AppNumber, identifiers: [String], at: ClockStamp? = nil)
  indirect case cancelEqual(app: AppNumber, Notification, at: ClockStamp? = nil)
  case cancelAll(app: AppNumber, at: ClockStamp? = nil)
  /// N16: `rows` carry fresh slots; those that turn out unchanged or replacing give theirs back.
  /// `discarded`: rows of the list that are over the limit, and stay out.
  case replaceAll(
    app: AppNumber, rows: [StoredNotification], discarded: [StoredNotification] = [],
    at: ClockStamp? = nil)
  case registerApp(StoredApp)
  /// P6, P9: the inbox has it now, and `occurrence` is intended, in one transaction; the oldest
  /// entries go where there are too many.
  indirect case push(StoredPush)
  /// Answered by `committed` once all that was recorded before of the app's user, nil: of everybody, is in
  /// the store; `failed`: the disk takes nothing.
  case commit(app: AppNumber?)
  /// P8: an original goes, and its mark comes as the newest entry.
  case markRead(app: AppNumber, container: String, ids: [UUIDBits], Instant)
}

/// What has happened, and to whose apps: users take turns (A2), each in the order of what has happened to
/// him. While the disk refuses it, it waits in bounded memory and is written when the
/// disk accepts again (D8). It is not answered.
public enum StoreRecord: Sendable {
  /// Prepare: this occurrence is about to be handed over. Twice is once. `slot` nil: it comes again.
  indirect case intend(Occurrence, app: AppNumber, slot: Slot?)
  /// It was not, and will not be under this id.
  case withdrawIntent(OccurrenceID, app: AppNumber?)
  /// It was, to these sinks. Removes a one-shot's row, moves a repeat's `firedThrough`, and of one
  /// with a region the side too; ignores a row whose generation has changed.
  indirect case fired(Occurrence, app: AppNumber, slot: Slot?, sinks: [String])
  /// A delivery ended. `shown`: the sink shows it until it is withdrawn. `replaces`: what it
  /// replaced on the sink, or of the app's own on any, becomes `withdrawn`. `closes`: it was the occurrence's
  /// last. A second one for the same occurrence and sink overwrites the first.
  indirect case settle(
    HistoryRow, app: AppNumber, shown: Bool, replaces: [OccurrenceID], closes: Bool)
  /// A row leaves the scheduled list without a hand-over: a repeat that can never fire again, a
  /// one-shot that was dropped (with a `settle` of its own).
  case finish(Slot, app: AppNumber, generation: Int64)
  /// A repeat's occurrences up to k were dropped, or fired unrecorded (repeats under a minute).
  case skip(Slot, app: AppNumber, generation: Int64, firedThrough: Int64)
  /// Occurrences were passed over (E1 to E3): `row` is the newest, and stands for `missed` others. They
  /// grow one row of the history for each notification and `pause`, below zero for days off. A repeat
  /// moves on to `firedThrough`; `finishes`: the row leaves the list.
  indirect case passOver(
    HistoryRow, app: AppNumber, slot: Slot?, generation: Int64, firedThrough: Int64?,
    finishes: Bool, pause: Int64?)
  /// One of the same number is replaced.
  case pause(StoredPause)
  /// The pause of this number is over.
  case resume(Int64, app: AppNumber?)
  /// In place of what was known of the notification, or of the calendar (E3); empty: nothing.
  indirect case setSkips(StoredSkips)
  indirect case keepDays(StoredDays)
  /// A repeat that had fired ahead of a wrong clock goes back to `firedThrough`, as generation + 1:
  /// the same k may come again, and is another occurrence (T8).
  case replanFromNow(Slot, app: AppNumber, generation: Int64, firedThrough: Int64)
  /// A relative one counts in another boot from now on; `anchor` is the new guess (T9).
  case rebase(Slot, app: AppNumber, generation: Int64, anchor: Instant, RelativeTime)
  /// What time it is: the last known at the next start, unless a later delivery tells (T9).
  case noteClock(boot: Int64, ClockReading)
  /// So many rows of the history are kept from now on, until the store is closed.
  case limitHistory(rows: Int64)
  /// The operator's new bound of bytes for each user (A2).
  case limitBytes(Int64)
  case setBadge(app: AppNumber, Int64)
  case noteUse(AppNumber, Instant)
  /// The group by which a user's apps may be critical (S6); nil: he is in none any more.
  case noteCritical(owner: UInt32, group: UInt32?)
  /// The app goes with all that is in it, history included.
  case forgetApp(AppNumber)
  /// No session has taken this yet; one of the same number is replaced (D3, D4).
  indirect case keepQueuedEvent(StoredQueuedEvent)
  case forgetQueuedEvent(Int64, app: AppNumber)
  /// The user has put it away with its steps: no sink shows it any more, or this one.
  case markHandled(
    OccurrenceID, app: AppNumber, identifier: String, DeliveryState, reason: String?,
    sink: String? = nil)
  /// A sink that is down has yet to take it back (N15).
  case queueWithdrawal(OccurrenceID, sink: String)
  case withdrawalsConfirmed(sink: String)
  /// One of the same id is replaced.
  indirect case snooze(StoredSnooze)
  case unsnooze(OccurrenceID, app: AppNumber)
  /// It waits for an answer (E6); one of the same id is replaced.
  indirect case keepWaitingAlert(WaitingAlert)
  case forgetWaitingAlert(OccurrenceID, app: AppNumber)
  /// What the app registered replaces what it had registered (D5).
  indirect case register(app: AppNumber, AppRegistration)
  /// A fix has found the board on another side of a region, and nothing fires (R3).
  case setSide(Slot, app: AppNumber, generation: Int64, RegionSide)
  /// Where the board is, whenever a side has changed.
  case noteFix(LocationFix)
}
