import BelfryCore
import Testing

@testable import BelfryDaemon

@Suite struct BackOffTests {
  @Test func itDoublesFromAQuarterToAMinuteThenGivesUp() {
    var backOff = BackOff()
    let delays = (0..<BackOff.patience).map { _ in backOff.ended(after: Duration.second) }
    let seconds = delays.map { $0.map { Double($0) / 1e9 } }
    #expect(seconds == [0.25, 0.5, 1, 2, 4, 8, 16, 32, 60, nil])
    #expect(backOff.isExhausted)
  }

  @Test func D9_whileSomethingWaitsItDoublesFromASecondAndNeverGivesUp() {
    var backOff = BackOff()
    let delays = (0..<12).map { _ in backOff.ended(after: 0, isAwaited: true) }
    let seconds = delays.map { $0.map { $0 / Duration.second } }
    #expect(seconds == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60])
    // A start that took a quarter of a minute to fail is not repeated each second.
    _ = backOff.ended(after: 15 * Duration.second, isAwaited: true)
    let next = backOff.asked(now: 100 * Duration.second, lastStart: 85 * Duration.second)
    #expect(next == 145 * Duration.second)
  }

  @Test func D9_whatWorkedAndWasKilledComesBackAtOnce() {
    var backOff = BackOff()
    for _ in 0..<30 {
      let delay = backOff.ended(after: 4 * Duration.second, cameUp: true, isAwaited: true)
      #expect(delay == BackOff.first)
    }
    let crash = backOff.ended(after: Duration.second / 50, cameUp: true, isAwaited: true)
    #expect(crash == Duration.second)
  }

  @Test func aMinuteOfHealthStartsItAnew() {
    var backOff = BackOff()
    for _ in 0..<5 { _ = backOff.ended(after: 0) }
    let healthy = backOff.ended(after: Duration.minute)
    let next = backOff.ended(after: Duration.minute - 1)
    #expect(healthy == BackOff.first && next == 2 * BackOff.first)
  }

  @Test func aFloodIsOverAfterItsSecond() {
    var gate = FloodGate()
    var passed = 0
    for _ in 0..<FloodGate.messages + 10 where gate.allowsMessage(now: 5 * Duration.second) {
      passed += 1
    }
    #expect(passed == FloodGate.messages)
    let isOver = gate.allowsMessage(now: 6 * Duration.second)
    #expect(isOver)
    let lines = (0..<100).count { _ in gate.allowsLine(now: 6 * Duration.second) }
    #expect(lines == FloodGate.lines)
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
    for _ in 0...Outbox.mostPackets { outbox.append([1]) }
    #expect(outbox.isOverfull)
  }
}
