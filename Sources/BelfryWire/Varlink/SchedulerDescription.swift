extension Varlink {
  /// `io.belfry.Scheduler.varlink`, which stands beside this file; a test holds them together.
  static let schedulerDescription = """
    # Belfry: local notifications, on time, with sound.
    #
    # Instants are microseconds since 1970-01-01T00:00:00Z. Apps are named by [A-Za-z0-9._-], at
    # most 128 bytes; without one, a call is about the app user.<uid> of whoever calls. Members that
    # are null count as left out. Calls on one connection may be pipelined; replies come in the
    # order of calls.
    interface io.belfry.Scheduler

    type RepeatInterval (
      second,
      minute,
      hour,
      day,
      week,
      weekday,
      weekdayOrdinal,
      weekOfMonth,
      weekOfYear,
      month,
      quarter,
      year,
      yearForWeekOfYear
    )

    # An instant, repeats counted in UTC; what the board's clocks show wherever it is, as an alarm
    # clock; or what those of the notification's timeZone show, wherever the board is.
    type ZoneMode (absolute, floating, zoned)

    # A wall clock that the clocks jump over: later by the jump, the first instant behind it, or not.
    type GapPolicy (shift, next, skip)

    # A wall clock that comes twice: the first time, the last time, or each time.
    type OverlapPolicy (first, last, both)

    # A day that its month does not have: its last day, not at all, or the day after its last.
    type MonthEndPolicy (clamp, skip, roll)

    type BadgeOperation (set, add, clear)

    type InterruptionLevel (passive, active, timeSensitive, critical)

    # A circle on the globe; degrees, north and east positive, and metres from 1 to 10000000. Left out,
    # notifyOnEntry and notifyOnExit are true.
    type Region (
      identifier: ?string,
      latitude: float,
      longitude: float,
      radius: float,
      notifyOnEntry: ?bool,
      notifyOnExit: ?bool
    )

    # What is left out has its default; what breaks a rule is refused by name, never ignored.
    type Notification (
      # 1 to 128 bytes; clients send one, so that a call repeated after a lost reply does nothing
      # twice.
      identifier: ?string,
      # Left out or past: delivered at once.
      fireDate: ?int,
      # Due so many microseconds after the call, on a clock that no setting of the time moves; fireDate
      # may stand beside it, as what the caller expects.
      fireIn: ?int,
      # A zone of the tz database, such as Europe/Berlin: fireDate, until, exdate and rdate are read
      # once as what its clocks show then.
      timeZone: ?string,
      # Without a timeZone absolute, with one floating.
      zoneMode: ?ZoneMode,
      repeatInterval: ?RepeatInterval,
      # Every so many of them, 1 to 1000000.
      every: ?int,
      repeatCalendar: ?string,
      # Instead of a fireDate: due when the board crosses the boundary of this.
      region: ?Region,
      # True, as when left out: the first crossing fires and unschedules; false: every crossing fires.
      regionTriggersOnce: ?bool,
      # No occurrence is later.
      until: ?int,
      # So many occurrences in all, 1 to 1000000.
      count: ?int,
      # An RRULE of RFC 5545, with SKIP of RFC 7529, instead of a repeatInterval.
      rrule: ?string,
      # Left out of what it gives, and added to it; at most 1000 each.
      exdate: ?[]int,
      rdate: ?[]int,
      gap: ?GapPolicy,
      overlap: ?OverlapPolicy,
      monthEnd: ?MonthEndPolicy,
      # May be so many microseconds late, to be joined with others; at most a day.
      tolerance: ?int,
      # Each text: itself, or a key in the app's .strings table for its language.
      alertBody: ?string,
      alertTitle: ?string,
      alertSubtitle: ?string,
      alertAction: ?string,
      # Arguments for the text or the table's value: %@ takes the next, %n$@ the n-th, from 1, and %% is
      # a percent sign. Strings, numbers and dates, as in userInfo; at most 64 each.
      alertLocalizationArgs: ?[]object,
      alertTitleLocalizationArgs: ?[]object,
      alertSubtitleLocalizationArgs: ?[]object,
      alertActionLocalizationArgs: ?[]object,
      hasAction: ?bool,
      alertLaunchImage: ?string,
      category: ?string,
      applicationIconBadgeNumber: ?int,
      badgeOperation: ?BadgeOperation,
      # A file name in the sound folders, or default; left out: silent.
      soundName: ?string,
      # The sound comes again so many times, 1 to 10, until it is acknowledged: by Act, Dismiss, Snooze,
      # Cancel or StopSound.
      repeatSound: ?int,
      # Strings, numbers, booleans, arrays and objects; {"$date": int} and {"$data": "base64"} stand
      # for a date and for bytes, a key of one's own that begins with $ is written $$.
      userInfo: ?object,
      threadIdentifier: ?string,
      interruptionLevel: ?InterruptionLevel,
      # 0 to 1.
      volume: ?float,
      expires: ?int,
      # fire, drop, or a number of seconds in digits.
      late: ?string,
      # It came as a push: the whole payload. Only the daemon sets it.
      push: ?object
    )

    # A scheduled notification, or with delivered one that a sink still shows.
    type Listed (
      app: string,
      notification: Notification,
      next: ?int,
      state: (scheduled, held, prepared, fired, snoozed),
      # Why it is held.
      reason: ?string,
      # With delivered: when it was due, and the sink that shows it.
      due: ?int,
      sink: ?string
    )

    # Earlier than the last time known; later, but not synchronised; called synchronised by the kernel.
    type ClockState (untrusted, plausible, synchronised)

    type DeliveryState (
      # What the user did with it.
      activated,
      dismissed,
      snoozed,
      delivered,
      missed,
      superseded,
      withdrawn,
      discarded,
      expired,
      failed,
      unknown,
      # By the app itself.
      received
    )

    # One delivery: an occurrence for one sink.
    type Delivery (
      app: string,
      identifier: string,
      # <uuid>.<generation>.<k>, and .s<n> when it was snoozed for the nth time.
      occurrence: string,
      # Empty for what never reached a sink; app: the app itself, in a session.
      sink: string,
      due: int,
      handedOver: ?int,
      acknowledged: ?int,
      state: DeliveryState,
      reason: ?string,
      attempts: int,
      # How far the clock could be believed.
      clock: ?ClockState,
      # Older occurrences that it stands for, and the due of the oldest.
      missed: int,
      missedSince: ?int
    )

    type Event (
      kind: (
        received,
        delivered,
        activated,
        dismissed,
        snoozed,
        held,
        missed,
        superseded,
        withdrawn,
        discarded,
        expired,
        failed
      ),
      app: string,
      identifier: string,
      occurrence: ?string,
      sink: ?string,
      # When it happened.
      at: int,
      due: ?int,
      handedOver: ?int,
      reason: ?string,
      # Older occurrences folded into this one.
      missed: int
    )

    # What an app may show.
    type AppSettings (alert: bool, badge: bool, sound: bool)

    # An app that is used, or that has a manifest.
    type App (
      app: string,
      name: ?string,
      # Its uid; left out: whoever uses it first.
      owner: ?int,
      # Its manifest's path, and the executable or unit that starts it.
      manifest: ?string,
      launch: ?string,
      language: ?string,
      # What the operator allows.
      allowed: AppSettings,
      # Whether regions are judged for it.
      location: bool,
      badge: int,
      scheduled: int,
      sessions: int,
      # The limits that hold for it.
      notifications: int,
      regions: int,
      # What is wrong with its manifest, with file and line.
      problems: []string
    )

    # Whether the app's user sees it, as the app says.
    type AppState (foreground, background)

    # What an app is told in its session.
    type SessionEvent (
      # For Complete; counts up within the session.
      id: int,
      # launch: the user's default action on it started the app. received: it is due, and the app is in
      # the foreground; unless a session completes this it is shown after all. activated: the default
      # action while the app ran. handleAction: another action. dismissed: by the user.
      kind: (launch, received, activated, handleAction, dismissed),
      # As it was scheduled.
      notification: Notification,
      # <uuid>.<generation>.<k>
      occurrence: string,
      due: int,
      # When it had come to be shown.
      delivered: ?int,
      # Of handleAction: the action's identifier, and what was typed.
      action: ?string,
      text: ?string,
      # Above 1: it was sent before and not completed.
      attempt: int
    )

    # Schedules a notification, or replaces the pending one of the same identifier; with all fields
    # equal it answers unchanged. scheduled is false where the limit sent the new one itself away.
    method Schedule(app: ?string, notification: Notification) -> (
      identifier: string,
      scheduled: bool,
      unchanged: bool,
      replaced: bool,
      occurrence: ?string,
      next: ?int,
      discarded: []string
    )

    # Delivers a notification now, whatever its fireDate; it is never listed as scheduled.
    method PresentNow(app: ?string, notification: Notification) -> (
      identifier: string,
      occurrence: ?string
    )

    # Cancels by identifiers, or every one equal to a notification in all fields but the identifier;
    # what is shown is taken back. Exactly one of the two.
    method Cancel(app: ?string, identifiers: ?[]string, equal: ?Notification) -> (
      cancelled: int,
      withdrawn: int
    )

    method CancelAll(app: ?string) -> (cancelled: int, withdrawn: int)

    # Replaces an app's scheduled list. Parts are gathered until one with final true comes, then
    # swapped at once; closing the connection before that drops them. Parts before it answer
    # received alone.
    method ReplaceAll(app: ?string, notifications: []Notification, final: bool) -> (
      received: int,
      added: ?int,
      replaced: ?int,
      unchanged: ?int,
      cancelled: ?int,
      discarded: ?[]string
    )

    # With more: every row, one a reply. Without: a page, and where it is not the last, the cursor
    # for the next. Without app: every app that the caller may see.
    method List(
      app: ?string,
      delivered: ?bool,
      # What was snoozed and comes again, instead.
      snoozed: ?bool,
      cursor: ?int,
      limit: ?int
    ) -> (
      notifications: []Listed,
      cursor: ?int
    )

    # The next occurrences of a scheduled notification, or of one that is only drafted. Exactly one
    # of the two. Without count: one; without after: from now.
    # because: for each of them which rule has moved or merged it, in words, else nothing; left out
    # where none was.
    method Next(
      app: ?string,
      identifier: ?string,
      notification: ?Notification,
      count: ?int,
      after: ?int
    ) -> (instants: []int, because: ?[]string)

    # Oldest first; pages and more as in List.
    method History(app: ?string, cursor: ?int, limit: ?int) -> (
      deliveries: []Delivery,
      cursor: ?int
    )

    # Needs more. The first reply has no event: it says that the watch stands.
    method Watch(app: ?string) -> (event: ?Event)

    method Status() -> (status: object)

    # A session: while it is open the app runs. Needs more, and a connection of its own, which the
    # session ends with. The first reply has session and waiting: so many events follow at once, first
    # of them the one of kind launch, if there is one. Every further reply has an event.
    method OpenSession(app: ?string, state: AppState) -> (
      session: ?int,
      waiting: ?int,
      event: ?SessionEvent
    )

    # Over another connection of the same user, as Complete. It holds for what is due from then on.
    method SetState(session: int, state: AppState) -> ()

    # A received event is taken, within 2 s of its coming; a handleAction is dealt with, within 30 s,
    # else it is sent again, three times in all. For other events it does no harm.
    method Complete(session: int, event: int) -> ()

    # Silences what plays and what is queued.
    method StopSound(app: ?string) -> (stopped: int)

    # Lets held notifications go by the clock as it is, until the next boot; for root and the
    # operator's group. released: how many had been held.
    method TrustClock() -> (released: int)

    # Where the board is, in degrees, and how far from there it may be, in metres; time: when that was
    # found, else now. For root, the operator's group, and the user that the daemon runs for. A fix that
    # is older than the last one is refused. crossings: how many notifications it fired.
    method Fix(latitude: float, longitude: float, accuracy: ?float, time: ?int) -> (crossings: int)

    # A full alert with sound through one sink or every one.
    method Test(app: ?string, sink: ?string) -> (occurrence: string, sinks: []string)

    # A button that an app offers with its alerts.
    type Action (
      # 1 to 128 bytes, unlike any other of its category.
      identifier: string,
      # At most 1 KiB.
      title: string,
      # What becomes of the app when it is chosen; left out: foreground.
      activationMode: ?(foreground, background),
      destructive: ?bool,
      # A sink that says that it is locked may not choose it.
      authenticationRequired: ?bool,
      behavior: ?(default, textInput)
    )

    # A group of actions that a notification names by its category: at most 4 in the default context.
    type Category (
      identifier: string,
      actions: []Action,
      # Those of the minimal context by their identifiers, at most 2; left out: the first two.
      minimal: ?[]string
    )

    # The parts of notifications that an app shows.
    type AppSettings (alert: bool, badge: bool, sound: bool)

    # Says what an app wants shown and what actions there are, in place of what it said before; at most
    # 64 categories. Answers with what the operator allows of it.
    method RegisterSettings(app: ?string, settings: AppSettings, categories: []Category) -> (
      settings: AppSettings
    )

    # An app that never registered has all that the operator allows, and no categories.
    method Settings(app: ?string) -> (
      settings: AppSettings,
      categories: []Category,
      registered: bool
    )

    # The app's one number.
    method Badge(app: ?string) -> (badge: int)

    # 0 clears it; at most 2147483647.
    method SetBadge(app: ?string, badge: int) -> ()

    # The apps that the caller may see, or one of them; pages and more as in List.
    method Apps(app: ?string, cursor: ?int, limit: ?int) -> (apps: []App, cursor: ?int)

    # What the user does with what is shown or heard, by its identifier (then it is the newest occurrence,
    # and older ones of it are put away too) or by an occurrence. Every sink that shows it takes it away,
    # and its sound stops.
    #
    # Without action the default one; text is what was typed, for one whose behavior is textInput.
    method Act(app: ?string, id: string, action: ?string, text: ?string) -> ()

    method Dismiss(app: ?string, id: string) -> ()

    # It comes again after so many microseconds, from a second to 7 days, wherever the clock is set to.
    # next: when. Such are listed by List with snoozed alone, count towards no limit of notifications but
    # 64 an app, and are cancelled with their notification.
    method Snooze(app: ?string, id: string, duration: int) -> (next: int)

    # field: its path as the caller wrote it, such as userInfo.rooms[3]; code: missing, unknown,
    # wrongType, outOfRange, tooLong, malformed, conflict or notInThisBuild.
    error InvalidField (field: string, code: string, reason: string)

    # Not a call at all; offset counts bytes in the message.
    error MalformedMessage (offset: int, reason: string)

    error NotOwner (app: string)

    # For root, the operator's group, or the user that the daemon runs for.
    error NotPermitted ()

    error NotFound (identifier: string)

    error UnknownSink (name: string)

    # limit: its name in the configuration's [limits]; memory, replaceAll (notifications in one list) and
    # replaceAllBytes stand in none.
    error LimitReached (limit: string, value: int)

    # None is open under that number, or it is another user's.
    error UnknownSession (session: int)

    # Nothing was stored.
    error BooksUnavailable (reason: string)

    """

  /// The interface that every Varlink service has.
  static let serviceDescription = """
    # What every Varlink service answers.
    interface org.varlink.service

    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    method GetInterfaceDescription(interface: string) -> (description: string)

    error InterfaceNotFound (interface: string)

    error MethodNotFound (method: string)

    error MethodNotImplemented (method: string)

    error InvalidParameter (parameter: string)

    error PermissionDenied ()

    error ExpectedMore ()

    """
}
