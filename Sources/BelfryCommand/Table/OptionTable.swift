import BelfryCore
import BelfryWire

/// The one table of options.
enum OptionTable {
  /// Options that every command takes, also before the command's name.
  static let common: [OptionName] = [.socket, .json, .app, .help, .version]

  static let what: [OptionName] = whatSpecs.map { $0.name }

  /// The trigger options, which `schedule` and `next` share.
  static let trigger: [OptionName] = (whenSpecs + repeatingSpecs).map { $0.name }

  /// On which days, by calendars.
  static let days: [OptionName] = daysSpecs.map { $0.name }

  /// What becomes of a late alert.
  static let lateness: [OptionName] = latenessSpecs.map { $0.name }

  static let all: [OptionSpec] =
    commonSpecs + whatSpecs + whenSpecs + repeatingSpecs + daysSpecs + latenessSpecs
    + singleSpecs

  static func spec(_ name: OptionName) -> OptionSpec {
    for spec in all where spec.name == name { return spec }
    // Every name is in the table; a test holds it.
    return OptionSpec(name, group: .selecting, "")
  }

  private static let commonSpecs = [
    OptionSpec(
      .socket, "PATH", completion: .file, group: .common,
      "the daemon's socket; else $BELFRY_SOCKET, then $XDG_RUNTIME_DIR/belfry/socket, then"
        + " /run/belfry/socket"),
    OptionSpec(
      .json, group: .common, "print one JSON object a line, with keys that stay the same"),
    OptionSpec(
      .app, "APP", completion: .asked(.apps), group: .common,
      "the app that owns the notifications; else $BELFRY_APP, then user.<uid>"),
    OptionSpec(.help, letter: letter("h"), group: .common, "print this help"),
    OptionSpec(.version, group: .common, "print the version"),
  ]

  private static let whatSpecs = [
    OptionSpec(
      .body, "TEXT", copies: "alertBody", group: .what,
      "the alert's text; without it no alert shows"),
    OptionSpec(.title, "TEXT", copies: "alertTitle", group: .what, "a short title"),
    OptionSpec(.subtitle, "TEXT", copies: "alertSubtitle", group: .what, "a short subtitle"),
    OptionSpec(
      .action, "TEXT", copies: "alertAction", group: .what,
      "the title of the action button (default: View)"),
    OptionSpec(.noAction, group: .what, "show no action button"),
    OptionSpec(
      .sound, "NAME", completion: .asked(.sounds), copies: "soundName", group: .what,
      "a file name in the sound folders, or default; without it the alert is silent"),
    OptionSpec(
      .badge, "N", sets: "applicationIconBadgeNumber", group: .what,
      "the number on the app's badge: 0 leaves it alone, a negative one clears it"),
    OptionSpec(
      .category, "C", copies: "category", group: .what, "the name of a registered group of actions"),
    OptionSpec(
      .userInfo, "JSON", sets: "userInfo", group: .what,
      "an object handed to the sinks; dates as {\"$date\": microseconds}, data as"
        + " {\"$data\": \"base64\"}"),
    OptionSpec(
      .thread, "T", copies: "threadIdentifier", group: .what, "a name that groups notifications"),
    OptionSpec(
      .level, "LEVEL", completion: .words(["passive", "active", "timeSensitive", "critical"]),
      sets: "interruptionLevel", group: .what,
      "passive, active (default), timeSensitive or critical (if the app may)"),
    OptionSpec(
      .volume, "V", sets: "volume", group: .what,
      "a share of the speaker's own volume: 0 to 1, or 50% (default: 1)"
    ),
    OptionSpec(
      .repeatSound, "N", sets: "repeatSound", group: .what,
      "the sound comes again N times, at most 10, until somebody acts, dismisses, snoozes, cancels or"
        + " stops it"),
    OptionSpec(
      .fadeIn, "DURATION", sets: "fadeIn", group: .what,
      "the sound begins very softly and comes to its volume after this: up to 30m, going on over its"
        + " repeats"),
    OptionSpec(
      .ringFor, "DURATION", sets: "ringFor", group: .what,
      "the sound comes again for so long, 1s to 1h, until somebody acts, dismisses, snoozes, cancels or"
        + " stops it; what has begun by then plays to its end"),
    OptionSpec(
      .realert, "DURATION", sets: "realert", group: .what,
      "shown and sounded again so often until somebody answers: 10s to 24h; stop-sound is no answer"
    ),
    OptionSpec(
      .realertAtMost, "N", group: .what,
      "of --realert: at most N times, 1 to 100 (default: 10); then it is unanswered"),
    OptionSpec(
      .ladder, "STEPS", sets: "ladder", group: .what,
      "who gets it until somebody answers: " + LadderText.forms),
    OptionSpec(
      .to, "NAME", completion: .asked(.sinks), sets: "sinks", group: .what, many: true,
      "only this one gets it, a plugin's section or speaker (see: belfry plugin list); may be given"
        + " several times"
    )
    .to("test", "only this one, a plugin's section or speaker (see: belfry plugin list)")
    .to(
      "history",
      "only what this one got, a plugin's section or speaker; may be given several times"),
    OptionSpec(
      .id, "ID", copies: "identifier", group: .what,
      "its identifier; scheduling it again replaces it (default: a short one of its own)"
    )
    .to("history", "only of the notification with this identifier"),
  ]

