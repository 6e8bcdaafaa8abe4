/// Repeats in the calendars of plugins: asking for their days, and planning by them (N6).
extension Scheduler {
  private static let mostOpenQuestions = 16
  /// How many series that nobody goes by are remembered.
  private static let mostUnused = 64
  /// How far before today what is asked for begins: a step back of the clock, or a long absence,
  /// should not need another question.
  private static let daysBack: Int64 = 800
  private static let indexesBack: Int64 = 30

  private var today: Int64 { CivilTime(now.real).date.days }

  /// How long a request waits for a plugin.
  private var patienceWithCalendars: Int64 { 2 * configuration.answerDeadline }

  /// A plan's timetable; nil: a plugin has to be asked for its days first.
  func timetable(
    _ plan: RepeatPlan, anchor: Instant, mode: ZoneMode, zone: ZoneRules
  ) -> Timetable? {
    guard let series = plan.series(anchor) else {
      return Timetable(plan: plan, anchor: anchor, mode: mode, zone: zone)
    }
    guard let days = calendars[series]?.days else { return nil }
    return Timetable(plan: plan, anchor: anchor, mode: mode, zone: zone, days: days)
  }

  // MARK: Requests

  /// Whether enough is known to schedule by this plan now; if not, a plugin is asked.
  func areDaysKnown(_ plan: RepeatPlan, anchor: Instant) throws(RequestError) -> Bool {
    guard let series = plan.series(anchor) else { return true }
    let known = knownDays(series)
    if known.covers(today) { return true }
    if !isResumingCalendars {
      // What failed before may go well now.
      known.reason = nil
      known.notBefore = .min
      want(known)
    }
    if let reason = known.reason {
      throw .invalidField(FieldError("repeatCalendar", .unknown, reason))
    }
    known.giveUpAt = known.giveUpAt ?? now.elapsed + patienceWithCalendars
    noteCalendarWake()
    return false
  }

  private func knownDays(_ series: CalendarQuestion) -> KnownDays {
    if let known = calendars[series] { return known }
    let known = KnownDays(series)
    calendars[series] = known
    return known
  }

  /// Those who wait can go on, or be told why not.
  private func resumeCalendars() {
    isResumingCalendars = true
    resumeWaiting()
    isResumingCalendars = false
    for (series, known) in calendars where known.reason != nil {
      // Who asks again may find it there.
      known.reason = nil
      known.giveUpAt = nil
      if known.users.isEmpty, known.days == nil, known.asked == nil { calendars[series] = nil }
    }
    forgetUnused()
    noteCalendarWake()
  }

  private func forgetUnused() {
    guard calendars.count > Self.mostUnused + calendarSlots.count else { return }
    for (series, known) in calendars
    where known.users.isEmpty && known.asked == nil && known.giveUpAt == nil {
      calendars[series] = nil
    }
  }

  // MARK: Entries

  /// An entry goes by a plugin's calendar, if it does; `firedThrough` as in its row.
  func noteCalendar(of slot: Slot, _ stored: StoredPlan?, anchor: Instant) {
    guard let series = stored?.plan.series(anchor) else { return }
    let known = knownDays(series)
    known.users.insert(slot)
    calendarSlots[slot] = known
    if known.isScarce(after: today) { want(known) }
  }

  func forgetCalendar(of slot: Slot) {
    guard !calendarSlots.isEmpty, let known = calendarSlots.removeValue(forKey: slot) else {
      return
    }
    known.users.remove(slot)
  }

  /// All of its occurrences that are known have fired: it waits until more are.
  func awaitDays(_ slot: Slot, firedThrough k: Int64) {
    guard var node = pending.node(of: slot) else { return }
    unplanned[slot] = k
    pending.setTraits(pending[slot].traits.union(.unplanned), of: slot)
    node.due = .distantFuture
    move(node)
    if let known = calendarSlots[slot] { want(known) }
  }

  /// After an occurrence: the next ones are asked for before they are needed.
  func keepDays(of slot: Slot) {
    guard !calendarSlots.isEmpty, let known = calendarSlots[slot], known.isScarce(after: today),
      plan(of: slot)?.isOpen ?? false
    else { return }
    want(known)
  }

  /// After a step back of the clock: false where the days before now must be asked for first.
  func canReview(_ slot: Slot, beyond: Int64) -> Bool {
    guard !calendarSlots.isEmpty, let known = calendarSlots[slot], known.days != nil,
      !known.reaches(back: today)
    else { return true }
    known.beginsTooLate = true
    known.reviewBeyond = min(known.reviewBeyond ?? .max, beyond)
    want(known)
    return false
  }

