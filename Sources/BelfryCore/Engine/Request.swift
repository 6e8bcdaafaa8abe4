/// Who asks, as the kernel says (A1).
public struct Peer: Hashable, Sendable {
  public var uid: UInt32
  public var pid: Int32
  /// root, or a member of the operator's group.
  public var isOperator: Bool
  /// The group by which it may be critical (S6): `[access] critical`, else the operator's; nil: it is
  /// in neither.
  public var criticalGroup: UInt32?

  public init(uid: UInt32, pid: Int32, isOperator: Bool, criticalGroup: UInt32? = nil) {
    self.uid = uid
    self.pid = pid
    self.isOperator = isOperator
    self.criticalGroup = criticalGroup
  }
}

/// What a client asks of the scheduler.
public enum Request: Sendable {
  /// `onFull`: what the caller wants at the limit, where neither operator nor manifest says (N17).
  indirect case schedule(
    app: String, Notification, onFull: EngineConfiguration.OnFull? = nil)
  /// Ignores `fireDate`; never listed as scheduled (N14).
  indirect case presentNow(app: String, Notification)
  case cancel(app: String, identifiers: [String])
  /// Every notification equal in all fields but the identifier (N15).
  indirect case cancelEqual(app: String, Notification)
  case cancelAll(app: String)
  case replaceAll(app: String, [Notification], onFull: EngineConfiguration.OnFull? = nil)
  /// `app` nil: all that the peer may see. Rows after `cursor`, at most `limit`.
  case list(app: String?, delivered: Bool, cursor: Int64, limit: Int32)
  /// The next `count` occurrences of a scheduled notification after an instant (N18).
  case next(app: String, identifier: String, count: Int32, after: Instant?)
  /// The same for a notification that is only drafted; `app`: whose calendars it would name.
  indirect case nextOfDraft(Notification, count: Int32, after: Instant?, app: String? = nil)
  case history(app: String?, cursor: Int64, limit: Int32)
  /// What has been due and has not come to an end, in one page.
  case waiting(app: String?)
  case stopSound(app: String?)
  /// A full alert with sound through one sink or every one.
  case test(app: String, sink: String?)
  /// Lets held notifications go by the clock as it is, until the next boot (T9); for operators.
  case trustClock
  /// Has the configuration read again; for operators.
  case reload
  indirect case user(app: String, UserRequest)
  /// Pausing, skipping and editing what is scheduled; `app` nil: everybody's, for operators.
  indirect case everyday(app: String?, EverydayRequest)
  /// The calendars of days, of one app or all that the peer may see (E3).
  case days(app: String?)
  /// What was snoozed, and of which app (nil: all that the peer may see): rows after `cursor`, at
  /// most `limit`.
  case snoozed(app: String?, cursor: Int64, limit: Int32)
  /// `app` nil: every app that the peer may see, in order of id.
  case apps(app: String?, cursor: Int64, limit: Int32)
  /// The connection is a session of the app from now on, under a number that the server chose.
  case openSession(app: String, session: SessionID, state: AppState)
  /// D1; the session as its owner names it.
  case setState(session: Int64, AppState)
  /// The app has taken a `received` event (D1), or completed a `handleAction` (D4).
  case complete(session: Int64, event: Int64)
  /// Where the board is (R5), in degrees and metres; `time` nil: now. For operators, and the user that
  /// the daemon runs for.
  case fix(latitude: Double, longitude: Double, accuracy: Double?, time: Instant?)
  /// Into the app's inbox, and shown (P6).
  indirect case push(app: String, PushedNotification)
  /// What has come to an inbox since a token of an earlier answer; `since` nil: all (P7). At most
  /// `limit` entries, 1 to 1000.
  case fetchInbox(app: String, container: String, since: String?, limit: Int32)
  /// P8.
  case markRead(app: String, container: String, ids: [UUIDBits])
}

