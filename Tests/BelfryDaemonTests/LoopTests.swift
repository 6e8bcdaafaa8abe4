import BelfryCore
import BelfrySystem
import Testing

@testable import BelfryDaemon

@Suite struct LoopTests {
  @Test func bothTimersWakeItNotEarlyAndOnce() throws {
    let loop = try Loop()
    let start = SystemClock.now()
    let realDue = start.real.advanced(by: 30 * Nanoseconds.millisecond)
    let elapsedDue = start.elapsed + 60 * Nanoseconds.millisecond
    try loop.wake(NextWake(real: realDue, elapsed: elapsedDue))
    var wakes: [ClockReading] = []
    try loop.run(
      clock: { stepped in
        // Another test may step the clock meanwhile.
        if !stepped { wakes.append(SystemClock.now()) }
        if wakes.count == 2 { loop.stop() }
        try? loop.wake(NextWake(real: wakes.isEmpty ? realDue : nil, elapsed: elapsedDue))
      }, settle: { .wait })
    #expect(wakes.count == 2)
    #expect(wakes[0].real >= realDue)
    #expect(wakes[1].elapsed >= elapsedDue)
  }

  @Test func whatIsPastWakesItAtOnceEachTimeItIsAsked() throws {
    let loop = try Loop()
    var count = 0
    try loop.wake(NextWake(real: .distantPast, elapsed: nil))
    try loop.run(
      clock: { _ in
        count += 1
        try? loop.wake(NextWake(real: Instant(nanoseconds: 5), elapsed: nil))
        if count == 3 { loop.stop() }
      }, settle: { .wait })
    #expect(count == 3)
  }

  @Test func aMailboxOfAnotherThreadWakesIt() throws {
    let loop = try Loop()
    let mailbox = try Mailbox<Int>()
    var got: [Int] = []
    _ = try loop.watch(mailbox.descriptor, .readable) { _ in
      got += mailbox.drain()
      if got.count == 100 { loop.stop() }
    }
    let thread = try Thread.start(name: "sender", stackSize: 64 * 1024) {
      for number in 0..<100 { mailbox.send(number) }
    }
    try loop.run(clock: { _ in }, settle: { .wait })
    thread.join()
    #expect(got == Array(0..<100))
  }

  @Test func eventsOfAClosedWatchAreDroppedAlsoInTheSameBurst() throws {
    let loop = try Loop()
    let first = try EventDescriptor()
    let second = try EventDescriptor()
    first.ring()
    second.ring()
    var calls = 0
    var watches: [(Loop.Watch, Int32)] = []
    // Whoever comes first closes both; their places are given to a third, which must not be called.
    let third = try EventDescriptor()
    let raw = (first.descriptor.raw, second.descriptor.raw, third.descriptor.raw)
    let handler: Loop.Handler = { _ in
      calls += 1
      for (watch, raw) in watches { loop.unwatch(watch, raw) }
      _ = try? loop.watch(raw.2, .readable) { _ in calls += 100 }
    }
    watches.append((try loop.watch(raw.0, .readable, handler), raw.0))
    watches.append((try loop.watch(raw.1, .readable, handler), raw.1))
    try loop.run(
      clock: { _ in },
      settle: {
        loop.stop()
        return .wait
      })
    #expect(calls == 1)
    first.clear()
    second.clear()
    third.clear()
  }

  @Test func moreToDoMeansNoWaiting() throws {
    let loop = try Loop()
    var rounds = 0
    let bell = try EventDescriptor()
    bell.ring()
    _ = try loop.watch(bell.descriptor.raw, .readable) { _ in }
    try loop.run(
      clock: { _ in },
      settle: {
        bell.clear()
        rounds += 1
        if rounds == 5 { loop.stop() }
        return .again
      })
    #expect(rounds == 5)
  }
}