  /// Why an entry has no due although it will fire; nil: it has one.
  func reasonUnplanned(_ slot: Slot) -> String? {
    guard pending[slot].traits.contains(.unplanned) else { return nil }
    if let known = calendarSlots[slot], known.days == nil || known.asked != nil || known.isWanted {
      return "waits for a plugin that knows the calendar \(known.series.calendar)"
    }
    return "waits for the rules of its zone"
  }

  // MARK: Asking

  private func want(_ known: KnownDays) {
    guard known.asked == nil else { return }
    if isStarted, let sink = calendarSink(for: known), hasRoom(sink) { return ask(sink, known) }
    putInLine(known)
    noteCalendarWake()
  }

  private func putInLine(_ known: KnownDays) {
    if known.isWanted { return }
    known.isWanted = true
    wantedCalendars.append(known.series)
  }

  private func hasRoom(_ sink: SchedulerSink) -> Bool {
    sink.openQuestions < Self.mostOpenQuestions
  }

  /// Puts what is wanted to the plugins that are up.
  func askCalendars() {
    var waiting: [CalendarQuestion] = []
    for (place, series) in wantedCalendars.enumerated() {
      guard let known = calendars[series], known.isWanted else { continue }
      guard let sink = calendarSink(for: known) else {
        waiting.append(series)
        continue
      }
      guard hasRoom(sink) else {
        waiting += wantedCalendars[place...]
        break
      }
      ask(sink, known)
    }
    wantedCalendars = waiting
    noteCalendarWake()
  }

  /// nil: there is none now; `reason` is set where there will be none.
  private func calendarSink(for known: KnownDays) -> SchedulerSink? {
    guard known.notBefore <= now.elapsed else { return nil }
    let calendar = known.series.calendar
    let knowing = sinks.filter { $0.calendars?.contains(calendar) ?? false }
    if let sink = knowing.first(where: { $0.canTake }) { return sink }
    guard knowing.isEmpty, !sinks.contains(where: { $0.mayKnowCalendars }) else { return nil }
    known.reason = FieldError.needsPlugin(calendar: calendar)
    // Tried again when a plugin says what it knows.
    known.notBefore = .max
    if !known.users.isEmpty, toldCalendars.insert(calendar).inserted {
      let reason = FieldError.needsPlugin(calendar: calendar)
      emit(.log(.error, "what repeats by it waits: \(reason)"))
    }
    return nil
  }

  private func ask(_ sink: SchedulerSink, _ known: KnownDays) {
    if !sink.isBusy { sink.progress = now.elapsed }
    let token = sinkQueues.nextToken()
    let asked = KnownDays.Asked(sink: sink.index, token: token, question: question(known))
    known.asked = asked
    known.isWanted = false
    sink.openQuestions += 1
    calendarTokens[token] = known.series
    emit(.askCalendar(sink.index, token: token, asked.question))
  }

  private func question(_ known: KnownDays) -> CalendarQuestion {
    var question = known.series
    if known.users.isEmpty || known.beginsTooLate {
      question.firstDay = min(today, question.anchorDay) - Self.daysBack
    } else {
      let newest = known.users.compactMap { firedThrough($0) }.min() ?? 0
      question.firstIndex = max(0, newest - Self.indexesBack)
    }
    return question
  }

  /// The calendar's own index of what has fired last; nil: it will not fire again.
  private func firedThrough(_ slot: Slot) -> Int64? {
    let plan = pending.shapes[pending[slot].shape].plan
    if let k = unplanned[slot] { return plan.key(of: k) }
    guard let node = pending.node(of: slot), node.due < .distantFuture else { return nil }
    return plan.key(of: index(of: node)) - 1
  }

  // MARK: Answers

  func take(_ answer: CalendarAnswer, token: UInt64, from sink: SchedulerSink) {
    guard let series = calendarTokens.removeValue(forKey: token) else { return }
    sink.progress = now.elapsed
    sink.openQuestions -= 1
    if let known = calendars[series], let asked = known.asked, asked.token == token {
      known.asked = nil
      take(answer, to: asked.question, known, sink)
    }
    resumeCalendars()
    askCalendars()
  }

