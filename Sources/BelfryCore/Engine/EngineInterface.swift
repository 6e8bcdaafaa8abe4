/// Names a request until it is answered; the caller chooses it.
public typealias RequestID = UInt64
/// Names an answered store operation until its outcome; the scheduler chooses it.
public typealias StoreTicket = UInt64

/// What goes into the scheduler.
public enum EngineEvent: Sendable {
  /// The timer ran out, or the clock was stepped: look at `now`.
  case clock
  indirect case request(RequestID, Peer, Request)
  /// Nobody waits for the answer any more: what of it has not reached the store need not.
  case abandoned(RequestID)
  case store(StoreTicket, StoreOutcome)
  case sink(SinkIndex, SinkEvent)
  /// What the kernel says of its clock (adjtimex(2)); not synchronised where it may not be asked.
  case clockState(synchronised: Bool)
  /// The board's zone: the answer to `.loadBoardZone`, and whenever it or its rules have changed (T7).
  case boardZone(String, ZoneRules)
  /// The answer to `.loadZone`, and whenever the rules of a watched zone have changed.
  case zone(String, ZoneAnswer)
  /// An app's manifest appeared or changed (A1).
  indirect case app(AppProfile)
  /// It has gone: from now on the app is one without a manifest.
  case appGone(String)
  /// The answer to `.launch`; `failure` nil: its program was started.
  case launched(app: String, failure: String?)
  /// The answer to `.launch` where nothing says how the app is started: it starts itself.
  case nothingToLaunch(app: String)
  /// The operator has changed his choices: what of them may change while the clock runs does so.
  indirect case configuration(EngineConfiguration)
  /// All files of calendars of days, as they were read at the start or after a change (E3).
  case days([DaysFile])
  /// A session's connection has ended; `isUnread`: its app did not read all that it was sent, but
  /// certainly the events up to `readThrough`.
  case sessionClosed(SessionID, isUnread: Bool = false, readThrough: Int64 = 0)
}

/// What is known of a zone.
public enum ZoneAnswer: Sendable {
  case rules(ZoneRules)
  /// One sentence without a full stop that names the zone.
  case unavailable(reason: String)
}

/// What happens at a sink.
public enum SinkEvent: Hashable, Sendable {
  /// What a loaded plugin says it wants, before its first `.up` and whenever that changes; holds for
  /// what is due from now on (D9). Until then the configuration's `Sink` holds. `calendars` are those
  /// that it knows (N6); `concurrency`: so many deliveries it works on at a time, 0: it does not say.
  case described(
    wantsAlerts: Bool, wantsBadges: Bool, wantsEverything: Bool, calendars: [String] = [],
    concurrency: Int32 = 0)
  case up
  /// The speaker lacks something to play on, or (nil) has it as far as it knows.
  case device(missing: String?)
  /// Its process is ready, so many nanoseconds after it was asked for.
  case ready(after: Int64)
  /// Its process ended; deliveries it had not answered go out again when it is up (D7). Those of
  /// `unsent` never reached it, so they have not been attempted.
  case down(reason: String, unsent: [UInt64] = [])
  case answered(token: UInt64, DeliveryAnswer)
  /// A sound can be heard; `note` names the device and any fallback.
  case started(token: UInt64, note: String)
  /// It has taken back the oldest of what `withdraw` told it to, or is past doing so.
  case withdrawalConfirmed
  /// What its user did.
  indirect case input(SinkInput)
  /// The answer to `askCalendar`.
  case calendar(token: UInt64, CalendarAnswer)
  /// It brings a push, under a token of its own choosing; `uid`: on whose behalf (A1), nil: the
  /// operator's, whose plugin it is. `pushAnswered` answers.
  indirect case push(token: UInt64, uid: UInt32?, app: String, PushedNotification)
}

extension SinkEvent {
  /// The note of a sound that is alive and not heard yet.
  public static let waitsForDevice = "waits for a device"
}

