import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry next`: occurrences of a draft, or of what is scheduled.
enum NextCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let given = context.given
    let count = try Self.count(given)
    let triggers = (OptionTable.trigger + OptionTable.days).filter { given.has($0) }
    if let identifier = given.operands.first {
      if let trigger = triggers.first {
        throw .usage(
          "next takes an ID or trigger options, not both: --" + trigger.rawValue)
      }
      return try scheduled(context, identifier, count: count)
    }
    if triggers.isEmpty {
      throw .usage(
        "next needs an ID, or one of --at, --in, --now and --region (belfry next --help)")
    }
    try draft(context.followingAnyDaemon(), count: count)
  }

  private static func after(
    _ context: CommandContext, _ now: Instant
  ) throws(CommandError) -> Instant? {
    try context.given.value(.after).map { text throws(CommandError) in
      if DurationArgument.isMeant(text) {
        return now.advanced(by: try DurationArgument.parse(text, "--after"))
      }
      // A day alone is its beginning.
      let today = context.board.civil(now).date
      let day = TimeText.day(text, today: today) ?? TimeText.lastDate(text, today)
      let whole = day.map { $0.text + "T00:00" } ?? text
      return try TimeText.parse(whole, option: .after, now: now, zone: context.board)
        .instant(in: context.board)
    }
  }

  private static func scheduled(
    _ context: CommandContext, _ identifier: String, count: Int32
  ) throws(CommandError) {
    // What is wrong is said without a daemon.
    _ = try after(context, SystemClock.real())
    let daemon = try Daemon.connect(context)
    let context = context.following(daemon)
    let after = try after(context, SystemClock.real())
    let identifier = try IdentifierBeginning.complete([identifier], daemon, context)[0]
    let found: (found: [UpcomingOccurrence], skipped: [PassedRun])
    do throws(ClientError) {
      found = try pages(of: count, after: after) { count, after throws(ClientError) in
        try daemon.client.nextAndSkipped(
          app: context.app, identifier: identifier, count: count, after: after)
      }
    } catch {
      guard case .refused(.notFound) = error else { throw CommandError(error) }
      throw try MissingNotification.scheduled(identifier, daemon, context)
    }
    let notification = try content(of: identifier, daemon, context)
    // Of what fires by its region nobody knows when that is.
    if found.found.isEmpty, let words = notification?.crossingWords {
      return try say(words, context)
    }
    try say(
      found.found, skipped: found.skipped, context,
      zone: notification.flatMap { ownZone(of: $0, context) } ?? context.board)
  }

  /// By whose clocks it fires, if these are not the board's (T3).
  private static func ownZone(
    of notification: Notification, _ context: CommandContext
  ) -> BoardZone? {
    guard notification.mode == .zoned, let name = notification.timeZone,
      let file = try? context.zoneFiles.zone(name)
    else { return nil }
    return BoardZone(name: file.name, rules: file.rules)
  }

  private static func content(
    of identifier: String, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> Notification? {
    var found: Notification?
    try daemon.ask { client throws(ClientError) in
      try client.list(app: context.app) { row in
        if row.notification.identifier == identifier { found = row.notification }
      }
    }
    return found
  }

  private static func say(_ region: String, _ context: CommandContext) throws(CommandError) {
    guard context.json else { return try context.say(region) }
    try context.say(["at": .null, "when": .string(region)])
  }

  private static func draft(
    _ context: CommandContext, count: Int32
  ) throws(CommandError) {
    let now = SystemClock.real()
    let trigger = try context.trigger(now: now)
    for warning in trigger.warnings { context.warn(warning) }
    var draft = trigger.draft
    try DaysArguments.set(context.given, in: &draft)
    do throws(FieldError) {
      draft = try draft.validated()
      try draft.checkAddedPasses(reading: trigger.named.rules)
    } catch {
      throw .refused(error, .notification)
    }
    if let region = draft.crossingWords { return try say(region, context) }
    // Who looks back wants to know what it would have done, had it been scheduled then.
    let after = try after(context, now)
    try trigger.checkAhead(of: min(after ?? now, now), board: context.board)
    let start = draft.fireDate == nil ? now : min(after ?? now, now)
    let reading = draft.reading(
      scheduledAt: draft.fireIn == nil ? start : now, named: trigger.named.rules,
      board: context.board.rules)
    let from = after ?? now.advanced(by: -1)
    if draft.goesByDays { return try days(draft, after: from, count: count, context, trigger.zone) }
    if let calendar = draft.pluginCalendar {
      let worker = try CalendarWorker.start(calendar, Installation.here())
      let found = try Occurrences.next(
        of: reading, after: from, expires: nil, count: count, zoneName: trigger.zone.name
      ) { (question) throws(CommandError) in try worker.ask(question) }
      return try say(found, context, zone: trigger.zone)
    }
    let table = reading.timetable()
    guard table.first(after: min(from, now.advanced(by: -1))) != nil else {
      let error = draft.neverDue(from: reading.anchor)
      throw .refused(error, .notification)
    }
    var found = Occurrences.next(
      in: table, after: from, expires: nil, count: count,
      zoneName: trigger.zone.name)
    if let because = trigger.because, let first = found.first,
      first.instant == table.first(after: .distantPast)?.instant
    {
      found[0].because = because
    }
    try say(found, context, zone: trigger.zone)
  }

  /// An answer has 1000 at most.
  private static func pages(
    of count: Int32, after: Instant?,
    _ ask: (Int32, Instant?) throws(ClientError) -> (
      found: [UpcomingOccurrence], skipped: [PassedRun]
    )
  ) throws(ClientError) -> (found: [UpcomingOccurrence], skipped: [PassedRun]) {
    var all: (found: [UpcomingOccurrence], skipped: [PassedRun]) = ([], [])
    while all.found.count < Int(count) {
      let wanted = min(1000, count - Int32(all.found.count))
      let page = try ask(wanted, all.found.last?.instant ?? after)
      all.found += page.found
      all.skipped += page.skipped
      if page.found.count < Int(wanted) { break }
    }
    return all
  }

  /// The calendars are the daemon's (E3).
  private static func days(
    _ draft: Notification, after: Instant, count: Int32, _ context: CommandContext,
    _ zone: BoardZone
  ) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    let all: (found: [UpcomingOccurrence], skipped: [PassedRun])
    do throws(ClientError) {
      all = try pages(of: count, after: after) { count, after throws(ClientError) in
        try daemon.client.next(of: draft, app: context.app, count: count, after: after)
      }
    } catch {
      throw CommandError(error, of: .notification)
    }
    try say(all.found, skipped: all.skipped, context, zone: zone)
  }

  /// `zone` is the one that times were read in, by whose clocks it fires.
  private static func say(
    _ found: [UpcomingOccurrence], skipped: [PassedRun] = [], _ context: CommandContext,
    zone: BoardZone
  ) throws(CommandError) {
    let words = context.words
    let stamps = LocalWords(now: words.now, zone: zone)
    let explains = context.given.has(.explain)
    if context.json {
      for row in found {
        var object: JSONObject = [
          "at": .string(stamps.stamp(row.instant)), "zone": .string(zone.name),
        ]
        object.append("because", LocalWords.text(row.because))
        try context.say(object)
      }
      for run in skipped {
        try context.say([
          "skipped": .string(stamps.stamp(run.first)), "through": stamps.json(run.last),
          "zone": .string(zone.name), "because": .string(run.reason),
        ])
      }
      return
    }
    for run in skipped {
      let end =
        run.last.map { $0 == run.first ? "" : " to " + words.moment($0) } ?? " and all that follow"
      try context.say("skipped " + words.moment(run.first) + end + ": " + words.local(run.reason))
    }
    if found.isEmpty { return try context.say("never") }
    // Of one zone the first says it all.
    var columns: [TextTable.Column] = [
      .init(title: "WHEN IN " + words.zone.told),
      .init(title: "AT IN " + zone.told, isSpare: words.zone.name == zone.name),
      .init(title: "FROM NOW"),
    ]
    if explains { columns.append(.init(title: "BECAUSE", wraps: true)) }
    var table = TextTable(columns)
    for row in found {
      let cells = [
        words.moment(row.instant), stamps.stamp(row.instant),
        Nanoseconds.words(row.instant.nanoseconds(since: words.now)),
      ]
      table.add(explains ? cells + [row.because ?? "-"] : cells)
    }
    try context.say(table)
  }

  private static func count(_ given: Invocation) throws(CommandError) -> Int32 {
    Int32(try given.integer(.number, in: 1...10_000) ?? 5)
  }
}
