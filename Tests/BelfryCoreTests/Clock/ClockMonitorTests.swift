import Testing

@testable import BelfryCore

@Suite struct ClockMonitorTests {
  private static let second = Nanoseconds.second

  private func monitor(
    _ change: (inout EngineConfiguration) -> Void = { _ in }
  ) -> ClockMonitor {
    var configuration = EngineConfiguration()
    configuration.knownTime = Instant(nanoseconds: 1000 * Self.second)
    change(&configuration)
    return ClockMonitor(configuration)
  }

  private func now(_ real: Int64, _ elapsed: Int64) -> ClockReading {
    ClockReading(real: Instant(nanoseconds: real * Self.second), elapsed: elapsed * Self.second)
  }

  private func turn(_ now: ClockReading) -> Turn {
    var turn = Turn(configuration: EngineConfiguration())
    var commands: [EngineCommand] = []
    turn.begin(now: now, lending: &commands)
    return turn
  }

  @Test func T8_aClockThatRunsIsNotSet() {
    var clock = monitor()
    let first = clock.noteStep(now(2000, 10))
    let second = clock.noteStep(now(2005, 15))
    #expect(first == nil && second == nil && clock.steps == 0)
  }

  @Test func T8_aStepIsToldOnceAndCountsFromASecond() {
    var clock = monitor()
    _ = clock.noteStep(now(2000, 10))
    let back = clock.noteStep(now(1990, 10))
    #expect(back == ClockMonitor.Step(nanoseconds: -10 * Self.second, isHuge: false))
    #expect(back?.isBack == true && back?.isSet == true && clock.steps == 1)
    let again = clock.noteStep(now(1991, 11))
    #expect(again == nil)
    var skewed = now(1992, 12)
    skewed.real = skewed.real.advanced(by: 2 * Nanoseconds.millisecond)
    let small = clock.noteStep(skewed)
    #expect(small?.isSet == false && clock.steps == 1)
  }

  @Test func T9_trustComesByWaitingOrByTheKernelAndStays() {
    var clock = monitor { $0.trustAfter = 120 * Nanoseconds.second }
    #expect(clock.isWrong(at: now(900, 500)) && clock.isDoubtful(at: now(1100, 10)))
    let early = clock.reachTrust(now(1100, 119))
    let inTime = clock.reachTrust(now(1100, 120))
    let again = clock.reachTrust(now(1100, 121))
    #expect(!early && inTime && !again && clock.isTrusted)
    var other = monitor()
    var turn = turn(now(1100, 1))
    let isNew = other.take(synchronised: true, &turn)
    #expect(isNew && other.isSynchronised && turn.commandCount == 1)
    let isNewAgain = other.take(synchronised: true, &turn)
    #expect(!isNewAgain && turn.commandCount == 1)
  }

  @Test func T9_howManyAreHeldDependsOnTheState() {
    var clock = monitor()
    #expect(clock.heldCount(of: (3, 4), at: now(900, 1)) == 7)
    #expect(clock.heldCount(of: (3, 4), at: now(1100, 1)) == 3)
    clock.trustFromNow()
    #expect(clock.heldCount(of: (3, 4), at: now(900, 1)) == 0)
  }

  @Test func T9_aWrongClockIsNotWrittenDown() {
    var clock = monitor()
    clock.learn(Instant(nanoseconds: 1500 * Self.second))
    #expect(clock.timeToKeep(at: now(1400, 1)) == Instant(nanoseconds: 1500 * Self.second))
    #expect(clock.timeToKeep(at: now(1600, 1)) == Instant(nanoseconds: 1600 * Self.second))
  }

  @Test func T9_theKernelIsAskedWhileSomethingIsHeldAndNeverOtherwise() {
    var clock = monitor()
    var first = turn(now(1100, 10))
    clock.ask(whileHeld: 0, &first)
    #expect(first.commandCount == 0)
    #expect(clock.nextWake(first.now) == NextWake(real: nil, elapsed: nil))
    clock.ask(whileHeld: 1, &first)
    clock.ask(whileHeld: 1, &first)
    #expect(first.commandCount == 1)
    // Plausible: the next question, or trust if that comes first.
    #expect(clock.nextWake(first.now).elapsed == 15 * Self.second)
    #expect(clock.nextWake(now(900, 10)).real == Instant(nanoseconds: 1000 * Self.second))
    var later = turn(now(1105, 15))
    clock.ask(whileHeld: 1, &later)
    #expect(later.commandCount == 1)
    clock.ask(whileHeld: 0, &later)
    #expect(clock.nextWake(later.now) == NextWake(real: nil, elapsed: nil))
  }

  @Test func T9_beforeSomethingFiresTheKernelIsAskedAtMostOnceAMinute() {
    var clock = monitor()
    var turn = turn(now(1100, 10))
    clock.refresh(&turn)
    clock.refresh(&turn)
    #expect(turn.commandCount == 1)
    var later = self.turn(now(1160, 70))
    clock.refresh(&later)
    #expect(later.commandCount == 1)
  }
}
