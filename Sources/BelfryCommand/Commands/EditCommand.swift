import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry edit` (E7): the options say what changes, everything else stays.
enum EditCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let options = context.given.options.filter { Self.options.contains($0.name) }
    if options.isEmpty {
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
    let now = SystemClock.real()
    let trigger = try trigger(context, current, now)
    try trigger.checkAhead(of: now, board: context.board)
    let draft = try NotificationReader.draft(context.given, trigger: trigger, now: now)
    let edit = edit(options.map { $0.name }, draft, clear: clear)
    let reply: ScheduleReply
    do throws(ClientError) {
      reply = try daemon.client.edit(app: context.app, identifier: identifier, edit)
    } catch {
      if case .refused(.notFound) = error {
        throw .refused("ID: \(identifier) is gone: it has fired or was cancelled; schedule it anew")
      }
      throw CommandError(error, of: .notification)
    }
    try say(reply, context)
  }

  static let options: [OptionName] =
    OptionTable.what.filter { $0 != .id } + OptionTable.trigger + OptionTable.days
    + OptionTable.lateness + [.clear]

  private static let starts: [OptionName] = [.at, .inDuration, .now, .region]

  private static func say(
    _ reply: ScheduleReply, _ context: CommandContext
  ) throws(CommandError) {
    let words = context.words
    if context.json {
      var object: JSONObject = [
        "identifier": .string(reply.identifier), "unchanged": .boolean(reply.unchanged),
        "occurrence": LocalWords.text(reply.occurrence?.text), "next": words.json(reply.next),
      ]
      if !reply.warnings.isEmpty {
        object.append("warnings", .array(reply.warnings.map { .string($0) }))
      }
      if let demotion = reply.demotion { object.append("note", .string(demotion)) }
      return try context.say(object)
    }
    let next = reply.next.map { ": " + words.firing($0) + " in " + words.zone.told } ?? ""
    try context.say((reply.unchanged ? "unchanged " : "edited ") + reply.identifier + next)
    if let demotion = reply.demotion { try context.say(DisplayWidth.safe(demotion)) }
    for warning in reply.warnings { context.warn(warning) }
  }

  private static func scheduled(
    _ identifier: String, _ daemon: Daemon, _ context: CommandContext
  ) throws(CommandError) -> Notification? {
    var found: Notification?
    let app = context.app ?? "user.\(BelfrySystem.Process.uid)"
    try daemon.ask { client throws(ClientError) in
      try client.list(app: app) { row in
        if row.notification.identifier == identifier { found = row.notification }
      }
    }
    return found
  }

  /// When it fires, as the options say it; what they leave open is as it was.
  private static func trigger(
    _ context: CommandContext, _ current: Notification, _ now: Instant
  ) throws(CommandError) -> Trigger {
    let given = context.given
    guard OptionTable.trigger.contains(where: { given.has($0) }) else {
      return Trigger(
        draft: Notification(), mode: .absolute, zone: context.board, named: context.board)
    }
    try context.triggerReader(now: now).checkOffsets()
    var context = context
    if !given.has(.timeZone), !given.has(.zoneMode), current.mode == .zoned,
      let zone = current.timeZone, !given.has(.region)
    {
      context.given.options.append(GivenOption(name: .timeZone, argument: zone))
      context.given.options.append(GivenOption(name: .zoneMode, argument: "zoned"))
    }
    // A date is moved as what it is a date of.
    if !given.has(.gap), !given.has(.region), current.gap != .shift {
      context.given.options.append(GivenOption(name: .gap, argument: current.gap.rawValue))
    }
    guard !starts.contains(where: { given.has($0) }) else { return try context.trigger(now: now) }
    if let region = current.region {
      throw .refused(
        "it fires by its region, around " + region.placeWords
          + ": give --at, --in or --now to have it fire by the time")
    }
    // A repeat is read beside a start, which stays as it is.
    if current.mode == .floating, !given.has(.timeZone), !given.has(.zoneMode) {
      context.given.options.append(GivenOption(name: .zoneMode, argument: "floating"))
      context.given.options.append(
        GivenOption(name: .timeZone, argument: current.timeZone ?? "UTC"))
    }
    context.given.options.append(
      GivenOption(name: .at, argument: RFC3339.text(current.fireDate ?? now)))
    return try context.trigger(now: now)
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
      case .timeZone, .zoneMode: fields += ["fireDate", "timeZone", "zoneMode"]
      case .region, .on: fields.append("region")
      case .repeatUnit: fields += ["rrule", "rrules", "every"]
      case .rrule: fields += ["rrules", "repeatInterval", "every"]
      case .weekdays: fields += ["rrule", "rrules", "repeatInterval", "every"]
      case .noAction: fields.append("hasAction")
      default: break
      }
    }
    // A start may be meant by a last pass that only this says.
    if fields.contains("fireDate"), draft.overlap == .last { fields.append("overlap") }
    let written = NotificationCodec.encode(draft)
    var edit = NotificationEdit(set: JSONObject(), clear: clear)
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
      let option = OptionName(rawValue: word).flatMap { OptionTable.spec($0).field }
      let field = option ?? word
      guard NotificationCodec.fields.contains(field), field != "identifier" else {
        throw .refused(
          "--clear: there is no field " + FieldError.quoted(word)
            + CommandLineParser.suggestion(word, among: NotificationCodec.fields, prefix: ""))
      }
      guard field != "fireDate" else {
        throw .refused(
          "--clear: " + word
            + " says when it is due: give --at, --in or --now instead; belfry cancel"
            + " takes it off the list")
      }
      fields.append(field)
      if option == "rrule", !fields.contains("rrules") { fields.append("rrules") }
    }
    return fields
  }
}
