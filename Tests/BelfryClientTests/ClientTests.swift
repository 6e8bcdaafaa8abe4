import BelfryCore
import BelfryWire
import TestSupport
import Testing

@testable import BelfryClient

@Suite struct ClientTests {
  @Test func aCallIsAnsweredAndNamesTheSchedulersInterface() throws {
    let peer = try Peer { line in
      let first = try line.next()
      #expect(first.method == "io.belfry.Scheduler.Fix" && !first.more && !first.oneway)
      #expect(first.parameters == ["latitude": 1.5])
      try line.reply(["crossings": 2])
      #expect(try line.next().method == "org.varlink.service.GetInfo")
      try line.reply([:])
    }
    let client = try Client(path: peer.path)
    #expect(try client.call("Fix", ["latitude": 1.5]) == ["crossings": 2])
    #expect(client.mayHaveArrived)
    #expect(try client.call("org.varlink.service.GetInfo") == [:])
  }

  @Test func aReplyCutIntoPartsIsPutTogether() throws {
    let text = "{\"parameters\":{\"word\":\"\(String(repeating: "ü", count: 1000))\"}}"
    let peer = try Peer { line in
      _ = try line.next()
      for byte in Array(text.utf8) + [0] { try line.send([byte]) }
      line.awaitEnd()
    }
    let client = try Client(path: peer.path)
    #expect(try client.call("X")["word"]?.string == String(repeating: "ü", count: 1000))
  }

  @Test func twoRepliesInOnePieceAreTwo() throws {
    let peer = try Peer { line in
      _ = try line.next()
      try line.send(
        Array("{\"parameters\":{\"n\":1}}\0{\"parameters\":{\"n\":2}}\0".utf8))
      line.awaitEnd()
    }
    let client = try Client(path: peer.path)
    #expect(try client.call("X") == ["n": 1])
    // The second is one that nobody asked for.
    #expect(try client.receive(milliseconds: 20_000)?.parameters == ["n": 2])
  }

  @Test func aStreamEndsWithTheReplyThatDoesNotContinue() throws {
    let peer = try Peer { line in
      #expect(try line.next().more)
      for number in 1...3 { try line.reply(["n": .integer(Int64(number))], continues: number < 3) }
      line.awaitEnd()
    }
    let client = try Client(path: peer.path)
    var seen: [Int64] = []
    try client.stream("Watch") { reply throws(ClientError) in
      seen.append(reply["n"]?.integer ?? 0)
      return true
    }
    #expect(seen == [1, 2, 3])
  }

  @Test func aStreamEndsWhenItsReaderHasEnough() throws {
    let peer = try Peer { line in
      _ = try line.next()
      for number in 1...3 { try line.reply(["n": .integer(Int64(number))], continues: true) }
      line.awaitEnd()
    }
    let client = try Client(path: peer.path)
    var seen = 0
    try client.stream("Watch") { _ throws(ClientError) in
      seen += 1
      return seen < 2
    }
    #expect(seen == 2)
  }

  @Test(arguments: [
    RequestError.notPermitted, .notOwner(app: "a.b"), .notFound(identifier: "tea"),
    .unknownSink(name: "x"), .storeUnavailable(reason: "full"),
    .invalidField(FieldError("alertBody", .tooLong, "it is too long")),
    .limitReached(limit: "notifications", value: 64),
  ])
  func aRefusalIsTyped(_ error: RequestError) throws {
    let peer = try Peer { line in
      _ = try line.next()
      try line.fail(VarlinkFailure(error))
      line.awaitEnd()
    }
    let client = try Client(path: peer.path)
    #expect(throws: ClientError.refused(error)) { try client.call("Schedule") }
    #expect(!ClientError.refused(error).text.isEmpty)
  }

  @Test func anErrorOfTheProtocolKeepsItsNameAndTheConnectionGoesOn() throws {
    let failure = VarlinkFailure.methodNotFound("Nothing")
    let peer = try Peer { line in
      _ = try line.next()
      try line.fail(failure)
      _ = try line.next()
      try line.reply(["n": 1])
    }
    let client = try Client(path: peer.path)
    #expect(throws: ClientError.failed(failure)) { try client.call("Nothing") }
    #expect(try client.call("Something") == ["n": 1])
  }

  @Test(arguments: [
    ("", ClientError.disconnected), ("{\"parameters\":{\"n\":", .disconnected),
  ])
  func aPeerThatClosesInMidReplyIsSaidToHave(_ part: String, _ expected: ClientError) throws {
    let peer = try Peer { line in
      _ = try line.next()
      try line.send(Array(part.utf8))
    }
    let client = try Client(path: peer.path)
    #expect(throws: expected) { try client.call("X") }
    peer.join()
    #expect(client.isStale)
  }

  @Test func whatCannotBeReadIsNamed() throws {
    let rows = ["nonsense", "[]", "\"text\""]
    let peer = try Peer { line in
      for row in rows {
        _ = try line.next()
        try line.send(row)
      }
    }
    let client = try Client(path: peer.path)
    for row in rows {
      let error = #expect(throws: ClientError.self, "\(row)") { try client.call("X") }
      guard case .unreadableReply = error else {
        Issue.record("\(row): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func aReplyOverTheLimitIsRefusedAndTheNextIsRead() throws {
    let peer = try Peer { line in
      for _ in 0..<2 {
        _ = try line.next()
        try line.send(
          [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20) + [UInt8(ascii: "x"), 0])
      }
      _ = try line.next()
      try line.reply(["n": 1])
    }
    let client = try Client(path: peer.path, longestReply: 1 << 20)
    for _ in 0..<2 {
      #expect(throws: ClientError.unreadableReply(reason: "longer than 1 MiB")) {
        try client.call("X")
      }
    }
    #expect(try client.call("X") == ["n": 1])
  }

  @Test func aPeerThatIsSilentIsGivenUp() throws {
    let peer = try Peer { line in line.awaitEnd() }
    let client = try Client(path: peer.path)
    #expect(throws: ClientError.timedOut) { try client.call("X", milliseconds: 20) }
    #expect(client.mayHaveArrived)
    #expect(throws: ClientError.timedOut) {
      try client.stream("X", milliseconds: 20) { _ throws(ClientError) in true }
    }
    #expect(try client.receive(milliseconds: 0) == nil)
  }

  @Test func aPeerThatReadsNothingDoesNotHaveTheCall() throws {
    let scratch = try Scratch()
    let listener = try UnixSocketListener(scratch["socket"])
    let client = try Client(path: scratch["socket"])
    let long = JSONValue.string(String(repeating: "x", count: 8 << 20))
    #expect(throws: ClientError.timedOut) {
      try client.send("X", ["text": long], milliseconds: 20)
    }
    #expect(!client.mayHaveArrived)
    listener.close()
  }

  @Test func whereNobodyListensThereIsNoDaemon() throws {
    let scratch = try Scratch()
    for path in [scratch["socket"], scratch["no/such/folder"]] {
      #expect(throws: ClientError.noDaemon(path: path)) { try Client(path: path) }
    }
    // A socket file that its listener has left behind.
    try UnixSocketListener(scratch["socket"]).close()
    #expect(throws: ClientError.noDaemon(path: scratch["socket"])) {
      try Client(path: scratch["socket"])
    }
  }
}
