/// What an app schedules, field by field as rule N names them.
///
/// A value of this type may break a rule; `Notification.validated()` says which. Fields that a
/// later build implements have no place here yet: the wire refuses them by name.
public struct Notification: Hashable, Sendable {
  /// 1 to 128 bytes without control characters (N1); nil: the scheduler makes a UUID.
  @Bytewise public var identifier: String? = nil
  /// nil or past: delivered at once (N2).
  public var fireDate: Instant?
  /// A date before 2000 is meant, not seconds or milliseconds that were taken for microseconds (N2).
  public var datesAreOld = false
  /// Due so many nanoseconds after it is scheduled, on a clock that no step moves (T9); then
  /// `fireDate` is only what whoever sent it expects.
  public var fireIn: Int64?
  /// A zone's name in the tz database, such as `Europe/Berlin`: `fireDate` is read once as what its
  /// clocks show (T2, T3); nil: an instant.
  @Bytewise public var timeZone: String? = nil
  /// nil: absolute without a `timeZone`, floating with one (T2).
  public var zoneMode: ZoneMode?
  public var repeatInterval: RepeatUnit?
  /// Every so many of them (T6).
  public var every: Int64 = 1
  /// No occurrence is later; read as `fireDate` is.
  public var until: Instant?
  /// So many occurrences in all; see `RepeatPlan.count`.
  public var count: Int64?
  /// Instead of a `repeatInterval` (T6).
  public var rrule: RecurrenceRule?
  /// Instead of an `rrule`: the union of several (E5). One alone is the same as an `rrule`.
  public var rrules: [RecurrenceRule] = []
  /// Left out of, and added to, what its rules give; read as `fireDate` is, and by their whole second.
  public var exdate: [Instant] = []
  public var rdate: [Instant] = []
  /// Calendars of days (E3), by name: it does not ring on a day of one of these,
  @Bytewise public var exceptOn: [String] = []
  /// and, where there are any, on a day of one of these alone.
  @Bytewise public var onlyOn: [String] = []
  /// On days of these calendars its `rrule` goes by another weekday than the day's own.
  public var asOn: [AsOn] = []
  public var gap = GapPolicy.shift
  public var overlap = OverlapPolicy.first
  public var monthEnd = MonthEndPolicy.clamp
  /// Each occurrence is due so far from itself (E4).
  public var offset = DueOffset.none
  /// It may be so many nanoseconds late, to be joined with others (T12).
  public var tolerance: Int64 = 0
  /// A calendar identifier such as `gregorian`; nil: the board's, which is Gregorian (N6).
  @Bytewise public var repeatCalendar: String? = nil
  /// Due when the board crosses the boundary of this, instead of at a time (R1).
  public var region: CircularRegion?
  /// The first crossing fires and unschedules; else every crossing fires (R2). Only matters with a
  /// region.
  public var regionTriggersOnce = true
  @Bytewise public var alertBody: String? = nil
  /// The body was meant for printf: its escapes are stripped, `%%` becomes `%` (N7). Else it is shown
  /// as it was written.
  public var alertBodyIsFormat = false
  /// Put into `alertBody` as it stands in the app's table, or as it is (L2): strings, numbers, dates;
  /// empty: there are none. The next three are the same for the other texts.
  public var alertLocalizationArgs: [PropertyList] = []
  public var alertTitleLocalizationArgs: [PropertyList] = []
  public var alertSubtitleLocalizationArgs: [PropertyList] = []
  public var alertActionLocalizationArgs: [PropertyList] = []
  @Bytewise public var alertTitle: String? = nil
  @Bytewise public var alertSubtitle: String? = nil
  @Bytewise public var alertAction: String? = nil
  public var hasAction = true
  @Bytewise public var alertLaunchImage: String? = nil
  @Bytewise public var category: String? = nil
  /// Meaning as `badgeOperation` says (N11).
  public var applicationIconBadgeNumber: Int64 = 0
  public var badgeOperation: BadgeOperation?
  /// A file name in the sound folders, or `default`; nil: silent.
  @Bytewise public var soundName: String? = nil
  public var userInfo: [ByteString: PropertyList] = [:]
  /// How often the sound comes again until it is acknowledged (D11).
  public var repeatSound: Int64 = 0
  /// The sound begins at -40 dB and comes to its volume after so many nanoseconds, linear in dB and going
  /// on over its repeats (E11); 0: at once.
  public var fadeIn: Int64 = 0
  /// The sound comes again for so many nanoseconds, until it is acknowledged (E11); 0: it does not.
  public var ringFor: Int64 = 0
  @Bytewise public var threadIdentifier: String? = nil
  public var interruptionLevel = InterruptionLevel.active
  /// 0 to 1, of the speaker's own volume.
  public var volume: Double = 1
  /// Not shown later than this (N19).
  public var expires: Instant?
  /// nil: the app's or the daemon's policy (T10).
  public var late: LatePolicy?
  /// It comes again until somebody answers (E6).
  public var realert: Realert?
  /// Who gets it, one step after the other, until somebody answers (E6); empty: every sink at once.
  public var ladder: [LadderStep] = []
  /// Only these get it (N19), by the names of their sections, `speaker` among them; empty: all do. An app
  /// in the foreground is not asked then.
  @Bytewise public var sinks: [String] = []
  /// It came as a push: the whole payload as JSON text (P6). Only the daemon sets it.
  @Bytewise public var push: String? = nil

  public init() {}

  /// The name that stands for the default sound, as on the wire.
  public static let defaultSoundName = "default"
}

/// How a notification's number changes its app's badge (N11, beyond).
public enum BadgeOperation: String, CaseIterable, Sendable {
  case set, add, clear
}

/// How urgent a notification is (N19).
public enum InterruptionLevel: String, CaseIterable, Sendable {
  case passive, active, timeSensitive, critical

  /// A sleeping board is woken for it (T11).
  public var isUrgent: Bool { self == .timeSensitive || self == .critical }
}

/// What becomes of an occurrence that is late (T10).
public enum LatePolicy: Hashable, Sendable {
  case fire
  case drop
  /// Fires if at most this many seconds late.
  case seconds(Int64)
}
