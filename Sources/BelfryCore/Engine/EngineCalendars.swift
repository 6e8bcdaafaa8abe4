/// Repeats in the calendars of plugins: asking for their days, and planning by them (N6).
extension SchedulerEngine {
  private var today: Int64 { CivilTime(now.real).date.days }

  /// How long a request waits for a plugin.
  private var calendarTimeout: Int64 { 2 * configuration.answerDeadline }

  /// A plan's timetable; nil: a plugin has to be asked for its days first.
  func timetable(
    _ plan: RepeatPlan, anchor: Instant, mode: ZoneMode, zone: ZoneRules
  ) -> Timetable? {
    guard let series = plan.series(anchor) else {
      return Timetable(plan: plan, anchor: anchor, mode: mode, zone: zone)
    }
    guard let days = calendars.days(of: series) else { return nil }
    return Timetable(plan: plan, anchor: anchor, mode: mode, zone: zone, days: days)
  }

  // MARK: Requests

  /// Whether enough is known to schedule by this plan now; if not, a plugin is asked.
  func areDaysKnown(_ plan: RepeatPlan, anchor: Instant) throws(RequestError) -> Bool {
    guard let series = plan.series(anchor) else { return true }
    let known = calendars.remember(series)
    if known.covers(today) { return true }
    if !known.isRefused(turn.asked) {
      // What failed before it came may go well now.
      known.notBefore = .min
      want(known)
    }
    if let reason = known.reason(for: turn.asked) {
      throw .invalidField(FieldError("repeatCalendar", .unknown, reason))
    }
    calendars.wait(for: known, until: now.elapsed + calendarTimeout, now)
    return false
  }

  /// Those who wait can go on, or be told why not.
  private func resumeCalendars() {
    resumeWaiting { [unowned(unsafe) self] in calendars.endResuming(now) }
  }

  // MARK: Entries

  /// An entry goes by a plugin's calendar, if it does.
  func noteCalendar(of slot: Slot, _ stored: StoredPlan?, anchor: Instant) {
    guard let series = stored?.plan.series(anchor) else { return }
    let known = calendars.remember(series)
    calendars.add(slot, to: known)
    pending.setCalendar(known, of: slot)
    if known.isScarce(after: today) { want(known) }
  }

  /// All of its occurrences that are known have fired: it waits until more are.
  func awaitDays(_ slot: Slot, firedThrough k: Int64) {
    guard var node = pending.node(of: slot) else { return }
    pending.setUnplanned(slot, firedThrough: k)
    node.due = .distantFuture
    move(node)
    if let known = pending.details[slot].calendar { want(known) }
  }

  /// After an occurrence: the next ones are asked for before they are needed.
  func keepDays(of slot: Slot) {
    guard let known = pending.details[slot].calendar, known.isScarce(after: today),
      plan(of: slot)?.isOpen ?? false
    else { return }
    want(known)
  }

  /// After a step back of the clock: false where the days before now must be asked for first.
  func canReview(_ slot: Slot, beyond: Int64) -> Bool {
    guard let known = pending.details[slot].calendar,
      !calendars.canReview(known, beyond: beyond, today: today)
    else { return true }
    want(known)
    return false
  }

  /// Why an entry has no due although it will fire; nil: it has one.
  func reasonUnplanned(_ slot: Slot) -> String? {
    guard isUnplanned(slot) else { return nil }
    if let known = pending.details[slot].calendar,
      known.days == nil || known.asked != nil || known.isWanted
    {
      return "waits for a plugin that knows the calendar \(known.series.calendar)"
    }
    return "waits for the rules of its zone"
  }

  private func isUnplanned(_ slot: Slot) -> Bool {
    pending[slot].traits.contains(.unplanned)
  }

  // MARK: Asking

  private var calendarPlugins: [CalendarCache.Plugin] {
    sinks.map { sink in
      CalendarCache.Plugin(
        sink: sink.index, calendars: sink.calendars, canTake: sink.canTake,
        mayKnow: sink.mayKnowCalendars, openQuestions: sink.openQuestions)
    }
  }

  private func want(_ known: KnownDays) {
    guard known.asked == nil else { return }
    if isStarted, let plugin = calendars.plugin(for: known, among: calendarPlugins, &turn),
      plugin.hasRoom
    {
      return ask(plugin.sink, known)
    }
    calendars.putInLine(known)
    if isStarted { calendars.noteWake(now) }
  }

