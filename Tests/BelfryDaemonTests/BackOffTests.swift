import BelfryCore
import Testing

@testable import BelfryDaemon

@Suite struct BackOffTests {
  @Test func itDoublesFromAQuarterToAMinuteThenGivesUp() {
    var backOff = BackOff()
    let delays = (0..<BackOff.timeout).map { _ in backOff.ended(after: Nanoseconds.second) }
    let seconds = delays.map { $0.map { Double($0) / 1e9 } }
    #expect(seconds == [0.25, 0.5, 1, 2, 4, 8, 16, 32, 60, nil])
    #expect(backOff.isExhausted)
  }

  @Test func D9_whileSomethingWaitsItDoublesFromASecondAndNeverGivesUp() {
    var backOff = BackOff()
    let delays = (0..<12).map { _ in backOff.ended(after: 0, isAwaited: true) }
    let seconds = delays.map { $0.map { $0 / Nanoseconds.second } }
    #expect(seconds == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60])
    // A start that took a quarter of a minute to fail is not repeated each second.
    _ = backOff.ended(after: 15 * Nanoseconds.second, isAwaited: true)
    let next = backOff.asked(now: 100 * Nanoseconds.second, lastStart: 85 * Nanoseconds.second)
    #expect(next == 115 * Nanoseconds.second)
  }

  @Test func D9_whatWorkedAndWasKilledComesBackAtOnce() {
    var backOff = BackOff()
    for _ in 0..<30 {
      let delay = backOff.ended(after: 4 * Nanoseconds.second, cameUp: true, isAwaited: true)
      #expect(delay == BackOff.first)
    }
    let crash = backOff.ended(after: Nanoseconds.second / 50, cameUp: true, isAwaited: true)
    #expect(crash == Nanoseconds.second)
  }

  @Test func aMinuteOfHealthStartsItAnew() {
    var backOff = BackOff()
    for _ in 0..<5 { _ = backOff.ended(after: 0) }
    let healthy = backOff.ended(after: Nanoseconds.minute)
    let next = backOff.ended(after: Nanoseconds.minute - 1)
    #expect(healthy == BackOff.first && next == 2 * BackOff.first)
  }

  @Test func aFloodIsOverAfterItsSecond() {
    var limiter = RateLimiter()
    var passed = 0
    for _ in 0..<RateLimiter.messages + 10 where limiter.allowsMessage(now: 5 * Nanoseconds.second)
    {
      passed += 1
    }
    #expect(passed == RateLimiter.messages)
    let isOver = limiter.allowsMessage(now: 6 * Nanoseconds.second)
    #expect(isOver)
    let lines = (0..<100).count { _ in limiter.allowsLine(now: 6 * Nanoseconds.second) }
    #expect(lines == RateLimiter.lines)
  }

  @Test func theOutboxKeepsOrderAndItsFirstGoesFirst() {
    var outbox = Outbox()
    outbox.append([1])
    outbox.append([])
    outbox.append([2])
    #expect(outbox.next == [1])
    outbox.removeFirst()
    outbox.prepend([0])
    outbox.append([3])
    var order: [[UInt8]] = []
    while let next = outbox.next {
      order.append(next)
      outbox.removeFirst()
    }
    #expect(order == [[0], [2], [3]])
    #expect(outbox.isEmpty && !outbox.isOverfull)
    for _ in 0...Outbox.maxPackets { outbox.append([1]) }
    #expect(outbox.isOverfull)
  }
}
