import Testing

@testable import BelfryCore

/// A calendar whose months have thirty days and whose years have 360, told up to an index.
private func thirties(_ question: CalendarQuestion, upTo last: Int64 = .max) -> CalendarAnswer {
  let length: Int64 = question.unit == .month ? 30 : question.unit == .quarter ? 90 : 360
  var k = question.firstIndex
  if question.firstDay > question.anchorDay {
    k = max(k, (question.firstDay - question.anchorDay) / (length * question.every))
  }
  var days: [CalendarDay] = []
  while days.count < Int(question.count), k <= last {
    let day = question.anchorDay + k * length * question.every
    if day >= question.firstDay { days.append(CalendarDay(k: k, day: day)) }
    k += 1
  }
  return .days(days, isLast: k > last)
}

extension World {
  /// A board with an alert sink, and a plugin that knows calendars.
  fileprivate static func withCalendars(
    isUp: Bool = true, knows calendars: [String] = ["hebrew"]
  ) -> World {
    let world = World {
      $0.sinks = [
        World.sinks[0],
        Sink(
          name: "calendars", kind: .plugin, wantsAlerts: false, wantsBadges: false,
          wantsEverything: false),
      ]
    }
    world.restart(sinksUp: false)
    world.calendar = { thirties($0) }
    world.rise(0, knows: [])
    if isUp { world.rise(1, knows: calendars) }
    return world
  }

  fileprivate func rise(_ sink: SinkIndex, knows calendars: [String]) {
    send(
      .sink(
        sink,
        .described(
          wantsAlerts: sink == 0, wantsBadges: false, wantsEverything: false, calendars: calendars)
      ))
    send(.sink(sink, .up))
  }

  /// Asks for a repeat in that calendar; nil: nobody has answered yet.
  @discardableResult
  fileprivate func repeatAlert(
    _ identifier: String, in seconds: Double = 60, _ unit: RepeatUnit = .month,
    _ change: (inout Notification) -> Void = { _ in }
  ) -> Reply? {
    request(
      .schedule(
        app: "app",
        alert(identifier, in: seconds, repeats: unit) {
          $0.repeatCalendar = "hebrew"
          change(&$0)
        }))
  }

  fileprivate func row(_ identifier: String) -> ListedNotification? {
    guard
      case .listed(let rows, _)? = request(
        .list(app: "app", delivered: false, cursor: 0, limit: 100))
    else { return nil }
    return rows.first { $0.notification.identifier == identifier }
  }
}

/// The sentence of a refusal.
private func refusal(_ reply: Reply?) -> FieldError? {
  guard case .refused(.invalidField(let error))? = reply else { return nil }
  return error
}

private func next(_ reply: Reply?) -> Instant? {
  guard case .scheduled(let scheduled)? = reply else { return nil }
  return scheduled.next
}

@Suite struct EngineCalendarTests {
  private let month = 30 * Nanoseconds.day

