import BelfryCore
import BelfryWire
import Testing

@testable import BelfryServer

/// A1, A2: who gets a connection when many want one.
@Suite struct ServerAdmissionTests {
  private final class Board {
    let stage: Stage
    var clients: [UInt32: [StageClient]] = [:]

    init(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
      stage = try Stage {
        $0.connectionsOfUser = 192
        $0.connections = 256
        $0.operatorGroup = 50
        configure(&$0)
      }
    }

    /// False: it was refused, by the limit that it names.
    func connect(_ uid: UInt32, groups: [UInt32] = []) throws -> Bool {
      let client = try stage.connect(uid: uid, groups: groups)
      let replies = try client.replies()
      guard replies.isEmpty else {
        #expect(replies[0]?["parameters"]?["limit"] == "connections" && replies.count == 2)
        return false
      }
      clients[uid, default: []].append(client)
      return true
    }

    /// As many as it gets.
    func fill(_ uid: UInt32, upTo most: Int = 1000) throws -> Int {
      var count = 0
      while count < most, try connect(uid) { count += 1 }
      return count
    }

    /// Those of its connections that still serve.
    func served(_ uid: UInt32) throws -> Int {
      for client in clients[uid] ?? [] { try? client.send("Status") }
      try stage.settle()
      return try (clients[uid] ?? []).count {
        try $0.replies().contains { $0?["parameters"]?["status"] != nil }
      }
    }
  }

  @Test func A1_aloneAUserGetsHisNumberAndASecondOnlyAPart() throws {
    let board = try Board()
    #expect(try board.fill(1000) == 192)
    #expect(try board.fill(1001) == 48)
    #expect(try board.fill(1002) == 12)
    #expect(board.stage.server.connectionCount == 252)
  }

  @Test func A1_togetherTheyLeaveRoomToo() throws {
    let board = try Board()
    var isRefused: Set<UInt32> = []
    while isRefused.count < 4 {
      for uid in 1000..<1004 as Range<UInt32> where !isRefused.contains(uid) {
        if try !board.connect(uid) { isRefused.insert(uid) }
      }
    }
    #expect(board.stage.server.connectionCount == 237)
    #expect(try board.fill(2000, upTo: 8) == 8)
  }

  @Test func A1_howeverManyHaveThemAllEachGetsHisFew() throws {
    let board = try Board()
    for uid in 1000..<1020 as Range<UInt32> { _ = try board.fill(uid) }
    #expect(board.stage.server.connectionCount == 256)
    // Twenty users have every one, and others come all the same.
    for uid in 2000..<2010 as Range<UInt32> {
      #expect(try board.fill(uid, upTo: 8) == 8)
      #expect(try board.connect(uid) == false)
      #expect(try board.served(uid) == 8)
    }
    #expect(board.stage.server.connectionCount == 256)
    // Those who had least kept what they had; who had most was told of it, once.
    #expect(try board.served(1019) >= 8)
    #expect(board.stage.lines.count(where: { $0.contains("uid 1000 has") }) == 1)
  }

  @Test func A1_rootAndTheOperatorAlwaysGetIn() throws {
    let board = try Board()
    for uid in 1000..<1020 as Range<UInt32> { _ = try board.fill(uid) }
    #expect(try board.fill(0, upTo: 100) == 100)
    for _ in 0..<100 { #expect(try board.connect(3000, groups: [50])) }
    // And take nothing from the others.
    #expect(board.stage.server.connectionCount == 456)
    #expect(try board.fill(0) == 92)
  }

  @Test func A2_whoLosesAConnectionIsToldWhichLimit() throws {
    let board = try Board {
      $0.connections = 4
      $0.connectionsOfUser = 4
    }
    #expect(try board.fill(1000) == 4)
    #expect(try board.connect(1001))
    let last = try #require(board.clients[1000]?.last)
    let replies = try last.replies()
    #expect(
      replies.first??["error"] == "io.belfry.Scheduler.LimitReached"
        && replies.last == nil as JSONValue?)
    #expect(try board.connect(1001))
    // Now both have two.
    #expect(try board.connect(1001) == false)
    #expect(try board.connect(1000) == false)
    #expect(try board.served(1000) == 2)
  }
}
