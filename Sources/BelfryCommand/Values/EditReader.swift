import BelfryCore
import BelfrySystem
import BelfryWire

/// Reads when something that is scheduled fires from now on (E7): what the options leave open is as it
/// was.
struct EditReader {
  let context: CommandContext
  let current: Notification
  let now: Instant
  /// It fires once, or does from now on.
  let isOnce: Bool

  /// The options, with what they leave open of the start, and what they come to.
  func read() throws(CommandError) -> (Invocation, Trigger) {
    try checkRuleTimes()
    let kept = dated() ?? rezoned()
    let given = repeating(kept ?? context.given)
    var trigger = try trigger(given)
    try checkNow()
    if !given.has(.now) {
      let timing = current.reading(
        scheduledAt: now, named: zone(current.timeZone).rules, board: context.board.rules)
      trigger.kept = (!isOnce, timing)
    }
    // A repeat that has begun stays with its start.
    let isNew = kept == nil && Self.starts.contains { given.has($0) }
    if isOnce || isNew { try trigger.checkAhead(of: now, board: context.board) }
    return (given, trigger)
  }

  private static let starts: [OptionName] = [.at, .inDuration, .now, .region]
  private static let repeats: [OptionName] = [.repeatUnit, .rrule, .weekdays]

  private var changesZone: Bool { context.given.has(.timeZone) || context.given.has(.zoneMode) }

  /// The zone of a name; the board's where it is nil or cannot be read here.
  private func zone(_ name: String?) -> BoardZone {
    name.flatMap { BoardZone.read($0, context.zoneFiles) } ?? context.board
  }

  // MARK: The start

  /// With a time of day alone on the date of the start, by the clocks that it goes by; nil: no such time
  /// is given, or it has no date. What fires once is due at the next such where that is past.
  private func dated() -> Invocation? {
    var given = context.given
    guard let place = given.options.firstIndex(where: { $0.name == .at }),
      TimeText.isClock(given.options[place].argument), let start
    else { return nil }
    let shown = current.mode == .absolute ? context.board : zone(current.timeZone)
    let text = LocalWords.date(shown.civil(start).date) + "T" + given.options[place].argument
    let named = current.mode == .zoned ? current.timeZone : nil
    let reading = zone(given.value(.timeZone) ?? named)
    if isOnce {
      let time = try? TimeText.parse(text, option: .at, now: now, zone: reading)
      guard let time, time.instant(in: reading) > now else { return nil }
    }
    given.options[place].argument = text
    return given
  }

  /// Its date; nil: it has none.
  private var start: Instant? {
    guard current.region == nil, current.fireIn == nil, let start = current.fireDate,
      start != .distantPast, start != .distantFuture
    else { return nil }
    return start
  }

  /// Where another zone or mode alone is given, with the start that clocks show as before, be they
  /// others; nil: none is, or it stays at its instant, as what goes by UTC does.
  private func rezoned() -> Invocation? {
    var given = context.given
    guard changesZone, !Self.starts.contains(where: { given.has($0) }), let start else {
      return nil
    }
    let mode = given.value(.zoneMode).flatMap { ZoneMode(rawValue: $0) }
    let text: String
    switch (current.mode, mode ?? .zoned) {
    case (.absolute, .absolute), (.absolute, .zoned), (.zoned, .absolute): return nil
    case (.floating, .absolute): text = RFC3339.text(context.board.instant(ofWall: wall(start)))
    default: text = String(RFC3339.text(wall(start)).dropLast())
    }
    given.options.append(GivenOption(name: .at, argument: text))
    return given
  }

  /// What clocks show at one of its dates, counted as if it were UTC.
  private func wall(_ date: Instant) -> Instant {
    (current.mode == .absolute ? context.board : zone(current.timeZone)).rules.wall(at: date)
  }

  /// The same date on the clocks of another zone or mode.
  private func rezoned(_ date: Instant, to trigger: Trigger) -> Instant {
    switch (current.mode, trigger.mode) {
    case (_, _) where date == .distantPast || date == .distantFuture: date
    case (.absolute, .absolute), (.absolute, .zoned), (.zoned, .absolute): date
    case (.floating, .absolute): context.board.instant(ofWall: wall(date))
    default: trigger.named.instant(ofWall: wall(date))
    }
  }

  /// What repeats would ring from this time of day on, in place of its own.
  private func checkNow() throws(CommandError) {
    guard !isOnce, !Self.repeats.contains(where: { context.given.has($0) }) else { return }
    for option in [OptionName.now, .inDuration] where context.given.has(option) {
      throw .refused(
        "--" + option.rawValue
          + ": it repeats, and would from then on ring at that time of day: give"
          + " --at TIME for another; for one alert more schedule that by itself")
    }
  }

