/// Sounds that are left out on purpose, and what whoever schedules is told beforehand.
///
/// Who reads that one was `delivered` takes it for heard, so each of them is `silenced`, with the
/// setting that left it out.
extension SchedulerEngine {
  /// Why the sound of a notification is not heard at an instant, as things are; nil: it is, or there is
  /// none.
  func silence(of notification: Notification, _ app: AppNumber, at instant: Instant) -> String? {
    guard notification.mayHaveSound, notification.mayReachSpeaker else { return nil }
    if let app = apps[app], !settings(of: app).contains(.sound) { return Self.leftOut }
    let silence = silence(
      volume: notification.volume, effectiveLevel(of: notification, app: app), at: instant)
    return silence ?? sinks.first { $0.sink.kind == .speaker }?.missingDevice
  }

  /// The files that are to be there when it is due.
  func namedSounds(
    of notification: Notification, _ app: SchedulerApp
  ) -> [ScheduleReply.NamedSound] {
    notification.namedSounds.map { ScheduleReply.NamedSound(app: app.name, name: $0) }
  }

  /// Why no sound of that volume and level is heard now, whoever's it is; nil: it is.
  public func silence(volume: Double = 1, _ level: InterruptionLevel) -> String? {
    silence(volume: volume, level, at: now.real)
  }

  public func silence(
    volume: Double, _ level: InterruptionLevel, at instant: Instant
  ) -> String? {
    let time = zones.board.rules?.civil(at: instant) ?? CivilTime(instant)
    return configuration.sounds.silence(
      volume: volume, isCritical: level == .critical, minute: Int(time.hour * 60 + time.minute))
  }

  private static let leftOut = "settings leave out: sound"

  /// Why the sound of what is shown is never handed to the speaker, by settings or for want of one.
  func withheld(_ occurrence: Occurrence, _ app: AppNumber, _ parts: DeliveryParts) -> String? {
    guard occurrence.soundName != nil, occurrence.goes(to: Sink.speaker) else { return nil }
    if !configuration.sounds.isEnabled {
      return silence(of: occurrence.notification, app, at: now.real)
    }
    let hasSpeaker = sinks.contains { $0.sink.kind == .speaker }
    return hasSpeaker && !parts.contains(.sound) ? Self.leftOut : nil
  }

  /// Why the speaker does not get this now; nil: it does.
  func silence(of delivery: OpenDelivery, at sink: SchedulerSink) -> String? {
    guard sink.sink.kind == .speaker else { return nil }
    let occurrence = delivery.occurrence
    return silence(
      volume: occurrence.volume, effectiveLevel(occurrence.level, app: delivery.firing.app),
      at: now.real)
  }

  /// Not heard, this time. What has begun to ring may be heard again (D11); what was silenced when it
  /// was due never begins: nobody expects it when quiet hours end.
  func silence(_ delivery: OpenDelivery, at sink: SchedulerSink, reason: String) {
    let hasBegun = delivery.hasBegun
    let isAgain = delivery.isSilenced(at: now, pause: configuration.soundPause)
    if hasBegun, isAgain { return soundAgain(delivery, at: sink) }
    finish(delivery, .silenced, reason: reason)
  }

  // MARK: When it is scheduled

  /// Why nothing would show its alert, as things are; nil: something would, or it has none.
  func unseen(_ notification: Notification, _ app: AppNumber) -> String? {
    guard hasAlert(notification, app) else { return nil }
    var showing = sinks.filter { $0.sink.wantsAlerts }
    if let app = apps[app], !settings(of: app).contains(.alert) {
      return "nothing shows it: settings leave out: alert"
    }
    if !notification.namesSinks, sessions.hasAny(of: app) { return nil }
    showing.removeAll { !notification.mayReach($0.sink.name) }
    guard let first = showing.first else {
      return "nothing shows it: "
        + (!notification.namesSinks
          ? "no [plugin:NAME] of belfry.conf shows alerts (belfry help plugins)"
          : gone(notification) ?? "none of its sinks shows alerts")
    }
    guard let reason = first.downReason, showing.allSatisfy({ $0.downReason != nil }) else {
      // One that works goes before others.
      let up = showing.filter { $0.downReason == nil }
      guard let failing = up.first, up.allSatisfy({ $0.failure != nil }) else { return nil }
      // Why is of somebody else's alert, and may quote it.
      return "nothing may show it: \(failing.sink.name) failed last time"
    }
    guard showing.count > 1 else {
      return "nothing shows it before \(first.sink.name) is up: it is down: \(reason)"
    }
    let names = showing.map { $0.sink.name }.joined(separator: ", ")
    return "nothing shows it before one of \(names) is up: \(first.sink.name) is down: \(reason)"
  }

