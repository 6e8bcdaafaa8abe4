import Testing

@testable import BelfryDaemon

@Suite struct OutboxTests {
  private func taken(_ outbox: inout Outbox) -> [UInt8] {
    var first: [UInt8] = []
    while let next = outbox.next {
      first.append(next[0])
      outbox.removeFirst()
    }
    return first
  }

  @Test func packetsLeaveInTheirOrder() {
    var outbox = Outbox()
    #expect(outbox.isEmpty && outbox.next == nil)
    for number: UInt8 in 1...100 { outbox.append([number], token: UInt64(number)) }
    outbox.append([])
    #expect(outbox.count == 100 && outbox.tokens == Array(1...100))
    outbox.removeFirst()
    #expect(outbox.tokens == Array(2...100))
    // What comes before all others does so also after some have left.
    outbox.prepend([0])
    outbox.prepend([])
    #expect(outbox.count == 100)
    #expect(taken(&outbox) == [0] + Array(2...100))
    #expect(outbox.isEmpty && outbox.tokens.isEmpty)
  }

  @Test func aChildThatLeavesTooMuchUnreadIsKnown() {
    var many = Outbox()
    for _ in 0..<Outbox.maxPackets { many.append([1]) }
    #expect(!many.isOverfull)
    many.append([1])
    #expect(many.isOverfull)
    many.removeFirst()
    #expect(!many.isOverfull)

    var large = Outbox()
    large.append([UInt8](repeating: 0, count: Outbox.maxBytes))
    #expect(!large.isOverfull)
    large.prepend([1])
    #expect(large.isOverfull)
    large.removeFirst()
    #expect(!large.isOverfull)
    large.removeFirst()
    #expect(large.isEmpty)
  }
}