  @Test func N6_aPluginsMonthsFireAndGoOnForYears() {
    let world = World.withCalendars()
    let first = world.now.real.advanced(by: 60 * Nanoseconds.second)
    #expect(next(world.repeatAlert("moon")) == first)
    world.advance(seconds: 300 * 30 * 86400)
    #expect(world.deliveries.map { $0.occurrence.id.k } == Array(0..<300))
    #expect(
      world.deliveries.map { $0.occurrence.due }
        == (0..<300).map { first.advanced(by: $0 * month) })
    // Asked before the last one that was known, and not more often than that.
    #expect(world.questions.count == 2)
    #expect(world.problems == [])
  }

  @Test func N6_withoutAPluginItSaysWhatToInstall() {
    let world = World.withCalendars(knows: ["chinese"])
    let error = refusal(world.repeatAlert("moon"))
    #expect(error?.field == "repeatCalendar")
    #expect(error?.reason == FieldError.needsPlugin(calendar: "hebrew"))
    #expect(world.listed() == [])
    // A unit that is the same in every calendar needs none.
    #expect(next(world.repeatAlert("week", .week)) != nil)
  }

  @Test func N6_itWaitsForAPluginThatStillStarts() {
    let world = World.withCalendars(isUp: false)
    #expect(world.repeatAlert("moon") == nil)
    // Nothing else of the app waits with it.
    #expect(world.schedule("plain", in: 30) != nil)
    world.rise(1, knows: ["hebrew"])
    #expect(next(world.replies[1]) != nil)
    #expect(world.listed() == ["plain", "moon"])
  }

  @Test func N6_aPluginThatCannotStartIsWaitedForNoLonger() {
    let world = World.withCalendars(isUp: false)
    #expect(world.repeatAlert("moon") == nil)
    world.send(.sink(1, .down(reason: "exit status 1")))
    #expect(refusal(world.replies[1])?.reason == FieldError.needsPlugin(calendar: "hebrew"))
    #expect(refusal(world.repeatAlert("moon"))?.reason.contains("libbelfry-calendars.so") == true)
    // It was mended.
    world.rise(1, knows: ["hebrew"])
    #expect(next(world.repeatAlert("moon")) != nil)
  }

  @Test func N6_onePluginThatIsDownIsWaitedForAWhile() {
    let world = World.withCalendars()
    world.send(.sink(1, .down(reason: "signal 9")))
    #expect(world.repeatAlert("moon") == nil)
    world.advance(seconds: 19)
    #expect(world.replies[1] == nil)
    world.advance(seconds: 2)
    #expect(refusal(world.replies[1])?.reason.contains("has answered") == true)
    world.rise(1, knows: ["hebrew"])
    #expect(next(world.repeatAlert("moon")) != nil)
  }

  @Test func D8_aHungCalendarDelaysNoOtherNotification() {
    let world = World.withCalendars()
    #expect(next(world.repeatAlert("moon", in: 8)) != nil)
    world.calendar = { _ in nil }
    #expect(world.repeatAlert("year", .year) == nil)
    for second in 1...12 { world.schedule("at\(second)", in: Double(second)) }
    world.advance(seconds: 13)
    let shown = world.deliveries.map { $0.occurrence.notification.identifier ?? "" }
    #expect(
      shown == (1...8).map { "at\($0)" } + ["moon"] + (9...12).map { "at\($0)" }
        || shown == (1...7).map { "at\($0)" } + ["moon"] + (8...12).map { "at\($0)" })
    #expect(world.deliveries.allSatisfy { $0.handedOver == $0.occurrence.due })
    // Its process is ended; who asked is told.
    #expect(world.interrupted == [1])
    world.send(.sink(1, .down(reason: "no answer within its deadline")))
    #expect(refusal(world.replies[2])?.reason.contains("gave no answer") == true)
    world.calendar = { thirties($0) }
    world.rise(1, knows: ["hebrew"])
    #expect(next(world.repeatAlert("year", .year)) != nil)
  }

  @Test func D7_aQuestionThatItsProcessDidNotSurviveIsAskedOnceMore() {
    let world = World.withCalendars()
    world.calendar = { _ in nil }
    #expect(world.repeatAlert("moon") == nil)
    world.send(.sink(1, .down(reason: "signal 9")))
    #expect(world.replies[1] == nil)
    world.rise(1, knows: ["hebrew"])
    #expect(world.questions.count == 2)
    world.send(.sink(1, .down(reason: "signal 6")))
    #expect(refusal(world.replies[1])?.reason.contains("gave no answer: signal 6") == true)
    // What never reached it is not held against it.
    world.rise(1, knows: ["hebrew"])
    #expect(world.repeatAlert("moon") == nil)
    for _ in 1...5 {
      world.send(.sink(1, .down(reason: "signal 9", unsent: [world.questions.last!.token])))
      world.rise(1, knows: ["hebrew"])
    }
    world.calendar = { thirties($0) }
    world.send(.sink(1, .down(reason: "signal 9", unsent: [world.questions.last!.token])))
    world.rise(1, knows: ["hebrew"])
    #expect(world.listed() == ["moon"])
  }

  @Test(
    arguments: [
      CalendarAnswer.failed(reason: "the almanac is lost"),
      .days([], isLast: false), .days([CalendarDay(k: 0, day: 3)], isLast: false),
      .days([CalendarDay(k: 900, day: 90_000)], isLast: false),
    ])
  func N6_nonsenseIsARefusal(_ answer: CalendarAnswer) {
    let world = World.withCalendars()
    world.calendar = { _ in answer }
    let error = refusal(world.repeatAlert("moon"))
    #expect(error?.field == "repeatCalendar")
    #expect(world.listed() == [])
    world.calendar = { thirties($0) }
    #expect(next(world.repeatAlert("moon")) != nil)
  }

  @Test func N6_aRestartKeepsItAndAsksAgain() {
    let world = World.withCalendars()
    let first = next(world.repeatAlert("moon"))
    world.advance(seconds: 120)
    world.deliveries = []
    world.restart(sinksUp: false)
    #expect(world.row("moon")?.state == .held)
    #expect(world.row("moon")?.reason?.contains("calendar hebrew") == true)
    world.rise(0, knows: [])
    world.rise(1, knows: ["hebrew"])
    #expect(world.row("moon")?.next == first?.advanced(by: month))
    #expect(world.row("moon")?.state == .scheduled)
    world.advance(seconds: 31 * 86400)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [1])
  }

  @Test func T10_whatWasMissedBeforeThePluginCameFiresOnce() {
    let world = World.withCalendars()
    let first = next(world.repeatAlert("moon"))!
    world.advance(seconds: 120)
    world.deliveries = []
    world.sleep(seconds: 100 * 86400)
    world.restart(sinksUp: false)
    world.rise(0, knows: [])
    #expect(world.deliveries.isEmpty)
    world.rise(1, knows: ["hebrew"])
    world.advance(seconds: 60)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [3])
    #expect(world.deliveries.first?.occurrence.missed == 2)
    #expect(world.deliveries.first?.occurrence.missedSince == first.advanced(by: month))
  }

  @Test func N6_aRestartWithoutThePluginKeepsItWaiting() {
    let world = World.withCalendars()
    world.repeatAlert("moon")
    world.restart(sinksUp: false)
    world.rise(0, knows: [])
    world.rise(1, knows: [])
    world.advance(seconds: 3600)
    #expect(world.deliveries.isEmpty)
    #expect(world.row("moon")?.state == .held)
    #expect(world.problems.count == 1)
    #expect(world.problems.first?.contains("libbelfry-calendars.so") == true)
    // T12: nothing to wake up for.
    #expect(world.scheduler.nextWake.real == nil && world.scheduler.nextWake.elapsed == nil)
  }

  @Test func N6_aRepeatWhoseDaysFailIsAskedForAgainAndAgain() {
    let world = World.withCalendars()
    let first = next(world.repeatAlert("moon"))
    world.calendar = { _ in .failed(reason: "the almanac is lost") }
    world.restart(sinksUp: false)
    world.rise(0, knows: [])
    world.rise(1, knows: ["hebrew"])
    let asked = world.questions.count
    #expect(world.problems.contains { $0.contains("the almanac is lost; a notification waits") })
    world.advance(seconds: 50)
    #expect(world.questions.count == asked)
    world.calendar = { thirties($0) }
    world.advance(seconds: 20)
    #expect(world.questions.count == asked + 1)
    #expect(world.deliveries.map { $0.occurrence.due } == [first])
  }

  @Test func N6_theLastDayThatACalendarTellsIsTheLast() {
    let world = World.withCalendars()
    world.calendar = { thirties($0, upTo: 2) }
    world.repeatAlert("moon")
    world.advance(seconds: 100 * 86400)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [0, 1, 2])
    #expect(world.listed() == [])
    #expect(world.store.rows.isEmpty)
  }

  @Test func N6_whatIsNotToldYetIsAwaitedAndNotFinished() {
    let world = World.withCalendars()
    world.calendar = { question in
      var question = question
      question.count = 3
      return thirties(question)
    }
    world.repeatAlert("moon", in: 60)
    world.calendar = { _ in nil }
    world.advance(seconds: 30 * 86400)
    // Down before the days that are known run out.
    world.send(.sink(1, .down(reason: "signal 9")))
    world.advance(seconds: 70 * 86400)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [0, 1, 2])
    #expect(world.row("moon")?.state == .held)
    world.calendar = { thirties($0) }
    world.rise(1, knows: ["hebrew"])
    world.advance(seconds: 60)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [0, 1, 2, 3])
  }

  @Test func T6_untilAndCountEndIt() {
    for change: (inout Notification) -> Void in [
      { $0.count = 3 }, { $0.until = $0.fireDate!.advanced(by: 70 * Nanoseconds.day) },
    ] {
      let world = World.withCalendars()
      world.repeatAlert("moon", in: 60, .month, change)
      world.advance(seconds: 200 * 86400)
      #expect(world.deliveries.map { $0.occurrence.id.k } == [0, 1, 2])
      #expect(world.listed() == [])
    }
  }

  @Test func T8_aBoardThatRanYearsAheadPlansAfresh() {
    let world = World.withCalendars()
    world.isSynchronised = true
    let first = next(world.repeatAlert("moon"))!
    // Months of a clock that is ahead, then the question is asked again, far from the start.
    world.advance(seconds: 250 * 30 * 86400)
    world.deliveries = []
    world.stepClock(seconds: -200 * 30 * 86400)
    world.advance(seconds: 5)
    #expect(world.row("moon")?.next == first.advanced(by: 50 * month))
    world.advance(seconds: 29 * 86400)
    #expect(world.deliveries.map { $0.occurrence.id.k } == [50])
    #expect(world.deliveries.map { $0.occurrence.id.generation } == [1])
  }

  @Test func T8_aBoardThatBootsCorrectedPlansAfreshWhenAPluginAnswers() {
    let world = World.withCalendars()
    let first = next(world.repeatAlert("moon"))!
    world.advance(seconds: 20 * 30 * 86400)
    world.deliveries = []
    world.reboot(real: first.advanced(by: 60 * Nanoseconds.second))
    world.rise(1, knows: ["hebrew"])
    #expect(world.row("moon")?.next == first.advanced(by: month))
  }

  @Test func N18_aDraftIsToldByThePluginToo() {
    let world = World.withCalendars()
    let draft = world.alert("moon", in: 60, repeats: .quarter) { $0.repeatCalendar = "hebrew" }
    let reply = world.request(.nextOfDraft(draft, count: 3, after: nil))
    let first = world.now.real.advanced(by: 60 * Nanoseconds.second)
    let told = (0..<3).map {
      UpcomingOccurrence(instant: first.advanced(by: $0 * 3 * month), because: nil)
    }
    #expect(reply == .occurrences(told))
    #expect(world.listed() == [])
  }

  @Test func N16_aReplacedListWaitsForItsCalendars() {
    let world = World.withCalendars(isUp: false)
    let list = [
      world.alert("plain", in: 60),
      world.alert("moon", in: 60, repeats: .month) { $0.repeatCalendar = "hebrew" },
    ]
    #expect(world.request(.replaceAll(app: "app", list)) == nil)
    world.rise(1, knows: ["hebrew"])
    #expect(world.listed() == ["plain", "moon"])
  }

  @Test func T3_itsDaysHaveTheClocksOfItsZone() throws {
    let world = World.withCalendars()
    world.zoneFiles["Europe/Berlin"] = try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    // 2026-03-15 09:00 in winter, thirty days later in summer.
    world.repeatAlert("moon") {
      $0.fireDate = try? RFC3339.parse("2026-03-15T08:00:00Z", field: "at")
      ($0.timeZone, $0.zoneMode) = ("Europe/Berlin", .zoned)
    }
    world.advance(seconds: 60 * 86400)
    #expect(
      world.deliveries.map { RFC3339.text($0.occurrence.due) } == [
        "2026-03-15T08:00:00.000000Z", "2026-04-14T07:00:00.000000Z",
      ])
  }

  @Test func T5_bothPassesOfAWallClockFireAlsoAfterARestart() throws {
    let world = World.withCalendars()
    world.now.real = try RFC3339.parse("2020-09-20T00:00:00Z", field: "now")
    world.restart(sinksUp: false)
    world.rise(0, knows: [])
    world.rise(1, knows: ["hebrew"])
    world.zoneFiles["Europe/Berlin"] = try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    // On the thirtieth day after it, the clocks show 02:30 twice.
    world.repeatAlert("moon") {
      $0.fireDate = try? RFC3339.parse("2020-09-25T00:30:00Z", field: "at")
      ($0.timeZone, $0.zoneMode, $0.overlap) = ("Europe/Berlin", .zoned, .both)
    }
    func start() {
      world.restart(sinksUp: false)
      world.rise(0, knows: [])
      world.rise(1, knows: ["hebrew"])
    }
    world.advance(seconds: 20 * 86400)
    start()
    // Between the two passes.
    let first = try RFC3339.parse("2020-10-25T00:30:00Z", field: "first")
    world.advance(seconds: Double(first.nanoseconds(since: world.now.real)) / 1e9 + 60)
    start()
    world.advance(seconds: 100 * 30 * 86400)
    start()
    #expect(world.questions.last.map { $0.question.firstIndex >= 70 } == true)
    world.advance(seconds: 60 * 86400)
    // 25 October 2020 has it twice.
    #expect(world.deliveries.prefix(4).map { $0.occurrence.id.k } == [0, 2, 3, 4])
    let keys = world.deliveries.map { $0.occurrence.id.k >> 1 }
    #expect(Set(keys) == Set(0...keys.last!))
    #expect(keys == keys.sorted() && keys.last! >= 102)
  }

  @Test func N15_whatIsCancelledIsForgotten() {
    let world = World.withCalendars()
    for number in 0..<200 {
      world.repeatAlert("moon", in: Double(number + 1) * 86400)
      #expect(world.request(.cancelAll(app: "app")) != nil)
    }
    #expect(world.scheduler.pending.details.calendarCount == 0)
    #expect(world.scheduler.calendars.count <= 66)
  }
}
