import BelfryCore
import BelfrySystem

/// When a notification fires, as the trigger options said it.
struct Trigger: Sendable {
  /// The fields that say so, and no others.
  var draft: Notification
  var mode: ZoneMode
  /// The zone whose clocks say when it fires: the named one of a zoned notification, else the
  /// board's.
  var zone: BoardZone
  /// That of the draft's `timeZone`.
  var named: BoardZone
  /// What has moved its start, in words.
  var because: String?
  /// So much later clocks show its start once more, where none of the two passes was asked for.
  var repeatedAfter: Int64 = 0
  /// What of it does not do what one would expect of it.
  var warnings: [String] = []
  /// Of what is edited: when it is due where the draft does not say so.
  var kept: (repeats: Bool, reading: PlanReading)?
  /// Those of the draft's `exdate` that take nothing out, as things are.
  var strayDates: [Instant] = []

  /// At once, and once.
  var isNow: Bool { draft.fireDate == nil && !draft.repeats && draft.region == nil }

  /// When it fires if it fires once, at a time that was given.
  func onceDue(board: BoardZone) -> Instant? {
    guard !draft.repeats, draft.fireDate != nil, draft.fireIn == nil else { return nil }
    return draft.reading(scheduledAt: .distantPast, named: named.rules, board: board.rules)
      .timetable().first(after: .distantPast)?.instant
  }

  /// Throws for a date that is past: who mistypes a year must not be rung for at once, as is right
  /// for programs (N2). The second in which it is read may be meant.
  func checkAhead(of now: Instant, board: BoardZone) throws(CommandError) {
    guard let due = onceDue(board: board), due < now.advanced(by: -Nanoseconds.second) else {
      return
    }
    // Where both passes are past, who means the last is told how long ago that was.
    let second = due.advanced(by: repeatedAfter)
    let last = second < now ? second : due
    throw .refused(
      (draft.offset.isNone ? "--at: " : "--offset: ")
        + LocalWords(now: now, zone: zone).moment(last) + " in " + zone.told + " is past ("
        + Nanoseconds.words(last.nanoseconds(since: now)) + "); for at once there is --now")
  }
}

/// Reads the trigger options.
struct TriggerReader {
  let given: Invocation
  let now: Instant
  let board: BoardZone
  let files: ZoneFiles
  /// What is edited: it repeats as it does, where no option says how.
  var edited: Notification?

  func read() throws(CommandError) -> Trigger {
    if let text = given.value(.every), let meant = RepeatWord.every(text) {
      throw .usage("--every: " + FieldError.quoted(text) + " is no number; write " + meant)
    }
    let form = try form()
    if form == .region { return try region() }
    try checkRepeat()
    // What `edit` adds from the scheduled one is no word of the user's, and is judged there.
    if given.command.name != "edit" { try checkOffsets() }
    for option in [OptionName.on, .everyCrossing] where given.has(option) {
      throw .usage("--" + option.rawValue + " needs --region LAT,LON,METRES")
    }
    let named = try namedZone()
    let asked: ZoneMode? = try given.choice(.zoneMode, "mode")
    // What a floating time shows, the board shows.
    let reading = asked == .floating ? board : named ?? board
    let overlap: OverlapPolicy? = try given.choice(.overlap, "policy")
    let time = try time(form, reading, overlap)
    let end = try given.value(.until).map { text throws(CommandError) in
      try TimeText.parseEnd(
        text, option: .until, now: now, zone: reading, overlap: overlap ?? .both)
    }
    let mode = asked ?? usualMode(time, isNamed: named != nil)
    try checkPolicies(
      mode, try given.choice(.gap, "policy"), overlap,
      readsClocks: [time, end].contains { $0?.isWallClock ?? false }
        || given.has(.exdate) || given.has(.rdate))
    let isLastPass = [time, end].contains { $0?.isLastPass(in: reading) ?? false }
    let wire = WireTimes(
      mode: mode,
      named: try zone(of: mode, named, namesPass: isLastPass && overlap != .last), board: board,
      gap: try given.choice(.gap, "policy") ?? .shift, isEdited: edited != nil)
    var draft = try draft(wire, reading)
    draft.until = end.map { wire.end($0) }
    draft.overlap = overlap ?? usualOverlap(time, reading, wire)
    // A floating date travels as what clocks show, without its pass; the core refuses it of a zoned one.
    if mode == .floating, draft.overlap == .first {
      for text in given.list(.rdate)
      where try TimeText.parse(text, option: .rdate, now: now, zone: reading)
        .isLastPass(in: reading)
      {
        throw .refused("--rdate: \(text): " + Notification.otherPass)
      }
    }
    let because = try set(time, form, wire, &draft)
    let zone = mode == .zoned ? wire.carrier : board
    var trigger = Trigger(
      draft: draft, mode: mode, zone: zone, named: wire.carrier, because: because)
    if overlap ?? .both == .both, let passes = time?.instants(in: reading), passes.count == 2 {
      trigger.repeatedAfter = max(0, passes[1].nanoseconds(since: passes[0]))
    }
    if let words = lateStart(time, trigger, reading) { trigger.warnings.append(words) }
    try exclude(
      wire, reading, days: named == nil ? written(time) ?? reading : reading, from: &trigger)
    return trigger
  }