/// What comes out of the scheduler, to be carried out in order.
public enum EngineCommand: Sendable {
  case reply(RequestID, Reply)
  /// `ticket` 0: an operation that is not answered.
  case store(StoreTicket, StoreOperation)
  /// The sink will get this occurrence soon, or has it waiting: start it if it is down, decode its
  /// sound. May come several times.
  indirect case prepare(SinkIndex, Occurrence)
  indirect case handOver(Delivery)
  /// A badge changed; answered like a delivery.
  case handOverBadge(SinkIndex, token: UInt64, app: String, value: Int64)
  /// Ask a plugin that knows the question's calendar; `SinkEvent.calendar` answers.
  case askCalendar(SinkIndex, token: UInt64, CalendarQuestion)
  /// What became of a push that it brought.
  case pushAnswered(SinkIndex, token: UInt64, PushAnswer)
  /// Take back what the sink shows or sounds. `SinkEvent.withdrawalConfirmed` answers, however many processes it
  /// takes; `token` 0: shown in an earlier life.
  case withdraw(SinkIndex, token: UInt64, OccurrenceID)
  case stopSounds(app: String?)
  /// What was prepared will not come, or not then: the speaker need not keep outputs awake for it.
  case unprepare(OccurrenceID)
  /// A deadline passed: end the sink's process; `.down` and, restarted, `.up` follow.
  case interrupt(SinkIndex, reason: String)
  case event(WatchEvent)
  case log(LogLevel, String)
  /// Ask the kernel whether its clock is synchronised; `.clockState` answers.
  case askClock
  /// The clock is trusted from now on: to be remembered until the next boot (T9).
  case trusted
  /// `.zone` answers.
  case loadZone(String)
  /// `.boardZone` answers, with what was known where it cannot be read.
  case loadBoardZone
  /// The zones that pending notifications go by; others need not be watched (T7).
  case watchZones(board: Bool, named: [String])
  /// Start this app's program, for the so manieth time (D3); `.launched` answers.
  case launch(app: String, attempt: Int32)
  /// Read the configuration again and answer the request.
  case reload(RequestID)
  /// To an open session.
  indirect case session(SessionID, SessionEvent)
  /// It is no session any more: its connection is to end.
  case endSession(SessionID, reason: String)
}

/// syslog's levels, as far as Belfry uses them.
public enum LogLevel: Int32, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7
}

/// When the scheduler wants its next `.clock` event; nil: not on that clock.
public struct NextWake: Hashable, Sendable {
  /// On CLOCK_REALTIME: what is due.
  public var real: Instant?
  /// On CLOCK_BOOTTIME, in nanoseconds: deadlines and retries.
  public var elapsed: Int64?
  /// On CLOCK_REALTIME_ALARM: when a sleeping board is to be awake (T11).
  public var alarm: Instant?

  public init(real: Instant?, elapsed: Int64?, alarm: Instant? = nil) {
    self.real = real
    self.elapsed = elapsed
    self.alarm = alarm
  }

  /// The sooner of both, on the elapsed clock.
  mutating func merge(elapsed other: Int64?) {
    merge(NextWake(real: nil, elapsed: other))
  }

  /// The sooner of both, on each clock.
  mutating func merge(_ other: NextWake) {
    if let real = other.real { self.real = min(self.real ?? real, real) }
    if let elapsed = other.elapsed { self.elapsed = min(self.elapsed ?? elapsed, elapsed) }
    if let alarm = other.alarm { self.alarm = min(self.alarm ?? alarm, alarm) }
  }
}

/// The operator's choices that the scheduler obeys; `overrides` are the `[app:ID]` sections.
public struct EngineConfiguration: Sendable {
  /// What happens when an app has as many notifications as it may (N17).
  public enum OnFull: String, CaseIterable, Sendable {
    /// The latest to fire goes, which may be the new one, as on iOS.
    case discard
    /// The new one is refused.
    case refuse

    /// How many an app may have, where nobody says.
    public var ordinaryLimit: Int32 { self == .discard ? 64 : 512 }
  }

  /// For whom a sleeping board is woken (T11).
  public enum Wake: String, CaseIterable, Sendable {
    /// For those that are timeSensitive or critical.
    case urgent
    case all, never
  }

  public struct AppOverride: Sendable {
    public var limits = AppLimits()
    public var allowed: AppSettings?
    public var mayLocate: Bool?
    public var mayBeCritical: Bool?

    public init() {}
  }

