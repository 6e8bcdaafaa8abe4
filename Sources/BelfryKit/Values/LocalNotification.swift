import Foundation

/// What an app schedules: `UILocalNotification`'s fields, by their names, and Belfry's own.
///
/// A value: scheduling copies it (N13). It may break a rule; scheduling then throws a
/// `SchedulerError` that names the field. Dates and durations are rounded to whole microseconds when
/// they are set, names of zones and rules written the daemon's way, so that the notification that
/// comes back from ``Scheduler/scheduled()`` equals the one that was sent.
///
/// ```swift
/// var tea = LocalNotification()
/// tea.identifier = "tea"
/// tea.alertBody = "Tea is ready"
/// tea.soundName = LocalNotification.defaultSoundName
/// tea.fireIn = .seconds(240)
/// try await Scheduler().schedule(tea)
/// ```
public struct LocalNotification: Hashable, Sendable {
  /// The name that stands for the default sound.
  public static let defaultSoundName = "default"

  /// 1 to 128 bytes without control characters; nil: every call to schedule makes a new UUID.
  ///
  /// Scheduling an identifier again replaces the pending one (N1). With all fields equal it changes
  /// nothing: a daily bell scheduled at 8:00 and again at 8:30 keeps ringing at 8:00.
  public var identifier: String?

  // MARK: When

  /// nil or past: delivered at once (N2). `Date.distantFuture` is never.
  ///
  /// A date in the past is no error: a one-shot for yesterday rings now. But a repeat whose date is
  /// past starts at its next occurrence (N5): daily since last Monday 8:00, scheduled on Thursday at
  /// noon, rings on Friday at 8:00 and not now.
  public var fireDate: Date? {
    didSet { fireDate = fireDate?.roundedToMicroseconds }
  }

  /// True: a date from 1970 to 2000 is meant; else one is refused, as a number of another unit would
  /// be (N2).
  public var datesAreOld = false

  /// Due so long after the call, on a clock that no setting of the time moves (T9); `fireDate` may
  /// stand beside it as what you expect.
  public var fireIn: Duration? {
    didSet { fireIn = fireIn?.roundedToMicroseconds }
  }

  /// The zone's name in the tz database; what ``timeZone`` reads and writes.
  ///
  /// A zone makes the notification *floating* unless ``zoneMode`` says otherwise (T2): `fireDate`'s
  /// wall clock is read in that zone once, and it rings when the board's own clocks show it, wherever
  /// the board is. 19:00Z with America/Los_Angeles is 12:00: it rings at noon in Seattle, and at noon
  /// in Chicago once the board is there.
  public var timeZoneName: String?

  /// nil: absolute without a zone, floating with one.
  public var zoneMode: ZoneMode?
  public var repeatInterval: RepeatInterval?
  /// Every so many of them, 1 to 1,000,000 (T6).
  public var every = 1
  /// The calendar's name as the daemon has it; what ``repeatCalendar`` reads and writes.
  public var repeatCalendarName: String?
  /// No occurrence is later.
  public var until: Date? {
    didSet { until = until?.roundedToMicroseconds }
  }
  /// So many occurrences in all, 1 to 1,000,000.
  public var count: Int?

  /// An RRULE of RFC 5545 instead of a `repeatInterval`, such as `FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR`.
  ///
  /// Setting writes it the daemon's way (parts in one order, without defaults); what is no rule stays
  /// as it is and is refused when scheduled.
  public var rrule: String? {
    didSet { rrule = rrule.map(RuleText.canonical) }
  }

  /// The union of up to 8 RRULEs instead of one; an instant that several give rings once (E5). Each is
  /// written the daemon's way, as ``rrule`` is; one alone comes back from the daemon as an `rrule`.
  public var rrules: [String] = [] {
    didSet { rrules = rrules.map(RuleText.canonical) }
  }

  /// Left out of what its rules give; kept in order, each once.
  public var exdate: [Date] = [] {
    didSet { exdate = exdate.ascendingMicroseconds }
  }
  /// Added to what its rules give; kept in order, each once.
  public var rdate: [Date] = [] {
    didSet { rdate = rdate.ascendingMicroseconds }
  }

  /// Calendars of days (E3), by name, at most 8 each: it does not ring on a day of one of `exceptOn`, and
  /// where `onlyOn` names some, on days of these alone. A calendar that is not there is ignored.
  public var exceptOn: [String] = []
  public var onlyOn: [String] = []
  /// With an ``rrule`` that names weekdays: on days of these calendars it goes by another weekday (E3).
  public var asOn: [CountedAs] = []

  /// 02:30 in the night of spring rings at 03:30, once (T5).
  public var gap = GapPolicy.shift
  /// 02:30 in the night of autumn rings on its first pass, once (T5).
  public var overlap = OverlapPolicy.first
  /// Monthly from the 31st rings on each month's last day (T4).
  public var monthEnd = MonthEndPolicy.clamp
  /// Each occurrence is due so far before or after itself (E4), at most 366 days.
  ///
  /// ```swift
  /// bins.rrules = ["FREQ=WEEKLY;BYDAY=TU", "FREQ=MONTHLY;BYDAY=1FR"]
  /// bins.offset = .hours(-12)
  /// ```
  /// ``until``, ``exdate``, ``rdate`` and skips go on naming the occurrences themselves.
  public var offset: OccurrenceOffset?
  /// May be so much late, to be joined with others; 10 ms to a day (T12).
  public var tolerance = Duration.zero {
    didSet { tolerance = tolerance.roundedToMicroseconds }
  }
  /// What becomes of it when it is late, after the board was off; nil: the operator's policy (T10).
  public var late: LatePolicy?
  /// Not shown later than this (N19).
  public var expires: Date? {
    didSet { expires = expires?.roundedToMicroseconds }
  }

