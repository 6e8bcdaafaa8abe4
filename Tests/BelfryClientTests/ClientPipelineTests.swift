import BelfryCore
import BelfryWire
import Testing

@testable import BelfryClient

@Suite struct ClientPipelineTests {
  @Test func manyCallsAreUnderWayAtOnceAndAnsweredInTheirOrder() throws {
    let count: Int64 = 200
    let peer = try Peer { line in
      // Nothing is answered before all has come.
      for number in 1...count { #expect(try line.next().parameters == ["n": .integer(number)]) }
      for number in 1...count { try line.reply(["n": .integer(number)]) }
      line.awaitEnd()
    }
    let client = try Client(path: peer.path)
    var ends: [Int64] = []
    for number in 1...count { ends.append(client.enqueue("X", ["n": .integer(number)])) }
    #expect(ends == ends.sorted() && client.sentBytes == 0)
    #expect(Int64(client.unsentBytes) == ends.last)
    while client.unsentBytes > 0 { client.flush() }
    #expect(client.sentBytes == ends.last)
    for number in 1...count {
      #expect(try client.receive(milliseconds: 20_000)?.parameters == ["n": .integer(number)])
    }
    #expect(try client.receive(milliseconds: 0) == nil)
  }

  @Test func whatThePeerHasNotTakenIsKnown() throws {
    let peer = try Peer { line in
      _ = try line.next()
      try line.reply([:])
    }
    let client = try Client(path: peer.path)
    let end = client.enqueue("X", [:])
    client.flush()
    #expect(client.sentBytes == end)
    #expect(try client.receive(milliseconds: 20_000) != nil)
    peer.join()
    // The connection has ended: it takes nothing, and `receive` says so.
    let later = client.enqueue("X", [:])
    client.flush()
    #expect(client.sentBytes == end && later > end && client.unsentBytes > 0)
    #expect(throws: ClientError.disconnected) { try client.receive(milliseconds: 20_000) }
  }
}
