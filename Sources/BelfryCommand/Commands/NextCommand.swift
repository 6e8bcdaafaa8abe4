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
      after = try TimeText.parse(text, option: .after, now: now, zone: context.zone).instant
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
      throw .usage("next needs an ID, or one of --at, --in and --now (belfry next --help)")
    }
    try draft(context, now: now, after: after, count: count)
  }

  private static func scheduled(
    _ context: CommandContext, _ identifier: String, after: Instant?, count: Int32
  ) throws(CommandError) {
    let daemon = try Daemon.connect(context)
    let found: [Instant]
    do throws(ClientError) {
      found = try daemon.client.next(
        app: context.app, identifier: identifier, count: count, after: after)
    } catch {
      guard case .refused(.notFound) = error else { throw CommandError(error) }
      throw try CancelCommand.notFound(identifier, daemon, context.app)
    }
    try say(found, context)
  }

  private static func draft(
    _ context: CommandContext, now: Instant, after: Instant?, count: Int32
  ) throws(CommandError) {
    let trigger = try Trigger.read(context.given, now: now, zone: context.zone)
    var notification = Notification()
    notification.fireDate = trigger.fireDate
    notification.repeatInterval = trigger.unit
    notification.repeatCalendar = trigger.calendar
    do throws(FieldError) {
      notification = try notification.validated()
    } catch {
      throw .refused(error.field + ": " + error.reason)
    }
    if let calendar = notification.pluginCalendar {
      let worker = try CalendarWorker.start(calendar, Installation.here())
      let found = try Occurrences.next(
        of: notification, scheduledAt: now, after: after, count: count
      ) { (question) throws(CommandError) in try worker.ask(question) }
      return try say(found, context)
    }
    let found = Occurrences.next(of: notification, scheduledAt: now, after: after, count: count)
    try say(found, context)
  }

  static func say(_ found: [Instant], _ context: CommandContext) throws(CommandError) {
    let words = context.words
    if context.json {
      for instant in found { try context.say(["at": .string(words.stamp(instant))]) }
      return
    }
    if found.isEmpty { return try context.say("never") }
    var table = TextTable([.init(title: "WHEN"), .init(title: "AT"), .init(title: "FROM NOW")])
    for instant in found {
      table.add([
        words.moment(instant), words.stamp(instant),
        Duration.words(instant.nanoseconds(since: words.now)),
      ])
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