  /// A rule that says its own times of the day has no use for that of its start.
  private func checkRuleTimes() throws(CommandError) {
    let given = context.given
    guard let text = given.value(.at), TimeText.isClock(text), !isOnce,
      !Self.repeats.contains(where: { given.has($0) }),
      let wall = try? TimeText.parse(text, option: .at, now: now, zone: .utc).instant(in: .utc)
    else { return }
    let clock = CivilTime(wall)
    for rule in current.rules {
      let parts = [
        ("BYHOUR", rule.hours, clock.hour), ("BYMINUTE", rule.minutes, clock.minute),
        ("BYSECOND", rule.seconds, clock.second),
      ]
      for (name, mask, number) in parts where mask != 0 && mask != 1 << UInt64(number) {
        throw .refused(
          "--at: its rule has " + name + ", which says when it rings: give --rrule anew, or --at"
            + " with a date to move its start")
      }
    }
  }

  // MARK: The repeat

  /// Dates are taken out of rules alone, and added to them: what repeats by a unit is given that
  /// anew, to become a rule.
  private func repeating(_ given: Invocation) -> Invocation {
    let dates: [OptionName] = [.exdate, .rdate]
    guard let unit = current.repeatInterval, !Self.repeats.contains(where: { given.has($0) }),
      given.has(.every) || dates.contains(where: { given.has($0) })
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
  private func trigger(_ given: Invocation) throws(CommandError) -> Trigger {
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
    if !Self.starts.contains(where: { given.has($0) }) {
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
    }
    var trigger = try context.trigger(now: now, edited: current)
    guard changesZone, !given.has(.region) else { return trigger }
    if !given.has(.until) {
      trigger.draft.until = current.until.map { rezoned($0, to: trigger) }
    }
    if !given.has(.rdate) {
      trigger.draft.rdate = current.rdate.map { rezoned($0, to: trigger) }
    }
    return trigger
  }

  // MARK: What somebody should know

  /// `edited`: what it is now; nil: it is gone again.
  func warnings(
    of trigger: Trigger, _ given: Invocation, _ reply: ScheduleReply, _ edited: Notification?
  ) -> [String] {
    let passing =
      given.has(.at) ? trigger.passing(reply.next, given, board: context.board, now: now) : nil
    return [passing, returning(trigger.draft), edited.flatMap { ending($0) }].compactMap { $0 }
      + trigger.warnings
  }

  /// What an `--exdate` that takes the place of others lets ring again.
  private func returning(_ draft: Notification) -> String? {
    let dates = current.exdate.filter { $0 > now && !draft.exdate.contains($0) }
    guard context.given.has(.exdate), let first = dates.first else { return nil }
    let rest = dates.count > 1 ? " and \(dates.count - 1) more are" : " is"
    return "--exdate: it takes the place of what was left out before: "
      + LocalWords.date(CivilTime(wall(first)).date) + rest + " not left out any more"
  }

  /// That it stays at its end, and so does not ring on its last day any more; nil: it does.
  private func ending(_ edited: Notification) -> String? {
    guard edited.fireDate != current.fireDate, edited.until == current.until,
      edited.rules == current.rules, edited.repeats
    else { return nil }
    let (old, new) = (table(of: current), table(of: edited))
    let named = zone(edited.timeZone)
    let clocks = edited.mode == .zoned ? named : context.board
    var ends: [(name: String, wall: Instant)] =
      edited.until.map {
        [("--until TIME", (edited.mode == .absolute ? context.board : named).rules.wall(at: $0))]
      } ?? []
    for rule in edited.rules {
      if case .untilWall(let wall) = rule.end { ends.append(("another UNTIL of --rrule", wall)) }
      if case .untilInstant(let end) = rule.end {
        ends.append(("another UNTIL of --rrule", clocks.rules.wall(at: end)))
      }
    }
    for (name, wall) in ends {
      let date = CivilTime(wall).date
      guard let begin = clocks.start(of: date), old.first(after: begin.advanced(by: -1)) != nil,
        new.first(after: begin.advanced(by: -1)) == nil
      else { continue }
      return "--at: it ends at " + LocalWords.date(date) + " "
        + LocalWords.clock(CivilTime(wall)) + " as before, and no longer rings on that day; "
        + name + " moves its end"
    }
    return nil
  }

  private func table(of notification: Notification) -> Timetable {
    var bare = notification
    bare.offset = .none
    return bare.reading(
      scheduledAt: now, named: zone(notification.timeZone).rules, board: context.board.rules
    ).timetable()
  }
}
