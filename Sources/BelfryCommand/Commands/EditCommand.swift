import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry edit` (E7): the options say what changes, everything else stays.
enum EditCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    guard context.given.options.contains(where: { Self.options.contains($0.name) }) else {
      throw .usage("edit needs options of schedule that say what changes, or --clear FIELD")
    }
    let clear = try cleared(context.given)
    let daemon = try Daemon.connect(context)
    let context = context.following(daemon)
    let identifier =
      try IdentifierBeginning.complete(context.given.operands, daemon, context).first ?? ""
    guard let current = try scheduled(identifier, daemon, context) else {
      throw try MissingNotification.scheduled(identifier, daemon, context)
    }
    let isCleared = clear.contains(current.repeatInterval == nil ? "rrule" : "repeatInterval")
    if context.given.has(.region), current.repeats, !isCleared {
      throw .refused(
        "--region: it repeats by the time: add --clear "
          + (current.repeatInterval == nil ? "rrule" : "repeat"))
    }
    let now = SystemClock.real()
    let reader = EditReader(
      context: context, current: current, now: now, isOnce: !current.repeats || isCleared)
    let (given, trigger) = try reader.read()
    let draft = try NotificationReader.draft(given, trigger: trigger, now: now)
    let options = given.options.map { $0.name }.filter { Self.options.contains($0) }
    let edit = edit(options, draft, clear: clear)
    let reply: ScheduleReply
    do throws(ClientError) {
      reply = try daemon.client.edit(app: context.app, identifier: identifier, edit)
    } catch {
      if case .refused(.notFound) = error {
        throw .refused("ID: \(identifier) is gone: it has fired or was cancelled; schedule it anew")
      }
      if case .refused(.invalidField(let wrong)) = error, wrong.field == "expires",
        !context.given.has(.expires), let expires = current.expires
      {
        throw .refused(
          "--expires: it expires at " + context.words.moment(expires)
            + ", before it would be due: give --expires anew, or --clear expires")
      }
      throw CommandError(error, of: .notification)
    }
    let edited = try scheduled(identifier, daemon, context)
    let more = reader.warnings(of: trigger, given, reply, edited)
    try say(reply, edited, more, context)
  }

  static let options: [OptionName] =
    OptionTable.what.filter { $0 != .id } + OptionTable.trigger + OptionTable.days
    + OptionTable.lateness + [.clear]

  private static let ofRepeat = [
    "repeatInterval", "rrule", "rrules", "every", "exdate", "rdate", "until", "count", "monthEnd",
    "repeatCalendar",
  ]

  /// `edited`: what it is now; nil: it is gone again.
  private static func say(
    _ reply: ScheduleReply, _ edited: Notification?, _ more: [String], _ context: CommandContext
  ) throws(CommandError) {
    let words = context.words
    if context.json {
      let trigger = clocks(of: edited ?? Notification(), context)
      return try context.say(
        words.json(reply, trigger, warnings: context.warnings(reply) + more))
    }
    var repeats = context.repeatWords
    let parts = [
      reply.next.map { firing($0, edited, context) },
      edited.flatMap { ScheduleCommand.tolerance($0, reply.next) },
      edited.flatMap { repeats.repeating($0, next: reply.next) },
      edited.map { ScheduleCommand.sound($0) }, edited.flatMap { ScheduleCommand.badge($0) },
      edited.flatMap { ScheduleCommand.sinks($0) },
    ]
    let said = parts.compactMap { $0 }.joined(separator: "; ")
    try context.say(
      (reply.unchanged ? "unchanged " : "edited ") + reply.identifier
        + (said.isEmpty ? "" : ": " + said))
    if let demotion = reply.demotion { try context.say(DisplayWidth.safe(demotion)) }
    context.warn(of: reply)
    for warning in more { context.warn(warning) }
  }

  /// As `schedule` says it: by the clocks that it goes by, too.
  private static func firing(
    _ next: Instant, _ edited: Notification?, _ context: CommandContext
  ) -> String {
    guard let edited, next != .distantFuture else { return context.words.firing(next) }
    return context.words.firing(next, clocks(of: edited, context))
  }

  private static func clocks(of edited: Notification, _ context: CommandContext) -> Trigger {
    let named = edited.timeZone.flatMap { BoardZone.read($0, context.zoneFiles) } ?? context.board
    return Trigger(
      draft: edited, mode: edited.mode, zone: edited.mode == .zoned ? named : context.board,
      named: named)
  }

  private static func scheduled(
    _ identifier: String, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> Notification? {
    var found: Notification?
    let app = context.ownApp
    try daemon.ask { client throws(ClientError) in
      try client.list(app: app) { row in
        if row.notification.identifier == identifier { found = row.notification }
      }
    }
    return found
  }

  /// Only what the options speak of.
  private static func edit(
    _ options: [OptionName], _ draft: Notification, clear: [String]
  ) -> NotificationEdit {
    var fields: [String] = []
    for name in options {
      if let field = OptionTable.spec(name).field { fields.append(field) }
      switch name {
      case .at, .inDuration, .now: fields += ["fireDate", "fireIn", "timeZone", "zoneMode"]
      case .timeZone, .zoneMode:
        fields += ["fireDate", "timeZone", "zoneMode", "until", "rdate"]
      case .region, .on: fields.append("region")
      case .repeatUnit: fields += ["rrule", "rrules", "every"]
      case .rrule: fields += ["rrules", "repeatInterval", "every"]
      case .weekdays: fields += ["rrule", "rrules", "repeatInterval", "every"]
      case .noAction: fields.append("hasAction")
      default: break
      }
    }
    // Moved with the start.
    if !draft.exdate.isEmpty { fields.append("exdate") }
    // A start may be meant by a last pass that only this says.
    if fields.contains("fireDate"), draft.overlap == .last { fields.append("overlap") }
    if draft.hasOldDates { fields.append("datesAreOld") }
    let written = NotificationCodec.encode(draft)
    var edit = NotificationEdit(set: JSONObject(), clear: clear)
    // All that hangs on a repeat goes with it, but for what is set instead.
    if Self.ofRepeat.prefix(3).contains(where: { clear.contains($0) }) { fields += Self.ofRepeat }
    for member in written.members where fields.contains(member.name) {
      edit.set.append(member.name, member.value)
    }
    for field in fields where written[field] == nil && !edit.clear.contains(field) {
      edit.clear.append(field)
    }
    return edit
  }

  /// By a field's name, or by its option's.
  private static func cleared(_ given: Invocation) throws(CommandError) -> [String] {
    var fields: [String] = []
    for word in given.values(.clear) {
      let option = OptionName(rawValue: word)
      let field =
        option == .weekdays ? "rrule" : option.flatMap { OptionTable.spec($0).field } ?? word
      guard field != "identifier" else {
        throw .refused(
          "--clear: " + word + " stays: schedule another, and cancel " + given.operands[0])
      }
      guard NotificationCodec.fields.contains(field) else {
        let options = OptionName.allCases.filter { OptionTable.spec($0).field != nil }
        let names = options.map { $0.rawValue } + NotificationCodec.fields
        throw .refused(
          "--clear: there is no field " + FieldError.quoted(word)
            + CommandLineParser.suggestion(word, among: names, prefix: ""))
      }
      guard field != "fireDate" else {
        throw .refused(
          "--clear: " + word
            + " says when it is due: give --at, --in or --now instead; belfry cancel"
            + " takes it off the list")
      }
      fields.append(field)
    }
    return fields
  }
}