  private static let whenSpecs = [
    OptionSpec(
      .at, "TIME", sets: "fireDate", group: .when,
      TimeText.forms
    )
    .to(
      "skip", "the occurrence at this time, or all of a day (2027-12-24, friday): " + TimeText.forms
    )
    .to(
      "unskip",
      "only the occurrence at this time, or those of a day (2027-12-24, friday): "
        + TimeText.forms),
    OptionSpec(
      .inDuration, "DURATION", sets: "fireIn", group: .when,
      "so long from now: 90s, 10m, 1h30m, 1.5h, 2d, 1w"),
    OptionSpec(.now, group: .when, "at once"),
    OptionSpec(
      .region, "LAT,LON,METRES", sets: "region", group: .when,
      "when the board crosses this circle: degrees north and east of its centre, and its radius"),
    OptionSpec(
      .on, "CROSSING", completion: .words(PlaceText.Crossing.allCases.map { $0.rawValue }),
      group: .when, "of a region: enter, exit or both (default)"),
    OptionSpec(
      .everyCrossing, sets: "regionTriggersOnce", group: .when,
      "of a region: at every crossing; else the first one and no more"
    ),
    OptionSpec(
      .timeZone, "ZONE", completion: .asked(.zones), sets: "timeZone", group: .when,
      "the zone whose clocks are meant, such as Europe/Berlin (else the board's)"),
    OptionSpec(
      .zoneMode, "MODE", completion: .words(ZoneMode.allCases.map { $0.rawValue }),
      sets: "zoneMode", group: .when,
      "absolute, an instant: TIME with an offset; floating, what the board's clocks show wherever"
        + " it is: TIME without one; zoned, what those of --time-zone show"),
    OptionSpec(
      .calendar, "ID", completion: .words(Notification.calendars), sets: "repeatCalendar",
      group: .when,
      "the calendar that repeats are counted in (default: gregorian); hebrew, islamic, chinese and"
        + " others come by a plugin"),
  ]

