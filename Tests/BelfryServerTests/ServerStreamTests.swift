import BelfryCore
import BelfryWire
import Testing

@testable import BelfryServer

@Suite struct ServerStreamTests {
  private func row(_ number: Int64) -> HistoryRow {
    HistoryRow(
      app: "a", identifier: "i\(number)",
      occurrence: OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 0, k: number),
      sink: "console", due: Instant(nanoseconds: number), handedOver: nil, acknowledged: nil,
      state: .delivered, reason: nil, attempts: 1)
  }

  /// A book of so many rows; the last page says so only when it is short, as a real one may.
  private func pages(of count: Int64, tellsEnd: Bool) -> (Request) -> Reply? {
    { request in
      guard case .history(_, let cursor, let limit) = request else { return .stopped(1) }
      let end = min(count, cursor + Int64(limit))
      let isLast = tellsEnd ? end == count : end - cursor < Int64(limit)
      return .history((cursor..<end).map { self.row($0) }, cursor: isLast ? nil : end)
    }
  }

  private func event(_ app: String, _ identifier: String) -> WatchEvent {
    WatchEvent(
      kind: .delivered, app: app, identifier: identifier, occurrence: nil, sink: "s",
      at: Instant(nanoseconds: 5000), due: nil, handedOver: nil, reason: nil, missed: 0)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 32, 1000], [true, false])
  func rowsComeOneAReply(count: Int64, tellsEnd: Bool) throws {
    let stage = try Stage()
    stage.answer = pages(of: count, tellsEnd: tellsEnd)
    let client = try stage.connect()
    try client.send("History", more: true)
    try client.send("StopSound")
    var replies: [JSONValue?] = []
    repeat {
      try stage.settle()
      replies += try client.replies()
    } while replies.last??["parameters"]?["stopped"] == nil
    let rows = replies.dropLast().flatMap { $0?["parameters"]?["deliveries"]?.array ?? [] }
    #expect(rows.map { $0["identifier"]?.string } == (0..<count).map { "i\($0)" })
    #expect(
      replies.dropLast().allSatisfy { ($0?["parameters"]?["deliveries"]?.array?.count ?? 9) <= 1 })
    let continues = replies.dropLast().map { $0?["continues"] == true }
    #expect(continues == [Bool](repeating: true, count: continues.count - 1) + [false])
    let first = try #require(rows.first?.object ?? ["none": true])
    if count > 0 { #expect(try HistoryRow(first) == row(0)) }
  }

  /// The memory of a small board would be gone where each of many connections had its long page.
  @Test func A2_longAnswersOfAUserHaveBoundedRoomAndAllComeToTheirEnd() throws {
    let stage = try Stage()
    var content = Notification()
    content.alertBody = String(repeating: "x", count: 15_000)
    stage.answer = { request in
      guard case .list(_, _, let cursor, _) = request else { return .stopped(1) }
      let row = ListedNotification(
        app: "a", notification: content, next: nil, state: .scheduled)
      return .listed(
        [ListedNotification](repeating: row, count: 16), cursor: cursor < 3 ? cursor + 1 : nil)
    }
    let clients = try (0..<60).map { _ in try stage.connect() }
    for client in clients { try client.send("List", more: true) }
    try stage.settle()
    let unsent = { stage.server.connections.values.reduce(0) { $0 + $1.unsent } }
    #expect((1 << 20...7 << 20).contains(unsent()))
    // Another user's goes on meanwhile.
    let other = try stage.connect(uid: 1001)
    try other.send("StopSound")
    try stage.settle()
    #expect(try other.replies().count == 1)
    var counts = [Int](repeating: 0, count: clients.count)
    for _ in 0..<200 where counts.contains(where: { $0 < 64 }) {
      for (place, client) in clients.enumerated() { counts[place] += try client.replies().count }
      try stage.settle()
    }
    #expect(counts == [Int](repeating: 64, count: clients.count) && unsent() == 0)
  }

  @Test func aLimitBoundsAStream() throws {
    let stage = try Stage()
    stage.answer = pages(of: 1000, tellsEnd: true)
    let client = try stage.connect()
    try client.send("History", ["limit": 20], more: true)
    try stage.settle()
    #expect(try client.replies().count == 20)
  }

  @Test func withoutMoreThereIsAPageAndACursor() throws {
    let stage = try Stage()
    stage.answer = pages(of: 60, tellsEnd: true)
    let client = try stage.connect()
    try client.send("History")
    try client.send("History", ["cursor": 50])
    try stage.settle()
    let replies = try client.replies()
    #expect(replies[0]?["parameters"]?["deliveries"]?.array?.count == 50)
    #expect(replies[0]?["parameters"]?["cursor"] == 50)
    #expect(replies[0]?["continues"] == nil)
    #expect(replies[1]?["parameters"]?["deliveries"]?.array?.count == 10)
    #expect(replies[1]?["parameters"]?.object?["cursor"] == nil)
  }

  @Test func aClosedStreamAsksForNothingMore() throws {
    let stage = try Stage()
    stage.answer = pages(of: 1_000_000, tellsEnd: true)
    let client = try stage.connect()
    try client.send("History", more: true)
    try stage.settle()
    let asked = stage.requests.count
    #expect(asked < 200)
    client.close()
    try stage.settle()
    #expect(stage.requests.count == asked)
    #expect(stage.server.connectionCount == 0)
  }

  @Test func A1_watchersSeeTheirOwnAppsAndTheOperatorAll() throws {
    let stage = try Stage { $0.operatorGroup = 500 }
    let clients = [
      try stage.connect(uid: 1000), try stage.connect(uid: 1001), try stage.connect(uid: 0),
      try stage.connect(uid: 1002, groups: [7, 500]), try stage.connect(uid: 0),
    ]
    for client in clients.dropLast() { try client.send("Watch", more: true) }
    try clients[4].send("Watch", ["app": "other"], more: true)
    try stage.settle()
    for client in clients {
      #expect(try client.replies() == [["parameters": [:], "continues": true]])
    }
    stage.server.publish(event("mine", "i"), owner: 1000)
    stage.server.flush(elapsed: stage.elapsed)
    let seen = try clients.map { try $0.replies().count }
    #expect(seen == [1, 0, 1, 1, 0])
    stage.server.publish(event("other", "i"), owner: 1001)
    stage.server.flush(elapsed: stage.elapsed)
    let last = try clients[4].replies()
    #expect(
      try WatchEvent(try #require(last[0]?["parameters"]?["event"]?.object)) == event("other", "i"))
    clients[0].close()
    try stage.settle()
    #expect(stage.server.connectionCount == 4)
  }

  @Test func A2_aClientThatNeverReadsIsDisconnected() throws {
    let stage = try Stage()
    let client = try stage.connect()
    let other = try stage.connect()
    try client.send("Watch", more: true)
    try other.send("Watch", more: true)
    try stage.settle()
    for _ in 0..<20_000 {
      stage.server.publish(event("a", String(repeating: "x", count: 100)), owner: 1000)
      stage.server.flush(elapsed: stage.elapsed)
      _ = try other.replies()
    }
    #expect(stage.server.connectionCount == 1)
    #expect(stage.lines.count == 1)
    #expect(stage.lines[0].contains("unread"))
  }

  @Test func A2_aClientThatReadsNoRepliesIsDisconnectedInTime() throws {
    let stage = try Stage()
    stage.answer = pages(of: 100_000, tellsEnd: true)
    let client = try stage.connect()
    let slow = try stage.connect()
    for each in [client, slow] { try each.send("History", more: true) }
    try stage.settle()
    let deadline = try #require(stage.server.deadline)
    #expect(deadline == stage.elapsed + ServerLimits.unreadTimeout)
    stage.elapsed = deadline - 1
    #expect(try !slow.replies().isEmpty)
    try stage.settle()
    #expect(stage.server.connectionCount == 2)
    stage.elapsed = deadline
    try stage.settle()
    #expect(stage.server.connectionCount == 1)
    #expect(stage.server.deadline == deadline - 1 + ServerLimits.unreadTimeout)
    #expect(stage.lines.count == 1 && stage.lines[0].contains("it reads nothing"))
  }

  @Test func aFloodIsTakenInParts() throws {
    let stage = try Stage { $0.requestsPerSecond = 100_000 }
    stage.answer = { _ in nil }
    let client = try stage.connect()
    let call = VarlinkCall(method: "io.belfry.Scheduler.CancelAll").encoded
    _ = try client.write((0..<1000).flatMap { _ in call })
    let turn = try stage.turn()
    #expect(turn.count == ServerLimits.userRequests / ServerLimits.callWeight)
    stage.server.flush(elapsed: stage.elapsed)
    #expect(try stage.turn().isEmpty)
    #expect(!stage.server.hasWork)
    // One more on each connection that waits for nothing, as far as the reserve goes.
    let others = try (0..<40).map { _ in try stage.connect() }
    for other in others {
      try other.send("StopSound")
      try other.send("StopSound")
    }
    let stranger = try stage.connect(uid: 1001)
    try stranger.send("CancelAll")
    let more = try stage.turn()
    let reserve = ServerLimits.userReserve / ServerLimits.callWeight
    #expect(more.filter { $0.peer.uid == 1000 }.count == reserve)
    #expect(more.filter { $0.peer.uid == 1001 }.count == 1)
    for incoming in more { stage.server.send(incoming.id, .stopped(0)) }
    for incoming in turn { stage.server.send(incoming.id, .cancelled(cancelled: 0, withdrawn: 0)) }
    stage.answer = { _ in .cancelled(cancelled: 0, withdrawn: 0) }
    stage.server.flush(elapsed: stage.elapsed)
    try stage.settle()
    #expect(try client.replies().count == 1000)
  }

  @Test func A2_tooManyRequestsAreRefusedAndOthersAreNot() throws {
    let stage = try Stage { $0.requestsPerSecond = 10 }
    let one = try stage.connect()
    let two = try stage.connect(uid: 1001)
    for _ in 0..<12 { try one.send("StopSound") }
    try two.send("StopSound")
    try stage.settle()
    let replies = try one.replies()
    #expect(replies.filter { $0?["error"] == nil }.count == 10)
    #expect(replies[11]?["parameters"] == ["limit": "requestsPerSecond", "value": 10])
    #expect(try two.replies().map { $0?["error"] } == [nil])
    stage.elapsed = Nanoseconds.second / 5
    for _ in 0..<3 { try one.send("StopSound") }
    try stage.settle()
    #expect(try one.replies().filter { $0?["error"] == nil }.count == 2)
  }

  @Test func A2_tooManyConnectionsAreRefused() throws {
    let stage = try Stage { $0.connectionsOfUser = 2 }
    let first = try stage.connect()
    let second = try stage.connect()
    let third = try stage.connect()
    #expect(
      try third.replies() == [
        [
          "error": "io.belfry.Scheduler.LimitReached",
          "parameters": ["limit": "connections", "value": 2],
        ], nil,
      ])
    first.close()
    try stage.settle()
    let fourth = try stage.connect()
    try fourth.send("Status")
    try second.send("Status")
    try stage.settle()
    #expect(try fourth.replies().count == 1)
    #expect(try second.replies().count == 1)
  }

  @Test func A1_A2_requestsThatAreNotAnsweredAreBoundedByTheirUser() throws {
    let stage = try Stage()
    stage.answer = { _ in nil }
    let body = String(repeating: "x", count: 16_000)
    let clients = try (0..<20).map { _ in try stage.connect() }
    var written = 0
    let call = VarlinkCall(
      method: "io.belfry.Scheduler.PresentNow",
      parameters: ["notification": ["alertBody": .string(body)]], more: false, oneway: false
    ).encoded
    for _ in 0..<120 {
      for client in clients { if try client.write(call) == call.count { written += 1 } }
      try stage.settle()
    }
    let taken = stage.requests.count
    #expect((8...11).contains(taken) && written > taken)
    // Another user's is taken, and answered.
    stage.answer = { _ in .stopped(1) }
    let other = try stage.connect(uid: 1001)
    try other.send("StopSound")
    try stage.settle()
    #expect(try other.replies().count == 1)
    #expect(stage.requests.count == taken + 1)
    // Some answers, and reading goes on, on every connection.
    for request in stage.requests.prefix(taken) { stage.server.send(request.id, .stopped(0)) }
    try stage.settle()
    #expect(stage.requests.count >= written)
  }

  @Test func A1_A2_messagesWithoutTheirEndsAreBoundedByTheirUser() throws {
    let stage = try Stage()
    let half = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
    let other = try stage.connect(uid: 1001)
    let clients = try (0..<40).map { _ in try stage.connect() }
    for client in clients { try? client.write(half, stage) }
    #expect((30...34).contains(stage.server.connectionCount - 1))
    #expect(stage.lines.first?.contains("without their ends") == true)
    try other.send("Status")
    try stage.settle()
    #expect(try other.replies().count == 1)
  }

  @Test func A2_connectionsLeaveDescriptorsForTheDaemon() throws {
    let stage = try Stage { $0.descriptors = 0 }
    let client = try stage.connect()
    #expect(try client.replies()[0]?["parameters"]?["limit"] == "connections")
    #expect(stage.server.connectionCount == 0)
  }

  @Test func N16_aListInPartsIsOneRequest() throws {
    let stage = try Stage()
    stage.answer = { request in
      guard case .replaceAll(_, let list, _) = request else { return nil }
      return .replacedAll(
        ReplaceAllReply(
          added: Int64(list.count), replaced: 0, unchanged: 0, cancelled: 0, discarded: []))
    }
    let client = try stage.connect()
    func part(_ identifiers: [String], final: Bool) throws -> JSONValue? {
      let list = JSONValue.array(identifiers.map { ["identifier": .string($0)] })
      try client.send("ReplaceAll", ["notifications": list, "final": .boolean(final)])
      try stage.settle()
      return try client.replies().first ?? nil
    }
    #expect(try part(["a", "b"], final: false)?["parameters"] == ["received": 2])
    #expect(stage.requests.isEmpty)
    let reply = try part(["c"], final: true)
    #expect(reply?["parameters"]?["received"] == 3)
    #expect(reply?["parameters"]?["added"] == 3)
    #expect(stage.requests.count == 1)
    // A refused part spoils the whole, and only it.
    #expect(try part(["a"], final: false)?["parameters"] == ["received": 1])
    #expect(try part([""], final: false)?["parameters"]?["field"] == "notifications[0].identifier")
    #expect(try part(["c"], final: true)?["parameters"]?["code"] == "conflict")
    #expect(try part(["c"], final: true)?["parameters"]?["added"] == 1)
    #expect(stage.requests.count == 2)
    // The end of the connection drops what was gathered.
    _ = try part(["a"], final: false)
    client.close()
    try stage.settle()
    #expect(stage.requests.count == 2)
  }
}
