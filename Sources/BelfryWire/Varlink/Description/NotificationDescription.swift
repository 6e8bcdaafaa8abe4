extension Varlink {
  /// The interface's head, and what is scheduled.
  static let notificationDescription = """
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

    # An app has as many notifications as it may: the latest to fire goes, which may be the new one, or
    # the new one is refused. Of an app for which neither operator nor manifest says, the caller may say;
    # left out: refuse. Where no number is configured, discard keeps 64 and refuse 512.
    type FullPolicy (discard, refuse)

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
      # Each text: itself, or a key in the app's .strings table for its language. A body of which nothing
      # would be seen is refused, unless a sound, a badge or userInfo stands beside it.
      alertBody: ?string,
      # The body was meant for printf: its escapes are left out, %% becomes %. Otherwise it is shown as it
      # was written.
      alertBodyIsFormat: ?bool,
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
      # It came as a push: the whole payload. Only the daemon sets this; in a call it is refused.
      push: ?object
    )


    """
}