  /// That a start with a weekday's name is no day of its own rule, or passes over some; nil: neither.
  private func lateStart(
    _ time: TimeText?, _ trigger: Trigger, _ zone: BoardZone
  ) -> String? {
    guard case .wall(let wall, _)? = time, let text = given.value(.at),
      let day = text.split(separator: " ").first, TimeText.isWeekday(String(day)),
      let table = table(of: trigger)
    else { return nil }
    let start = CivilTime(wall)
    let weekday = RuleWords.day(Int(start.date.weekday))
    let instant = zone.instant(ofWall: wall, isLastPass: false)
    if let first = table.first(after: instant.advanced(by: -1))?.instant,
      zone.civil(first).date != start.date
    {
      return "--at: its repeat has none on that " + weekday + "; it begins "
        + LocalWords(now: now, zone: zone).moment(first)
    }
    guard let rule = trigger.draft.rrule ?? edited?.rrule, rule.frequency == .weekly else {
      return nil
    }
    for days in stride(from: Int64(6), through: 1, by: -1) {
      let date = CivilDate(days: start.date.days - days)
      guard rule.weekdays & 1 << UInt64(date.weekday) != 0,
        rule.interval == 1 || rule.isOneWeek(date, start.date),
        let wall = CivilTime(date: date, nanosecondOfDay: start.nanosecondOfDay).instant(),
        zone.instant(ofWall: wall, isLastPass: false) > now
      else { continue }
      let other = RuleWords.day(Int(date.weekday))
      let alone = " --at \(LocalWords.clock(start)) alone "
      return edited == nil
        ? "--at: it begins on \(weekday); with\(alone)it begins on \(other)"
        : "--at: it begins on \(weekday) and passes over \(other);\(alone)keeps its days"
    }
    return nil
  }

  /// The zone of the offset that `--at` has; nil: it has none.
  private func written(_ time: TimeText?) -> BoardZone? {
    guard case .instant = time, let text = given.value(.at) else { return nil }
    let offset = text.suffix(6)
    guard offset.utf8.count == 6, let sign = offset.first, sign == "+" || sign == "-" else {
      return text.hasSuffix("Z") || text.hasSuffix("z") ? .utc : nil
    }
    let zone = try? files.zone("GMT\(offset.prefix(3))\(offset.suffix(2))")
    return zone.map { BoardZone(name: $0.name, rules: $0.rules) }
  }

  /// What hangs on a repeat is of no use without one, which what is edited may have.
  private func checkRepeat() throws(CommandError) {
    if given.has(.repeatUnit), given.has(.rrule) {
      throw .usage("--repeat and --rrule cannot stand together")
    }
    let repeats: [OptionName] = [.repeatUnit, .rrule, .weekdays]
    guard edited?.repeats != true, !repeats.contains(where: { given.has($0) }) else { return }
    for option in [OptionName.inDuration, .now] where given.has(option) && given.has(.offset) {
      throw .usage("--\(option.rawValue) and --offset cannot stand together")
    }
    guard edited == nil else { return }
    // What is the rule without an option may be written out, wherever it stands.
    let monthEnd: MonthEndPolicy? = try given.choice(.monthEnd, "policy")
    for option in [OptionName.monthEnd, .calendar]
    where given.has(option) && (option != .monthEnd || monthEnd != .clamp) {
      throw .usage("--\(option.rawValue) needs --repeat UNIT")
    }
    for option in [OptionName.until, .count, .exdate, .rdate] where given.has(option) {
      throw .usage("--\(option.rawValue) needs --repeat UNIT, --weekdays DAYS or --rrule RULE")
    }
  }

