import BelfryCore
import BelfrySystem
import Testing

@testable import BelfryDaemon

@Suite struct EarlyWakeTests {
  private static let start = ClockReading(
    real: Instant(nanoseconds: 1_800_000_000_000_000_000), elapsed: 1_000_000_000_000)

  private func after(_ nanoseconds: Int64) -> ClockReading {
    ClockReading(
      real: Self.start.real.advanced(by: nanoseconds), elapsed: Self.start.elapsed + nanoseconds)
  }

  @Test func theLeadFollowsWhatWakingCostsWithinItsBounds() {
    var early = EarlyWake(isWanted: true)
    for _ in 0..<20 { early.noteWake(after: 0) }
    #expect(early.lead == EarlyWake.reserve)
    for _ in 0..<20 { early.noteWake(after: 80_000) }
    #expect(abs(early.lead - EarlyWake.reserve - 80_000) < 10)
    for delay in [Int64.max, .min, 1 << 40] {
      for _ in 0..<20 { early.noteWake(after: delay) }
      #expect(EarlyWake.leads.contains(early.lead))
    }
  }

  @Test func theTimerIsSetALeadAheadUnlessTheOperatorWantsNone() {
    let due = after(Nanoseconds.second).real
    var early = EarlyWake(isWanted: true)
    let ahead = early.wake(for: due, now: Self.start)
    #expect(ahead == due.advanced(by: -early.lead))
    early.isWanted = false
    let unwanted = early.wake(for: due, now: Self.start)
    #expect(unwanted == nil)
    #expect(!early.isNear(due, now: after(Nanoseconds.second - 100_000)))
  }

  @Test func itSpinsOnlyJustBeforeTheDueInstantAndNotOnASingleCPU() {
    let due = after(Nanoseconds.second).real
    var early = EarlyWake(isWanted: true)
    for (left, spins) in [
      (Nanoseconds.millisecond, false), (500_001, false), (500_000, true), (1, true), (0, false),
      (-1, false),
    ] {
      let now = after(Nanoseconds.second - left)
      let (spinsOnTwo, spinsOnOne) = (
        early.maySpin(until: due, now: now, cpus: 2), early.maySpin(until: due, now: now, cpus: 1)
      )
      #expect(spinsOnTwo == spins, "\(left) ns are left")
      #expect(!spinsOnOne)
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func itSpinsForAtMostAHundredthOfAnySecond(seed: UInt64) {
    var state = seed
    func number(upTo limit: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % limit
    }
    var early = EarlyWake(isWanted: true)
    var now: Int64 = 0
    var spins: [(start: Int64, end: Int64)] = []
    for _ in 0..<5000 {
      now += number(upTo: 20 * Nanoseconds.millisecond)
      let left = 1 + number(upTo: 500_000)
      guard early.maySpin(until: after(now + left).real, now: after(now), cpus: 2) else { continue }
      spins.append((now, now + left))
      now += left
      early.noteSpin(left, end: after(now).elapsed)
    }
    #expect(spins.count > 500)
    for (first, spin) in spins.enumerated() {
      // The second that ends with this spin's end.
      let begin = spin.end - Nanoseconds.second
      let sum = spins[...first].reversed().prefix { $0.end > begin }
        .reduce(0) { $0 + $1.end - max($1.start, begin) }
      #expect(sum <= Nanoseconds.second / 100)
    }
  }

  @Test func whoHasSpunEnoughWakesAtTheDueInstant() {
    var early = EarlyWake(isWanted: true)
    for _ in 0..<20 { early.noteSpin(500_000, end: Self.start.elapsed) }
    let due = after(Nanoseconds.millisecond).real
    let wake = early.wake(for: due, now: Self.start)
    let spins = early.maySpin(until: due, now: after(800_000), cpus: 2)
    #expect(wake == nil && !spins)
    let later = after(Nanoseconds.second + 1)
    let again = early.wake(for: later.real.advanced(by: 1_000_000), now: later)
    #expect(again != nil)
  }

  // MARK: The loop

  @Test func theLoopIsAwakeBeforeTheDueInstantAndTellsTheClockAtIt() throws {
    let loop = try Loop()
    loop.early = EarlyWake(isWanted: true)
    let due = SystemClock.real().advanced(by: 20 * Nanoseconds.millisecond)
    var calls: [Instant] = []
    var paces: [Loop.Pace] = []
    #expect(try loop.wake(NextWake(real: due, elapsed: nil), aheadOf: due) == .wait)
    try loop.run(
      clock: { stepped in
        // Another test may step the clock meanwhile.
        if !stepped { calls.append(SystemClock.real()) }
      },
      settle: {
        if calls.last.map({ $0 >= due }) == true {
          loop.stop()
          return .wait
        }
        let pace = (try? loop.wake(NextWake(real: due, elapsed: nil), aheadOf: due)) ?? .wait
        paces.append(pace)
        return pace
      })
    #expect(calls.last.map { $0 >= due } == true)
    // Nothing but the lead's wake-up comes before; a busy machine may sleep through it.
    #expect(calls.count <= 2)
    #expect(paces.allSatisfy { $0 == .wait || $0 == .watch(until: due) })
  }

  @Test func whatComesWhileItWatchesIsHandledAtOnce() throws {
    let loop = try Loop()
    let event = try EventDescriptor()
    var order: [String] = []
    _ = try loop.watch(event.descriptor.raw, .readable) { _ in
      order.append("event")
      _ = event.clear()
    }
    let due = SystemClock.real().advanced(by: 5 * Nanoseconds.millisecond)
    event.ring()
    try loop.run(
      clock: { _ in order.append("clock") },
      settle: {
        if order.last == "clock" { loop.stop() }
        return .watch(until: due)
      })
    #expect(order == ["event", "clock"])
  }
}
