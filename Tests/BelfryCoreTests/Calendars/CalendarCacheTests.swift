import Testing

@testable import BelfryCore

@Suite struct CalendarCacheTests {
  private let hebrew = CalendarQuestion(
    calendar: "hebrew", anchorDay: 100, unit: .month, count: CalendarQuestion.maxDays)

  private func turn(elapsed: Int64 = 0) -> Turn {
    var turn = Turn(configuration: EngineConfiguration())
    var commands: [EngineCommand] = []
    turn.begin(
      now: ClockReading(real: Instant(nanoseconds: 0), elapsed: elapsed), lending: &commands)
    return turn
  }

  private func plugin(
    _ calendars: [String]?, canTake: Bool = true, mayKnow: Bool = false, open: Int = 0
  ) -> CalendarCache.Plugin {
    CalendarCache.Plugin(
      sink: 3, calendars: calendars, canTake: canTake, mayKnow: mayKnow, openQuestions: open)
  }

  private func months(_ count: Int64, isLast: Bool = false) -> CalendarAnswer {
    .days((0..<count).map { CalendarDay(k: $0, day: 100 + 30 * $0) }, isLast: isLast)
  }

  @Test func N6_anAnswerTellsTheDaysAndWhatIsToBePlannedAfresh() {
    var cache = CalendarCache()
    var turn = turn()
    let known = cache.remember(hebrew)
    cache.add(7, to: known)
    #expect(cache.remember(hebrew) === known && cache.days(of: hebrew) == nil)
    cache.ask(known, of: 3, token: 9, firedThrough: nil, today: 110, &turn)
    #expect(cache.expects(9) && cache.isAsked(known) && turn.commandCount == 1)
    let learned = cache.take(
      months(40), token: 9, from: "icu", today: 110, &turn, isUnplanned: { _ in true })
    #expect(learned?.known === known && learned?.reviewBeyond == nil)
    #expect(cache.days(of: hebrew)?.days.count == 40 && !cache.expects(9))
    let again = cache.take(
      months(40), token: 9, from: "icu", today: 110, &turn, isUnplanned: { _ in true })
    #expect(again == nil)
  }

  @Test func N6_aFailureIsToldToThoseWhoWaitAndTriedAgainLater() {
    var cache = CalendarCache()
    var turn = turn()
    let known = cache.remember(hebrew)
    cache.add(7, to: known)
    cache.ask(known, of: 3, token: 9, firedThrough: nil, today: 110, &turn)
    let before = turn.commandCount
    let learned = cache.take(
      .failed(reason: "no"), token: 9, from: "icu", today: 110, &turn, isUnplanned: { $0 == 7 })
    #expect(learned == nil && known.hasFailed && turn.commandCount == before + 1)
    let tooEarly = cache.plugin(for: known, among: [plugin(["hebrew"])], &turn)
    #expect(tooEarly == nil)
    cache.noteWake(turn.now)
    #expect(cache.nextWake == Nanoseconds.minute)
    var later = self.turn(elapsed: Nanoseconds.minute)
    let inTime = cache.plugin(for: known, among: [plugin(["hebrew"])], &later)
    let line = cache.takeLine()
    #expect(inTime?.sink == 3 && line.count == 1 && line.first === known)
  }

  @Test func N6_whereNoPluginCanEverKnowItTheRequestIsToldSo() {
    var cache = CalendarCache()
    var turn = turn()
    let known = cache.remember(hebrew)
    let maybe = cache.plugin(for: known, among: [plugin(nil, mayKnow: true)], &turn)
    #expect(maybe == nil && !known.hasFailed)
    let down = cache.plugin(for: known, among: [plugin(["hebrew"], canTake: false)], &turn)
    #expect(down == nil && !known.hasFailed)
    let never = cache.plugin(for: known, among: [plugin(["coptic"])], &turn)
    #expect(never == nil && known.reason(for: turn.asked) != nil)
    // Who asks later may find one.
    let later = EventTime(elapsed: turn.now.elapsed, number: turn.number + 1)
    #expect(known.reason(for: later) == nil)
    #expect(!plugin([], open: CalendarCache.maxOpenQuestions).hasRoom && plugin([]).hasRoom)
  }

  @Test func N6_whoWaitsIsToldInTimeThatNobodyHasAnswered() {
    var cache = CalendarCache()
    let known = cache.remember(hebrew)
    cache.wait(for: known, until: 50, turn().now)
    cache.wait(for: known, until: 70, turn().now)
    #expect(cache.nextWake == 50)
    let isEarly = cache.expire(turn(elapsed: 49))
    #expect(!isEarly)
    let isOver = cache.expire(turn(elapsed: 50))
    #expect(isOver && known.hasFailed)
    // Once, while those who waited are looked at in slices.
    let isAgain = cache.expire(turn(elapsed: 51))
    #expect(!isAgain)
    cache.endResuming(turn(elapsed: 51).now)
    // Nobody goes by it, and nothing is known of it.
    #expect(cache.isEmpty && cache.nextWake == nil)
  }

  @Test func D7_whatAPluginHadInHandIsAskedOnceMoreUnlessItHungOverIt() {
    var cache = CalendarCache()
    var turn = turn()
    let known = cache.remember(hebrew)
    cache.add(7, to: known)
    cache.ask(known, of: 3, token: 1, firedThrough: 0, today: 110, &turn)
    cache.dropQuestions(
      of: 3, named: "icu", isInterrupted: false, unsent: [], reason: "it ended", &turn,
      isUnplanned: { _ in false })
    #expect(!cache.expects(1) && !known.hasFailed && known.isWanted)
    _ = cache.takeLine()
    cache.ask(known, of: 3, token: 2, firedThrough: 0, today: 110, &turn)
    cache.dropQuestions(
      of: 3, named: "icu", isInterrupted: true, unsent: [], reason: "it hung", &turn,
      isUnplanned: { _ in false })
    #expect(known.hasFailed && known.failures == 1)
  }

  @Test func T8_daysThatBeginTooLateAreAskedForBeforeAReview() {
    var cache = CalendarCache()
    var turn = turn()
    let known = cache.remember(hebrew)
    cache.add(7, to: known)
    #expect(cache.canReview(known, beyond: 5, today: 110))
    cache.ask(known, of: 3, token: 1, firedThrough: 100, today: 3000, &turn)
    let late = CalendarAnswer.days(
      (70..<110).map { CalendarDay(k: $0, day: 100 + 30 * $0) }, isLast: false)
    _ = cache.take(late, token: 1, from: "icu", today: 3000, &turn, isUnplanned: { _ in false })
    #expect(cache.canReview(known, beyond: 5, today: 3000))
    #expect(!cache.canReview(known, beyond: 5, today: 1000))
    cache.ask(known, of: 3, token: 2, firedThrough: 100, today: 1000, &turn)
    let learned = cache.take(
      months(60), token: 2, from: "icu", today: 1000, &turn, isUnplanned: { _ in false })
    #expect(learned?.reviewBeyond == 5 && known.reviewBeyond == nil)
  }
}