  /// That the app's settings leave out its badge; nil: they do not, or it has none.
  private func unseenBadge(_ notification: Notification, _ app: AppNumber) -> String? {
    guard notification.changesBadge else { return nil }
    if let app = apps[app], !settings(of: app).contains(.badge) {
      return "nothing shows its badge: settings leave out: badge"
    }
    // Of an alert one sees that.
    let isAlone = notification.userInfo.isEmpty && !notification.mayHaveSound
    guard notification.applicationIconBadgeNumber > 0, isAlone, !hasAlert(notification, app),
      !sessions.hasAny(of: app),
      !sinks.contains(where: {
        $0.sink.wantsBadges || $0.sink.wantsEverything && notification.mayReach($0.sink.name)
      })
    else { return nil }
    return "nothing shows its badge: no plugin does; belfry badge prints it"
  }

  /// Sinks that it names and that have left the configuration; nil: there are none.
  private func gone(_ notification: Notification) -> String? {
    let named = notification.sinks + notification.ladder.flatMap { $0.sinks }
    let gone = named.filter { $0 != Sink.speaker && sinkQueues.named($0) == nil }
    guard let first = gone.first else { return nil }
    return "there is no sink " + FieldError.quoted(first)
      + (gone.contains { $0 != first } ? ", nor others that it names" : "")
  }

  /// The first step of its ladder, or what comes before it, that nobody gets as things are (E6); nil:
  /// somebody gets each.
  private func unreached(_ notification: Notification) -> String? {
    guard let begin = notification.ladder.first else { return nil }
    var steps = notification.ladder.map { $0.sinks }
    if begin.after > 0 { steps.insert(notification.sinks, at: 0) }
    for (index, names) in steps.enumerated() {
      let sinks = names.compactMap { sinkQueues.named($0) }
      guard let first = sinks.first,
        sinks.allSatisfy({ $0.downReason != nil || $0.failure != nil })
      else { continue }
      let step = begin.after > 0 ? index : index + 1
      return (step == 0 ? "at first" : "in step \(step) of its ladder") + " nobody may get it: "
        + first.sink.name + (first.downReason.map { " is down: " + $0 } ?? " failed last time")
    }
    return nil
  }

  /// That there is only `userInfo` in it, and nobody who takes that; nil: there is more, or somebody.
  private func untaken(_ notification: Notification, _ app: AppNumber) -> String? {
    guard !notification.userInfo.isEmpty, !notification.mayHaveSound, !notification.changesBadge,
      !hasAlert(notification, app), !sessions.hasAny(of: app),
      !sinks.contains(where: {
        $0.sink.wantsEverything && notification.mayReach($0.sink.name)
      })
    else { return nil }
    return "nothing takes it: there is only userInfo, which goes to an app's session and to plugins"
      + " with everything = yes"
  }

  /// What of it nobody would get, as things are.
  func missing(of notification: Notification, _ app: AppNumber) -> [String] {
    [
      unseen(notification, app) ?? gone(notification) ?? unreached(notification),
      unseenBadge(notification, app),
      untaken(notification, app),
    ].compactMap { $0 }
  }