  /// A policy for what clocks jump over or show twice has nothing to do where none are read.
  private func checkPolicies(
    _ mode: ZoneMode, _ gap: GapPolicy?, _ overlap: OverlapPolicy?, readsClocks: Bool
  ) throws(CommandError) {
    guard mode == .absolute else { return }
    let write = "give --at without an offset, or --time-zone"
    if let gap, gap != edited?.gap ?? .shift {
      throw .refused("--gap: no clocks jump over what goes by UTC: " + write)
    }
    if let overlap, !readsClocks, overlap != edited?.overlap ?? .first {
      throw .refused("--overlap: nothing that goes by UTC comes twice: " + write)
    }
  }

  // MARK: The start

  private func form() throws(CommandError) -> OptionName {
    let chosen = [OptionName.at, .inDuration, .now, .region].filter { given.has($0) }
    guard let first = chosen.first else {
      throw .usage("one of --at TIME, --in DURATION, --now and --region is needed")
    }
    if chosen.count > 1 {
      let names = chosen.map { "--" + $0.rawValue }.joined(separator: " and ")
      throw .usage(names + " cannot stand together")
    }
    return first
  }

  /// What a place decides no time does (N3, N4).
  private func region() throws(CommandError) -> Trigger {
    for option in OptionTable.trigger where given.has(option) {
      switch option {
      case .region, .on, .everyCrossing: break
      default: throw .usage("--region and --" + option.rawValue + " cannot stand together")
      }
    }
    for option in OptionTable.days + [.tolerance] where given.has(option) {
      throw .usage("--region and --" + option.rawValue + " cannot stand together")
    }
    var draft = Notification()
    draft.region = try PlaceText.region(given)
    draft.regionTriggersOnce = !given.has(.everyCrossing)
    return Trigger(draft: draft, mode: .absolute, zone: board, named: board)
  }

  /// nil: at once.
  private func time(
    _ form: OptionName, _ zone: BoardZone, _ overlap: OverlapPolicy?
  ) throws(CommandError) -> TimeText? {
    switch form {
    case .at:
      try TimeText.parse(
        given.value(.at) ?? "", option: .at, now: now, zone: zone, overlap: overlap ?? .both)
    case .inDuration: .instant(now.advanced(by: try given.duration(.inDuration) ?? 0))
    default: nil
    }
  }

  /// Sets the start; returns what has moved it.
  private func set(
    _ time: TimeText?, _ form: OptionName, _ wire: WireTimes, _ draft: inout Notification
  ) throws(CommandError) -> String? {
    guard let time else { return nil }
    let start = try wire.start(time, repeats: draft.repeats)
    draft.fireDate = start.date
    draft.datesAreOld = draft.hasOldDates
    if form == .inDuration, wire.mode == .absolute, !draft.repeats {
      // It runs on a clock that no step moves (T9).
      let span = try given.duration(.inDuration)
      // Of less than a second the wire does not know whether microseconds are meant (N2).
      draft.fireIn = span.flatMap { $0 < Nanoseconds.second ? nil : $0 }
    }
    return start.because
  }

  // MARK: The zone

  private func namedZone() throws(CommandError) -> BoardZone? {
    guard let name = given.value(.timeZone) else { return nil }
    do throws(ZoneFileError) {
      let file = try files.zone(name)
      return BoardZone(name: file.name, rules: file.rules)
    } catch {
      throw CommandError(
        status: .refused, code: error.code == .unknown ? error.code.rawValue : nil,
        message: "--time-zone: " + error.reason)
    }
  }

  /// Throws for a time whose offset is not that of `--time-zone`: one of the two is a slip.
  func checkOffsets() throws(CommandError) {
    guard let zone = try namedZone() else { return }
    for option in [OptionName.at, .until, .exdate, .rdate] {
      for text in given.list(option) {
        guard let time = try? RFC3339.read(text, field: ""), let offset = time.offset
        else { continue }
        try zone.check(time.instant, offset: offset, text, option)
      }
    }
  }

  /// TIME with an offset is that instant, TIME without one a clock on the wall.
  private func usualMode(_ time: TimeText?, isNamed: Bool) -> ZoneMode {
    if isNamed { return .zoned }
    return time?.isWallClock ?? false ? .floating : .absolute
  }

