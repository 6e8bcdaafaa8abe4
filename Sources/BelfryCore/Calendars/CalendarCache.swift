/// What is known of repeats in plugins' calendars, what plugins are to be asked, and who waits for
/// their answers (N6).
struct CalendarCache {
  /// How many questions a plugin has in hand at most.
  static let maxOpenQuestions = 16
  /// How many series that nobody goes by are remembered.
  private static let maxUnused = 64
  /// How far before today what is asked for begins: a step back of the clock, or a long absence,
  /// should not need another question.
  private static let daysBack: Int64 = 800
  private static let indexesBack: Int64 = 30

  /// What is known of a plugin that may be asked.
  struct Plugin {
    var sink: SinkIndex
    /// The calendars that it knows; nil: it has not said.
    var calendars: [String]?
    /// It is up.
    var canTake: Bool
    /// It may yet say that it knows calendars.
    var mayKnow: Bool
    var openQuestions: Int

    var hasRoom: Bool { openQuestions < CalendarCache.maxOpenQuestions }
  }

  /// A series whose days have come.
  struct Learned {
    var known: KnownDays
    /// Repeats that ran further ahead than this are to be planned afresh (T8); nil: none.
    var reviewBeyond: Int64?
  }

  private var series: [CalendarQuestion: KnownDays] = [:]
  /// Those to ask about as soon as a plugin can answer.
  private var line: [CalendarQuestion] = []
  private var tokens: [UInt64: CalendarQuestion] = [:]
  /// Calendars of which the log has said that no plugin knows them.
  private var told: Set<ByteString> = []
  /// When there is something to do, on the elapsed clock.
  private(set) var nextWake: Int64?

  var isEmpty: Bool { series.isEmpty }
  /// How many series are remembered.
  var count: Int { series.count }

  /// nil: they are not known.
  func days(of question: CalendarQuestion) -> CalendarDays? { series[question]?.days }

  /// nil: nobody has spoken of it.
  func known(_ question: CalendarQuestion) -> KnownDays? { series[question] }

  // MARK: Who goes by them

  /// The series of this name, which is remembered from now on.
  mutating func remember(_ question: CalendarQuestion) -> KnownDays {
    if let known = series[question] { return known }
    let known = KnownDays(question)
    series[question] = known
    return known
  }

  func add(_ slot: Slot, to known: KnownDays) {
    known.users.insert(slot)
  }

  func remove(_ slot: Slot, from known: KnownDays) {
    known.users.remove(slot)
  }

  /// After a step back of the clock: false where the days before now must be asked for first.
  func canReview(_ known: KnownDays, beyond: Int64, today: Int64) -> Bool {
    guard known.days != nil, !known.reaches(back: today) else { return true }
    known.beginsTooLate = true
    known.reviewBeyond = min(known.reviewBeyond ?? .max, beyond)
    return false
  }

  // MARK: Requests

  /// A request waits for it, and is told at this time that nobody has answered.
  mutating func wait(for known: KnownDays, until end: Int64, _ now: ClockReading) {
    known.giveUpAt = known.giveUpAt ?? end
    noteWake(now)
  }

  /// Those who waited have been looked at again.
  mutating func endResuming(_ now: ClockReading) {
    for (question, known) in series where known.hasFailed && known.giveUpAt == nil {
      if known.users.isEmpty, known.days == nil, known.asked == nil { series[question] = nil }
    }
    forgetUnused()
    noteWake(now)
  }

  private mutating func forgetUnused() {
    let users = series.values.reduce(0) { $0 + $1.users.count }
    guard series.count > Self.maxUnused + users else { return }
    for (question, known) in series
    where known.users.isEmpty && known.asked == nil && known.giveUpAt == nil {
      series[question] = nil
    }
  }

  // MARK: Asking

  func isAsked(_ known: KnownDays) -> Bool { known.asked != nil }

  /// Who is to be asked now; nil: nobody can be. Where nobody ever can, `reason` says why.
  mutating func plugin(
    for known: KnownDays, among plugins: [Plugin], _ turn: inout Turn
  ) -> Plugin? {
    guard known.notBefore <= turn.now.elapsed else { return nil }
    let calendar = known.series.calendar
    let knowing = plugins.filter { $0.calendars?.contains(calendar) ?? false }
    if let plugin = knowing.first(where: { $0.canTake }) { return plugin }
    guard knowing.isEmpty, !plugins.contains(where: { $0.mayKnow }) else { return nil }
    known.refuse(FieldError.needsPlugin(calendar: calendar), event: turn.number)
    // Tried again when a plugin says what it knows.
    known.notBefore = .max
    if !known.users.isEmpty, told.insert(calendar).inserted {
      let reason = FieldError.needsPlugin(calendar: calendar)
      turn.log(.error, "what repeats by it waits: \(reason)")
    }
    return nil
  }

  /// It is asked about as soon as a plugin can answer.
  mutating func putInLine(_ known: KnownDays) {
    if known.isWanted { return }
    known.isWanted = true
    line.append(known.series)
  }

  /// All that stand in line and are still wanted; those that cannot be asked about now are put back.
  mutating func takeLine() -> [KnownDays] {
    defer { line = [] }
    return line.compactMap { series[$0] }.filter { $0.isWanted }
  }