  /// What whoever schedules it may not expect of what it says.
  func noteSurprises(
    of notification: Notification, _ app: AppNumber, in reply: inout ScheduleReply,
    suggests: Bool = true
  ) {
    reply.warnings += missing(of: notification, app)
    // Both are told by whoever wrote them, for one of two reasons: which is a slip.
    if let fireIn = notification.fireIn, let fireDate = notification.fireDate,
      fireDate.nanoseconds(since: now.real.advanced(by: fireIn)).magnitude
        > Nanoseconds.minute.magnitude
    {
      reply.warnings.append(
        "fireIn: it says when, and the fireDate beside it, which is another time, does not")
    }
    if notification.mayHaveSound, !notification.mayReachSpeaker {
      reply.warnings.append("its sound is not heard: the speaker is none of its sinks")
    }
    if notification.region != nil {
      if let reason = apps[app].flatMap({ reasonUnlocated($0) }) {
        reply.warnings.append("it is held: " + reason)
      } else if regions.lastFix == nil {
        reply.warnings.append("it waits for a first fix: nobody has said yet where the board is")
      }
    }
    reply.warnings += notification.idleFields
    if !hasAlert(notification, app) { reply.warnings += notification.unshownTexts }
    if let name = notification.category, category(of: notification, app) == nil {
      let known = apps[app]?.registration?.categories.map { $0.identifier } ?? []
      let meant = suggests ? NameSuggestion.nearest(to: name, among: known) : nil
      reply.warnings.append(
        "category: the app has not registered \(FieldError.quoted(name)), so there are no actions yet"
          + (meant.map { "; did you mean \($0)?" } ?? ""))
    }
    if let due = reply.next {
      reply.warnings += notification.outlived(due: max(due, now.real))
    }
    reply.warnings += notification.outpaced
    if notification.repeatInterval == .weekdayOrdinal {
      reply.warnings.append(
        "repeatInterval weekdayOrdinal is every week, as in NSCalendar; the first Monday of a month"
          + " is the rrule FREQ=MONTHLY;BYDAY=1MO")
    }
    if notification.repeatInterval == .weekday {
      reply.warnings.append(
        "repeatInterval weekday is every day, as in NSCalendar; workdays are the rrule"
          + " FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    }
  }
}

// MARK: When it is due

extension SchedulerEngine {
  /// What is odd about its fireDate: there is none, it is past, or it is meant by other clocks.
  func noteDate(of row: StoredNotification, in reply: inout ScheduleReply) {
    let notification = row.notification
    if notification.fireDate == nil, notification.fireIn == nil, notification.region == nil {
      reply.warnings.append(
        notification.repeats ? ScheduleReply.repeatsFromNow : ScheduleReply.isAtOnce)
    }
    if notification.fireIn == 0 { reply.warnings.append("fireIn: it is 0, so it is due at once") }
    if let words = past(notification) ?? otherClocks(notification) { reply.warnings.append(words) }
  }

  /// What is odd about the time that a notification names, or does not.
  func noteTime(of row: StoredNotification, in reply: inout ScheduleReply) {
    noteDate(of: row, in: &reply)
    guard let plan = row.plan, let zone = zone(of: plan) else { return }
    let past = plan.plan.rdates.map { zone.instants(ofWall: $0).first }
      .filter { $0 < now.real.advanced(by: -Nanoseconds.second) }
    guard let first = past.first else { return }
    let more = past.count - 1
    let rest = more > 0 ? ", as \(more > 1 ? "are" : "is") \(more) more of these dates" : ""
    reply.warnings.append("rdate: " + RFC3339.text(first) + " is past" + rest)
  }

  /// That a fireDate has passed: of today at seven, said in the afternoon.
  private func past(_ notification: Notification) -> String? {
    guard !notification.repeats, notification.region == nil, notification.fireIn == nil,
      let fireDate = notification.fireDate, fireDate != .distantPast,
      let due = instant(of: notification), due < now.real.advanced(by: -Nanoseconds.second)
    else { return nil }
    return "fireDate: \(RFC3339.text(due)) is past, so it is due at once"
  }

  /// That a zone which was named without a mode moves a fireDate to another instant (T1).
  private func otherClocks(_ notification: Notification) -> String? {
    guard notification.zoneMode == nil, notification.mode == .floating,
      let name = notification.timeZone, let fireDate = notification.fireDate,
      fireDate != .distantPast, fireDate != .distantFuture,
      let meant = zones.rules(of: name)?.civil(at: fireDate),
      let board = zones.board.rules, board.civil(at: fireDate) != meant
    else { return nil }
    let minute = meant.minute < 10 ? "0\(meant.minute)" : "\(meant.minute)"
    return ScheduleReply.goesByBoard + " show \(meant.hour):\(minute), as those of"
      + " \(name) do at its fireDate; by these it is due with the zoneMode zoned"
  }

  /// What somebody should know who repeats an instant by days or more, where clocks change: it stays at
  /// one time of UTC (T1); nil: nothing, or whoever says the mode knows.
  func drift(of row: StoredNotification, _ budget: inout Int) -> String? {
    let notification = row.notification
    guard notification.zoneMode == nil, notification.mode == .absolute,
      notification.repeatsByDays, notification.pluginCalendar == nil,
      let change = zones.board.rules?.nextShift(
        after: max(notification.fireDate ?? now.real, now.real)),
      let plan = plan(of: row)
    else { return nil }
    var meter = StepMeter(limit: RuleBudget.search)
    let before = change.instant.advanced(by: -1)
    // One that has ended by then never drifts.
    guard let due = meter.spend(&budget, { plan.first(after: before, &$0)?.due }),
      due != .distantFuture
    else { return nil }
    return ScheduleReply.goesByUTC + ": from " + RFC3339.text(due)
      + " on the board's clocks show another hour; with a timeZone it keeps theirs"
  }
}

extension ScheduleReply {
  /// How warnings begin that the command line says in its own words, or that it knows to be needless.
  public static let isAtOnce = "fireDate: there is none, so it is due at once"
  public static let repeatsFromNow = "fireDate: there is none, so it repeats from now"
  public static let goesByUTC = "it repeats by UTC"
  public static let goesByBoard = "timeZone: it is due when the board's clocks"
}

// MARK: Dates that are left out

extension SchedulerEngine {
  /// What to say of EXDATEs at which nothing is due; nil: there are none, or looking takes too much.
  func strayDates(of row: StoredNotification, _ budget: inout Int) -> String? {
    guard var whole = row.plan, !whole.plan.exdates.isEmpty, whole.plan.calendar == nil else {
      return nil
    }
    let walls = whole.plan.exdates
    (whole.plan.exdates, whole.plan.offset) = ([], .none)
    guard let table = timetable(of: whole, anchor: row.anchor), let zone = zone(of: whole) else {
      return nil
    }
    var meter = StepMeter(limit: RuleBudget.search)
    var stray: [Instant] = []
    for wall in walls {
      // By whole seconds (T6).
      let second = wall.advanced(by: -floorModulo(wall.nanoseconds, Nanoseconds.second))
      let meant = zone.instants(ofWall: second).first
      // Beside a change of the clocks it may be another's wall clock, or moved.
      let change = zone.transition(after: meant.advanced(by: -Nanoseconds.day))?.instant
      if let change, change < meant.advanced(by: Nanoseconds.day) { continue }
      let due = meter.spend(&budget) { table.first(after: meant.advanced(by: -1), &$0)?.instant }
      guard !meter.isSpent else { return nil }
      if due ?? .distantFuture >= meant.advanced(by: Nanoseconds.second) { stray.append(meant) }
    }
    guard let first = stray.first else { return nil }
    let rest = stray.count > 1 ? ", nor at \(stray.count - 1) more of these dates" : ""
    return "exdate: nothing is due at " + RFC3339.text(first) + rest
  }
}

extension Notification {
  /// What stands beside a body or a title, and is not shown without one.
  fileprivate var unshownTexts: [String] {
    [("alertSubtitle", alertSubtitle), ("alertAction", alertAction)].compactMap { field, text in
      guard let text, !text.isBlank else { return nil }
      return field + ": nothing shows it without alertBody or alertTitle"
    }
  }

  /// What was given, and nothing comes of; all of it may be in the books of an earlier build.
  fileprivate var idleFields: [String] {
    var idle: [String] = []
    if region == nil, !regionTriggersOnce { idle.append("regionTriggersOnce: there is no region") }
    if region != nil, tolerance > 0 {
      idle.append("tolerance: what has a region comes as the board crosses it")
    }
    if badgeOperation == .add, applicationIconBadgeNumber == 0 {
      idle.append("badgeOperation: there is no applicationIconBadgeNumber that it could add")
    }
    if volume != 1, !mayHaveSound { idle.append("volume: there is no soundName") }
    guard !hasSomethingToRepeat else { return idle }
    if realert != nil { idle.append("realert: there is nothing to show or sound again") }
    if !ladder.isEmpty { idle.append("ladder: there is nothing to show or sound") }
    return idle
  }
}
