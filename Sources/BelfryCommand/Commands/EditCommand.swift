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
    let dated = dated(context, current, now, isOnce: !current.repeats || isCleared)
    let given = repeating(dated ?? context.given, as: current)
    let trigger = try trigger(context, given, current, now)
    // A repeat that has begun stays with its start.
    let isNew = dated == nil && starts.contains { given.has($0) }
    if !current.repeats || isCleared || isNew {
      try trigger.checkAhead(of: now, board: context.board)
    }
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
      throw CommandError(error, of: .notification)
    }
    let passing =
      given.has(.at) ? trigger.passing(reply.next, given, board: context.board, now: now) : nil
    let more = [passing, returning(current, draft, context)].compactMap { $0 } + trigger.warnings
    try say(reply, scheduled(identifier, daemon, context), more, context)
  }

  static let options: [OptionName] =
    OptionTable.what.filter { $0 != .id } + OptionTable.trigger + OptionTable.days
    + OptionTable.lateness + [.clear]

  private static let ofRepeat = [
    "repeatInterval", "rrule", "rrules", "every", "exdate", "rdate", "until", "count", "monthEnd",
    "repeatCalendar",
  ]

  private static let starts: [OptionName] = [.at, .inDuration, .now, .region]

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
      edited.flatMap { repeats.repeating($0) },
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

  /// With a time of day alone on the date of the start, by the clocks that it goes by; nil: no such time
  /// is given, or it has no date. What fires once is due at the next such where that is past.
  private static func dated(
    _ context: CommandContext, _ current: Notification, _ now: Instant, isOnce: Bool
  ) -> Invocation? {
    var given = context.given
    guard let place = given.options.firstIndex(where: { $0.name == .at }),
      TimeText.isClock(given.options[place].argument), current.region == nil,
      current.fireIn == nil, let start = current.fireDate, start != .distantPast,
      start != .distantFuture
    else { return nil }
    func zone(_ name: String?) -> BoardZone {
      name.flatMap { BoardZone.read($0, context.zoneFiles) } ?? context.board
    }
    let shown = current.mode == .absolute ? context.board : zone(current.timeZone)
    let text =
      LocalWords.date(shown.civil(start).date) + "T" + given.options[place].argument
    let named = current.mode == .zoned ? current.timeZone : nil
    let reading = zone(given.value(.timeZone) ?? named)
    if isOnce {
      let time = try? TimeText.parse(text, option: .at, now: now, zone: reading)
      guard let time, time.instant(in: reading) > now else { return nil }
    }
    given.options[place].argument = text
    return given
  }

  /// What an `--exdate` that takes the place of others lets ring again.
  private static func returning(
    _ current: Notification, _ draft: Notification, _ context: CommandContext
  ) -> String? {
    let now = context.words.now
    let dates = current.exdate.filter { $0 > now && !draft.exdate.contains($0) }
    guard context.given.has(.exdate), let first = dates.first else { return nil }
    let rest = dates.count > 1 ? " and \(dates.count - 1) more are" : " is"
    // As it travels: a floating one is what clocks show.
    let shown = current.mode == .floating ? CivilTime(first) : context.board.civil(first)
    return "--exdate: it takes the place of what was left out before: "
      + LocalWords.date(shown.date) + rest + " not left out any more"
  }

  /// Dates are taken out of rules alone, and added to them: what repeats by a unit is given that
  /// anew, to become a rule.
  private static func repeating(_ given: Invocation, as current: Notification) -> Invocation {
    let (dates, repeats): ([OptionName], [OptionName]) =
      ([.exdate, .rdate], [.repeatUnit, .rrule, .weekdays])
    guard let unit = current.repeatInterval, dates.contains(where: { given.has($0) }),
      !repeats.contains(where: { given.has($0) })
    else { return given }
    var given = given
    func add(_ name: OptionName, _ argument: String) {
      guard !given.has(name) else { return }
      given.options.append(GivenOption(name: name, argument: argument))
    }
    add(.repeatUnit, RepeatWord.word(of: unit))
    add(.every, "\(current.every)")
    if current.monthEnd != .clamp { add(.monthEnd, current.monthEnd.rawValue) }
    if let calendar = current.repeatCalendar { add(.calendar, calendar) }
    return given
  }

  /// When it fires, as the options say it; what they leave open is as it was.
  private static func trigger(
    _ context: CommandContext, _ given: Invocation, _ current: Notification, _ now: Instant
  ) throws(CommandError) -> Trigger {
    guard OptionTable.trigger.contains(where: { given.has($0) }) else {
      return Trigger(
        draft: Notification(), mode: .absolute, zone: context.board, named: context.board)
    }
    var context = context
    context.given = given
    try context.triggerReader(now: now).checkOffsets()
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
    guard !starts.contains(where: { given.has($0) }) else {
      return try context.trigger(now: now, edited: current)
    }
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
    return try context.trigger(now: now, edited: current)
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
      let option = OptionName(rawValue: word).flatMap { OptionTable.spec($0).field }
      let field = option ?? word
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