  /// Puts what is wanted to the plugins that are up.
  func askCalendars() {
    let line = calendars.takeLine()
    var waiting: [KnownDays] = []
    for (place, known) in line.enumerated() {
      guard let plugin = calendars.plugin(for: known, among: calendarPlugins, &turn) else {
        waiting.append(known)
        continue
      }
      guard plugin.hasRoom else {
        waiting += line[place...]
        break
      }
      ask(plugin.sink, known)
    }
    calendars.putBack(waiting)
    calendars.noteWake(now)
  }

  private func ask(_ index: SinkIndex, _ known: KnownDays) {
    let sink = sinkQueues[index]
    if !sink.isBusy { sink.progress = now.elapsed }
    sink.openQuestions += 1
    calendars.ask(
      known, of: index, token: sinkQueues.nextToken(),
      firedThrough: known.users.compactMap { firedThrough($0) }.min(), today: today, &turn)
  }

  /// The calendar's own index of what has fired last; nil: it will not fire again.
  private func firedThrough(_ slot: Slot) -> Int64? {
    guard let plan = pending.shape(of: pending[slot])?.plan else { return nil }
    if let k = pending.details[slot].firedThrough { return plan.key(of: k) }
    guard let node = pending.node(of: slot), node.due < .distantFuture else { return nil }
    return plan.key(of: index(of: node)) - 1
  }

  // MARK: Answers

  func take(_ answer: CalendarAnswer, token: UInt64, from sink: SchedulerSink) {
    guard calendars.expects(token) else { return }
    sink.progress = now.elapsed
    sink.openQuestions -= 1
    let learned = calendars.take(
      answer, token: token, from: sink.sink.name, today: today, &turn,
      isUnplanned: { isUnplanned($0) })
    if let learned { follow(learned) }
    resumeCalendars()
    askCalendars()
  }

  /// Plans what waited for these days, in slices (A2).
  private func follow(_ learned: CalendarCache.Learned) {
    let known = learned.known
    var left = known.users.sorted()[...]
    let work = SlicedWork(nil, ticket: nil) { [unowned(unsafe) self] budget in
      while budget > 0, let slot = left.popFirst() {
        budget -= Self.rowCost
        // It may have left meanwhile.
        guard known.users.contains(slot) else { continue }
        if isUnplanned(slot) {
          plan(unplanned: slot, known)
        } else if let beyond = learned.reviewBeyond {
          _ = replanFromNow(slot, ifBeyond: beyond)
        }
      }
      return left.isEmpty
    }
    start(work, of: 0)
  }

  /// It can be planned now, unless its zone is not loaded.
  private func plan(unplanned slot: Slot, _ known: KnownDays) {
    guard var node = pending.node(of: slot), let plan = plan(of: slot) else { return }
    let firedThrough = pending.details[slot].firedThrough ?? -1
    guard let next = plan.pending(firedThrough: firedThrough) else {
      if plan.isOpen {
        return calendars.fail(
          known, "the days to come are not told", &turn, isUnplanned: { isUnplanned($0) })
      }
      // There is none after all.
      record(
        .finish(
          slot, app: pending[slot].app, generation: Int64(pending[slot].generation)))
      return removeEntry(slot)
    }
    pending.setPlanned(slot)
    node.due = next.due
    move(node)
    reviewPlanned(slot)
  }

  // MARK: Sinks

  /// What a plugin knows has been told, or it has come up.
  func reviseCalendars() {
    guard !calendars.isEmpty else { return }
    calendars.revise()
    askCalendars()
    resumeCalendars()
  }

  /// Its process has ended.
  func dropQuestions(of sink: SchedulerSink, unsent: [UInt64], reason: String) {
    sink.openQuestions = 0
    calendars.dropQuestions(
      of: sink.index, named: sink.sink.name, isInterrupted: sink.isInterrupted, unsent: unsent,
      reason: reason, &turn, isUnplanned: { isUnplanned($0) })
  }

  /// What depends on the time alone.
  func watchCalendars() {
    guard calendars.expire(turn) else { return }
    askCalendars()
    resumeCalendars()
  }
}
