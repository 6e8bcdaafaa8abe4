import BelfryCore
import Testing

@testable import BelfrySystem

// Serialized: one test steps the clock, which wakes the others' timers.
@Suite(.serialized) struct TimerDescriptorTests {
  @Test(arguments: [TimerDescriptor.Clock.real, .elapsed])
  func aTimerRunsOutNotEarly(clock: TimerDescriptor.Clock) throws {
    let timer = try TimerDescriptor(clock)
    let now = clock == .real ? SystemClock.real().nanoseconds : SystemClock.elapsed()
    try timer.arm(at: now + 3600 * Nanoseconds.second)
    #expect(try timer.read() == .notYet)
    let due = now + 20 * Nanoseconds.millisecond
    try timer.arm(at: due)
    #expect(Poll.wait(timer.descriptor.raw, .readable, milliseconds: 60_000) == .readable)
    let after = clock == .real ? SystemClock.real().nanoseconds : SystemClock.elapsed()
    #expect(after >= due)
    #expect(try timer.read() == .ranOut)
  }

  @Test(arguments: [Int64.min, -1, 0, 1])
  func whatIsPastRunsOutAtOnce(due: Int64) throws {
    let timer = try TimerDescriptor(.real)
    try timer.arm(at: due)
    #expect(Poll.wait(timer.descriptor.raw, .readable, milliseconds: 60_000) == .readable)
    #expect(try timer.read() == .ranOut)
  }

  @Test func theDistantFutureNeverComesAndDisarmedIsQuiet() throws {
    let timer = try TimerDescriptor(.real)
    try timer.arm(at: .max)
    #expect(Poll.wait(timer.descriptor.raw, .readable, milliseconds: 20).isEmpty)
    try timer.arm(at: 1)
    try timer.disarm()
    #expect(Poll.wait(timer.descriptor.raw, .readable, milliseconds: 20).isEmpty)
  }

  @Test func T8_aStepOfTheClockIsNoticed() throws {
    // Only root may.
    let timer = try TimerDescriptor(.real)
    try timer.arm(at: .max)
    guard stepClockForward() else { return }
    #expect(Poll.wait(timer.descriptor.raw, .readable, milliseconds: 60_000) == .readable)
    #expect(try timer.read() == .stepped)
  }
}