  /// Instead of a `fireDate`: fires when the board crosses the circle's boundary (R1). Both together
  /// are refused when scheduled (N3).
  public var region: CircularRegion?
  /// True: the first crossing fires and unschedules; false: every crossing fires (R2).
  public var regionTriggersOnce = true

  // MARK: What is shown

  /// What makes an alert show; text, or a key of the app's string table (L1). At most 16 KiB.
  public var alertBody: String?
  /// The body was meant for printf: its escapes are stripped, so that "%d left" shows as " left" and
  /// "100 %%" as "100 %" (N7). False: it is shown as it was written.
  public var alertBodyIsFormat = false
  public var alertTitle: String?
  public var alertSubtitle: String?
  /// Title of the action button; nil with a body: "View" in the app's language (N8).
  public var alertAction: String?
  /// False hides the action button (N9).
  public var hasAction = true
  /// A file name, handed to the app that is launched and to sinks that can show it.
  public var alertLaunchImage: String?
  /// What `%@` and `%n$@` in the body stand for, n from 1 (L2): strings, numbers and dates; empty:
  /// there are none. With arguments nothing is stripped.
  public var alertLocalizationArgs: [PropertyListValue] = [] {
    didSet { alertLocalizationArgs = alertLocalizationArgs.roundedToMicroseconds }
  }
  public var alertTitleLocalizationArgs: [PropertyListValue] = [] {
    didSet { alertTitleLocalizationArgs = alertTitleLocalizationArgs.roundedToMicroseconds }
  }
  public var alertSubtitleLocalizationArgs: [PropertyListValue] = [] {
    didSet { alertSubtitleLocalizationArgs = alertSubtitleLocalizationArgs.roundedToMicroseconds }
  }
  public var alertActionLocalizationArgs: [PropertyListValue] = [] {
    didSet { alertActionLocalizationArgs = alertActionLocalizationArgs.roundedToMicroseconds }
  }

  /// Names a registered group of actions; an unknown one is no error, only no buttons (N10).
  public var category: String?
  public var threadIdentifier: String?
  public var interruptionLevel = InterruptionLevel.active

  // MARK: Badge and sound

  /// 0 leaves the app's badge alone, a negative number clears it (N11).
  public var applicationIconBadgeNumber = 0
  /// nil: set.
  public var badgeOperation: BadgeOperation?
  /// A file name in the sound folders, or ``defaultSoundName``; nil: silent.
  public var soundName: String?
  /// 0 to 1, of the speaker's own volume.
  public var volume = 1.0
  /// The sound comes again so often until somebody acknowledges, at most 10 times (D11).
  public var repeatSound = 0

  /// The sound begins at -40 dB and comes to its volume after this, at most 30 minutes, going on over
  /// its repeats (E11); zero: at once.
  public var fadeIn = Duration.zero {
    didSet { fadeIn = fadeIn.roundedToMicroseconds }
  }
  /// The sound comes again for so long, 1 second to 1 hour, until somebody acknowledges (E11); zero: it
  /// does not. Not together with ``repeatSound``.
  public var ringFor = Duration.zero {
    didSet { ringFor = ringFor.roundedToMicroseconds }
  }

  // MARK: Until somebody answers

  /// It comes again until somebody answers (E6): acts on it, dismisses, snoozes or acknowledges it, or an
  /// app in the foreground takes it.
  public var realert: Realert?
  /// Who gets it, one step after the other, until somebody answers (E6); at most 8. A realert repeats
  /// the last step.
  public var ladder: [LadderStep] = []
  /// Only these get it (N19), at most 16: the names of plugins' sections in the configuration, and
  /// `speaker`; empty: all do. An app in the foreground is not asked then. A name that nobody has is refused.
  public var sinks: [String] = []

  // MARK: The app's own

  /// Comes back with the notification, every type kept apart (N12); at most 64 KiB.
  public var userInfo: [String: PropertyListValue] = [:] {
    didSet { userInfo = userInfo.mapValues { $0.roundedToMicroseconds } }
  }

  /// The whole payload, of one that came as a push (P6); nil: it was scheduled.
  ///
  /// Read it, and leave it: a notification that has one is refused when it is scheduled.
  public var push: [String: PushValue]?

  public init() {}

  public init(
    identifier: String? = nil, alertBody: String?, fireDate: Date? = nil, soundName: String? = nil
  ) {
    self.identifier = identifier
    self.alertBody = alertBody
    self.fireDate = fireDate?.roundedToMicroseconds
    self.soundName = soundName
  }
}

extension LocalNotification {
  /// ``timeZoneName`` as Foundation has it.
  ///
  /// nil also where Foundation does not know the name, as when it is linked statically.
  public var timeZone: TimeZone? {
    get { timeZoneName.flatMap { TimeZone(identifier: $0) } }
    set { timeZoneName = newValue?.identifier }
  }

  /// ``repeatCalendarName`` as Foundation has it; nil also for one that it does not know.
  ///
  /// The board's is Gregorian. Calendars without Gregorian months need the daemon's plugin (N6).
  public var repeatCalendar: Calendar.Identifier? {
    get { repeatCalendarName.flatMap { CalendarNaming.identifier(of: $0) } }
    set { repeatCalendarName = newValue.map { CalendarNaming.name(of: $0) } }
  }

  /// Equal in all fields but the identifier: what ``Scheduler/cancel(equalTo:)`` compares (N15).
  public func isEqual(ignoringIdentifier other: LocalNotification) -> Bool {
    var copy = other
    copy.identifier = identifier
    return self == copy
  }
}