  public var sinks: [Sink] = []
  /// What holds for all apps, where neither `[app:ID]` nor a manifest says otherwise.
  public var limits = AppLimits.standard
  /// App ids that a user may take by using them first (A1).
  public var apps: Int32 = 32
  public var overrides: [ByteString: AppOverride] = [:]
  /// T10: later than this is late, in nanoseconds.
  public var grace: Int64 = 5 * Nanoseconds.second
  /// Occurrences due within this are loaded, so that a blocked disk delays nothing (D8).
  public var readAhead: Int64 = 60 * Nanoseconds.second
  /// How long before its due an occurrence is prepared: twice the slowest start of a sink that was
  /// seen, but within these bounds.
  public var shortestLead: Int64 = Nanoseconds.second
  public var longestLead: Int64 = 10 * Nanoseconds.second
  /// How long a plugin may take to answer a hand-over before its process is ended.
  public var answerDeadline: Int64 = 10 * Nanoseconds.second
  /// How long it may take after answering `pending`; past it the state is `unknown`.
  public var pendingDeadline: Int64 = 60 * Nanoseconds.second
  /// How long the speaker may take beside waking outputs and the longest sound: 30 s of waiting (S6),
  /// and some slack.
  public var soundDeadline: Int64 = 45 * Nanoseconds.second
  /// Between the end of a sound and the next time that it sounds (D11).
  public var soundPause: Int64 = 3 * Nanoseconds.second
  /// Hand-overs of one delivery before it ends as `failed` or `unknown`.
  public var attempts: Int32 = 3
  /// Deliveries that wait for a sink that is down (D9), and for one that works.
  public var queue: Int32 = 1000
  public var burst: Int32 = 10_000
  /// Unanswered hand-overs to one sink at a time.
  public var window: Int32 = 64
  /// How long the sessions in the foreground have to take what is due (D1).
  public var foregroundTimeout: Int64 = 2 * Nanoseconds.second
  /// How long an app has to complete an action (D4), and to open its session once started (D3).
  public var actionDeadline: Int64 = 30 * Nanoseconds.second
  public var launchDeadline: Int64 = 30 * Nanoseconds.second
  /// What waits for a sink longer than this is `expired` (D9).
  public var waitLimit: Int64 = 24 * Nanoseconds.hour
  /// Between two late occurrences after a long absence (T10, "staggered").
  public var stagger: Int64 = 200 * Nanoseconds.millisecond
  /// `[sound]`, as far as it keeps sounds from being heard.
  public var sounds = SoundPolicy()
  /// `never` also where the board cannot be woken.
  public var wake = Wake.urgent
  /// A plausible clock is trusted so long after the boot (T9).
  public var trustAfter: Int64 = 120 * Nanoseconds.second
  /// The newest time known at the start; an earlier clock is untrusted (T9).
  public var knownTime = Instant.distantPast
  /// `[clock] trust = always`, or trust that was reached earlier in this boot (T9).
  public var isClockTrusted = false
  /// Who may trust the clock beside the operators: the user that the daemon runs for.
  public var owner: UInt32?
  /// Groups whose members' apps may be critical (S6): `[access] critical` and the operator's.
  public var criticalGroups: [UInt32] = []
  /// The language of apps that name none, a tag such as de-AT; nil: English (N8, L1).
  public var language: String?
  /// Names this boot; any other number names an earlier one.
  public var boot: Int64 = 0

  public init() {}
}

extension EngineConfiguration {
  /// Takes over what may change while the clock runs; all else stays as it was at the start.
  public mutating func adopt(_ new: EngineConfiguration) {
    sinks = new.sinks
    (limits, apps, overrides) = (new.limits, new.apps, new.overrides)
    (grace, sounds) = (new.grace, new.sounds)
  }

  /// N17's number and policy; nil: as the caller asks, else `refuse`, and that policy's number.
  public var notifications: Int32? {
    get { limits.notifications }
    set { limits.notifications = newValue }
  }
  public var onFull: OnFull? {
    get { limits.onFull }
    set { limits.onFull = newValue }
  }
  /// T10.
  public var late: LatePolicy {
    get { limits.late ?? .fire }
    set { limits.late = newValue }
  }
  /// R4's number.
  public var regions: Int32 {
    get { limits.regions ?? 0 }
    set { limits.regions = newValue }
  }
  /// Open sessions of one user, and of one app where nothing else is said of it (A2).
  public var sessions: Int32 {
    get { limits.sessions ?? 0 }
    set { limits.sessions = newValue }
  }
  /// Entries in one inbox (P6, A2).
  public var inbox: Int32 {
    get { limits.inbox ?? 0 }
    set { limits.inbox = newValue }
  }
}