  private static let repeatingSpecs = [
    OptionSpec(
      .repeatUnit, "UNIT", completion: .words(RepeatWord.units), sets: "repeatInterval",
      group: .repeating,
      "second, minute, hour, day, week, month, quarter, year, …; for workdays see --weekdays"),
    OptionSpec(.every, "N", sets: "every", group: .repeating, "every N units"),
    OptionSpec(
      .weekdays, "DAYS", completion: .words(["mon-fri", "weekdays", "weekends", "daily"]),
      group: .repeating,
      "on these days of the week, at the time of --at: mon-fri, sat,sun, weekdays, weekends, daily"),
    OptionSpec(
      .rrule, "RULE", sets: "rrule", group: .repeating, many: true,
      "an RRULE of RFC 5545: FREQ=MONTHLY;BYDAY=-1FR is the last Friday of each month; given several"
        + " times, up to 8, all of them"
    ),
    OptionSpec(
      .exdate, "T,..", sets: "exdate", group: .repeating, many: true,
      "not at these times of the repeat; a day alone, such as 2027-12-24 or friday, is all that falls on"
        + " it"),
    OptionSpec(
      .rdate, "T,..", sets: "rdate", group: .repeating, many: true, "also at these times"),
    OptionSpec(
      .until, "T", sets: "until", group: .repeating,
      "no repeat later than this: a TIME, so long from now (5d), or a date alone, which is the end"
        + " of that day"
    )
    .to(
      "pause",
      "what is due then rings again: a TIME, so long from now (1h), or a date alone, which is the"
        + " end of that day (default: until it is resumed)"),
    OptionSpec(.count, "N", sets: "count", group: .repeating, "so many times in all"),
    OptionSpec(
      .offset, "DURATION", sets: "offset", group: .repeating,
      "due so long before each time (-15m, -1d) or after it (1h), at most 366 days; days and weeks keep"
        + " the wall clock; also as RFC 5545 writes it, -PT15M"),
    OptionSpec(
      .gap, "POLICY", completion: .words(GapPolicy.allCases.map { $0.rawValue }),
      sets: "gap", group: .repeating,
      "a wall clock that the clocks jump over: shift, later by the jump (default); next, the first"
        + " instant behind it; skip"),
    OptionSpec(
      .overlap, "POLICY", completion: .words(OverlapPolicy.allCases.map { $0.rawValue }),
      sets: "overlap", group: .repeating,
      "a wall clock that comes twice: first (default), last or both"),
    OptionSpec(
      .monthEnd, "POLICY", completion: .words(MonthEndPolicy.allCases.map { $0.rawValue }),
      sets: "monthEnd", group: .repeating,
      "a day that the month does not have: clamp, its last (default); skip; roll, the day after"),
  ]

  private static let daysSpecs = [
    OptionSpec(
      .exceptOn, "NAME", completion: .asked(.calendars), sets: "exceptOn", group: .repeating,
      many: true,
      "not on the days of this calendar (see: belfry days list); may be given several times"),
    OptionSpec(
      .onlyOn, "NAME", completion: .asked(.calendars), sets: "onlyOn", group: .repeating,
      many: true,
      "on the days of this calendar alone; given several times: of one of them"),
    OptionSpec(
      .asOn, "NAME=DAY", sets: "asOn", group: .repeating, many: true,
      "for BYDAY of --rrule the days of this calendar count as DAY: mon, tue, wed, thu, fri, sat or"
        + " sun; may be given several times"),
  ]

  private static let latenessSpecs = [
    OptionSpec(
      .expires, "TIME", sets: "expires", group: .repeating,
      "not shown after this moment, which stays when the board's zone changes; a duration, such as 2h,"
        + " counts from when it is due"),
    OptionSpec(
      .late, "POLICY", completion: .words(["fire", "drop"]), sets: "late", group: .repeating,
      "what to do when it is late: fire, drop, or fire if at most so late: SECONDS, or such as 5m"),
    OptionSpec(
      .tolerance, "S", sets: "tolerance", group: .repeating,
      "may fire up to S seconds later, to wake the board less often; at least 0.01s"),
  ]