  /// `namesPass`: a time is meant by the last pass of a wall clock, which only an instant of a zone
  /// that shows it twice can say (T5).
  private func zone(
    of mode: ZoneMode, _ named: BoardZone?, namesPass: Bool
  ) throws(CommandError) -> BoardZone? {
    guard named == nil else { return named }
    if mode == .floating, namesPass, ZoneName.isName(board.name) { return board }
    guard mode == .zoned else { return nil }
    guard ZoneName.isName(board.name) else {
      throw .usage("--zone-mode zoned needs --time-zone ZONE: the board's own has no name")
    }
    return board
  }

  /// The last pass for a start that is meant by it, where no instant of `wire` says so.
  private func usualOverlap(
    _ time: TimeText?, _ zone: BoardZone, _ wire: WireTimes
  ) -> OverlapPolicy {
    guard wire.mode != .absolute, let time, time.isLastPass(in: zone),
      !time.isLastPass(in: wire.carrier)
    else { return .first }
    return .last
  }

  // MARK: The repeat

  private func draft(
    _ wire: WireTimes, _ zone: BoardZone
  ) throws(CommandError) -> Notification {
    var draft = Notification()
    draft.timeZone = wire.zoneName
    draft.zoneMode = wire.mode == .zoned ? .zoned : nil
    draft.repeatInterval = try given.value(.repeatUnit).map { word throws(CommandError) in
      try RepeatWord.parse(word)
    }
    draft.repeatCalendar = given.value(.calendar)
    if let every = try given.integer(.every) {
      guard draft.repeatInterval != nil else { throw .usage("--every needs --repeat UNIT") }
      draft.every = every
    }
    try setRule(wire, zone, &draft)
    draft.count = try given.integer(.count)
    draft.gap = wire.gap
    draft.monthEnd = try given.choice(.monthEnd, "policy") ?? .clamp
    if let text = given.value(.offset) { draft.offset = try OffsetArgument.parse(text) }
    try draft.writeRepeatAsRule(given, edited: edited)
    return draft
  }

  private func setRule(
    _ wire: WireTimes, _ zone: BoardZone, _ draft: inout Notification
  ) throws(CommandError) {
    draft.exdate = try dates(.exdate, wire, zone)
    draft.rdate = try dates(.rdate, wire, zone)
    for rule in [OptionName.rrule, .weekdays] where given.has(.monthEnd) && given.has(rule) {
      throw .usage(
        "--month-end and --" + rule.rawValue + " cannot stand together: a rule has"
          + " RSCALE=GREGORIAN;SKIP=BACKWARD, OMIT or FORWARD for it")
    }
    if let text = given.value(.weekdays) {
      for other in [OptionName.repeatUnit, .rrule] where given.has(other) {
        throw .usage("--weekdays and --" + other.rawValue + " cannot stand together")
      }
      draft.rrule = try WeekdaysArgument.rule(text)
      return
    }
    let texts = given.values(.rrule)
    guard texts.count <= RepeatPlan.mostRules else {
      throw .refused(
        "--rrule: at most \(RepeatPlan.mostRules) rules are allowed, not \(texts.count)")
    }
    var rules: [RecurrenceRule] = []
    for text in texts {
      do throws(FieldError) {
        rules.append(try RecurrenceRule.parse(text, field: "--rrule"))
      } catch {
        throw .usage("--rrule: " + (RuleHint.of(text) ?? CommandWords.reason(error.reason)))
      }
    }
    if rules.count == 1 { draft.rrule = rules[0] } else { draft.rrules = rules }
  }

  private func dates(
    _ option: OptionName, _ wire: WireTimes, _ zone: BoardZone
  ) throws(CommandError) -> [Instant] {
    var dates: [Instant] = []
    for text in given.list(option) {
      if text.isEmpty {
        let example = option == .exdate ? "2027-12-24,2027-12-31" : "2027-12-24T07:00"
        throw .usage("--\(option.rawValue): a date is missing; for example \(example)")
      }
      // A day alone is one of what falls on it, which the whole draft says.
      if option == .exdate, TimeText.day(text, today: zone.civil(now).date) != nil { continue }
      let time = try TimeText.parse(text, option: option, now: now, zone: zone)
      if let date = wire.date(time) { dates.append(date) }
    }
    return dates
  }
}

extension RecurrenceRule {
  /// Whether two days of now or later are in one week, as WKST has weeks begin.
  fileprivate func isOneWeek(_ one: CivilDate, _ other: CivilDate) -> Bool {
    let (first, second) = (one.days + 4 - Int64(weekStart), other.days + 4 - Int64(weekStart))
    return first / 7 == second / 7
  }
}
