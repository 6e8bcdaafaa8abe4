import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry next`: occurrences of a draft, or of what is scheduled.
enum NextCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let given = context.given
    let count = try Self.count(given)
    let now = SystemClock.real()
    var after: Instant?
    if let text = given.value(.after) {
      after = try TimeText.parse(text, option: .after, now: now, zone: context.zone)
        .instant(in: context.zone)
    }
    let triggers = OptionTable.trigger.filter { given.has($0) }
    if let identifier = given.operands.first {
      if let trigger = triggers.first {
        throw .usage(
          "next takes an ID or trigger options, not both: --" + trigger.rawValue)
      }
      return try scheduled(context, identifier, after: after, count: count)
    }
    if triggers.isEmpty {
      throw .usage(
        "next needs an ID, or one of --at, --in, --now and --region (belfry next --help)")
    }
    try draft(context, now: now, after: after, count: count)
  }

  private static func scheduled(
    _ context: CommandContext, _ identifier: String, after: Instant?, count: Int32
  ) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    let found: [UpcomingOccurrence]
    do throws(ClientError) {
      found = try daemon.client.next(
        app: context.app, identifier: identifier, count: count, after: after)
    } catch {
      guard case .refused(.notFound) = error else { throw CommandError(error) }
      throw try CancelCommand.notFound(identifier, daemon, context.app)
    }
    if found.isEmpty, let region = try region(of: identifier, daemon, context) {
      return try say(region, context)
    }
    let context = context.following(daemon)
    try say(found, context, zone: context.zone)
  }

  /// The words for what fires by its region, of which nobody knows when that is.
  private static func region(
    of identifier: String, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> String? {
    var found: String?
    try daemon.ask { client throws(ClientError) in
      try client.list(app: context.app) { row in
        if row.notification.identifier == identifier { found = row.notification.crossingWords }
      }
    }
    return found
  }

  private static func say(_ region: String, _ context: CommandContext) throws(CommandError) {
    guard context.json else { return try context.say(region) }
    try context.say(["at": .null, "when": .string(region)])
  }

  private static func draft(
    _ context: CommandContext, now: Instant, after: Instant?, count: Int32
  ) throws(CommandError) {
    let trigger = try context.trigger(now: now)
    let draft: Notification
    do throws(FieldError) {
      draft = try trigger.draft.validated()
    } catch {
      throw .refused(error.field + ": " + error.reason)
    }
    if let region = draft.crossingWords { return try say(region, context) }
    let reading = draft.reading(
      scheduledAt: now, named: trigger.named.rules, board: context.zone.rules)
    let after = max(after ?? .distantPast, now.advanced(by: -1))
    if let calendar = draft.pluginCalendar {
      let worker = try CalendarWorker.start(calendar, Installation.here())
      let found = try Occurrences.next(
        of: reading, after: after, expires: nil, count: count, zoneName: trigger.zone.name
      ) { (question) throws(CommandError) in try worker.ask(question) }
      return try say(found, context, zone: trigger.zone)
    }
    let table = reading.timetable()
    guard table.first(after: now.advanced(by: -1)) != nil else {
      let error = draft.neverDue(from: reading.anchor)
      throw .refused(error.field + ": " + error.reason)
    }
    var found = Occurrences.next(
      in: table, after: after, expires: nil, count: count,
      zoneName: trigger.zone.name)
    if let because = trigger.because, !found.isEmpty { found[0].because = because }
    try say(found, context, zone: trigger.zone)
  }

  /// `zone` is the one that times are written in.
  private static func say(
    _ found: [UpcomingOccurrence], _ context: CommandContext, zone: BoardZone
  ) throws(CommandError) {
    let words = context.words
    let stamps = LocalWords(now: words.now, zone: zone)
    let explains = context.given.has(.explain)
    if context.json {
      for row in found {
        var object: JSONObject = ["at": .string(stamps.stamp(row.instant))]
        if explains { object.append("because", LocalWords.text(row.because)) }
        try context.say(object)
      }
      return
    }
    if found.isEmpty { return try context.say("never") }
    var columns: [TextTable.Column] = [
      .init(title: "WHEN"), .init(title: "AT"), .init(title: "FROM NOW"),
    ]
    if explains { columns.append(.init(title: "BECAUSE")) }
    var table = TextTable(columns)
    for row in found {
      let cells = [
        words.moment(row.instant), stamps.stamp(row.instant),
        Duration.words(row.instant.nanoseconds(since: words.now)),
      ]
      table.add(explains ? cells + [row.because ?? "-"] : cells)
    }
    try context.say(table)
  }

  private static func count(_ given: Invocation) throws(CommandError) -> Int32 {
    guard let text = given.value(.number) else { return 5 }
    guard let count = Int32(text), count > 0, count <= 10_000 else {
      throw .usage("-n: not a number from 1 to 10000: " + FieldError.quoted(text))
    }
    return count
  }
}
