import BelfryCore

/// The one table of options.
enum OptionTable {
  /// Options that every command takes, also before the command's name.
  static let common: [OptionName] = [.socket, .json, .app, .help, .version]

  static let what: [OptionName] = whatSpecs.map { $0.name }

  /// The trigger options, which `schedule` and `next` share.
  static let trigger: [OptionName] = (whenSpecs + repeatingSpecs).map { $0.name }

  /// What becomes of a late alert.
  static let lateness: [OptionName] = latenessSpecs.map { $0.name }

  static let all: [OptionSpec] =
    commonSpecs + whatSpecs + whenSpecs + repeatingSpecs + latenessSpecs + singleSpecs

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
      .id, "ID", copies: "identifier", group: .what,
      "its identifier; scheduling it again replaces it (default: a new UUID)"),
  ]

  private static let whenSpecs = [
    OptionSpec(
      .at, "TIME", sets: "fireDate", group: .when,
      TimeText.forms),
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
      "second, minute, hour, day, week, month, quarter, year, …; for workdays see --rrule"),
    OptionSpec(.every, "N", sets: "every", group: .repeating, "every N units"),
    OptionSpec(
      .rrule, "RULE", sets: "rrule", group: .repeating,
      "an RRULE of RFC 5545: FREQ=MONTHLY;BYDAY=-1FR is the last Friday of each month,"
        + " FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR every workday"),
    OptionSpec(
      .exdate, "T,..", sets: "exdate", group: .repeating, "not at these times of the repeat"),
    OptionSpec(.rdate, "T,..", sets: "rdate", group: .repeating, "also at these times"),
    OptionSpec(
      .until, "T", sets: "until", group: .repeating,
      "no repeat later than this; a date alone is the end of that day"),
    OptionSpec(.count, "N", sets: "count", group: .repeating, "so many times in all"),
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

  private static let latenessSpecs = [
    OptionSpec(.expires, "TIME", sets: "expires", group: .repeating, "not shown later than this"),
    OptionSpec(
      .late, "POLICY", completion: .words(["fire", "drop"]), sets: "late", group: .repeating,
      "what to do when it is late: fire, drop, or fire if at most so many SECONDS late"),
    OptionSpec(
      .tolerance, "S", sets: "tolerance", group: .repeating,
      "may fire up to S seconds later, to wake the board less often"),
  ]

  private static let singleSpecs = [
    OptionSpec(
      .number, "N", letter: letter("n"), group: .selecting, "how many occurrences (default: 5)"),
    OptionSpec(.after, "TIME", group: .selecting, "only what comes after this"),
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
    OptionSpec(.all, group: .selecting, "every notification of the app"),
    OptionSpec(
      .sink, "NAME", completion: .asked(.sinks), group: .selecting,
      "only this sink (see: belfry status)"),
    OptionSpec(
      .set, "KEY=VALUE", group: .selecting, many: true,
      "a key of the plugin's section; may be given several times"),
    OptionSpec(
      .user, group: .selecting, "for a user's own service manager, not the system's"),
    OptionSpec(.dryRun, group: .selecting, "deliver nothing, only show"),
    OptionSpec(
      .limit, "N", group: .selecting,
      "of a push: prune to at most N bytes, as CloudKit does: 256, 2048, 4096, 5120; of an inbox:"
        + " at most N entries"
    )
    .to("push", "prune to at most N bytes, as CloudKit does: 256, 2048, 4096, 5120")
    .to("inbox fetch", "at most N entries"),
    OptionSpec(
      .collapseID, "ID", group: .selecting,
      "takes the place of what is shown of an earlier push with the same ID"),
    OptionSpec(
      .container, "C", group: .selecting,
      "the inbox of this container, a payload's cid (default: the app's own inbox)"),
    OptionSpec(
      .since, "TOKEN", group: .selecting,
      "only what has come since; the TOKEN is what the last fetch ended with"),
    OptionSpec(.text, "T", group: .selecting, "what was typed, for an action that takes text"),
    OptionSpec(
      .accuracy, "METRES", group: .selecting,
      "how far from there the board may be; what is worse than a region's radius decides nothing"),
    OptionSpec(.time, "T", group: .selecting, "when the fix was taken (default: now)"),
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
  case id
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
  case every, rrule, exdate, rdate, until, count, gap, overlap
  case monthEnd = "month-end"
  case expires, late, tolerance
  // Of single commands.
  case number, after, explain, delivered, all, sink, user, text, accuracy, time, set
  case limit, container, since
  case collapseID = "collapse-id"
  case dryRun = "dry-run"
}
