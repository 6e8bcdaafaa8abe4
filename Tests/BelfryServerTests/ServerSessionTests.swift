import BelfryCore
import BelfryWire
import Testing

@testable import BelfryServer

@Suite struct ServerSessionTests {
  /// A stage on which every session opens.
  private func stage() throws -> Stage {
    let stage = try Stage()
    stage.answer = { request in
      guard case .openSession(_, let session, _) = request else { return .done }
      return .sessionOpened(session, waiting: 0)
    }
    return stage
  }

  private func event(_ id: Int64, body: String = "Tea") -> SessionEvent {
    var notification = Notification()
    notification.identifier = "tea"
    notification.alertBody = body
    let occurrence = Occurrence(
      id: OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 3, k: 4), app: "kiosk",
      notification: notification, due: Instant(nanoseconds: 5_000_000))
    return SessionEvent(
      id: id, kind: .handleAction, occurrence: occurrence,
      delivered: Instant(nanoseconds: 6_000_000), action: "later", text: "soon", attempt: 2)
  }

  private func open(_ client: StageClient, _ stage: Stage) throws -> SessionID {
    try client.send("OpenSession", ["app": "kiosk", "state": "foreground"], more: true)
    try stage.settle()
    let reply = try #require(try client.replies().first ?? nil)
    #expect(reply["continues"] == true && reply["parameters"]?["waiting"] == 0)
    return SessionID(try #require(reply["parameters"]?["session"]?.integer))
  }

  @Test func D1_eventsFollowTheFirstReply() throws {
    let stage = try stage()
    let client = try stage.connect()
    let session = try open(client, stage)
    guard case .openSession("kiosk", session, .foreground)? = stage.requests.last?.request else {
      Issue.record("\(stage.requests)")
      return
    }
    stage.server.tell(event(1), in: session)
    stage.server.tell(event(2), in: session)
    try stage.settle()
    let replies = try client.replies()
    #expect(replies.map { $0?["continues"] == true } == [true, true])
    for (id, reply) in zip(Int64(1)..., replies) {
      let object = try #require(reply?["parameters"]?["event"]?.object)
      #expect(try SessionEvent(object, app: "kiosk") == event(id))
    }
  }

  @Test func D1_callsBeforeItAreAnsweredFirst() throws {
    let stage = try Stage()
    var opening: SessionID?
    stage.answer = { request in
      if case .openSession(_, let session, _) = request {
        opening = session
        return .sessionOpened(session, waiting: 0)
      }
      return nil
    }
    let client = try stage.connect()
    try client.send("StopSound")
    try client.send("OpenSession", ["state": "background"], more: true)
    try stage.settle()
    stage.server.tell(event(1), in: try #require(opening))
    try stage.settle()
    #expect(try client.replies().isEmpty)
    stage.server.send(try #require(stage.requests.first).id, .stopped(7))
    try stage.settle()
    let replies = try client.replies()
    #expect(replies.count == 3)
    #expect(replies[0]?["parameters"]?["stopped"] == 7)
    #expect(replies[1]?["parameters"]?["session"] != nil)
    #expect(replies[2]?["parameters"]?["event"] != nil)
  }

  @Test(arguments: [false, true])
  func D1_withoutMoreThereIsNoSession(oneway: Bool) throws {
    let stage = try stage()
    let client = try stage.connect()
    try client.send("OpenSession", ["state": "background"], more: oneway, oneway: oneway)
    try client.send("StopSound")
    try stage.settle()
    let replies = try client.replies()
    #expect(replies.count == (oneway ? 1 : 2))
    if !oneway { #expect(replies[0]?["error"]?.string == "org.varlink.service.ExpectedMore") }
    #expect(stage.requests.count == 1)
  }

  @Test(
    arguments: [
      ("OpenSession", ["state": "asleep"], "state"), ("OpenSession", [:], "state"),
      ("SetState", ["session": 1], "state"), ("SetState", ["state": "background"], "session"),
      ("Complete", ["session": 1], "event"), ("Complete", ["session": "1", "event": 1], "session"),
      ("Complete", ["session": 1, "event": 1, "result": 1], "result"),
    ] as [(String, JSONObject, String)])
  func A4_whatIsWrongIsNamed(method: String, parameters: JSONObject, field: String) throws {
    let stage = try stage()
    let client = try stage.connect()
    try client.send(method, parameters, more: method == "OpenSession")
    try stage.settle()
    let reply = try #require(try client.replies().first ?? nil)
    #expect(reply["error"]?.string == "io.belfry.Scheduler.InvalidField")
    #expect(reply["parameters"]?["field"]?.string == field)
    #expect(stage.requests.isEmpty)
  }

  @Test func A1_anUnknownSessionHasItsError() throws {
    let stage = try Stage()
    stage.answer = { _ in .refused(.unknownSession(77)) }
    let client = try stage.connect()
    try client.send("Complete", ["session": 77, "event": 1])
    try stage.settle()
    let reply = try #require(try client.replies().first ?? nil)
    #expect(reply["error"]?.string == "io.belfry.Scheduler.UnknownSession")
    #expect(reply["parameters"]?["session"] == 77)
  }

  @Test func A2_aRefusedConnectionGoesOn() throws {
    let stage = try Stage()
    stage.answer = { request in
      if case .openSession = request {
        return .refused(.limitReached(limit: "sessions", value: 3))
      }
      return .stopped(1)
    }
    let client = try stage.connect()
    try client.send("OpenSession", ["state": "background"], more: true)
    try client.send("StopSound")
    try stage.settle()
    let replies = try client.replies()
    #expect(replies[0]?["error"]?.string == "io.belfry.Scheduler.LimitReached")
    #expect(replies[0]?["continues"] == nil)
    #expect(replies[1]?["parameters"]?["stopped"] == 1)
    client.close()
    try stage.settle()
    #expect(stage.server.takeEndedSessions().isEmpty)
  }

  @Test func D1_theSessionEndsWithItsConnection() throws {
    let stage = try stage()
    let client = try stage.connect()
    let session = try open(client, stage)
    client.close()
    try stage.settle()
    #expect(stage.ended == [Server.EndedSession(session: session, isUnread: false)])
    stage.server.tell(event(1), in: session)
    try stage.settle()
    #expect(stage.server.connectionCount == 0)
  }

  @Test func D3_whatAClientClosesWithoutHavingReadIsKnown() throws {
    let stage = try stage()
    let client = try stage.connect()
    let session = try open(client, stage)
    for id in 1...3 as ClosedRange<Int64> {
      stage.server.tell(event(id), in: session)
      try stage.settle()
      #expect(try client.replies().count == 1)
    }
    stage.server.tell(event(4), in: session)
    try stage.settle()
    client.close()
    try stage.settle()
    let ended = Server.EndedSession(session: session, isUnread: true, readThrough: 3)
    #expect(stage.ended == [ended])
  }

  @Test func A2_largeEventsOfAllSessionsOfAUserAreBounded() throws {
    let stage = try stage()
    let deaf = try (0..<3).map { _ in try stage.connect() }
    let reader = try stage.connect()
    let sessions = try (deaf + [reader]).map { try open($0, stage) }
    var large = event(1)
    large.occurrence.notification.userInfo = [
      "list": .array((0..<20_000).map { _ in .integer(1) })
    ]
    var told = 0
    for id in 1...400 as ClosedRange<Int64> where stage.ended.isEmpty {
      large.id = id
      for session in sessions { stage.server.tell(large, in: session) }
      try stage.settle()
      told += try reader.replies().count
    }
    #expect(stage.ended.count == 1 && stage.ended[0].isUnread)
    #expect(stage.ended[0].session != sessions[3])
    #expect((20...200).contains(told))
  }

  @Test func D1_aClientThatOnlyStopsWritingGoesOnHearing() throws {
    let stage = try stage()
    let client = try stage.connect()
    let session = try open(client, stage)
    client.shutDownWriting()
    try stage.settle()
    stage.server.tell(event(1), in: session)
    try stage.settle()
    #expect(try client.replies().count == 1)
    #expect(stage.ended.isEmpty)
  }

  @Test func A2_aSessionThatNeverReadsIsDisconnectedAndNobodyElseIs() throws {
    let stage = try stage()
    let deaf = try stage.connect()
    let client = try stage.connect()
    let (first, second) = (try open(deaf, stage), try open(client, stage))
    var heard = 0
    for id in 1...5000 where stage.ended.isEmpty {
      stage.server.tell(event(Int64(id)), in: first)
      stage.server.tell(event(Int64(id)), in: second)
      try stage.settle()
      heard += try client.replies().count
      #expect(heard == id)
    }
    #expect(stage.ended == [Server.EndedSession(session: first, isUnread: true)])
    #expect((1025...4000).contains(heard))
    #expect(stage.lines.count == 1 && stage.lines[0].contains("events of its session unread"))
    stage.server.tell(event(9000), in: second)
    try stage.settle()
    #expect(try client.replies().count == 1)
  }

  @Test func D1_aBurstOfLargeEventsReachesAClientThatReads() throws {
    let stage = try stage()
    let client = try stage.connect()
    let session = try open(client, stage)
    let body = String(repeating: "x", count: 16_384)
    // All of them before the client can read one: 8 MiB.
    for id in 1...512 { stage.server.tell(event(Int64(id), body: body), in: session) }
    var heard: [Int64] = []
    while heard.count < 512 {
      try stage.settle()
      let replies = try client.replies()
      #expect(!replies.isEmpty && !replies.contains { $0 == nil })
      heard += replies.compactMap { $0?["parameters"]?["event"]?["id"]?.integer }
      if replies.isEmpty { break }
    }
    #expect(heard == (1...512).map { $0 })
    #expect(stage.ended.isEmpty)
  }

  @Test func A2_aSessionThatTakesNothingForHalfAMinuteIsDisconnected() throws {
    let stage = try stage()
    let deaf = try stage.connect()
    let session = try open(deaf, stage)
    let body = String(repeating: "x", count: 10_000)
    for id in 1...40 { stage.server.tell(event(Int64(id), body: body), in: session) }
    try stage.settle()
    #expect(stage.ended.isEmpty)
    stage.elapsed = try #require(stage.server.deadline)
    try stage.settle()
    #expect(stage.ended == [Server.EndedSession(session: session, isUnread: true)])
    #expect(stage.lines.count == 1 && stage.lines[0].contains("it reads nothing"))
  }

  @Test func A1_aSessionThatIsNoneAnyMoreEnds() throws {
    let stage = try stage()
    let client = try stage.connect()
    let session = try open(client, stage)
    stage.server.end(session, because: "kiosk is another user's now")
    try stage.settle()
    #expect(try client.replies().last == .some(nil))
    #expect(stage.ended.map { $0.session } == [session])
  }
}