  private static let singleSpecs = [
    OptionSpec(
      .number, "N", letter: letter("n"), group: .selecting, "how many occurrences (default: 5)"
    )
    .to("skip", "how many occurrences, the next one first: 1 to 1000 (default: 1)"),
    OptionSpec(
      .from, "T", group: .selecting,
      "what is due from then on is skipped: a TIME, so long from now (1h), or a date alone, which"
        + " is its beginning (default: now)"),
    OptionSpec(
      .clear, "FIELD", completion: .words(NotificationCodec.fields), group: .selecting, many: true,
      "this field has its default again, by the name that --json prints, or by its option's; may be"
        + " given several times"),
    OptionSpec(
      .after, "TIME", group: .selecting,
      "only what comes after this TIME, or after a day (2027-12-24, friday) has begun; one that is past"
        + " looks back, also at what has rung"),
    OptionSpec(
      .explain, group: .selecting,
      "say with each occurrence which rule moved or merged it, or how a push was understood"
    )
    .to("next", "say with each occurrence which rule moved or merged it")
    .to(
      "push",
      "say how each property was understood, what has no effect, what is shown, and what became"
        + " of it"),
    OptionSpec(.delivered, group: .selecting, "what sinks still show, not what is scheduled"),
    OptionSpec(.all, group: .selecting, "every notification of the app")
      .to("dismiss", "every alert of the app that is shown")
      .to("pause", "everything; with --app APP, all of that app")
      .to("resume", "what pause --all has paused; with --app APP, that app"),
    OptionSpec(.yes, group: .selecting, "do not ask, on a terminal, whether that is meant"),
    OptionSpec(
      .set, "KEY=VALUE", group: .selecting, many: true,
      "a key of the plugin's section; may be given several times"),
    OptionSpec(
      .user, group: .selecting, "for a user's own service manager, not the system's"),
    OptionSpec(.dryRun, group: .selecting, "deliver nothing, only show"),
    OptionSpec(
      .limit, "N", letter: letter("n"), group: .selecting,
      "of a push: prune to at most N bytes, as CloudKit does: 256, 2048, 4096, 5120; of an inbox:"
        + " at most N entries"
    )
    .to("push", "prune to at most N bytes, as CloudKit does: 256, 2048, 4096, 5120")
    .to("inbox fetch", "at most N entries")
    .to("history", "only the newest N"),
    OptionSpec(
      .collapseID, "ID", group: .selecting,
      "takes the place of what is shown of an earlier push with the same ID"),
    OptionSpec(
      .container, "C", group: .selecting,
      "the inbox of this container, a payload's cid (default: the app's own inbox)"),
    OptionSpec(
      .since, "TOKEN", group: .selecting,
      "only what has come since; the TOKEN is what the last fetch ended with"
    )
    .to(
      "history",
      "only what was due since then: so long ago (12h, 2d), a day (yesterday,"
        + " 2027-01-31), or a TIME that is past"
    ),
    OptionSpec(
      .state, "STATE", completion: .words(DeliveryState.allCases.map { $0.rawValue }),
      group: .selecting, "only what has ended so, such as delivered, missed, skipped or failed"),
    OptionSpec(.text, "T", group: .selecting, "what was typed, for an action that takes text"),
    OptionSpec(
      .accuracy, "METRES", group: .selecting,
      "how far from there the board may be (default: 20, or a fifth of the region's radius)"),
    OptionSpec(.time, "T", group: .selecting, "when the fix was taken (default: now)"),
    OptionSpec(
      .device, "NAME", group: .selecting, "the ALSA device to play on (default: [sound] device)"),
  ]

  private static func letter(_ text: StaticString) -> UInt8 { text.utf8Start.pointee }
}

/// Every option's long name.
enum OptionName: String, CaseIterable, Sendable {
  // Everywhere.
  case socket, json, app, help, version
  // What is delivered.
  case body, title, subtitle, action
  case noAction = "no-action"
  case sound, badge, category
  case userInfo = "user-info"
  case thread, level, volume
  case repeatSound = "repeat-sound"
  case fadeIn = "fade-in"
  case ringFor = "ring-for"
  case realert
  case realertAtMost = "realert-at-most"
  case ladder, to, id
  // When.
  case at
  case inDuration = "in"
  case now, region, on
  case everyCrossing = "every-crossing"
  case timeZone = "time-zone"
  case zoneMode = "zone-mode"
  case calendar
  // Repeating and lateness.
  case repeatUnit = "repeat"
  case every, weekdays, rrule, exdate, rdate, until, count, offset, gap, overlap
  case monthEnd = "month-end"
  case exceptOn = "except-on"
  case onlyOn = "only-on"
  case asOn = "as-on"
  case expires, late, tolerance
  // Of single commands.
  case from, clear
  case yes, number, after, explain, delivered, all, user, text, accuracy, time, set, device
  case limit, container, since, state
  case collapseID = "collapse-id"
  case dryRun = "dry-run"
}