/// The answer to a `Request`.
public enum Reply: Hashable, Sendable {
  case scheduled(ScheduleReply)
  case cancelled(cancelled: Int64, withdrawn: Int64)
  case replacedAll(ReplaceAllReply)
  /// `cursor` nil: the last page.
  case listed([ListedNotification], cursor: Int64?)
  /// `passed`: what was found on the way and does not ring (E1, E2, E3).
  case occurrences([UpcomingOccurrence], passed: [PassedRun] = [])
  case history([HistoryRow], cursor: Int64?)
  /// How many sounds were stopped.
  case stopped(Int64)
  /// The sinks that will answer for this occurrence, by name.
  case testing(occurrence: OccurrenceID, sinks: [String])
  /// The clock is trusted; so many had been held.
  case trusted(released: Int64)
  /// The keys of the configuration that have changed; and those that only a restart takes up.
  case reloaded(changed: [String], needsRestart: [String])
  case badge(Int64)
  /// `waiting`: so many events follow at once, the launch option first (D3).
  case sessionOpened(SessionID, waiting: Int64)
  /// The settings that were registered, within what the operator allows.
  case registered(AppSettings)
  /// The same, and the categories.
  case settings(isRegistered: Bool, AppRegistration)
  case snoozed(next: Instant)
  case acknowledged(identifier: String, occurrence: OccurrenceID)
  /// There is nothing to say but that it is done.
  case done
  /// `cursor` nil: the last page.
  case apps([AppInfo], cursor: Int64?)
  /// So many notifications fired.
  case located(crossings: Int64)
  case pushed(PushReply)
  /// `token` stands for having seen all of these; `moreComing`: there are others after them.
  case fetched([InboxEntry], token: String, moreComing: Bool)
  /// `unknown`: the inbox has none of these ids. What was marked before is neither.
  case markedRead(marked: [UUIDBits], unknown: [UUIDBits])
  case paused(PauseReply)
  case resumed(ResumeReply)
  case skipped(SkipReply)
  case days([ListedDays])
  case refused(RequestError)
}

/// Why a well-formed request was not carried out.
public enum RequestError: Error, Hashable, Sendable {
  case invalidField(FieldError)
  /// For root and the operator's group alone (A1).
  case notPermitted
  /// The app belongs to another uid (A1).
  case notOwner(app: String)
  case notFound(identifier: String)
  case unknownSink(name: String)
  /// Over a limit, by its name in `[limits]` (A2, N17).
  case limitReached(limit: String, value: Int64)
  /// No such session is open, or it is another user's.
  case unknownSession(Int64)
  /// Nothing was stored; the sentence says why: disk full, read-only, damaged.
  case storeUnavailable(reason: String)
  /// Something that came after the token has gone since: fetch all, without one (P7).
  case tokenExpired
  /// This inbox never gave such a token (P7).
  case tokenForeign
}

public struct ScheduleReply: Hashable, Sendable {
  public var identifier: String
  /// False: the limit discarded the new one itself (N17).
  public var scheduled: Bool
  /// Equal in all fields to the pending one (N1).
  public var unchanged: Bool
  /// Replaced a pending one (N1).
  public var replaced: Bool
  public var occurrence: OccurrenceID?
  public var next: Instant?
  /// Identifiers that the limit discarded (N17).
  public var discarded: [String]
  /// It is critical, and counts as timeSensitive; the sentence says why (S6).
  public var demotion: String?
  /// What whoever schedules it would want to mend, a sentence each.
  public var warnings: [String] = []
  /// The sounds that it names, of the app's folders or of all's; the default one is none.
  public var sounds: [NamedSound] = []

  public struct NamedSound: Hashable, Sendable {
    public var app: String
    public var name: String

    public init(app: String, name: String) {
      self.app = app
      self.name = name
    }
  }

  public init(
    identifier: String, scheduled: Bool, unchanged: Bool, replaced: Bool,
    occurrence: OccurrenceID?, next: Instant?, discarded: [String]
  ) {
    self.identifier = identifier
    self.scheduled = scheduled
    self.unchanged = unchanged
    self.replaced = replaced
    self.occurrence = occurrence
    self.next = next
    self.discarded = discarded
  }
}