  mutating func putBack(_ waiting: [KnownDays]) {
    line += waiting.map { $0.series }
  }

  /// Puts the question; `firedThrough`: the calendar's own index of what has fired, of the entry
  /// that is furthest behind.
  mutating func ask(
    _ known: KnownDays, of sink: SinkIndex, token: UInt64, firedThrough: Int64?, today: Int64,
    _ turn: inout Turn
  ) {
    var question = known.series
    if known.users.isEmpty || known.beginsTooLate {
      question.firstDay = min(today + question.lead, question.anchorDay) - Self.daysBack
    } else {
      question.firstIndex = max(0, (firedThrough ?? 0) - Self.indexesBack)
    }
    known.asked = KnownDays.Asked(sink: sink, token: token, question: question)
    known.isWanted = false
    tokens[token] = known.series
    turn.emit(.askCalendar(sink, token: token, question))
  }

  // MARK: Answers

  /// False: nobody waits for this answer.
  func expects(_ token: UInt64) -> Bool { tokens[token] != nil }

  /// The answer of the plugin of this name; nil: it tells no days. `isUnplanned`: whether an entry
  /// waits for them.
  mutating func take(
    _ answer: CalendarAnswer, token: UInt64, from plugin: String, today: Int64,
    _ turn: inout Turn, isUnplanned: (Slot) -> Bool
  ) -> Learned? {
    guard let name = tokens.removeValue(forKey: token), let known = series[name],
      let asked = known.asked, asked.token == token
    else { return nil }
    known.asked = nil
    guard let days = CalendarDays(asked.question, answer), !days.days.isEmpty || days.isLast else {
      var reason = "its answer is none"
      if case .failed(let said) = answer { reason = said }
      fail(
        known, "the plugin \(plugin) does not tell its days: \(reason)", &turn,
        isUnplanned: isUnplanned)
      return nil
    }
    known.days = days
    told.remove(asked.question.calendar)
    known.failures = 0
    known.crashes = 0
    known.notBefore = .min
    known.beginsTooLate = false
    if known.giveUpAt != nil, !known.covers(today) {
      known.refuse("the plugin \(plugin) does not tell the days to come", event: turn.number)
    }
    known.giveUpAt = nil
    defer { known.reviewBeyond = nil }
    return Learned(known: known, reviewBeyond: known.reviewBeyond)
  }

  mutating func fail(
    _ known: KnownDays, _ reason: String, _ turn: inout Turn, isUnplanned: (Slot) -> Bool
  ) {
    known.refuse(
      "the calendar \(FieldError.quoted(known.series.calendar)): \(reason)", event: turn.number)
    let waiting = known.users.filter(isUnplanned).count
    if waiting > 0 {
      let what = waiting == 1 ? "a notification waits" : "\(waiting) notifications wait"
      turn.log(.error, "the calendar \(known.series.calendar): \(reason); \(what) for its days")
    }
    known.failures += 1
    known.crashes = 0
    let wait = Nanoseconds.minute << min(known.failures - 1, 6)
    known.notBefore = turn.now.elapsed + wait
    if !known.users.isEmpty { putInLine(known) }
  }

  // MARK: Plugins and time

  /// What a plugin knows has been told, or it has come up.
  func revise() {
    for question in line where series[question]?.failures == 0 {
      series[question]?.notBefore = .min
    }
  }

  /// The process of a plugin has ended: what it had in hand is asked once more, unless it hung over
  /// it; the rest is not held against it.
  mutating func dropQuestions(
    of sink: SinkIndex, named plugin: String, isInterrupted: Bool, unsent: [UInt64],
    reason: String, _ turn: inout Turn, isUnplanned: (Slot) -> Bool
  ) {
    let open = series.values.filter { $0.asked?.sink == sink }
      .sorted { ($0.asked?.token ?? 0) < ($1.asked?.token ?? 0) }
    for (place, known) in open.enumerated() {
      guard let token = known.asked?.token else { continue }
      known.asked = nil
      tokens[token] = nil
      if place == 0, !unsent.contains(token) { known.crashes += isInterrupted ? 2 : 1 }
      if known.crashes >= 2 {
        fail(
          known, "the plugin \(plugin) gave no answer: \(reason)", &turn, isUnplanned: isUnplanned)
      } else {
        putInLine(known)
      }
    }
  }

  /// Those that nobody has answered in time; false: there is nothing to do yet.
  mutating func expire(_ turn: Turn) -> Bool {
    let now = turn.now
    guard let wake = nextWake, wake <= now.elapsed else { return false }
    for known in series.values where (known.giveUpAt ?? .max) <= now.elapsed {
      known.giveUpAt = nil
      known.refuse(
        "no plugin that knows the calendar \(FieldError.quoted(known.series.calendar)) has answered",
        event: turn.number)
      known.isWanted = known.isWanted && !known.users.isEmpty
    }
    noteWake(now)
    return true
  }

  mutating func noteWake(_ now: ClockReading) {
    var wake: Int64?
    for known in series.values {
      if let giveUpAt = known.giveUpAt { wake = min(wake ?? .max, giveUpAt) }
      if known.isWanted, known.notBefore > now.elapsed, known.notBefore != .max {
        wake = min(wake ?? .max, known.notBefore)
      }
    }
    nextWake = wake
  }
}