  private func take(
    _ answer: CalendarAnswer, to question: CalendarQuestion, _ known: KnownDays,
    _ sink: SchedulerSink
  ) {
    guard let days = CalendarDays(question, answer), !days.days.isEmpty || days.isLast else {
      var reason = "its answer is none"
      if case .failed(let said) = answer { reason = said }
      return fail(known, "the plugin \(sink.sink.name) does not tell its days: \(reason)")
    }
    known.days = days
    toldCalendars.remove(question.calendar)
    known.failures = 0
    known.strikes = 0
    known.notBefore = .min
    known.beginsTooLate = false
    if known.giveUpAt != nil, !known.covers(today) {
      known.reason = "the plugin \(sink.sink.name) does not tell the days to come"
    }
    known.giveUpAt = nil
    let beyond = known.reviewBeyond
    known.reviewBeyond = nil
    for slot in known.users.sorted() {
      if pending[slot].traits.contains(.unplanned) {
        plan(unplanned: slot, known)
      } else if let beyond {
        _ = planAfresh(slot, ifBeyond: beyond)
      }
    }
  }

  /// It can be planned now, unless its zone is not loaded.
  private func plan(unplanned slot: Slot, _ known: KnownDays) {
    guard var node = pending.node(of: slot), let plan = plan(of: slot) else { return }
    let firedThrough = unplanned[slot] ?? -1
    guard let next = plan.pending(firedThrough: firedThrough) else {
      if plan.isOpen { return fail(known, "the days to come are not told") }
      // There is none after all.
      record(.finish(slot, generation: Int64(pending[slot].generation)))
      return removeEntry(slot)
    }
    unplanned[slot] = nil
    pending.setTraits(pending[slot].traits.subtracting(.unplanned), of: slot)
    node.due = next.due
    move(node)
    reviewPlanned(slot)
  }

  private func fail(_ known: KnownDays, _ reason: String) {
    known.reason = "the calendar \(FieldError.quoted(known.series.calendar)): \(reason)"
    tellWaiting(known, reason)
    known.failures += 1
    known.strikes = 0
    let wait = Duration.minute << min(known.failures - 1, 6)
    known.notBefore = now.elapsed + wait
    if !known.users.isEmpty { putInLine(known) }
  }

  private func tellWaiting(_ known: KnownDays, _ reason: String) {
    let waiting = known.users.filter { pending[$0].traits.contains(.unplanned) }.count
    guard waiting > 0 else { return }
    let what = waiting == 1 ? "a notification waits" : "\(waiting) notifications wait"
    emit(.log(.error, "the calendar \(known.series.calendar): \(reason); \(what) for its days"))
  }

  // MARK: Sinks

  /// What a plugin knows has been told, or it has come up.
  func reviseCalendars() {
    guard !calendars.isEmpty else { return }
    for series in wantedCalendars where calendars[series]?.failures == 0 {
      calendars[series]?.notBefore = .min
    }
    askCalendars()
    resumeCalendars()
  }

  /// Its process has ended: what it had in hand is asked once more, unless it hung over it; the rest
  /// is not held against it.
  func dropQuestions(of sink: SchedulerSink, unsent: [UInt64], reason: String) {
    sink.openQuestions = 0
    let open = calendars.values.filter { $0.asked?.sink == sink.index }
      .sorted { ($0.asked?.token ?? 0) < ($1.asked?.token ?? 0) }
    for (place, known) in open.enumerated() {
      guard let token = known.asked?.token else { continue }
      known.asked = nil
      calendarTokens[token] = nil
      if place == 0, !unsent.contains(token) { known.strikes += sink.isInterrupted ? 2 : 1 }
      if known.strikes >= 2 {
        fail(known, "the plugin \(sink.sink.name) gave no answer: \(reason)")
      } else {
        putInLine(known)
      }
    }
  }

  /// What depends on the time alone.
  func watchCalendars() {
    guard let wake = nextCalendarWake, wake <= now.elapsed else { return }
    for known in calendars.values where (known.giveUpAt ?? .max) <= now.elapsed {
      known.reason =
        "no plugin that knows the calendar \(FieldError.quoted(known.series.calendar)) has answered"
      known.isWanted = known.isWanted && !known.users.isEmpty
    }
    askCalendars()
    resumeCalendars()
  }

  private func noteCalendarWake() {
    guard isStarted else { return }
    var wake: Int64?
    for known in calendars.values {
      if let giveUpAt = known.giveUpAt { wake = min(wake ?? .max, giveUpAt) }
      if known.isWanted, known.notBefore > now.elapsed, known.notBefore != .max {
        wake = min(wake ?? .max, known.notBefore)
      }
    }
    nextCalendarWake = wake
  }
}