public struct ReplaceAllReply: Hashable, Sendable {
  public var added: Int64
  public var replaced: Int64
  public var unchanged: Int64
  public var cancelled: Int64
  public var discarded: [String]
  /// So many of the list are critical, and count as timeSensitive; the sentence says why (S6).
  public var demoted: Int64 = 0
  public var demotion: String?
  /// What whoever sent it would want to mend, a sentence each, with the first identifier that it holds
  /// for; the same of many is one.
  public var warnings: [String] = []
  /// The sounds that the list names, as in `ScheduleReply`.
  public var sounds: [ScheduleReply.NamedSound] = []

  public init(
    added: Int64, replaced: Int64, unchanged: Int64, cancelled: Int64, discarded: [String]
  ) {
    self.added = added
    self.replaced = replaced
    self.unchanged = unchanged
    self.cancelled = cancelled
    self.discarded = discarded
  }
}

/// A row of `list`.
public struct ListedNotification: Hashable, Sendable {
  /// States of N20 that a listed notification can be in.
  public enum State: String, CaseIterable, Sendable {
    case scheduled, held, paused, prepared, fired
    /// It has been shown, and comes again.
    case snoozed
  }

  public var app: String
  /// Its `identifier` is set.
  public var notification: Notification
  public var next: Instant?
  public var state: State
  /// Why it is held (T9).
  public var reason: String?
  /// Why its sound will not be heard when it is next due, as things are; nil: it will, or it has none.
  public var silence: String?
  /// What does not ring before `next` (E1, E2, E3).
  public var passed: [PassedRun] = []
  /// When it was due and which sink shows it, of one that has been delivered.
  public var due: Instant?
  public var sink: String?
  /// Of one that is shown or snoozed.
  public var occurrence: OccurrenceID?

  public init(
    app: String, notification: Notification, next: Instant?, state: State, reason: String? = nil,
    occurrence: OccurrenceID? = nil
  ) {
    self.occurrence = occurrence
    self.app = app
    self.notification = notification
    self.next = next
    self.state = state
    self.reason = reason
  }
}

/// One delivery in the history (D9).
public struct HistoryRow: Hashable, Sendable {
  public var app: String
  public var identifier: String
  public var occurrence: OccurrenceID
  /// Empty for what never reached a sink: missed, discarded.
  public var sink: String
  /// Of what left the scheduled list (cancelled, replaced, discarded): when it left.
  public var due: Instant
  public var handedOver: Instant?
  public var acknowledged: Instant?
  public var state: DeliveryState
  public var reason: String?
  public var attempts: Int32
  /// How far the clock could be believed then (T8); nil: from before that was noted.
  public var clock: ClockState?
  /// How many older occurrences it stands for, and since when (T10).
  public var missed: Int64 = 0
  public var missedSince: Instant?
  /// What it would have said, at most 1 KiB of it; only of what left the scheduled list.
  public var text: String?

  public init(
    app: String, identifier: String, occurrence: OccurrenceID, sink: String, due: Instant,
    handedOver: Instant?, acknowledged: Instant?, state: DeliveryState, reason: String?,
    attempts: Int32
  ) {
    self.app = app
    self.identifier = identifier
    self.occurrence = occurrence
    self.sink = sink
    self.due = due
    self.handedOver = handedOver
    self.acknowledged = acknowledged
    self.state = state
    self.reason = reason
    self.attempts = attempts
  }
}

/// What `watch` shows (D10).
public struct WatchEvent: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case received, delivered, activated, dismissed, snoozed, held, missed, superseded, withdrawn
    case discarded, expired, failed, cancelled, replaced, silenced, unanswered, skipped
  }

  public var kind: Kind
  public var app: String
  public var identifier: String
  public var occurrence: OccurrenceID?
  public var sink: String?
  /// When it happened.
  public var at: Instant
  public var due: Instant?
  public var handedOver: Instant?
  public var reason: String?
  public var missed: Int64

  public init(
    kind: Kind, app: String, identifier: String, occurrence: OccurrenceID?, sink: String?,
    at: Instant, due: Instant?, handedOver: Instant?, reason: String?, missed: Int64
  ) {
    self.kind = kind
    self.app = app
    self.identifier = identifier
    self.occurrence = occurrence
    self.sink = sink
    self.at = at
    self.due = due
    self.handedOver = handedOver
    self.reason = reason
    self.missed = missed
  }
}
