import Testing

@testable import BelfryCore

@Suite struct ReplanSweepTests {
  private func slots(_ sweep: inout ReplanSweep, through last: Slot) -> [Slot] {
    var slots: [Slot] = []
    while let slot = sweep.takeNext(through: last) { slots.append(slot) }
    return slots
  }

  @Test func T7_everySlotIsLookedAtOnceAndAChangeBeginsAnew() {
    var sweep = ReplanSweep()
    _ = sweep.takeNext(through: 5)
    _ = sweep.takeNext(through: 5)
    sweep.restart()
    let all = slots(&sweep, through: 5)
    #expect(all == [1, 2, 3, 4, 5] && sweep.isThrough(5))
    sweep.end()
    #expect(!sweep.isThrough(5) && sweep.isThrough(0))
  }

  @Test func T8_aShortStepBackLetsStandWhatALongOneDoesNot() {
    var sweep = ReplanSweep()
    #expect(sweep.beyond == nil)
    sweep.review(back: ReplanSweep.shortStep, isSynchronised: true)
    #expect(sweep.beyond == ReplanSweep.shortStep)
    sweep.review(back: ReplanSweep.shortStep + 1, isSynchronised: true)
    #expect(sweep.beyond == 0)
    // A short one after it does not make it milder.
    sweep.review(back: 1, isSynchronised: true)
    #expect(sweep.beyond == 0)
    var doubtful = ReplanSweep()
    doubtful.review(back: 1, isSynchronised: false)
    #expect(doubtful.beyond == 0)
  }

  @Test func T8_whatHadNoDueDuringAReviewIsJudgedByItLater() {
    var turn = Turn(configuration: EngineConfiguration())
    var sweep = ReplanSweep()
    sweep.begin()
    sweep.review(back: .max, isSynchronised: true)
    sweep.notePlannedAfresh()
    sweep.endReview(hasUnplanned: true, &turn)
    #expect(sweep.beyond == nil && sweep.limitForUnplanned == 0 && turn.commandCount == 1)
    var other = ReplanSweep()
    other.review(back: .max, isSynchronised: true)
    other.endReview(hasUnplanned: false, &turn)
    #expect(other.limitForUnplanned == ReplanSweep.shortStep && turn.commandCount == 1)
  }

  @Test func T2_whatFloatsMayHaveFiredInAZoneFurtherEast() {
    var turn = Turn(configuration: EngineConfiguration())
    var sweep = ReplanSweep()
    #expect(sweep.travel(isFloating: true, isFirst: false) == ReplanSweep.longestTravel)
    #expect(sweep.travel(isFloating: false, isFirst: true) == 0)
    sweep.endReview(hasUnplanned: false, &turn)
    #expect(sweep.travel(isFloating: true, isFirst: false) == 0)
    #expect(sweep.travel(isFloating: true, isFirst: true) == ReplanSweep.longestTravel)
    sweep.noteBoardMoved()
    #expect(sweep.travel(isFloating: true, isFirst: false) == ReplanSweep.longestTravel)
  }
}
