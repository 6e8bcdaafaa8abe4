import BelfryCore
import BelfryWire
import Testing

@testable import BelfryServer

/// Pushes and inboxes at the socket.
@Suite struct ServerPushTests {
  private static let id = UUIDBits(high: 0x2f9a_4a4b_8b0c_4d3b, low: 0x9f6e_0123_4567_89ab)

  private func entry(_ position: Int64) -> InboxEntry {
    InboxEntry(
      id: UUIDBits(high: 0, low: UInt64(position)), position: position, kind: 0,
      payload: #"{"aps":{"badge":\#(position)}}"#, received: Instant(nanoseconds: 0))
  }

  @Test func P6_theReplySaysWhatWasPrunedAndIgnored() throws {
    let stage = try Stage()
    stage.answer = { request in
      guard case .push(_, let push) = request else { return nil }
      return .pushed(
        PushReply(id: push.id ?? Self.id, isDuplicate: push.container == "again", occurrence: nil))
    }
    let client = try stage.connect(uid: 7)
    let args: JSONValue = [.string(String(repeating: "a", count: 101))]
    try client.send(
      "Push",
      [
        "limit": 256, "id": .string(Self.id.text),
        "payload": [
          "aps": ["alert": ["loc-key": "K", "loc-args": args], "x": 1],
          "ck": ["cid": .string(String(repeating: "c", count: 200))],
        ],
      ])
    try client.send("Push", ["payload": ["ck": ["cid": "again"]]])
    try stage.settle()
    let replies = try client.replies()
    let first = try #require(replies[0]?["parameters"])
    #expect(first["id"]?.string == Self.id.text)
    #expect(first["duplicate"] == false)
    #expect(first["pruned"] == ["containerIdentifier"])
    #expect(first["cut"] == ["alertLocalizationArgs[0]"])
    #expect(first["ignored"]?.array?.compactMap { $0["path"]?.string } == ["aps.x"])
    let second = try #require(replies[1]?["parameters"])
    #expect(second["duplicate"] == true && second["occurrence"] == nil)
    guard case .push("user.7", let push)? = stage.requests.first?.request else {
      Issue.record("no push of the caller's own app")
      return
    }
    #expect(push.container.utf8.count == 200 && push.pruned == ["containerIdentifier"])
  }

  @Test func P1_A4_aBadPayloadIsAnsweredInItsTurnAndTheConnectionGoesOn() throws {
    let stage = try Stage()
    stage.answer = { _ in .pushed(PushReply(id: Self.id, isDuplicate: false, occurrence: nil)) }
    let client = try stage.connect()
    let head = #"{"method":"io.belfry.Scheduler.Push","parameters":{"payload":"#
    let tails: [([UInt8], String?)] = [
      (Array(#"{"aps":{"badge":1}}}}"#.utf8), nil),
      (Array(#"{"aps":{"badge":-1}}}}"#.utf8), "aps.badge"),
      (Array(#"{"aps":{"x":\#(String(repeating: "[", count: 10_000))"#.utf8), "aps.x"),
      (Array(#"{"aps":{"alert":""#.utf8) + [0xFF] + Array(#""}}}}"#.utf8), "aps.alert"),
      (
        Array(#"{"aps":{"alert":""#.utf8) + [UInt8](repeating: 0x61, count: 1 << 20)
          + Array(#""}}}}"#.utf8), "aps.alert"
      ),
      (Array(#"{"aps":{"badge":2}}}}"#.utf8), nil),
    ]
    for (tail, _) in tails { try client.write(Array(head.utf8) + tail + [0], stage) }
    try stage.settle()
    let replies = try client.replies()
    #expect(replies.count == tails.count)
    for (reply, (_, field)) in zip(replies, tails) {
      guard let field else {
        #expect(reply?["parameters"]?["id"]?.string == Self.id.text)
        continue
      }
      #expect(reply?["error"]?.string == "io.belfry.Scheduler.InvalidField")
      #expect(reply?["parameters"]?["field"]?.string?.hasPrefix(field) == true)
    }
    #expect(stage.requests.count == 2)
  }

  @Test func P6_aOnewayPushIsNeverAnswered() throws {
    let stage = try Stage()
    stage.answer = { _ in .pushed(PushReply(id: Self.id, isDuplicate: false, occurrence: nil)) }
    let client = try stage.connect()
    try client.send("Push", ["payload": ["aps": ["badge": 1]]], oneway: true)
    try client.send("Push", ["payload": ["aps": ["badge": -1]]], oneway: true)
    try client.send("Push", ["payload": ["aps": ["badge": 3]]])
    try stage.settle()
    #expect(try client.replies().count == 1)
    #expect(stage.requests.count == 2)
  }

  /// Three pages of the inbox 1…5.
  private func page(_ request: Request) -> Reply? {
    guard case .fetchInbox(_, _, let since, let limit) = request else { return nil }
    let first = Int64(since ?? "0") ?? 0
    let last = min(first + Int64(limit), 5)
    let entries = (first..<last).map { entry($0 + 1) }
    return .fetched(entries, token: "\(last)", moreComing: last < 5)
  }

  @Test func P7_withMorePageAfterPageComes() throws {
    let stage = try Stage()
    stage.answer = page
    let client = try stage.connect()
    try client.send("FetchInbox", ["limit": 2], more: true)
    try client.send("FetchInbox", ["limit": 2, "since": "4"])
    try stage.settle()
    let replies = try client.replies()
    #expect(replies.map { $0?["continues"] == true } == [true, true, false, false])
    #expect(replies.map { $0?["parameters"]?["token"]?.string } == ["2", "4", "5", "5"])
    #expect(replies.map { $0?["parameters"]?["moreComing"] } == [true, true, false, false])
    let counts = replies.map { $0?["parameters"]?["entries"]?.array?.count }
    #expect(counts == [2, 2, 1, 1])
  }

  @Test func P7_aTokenThatExpiresBetweenPagesEndsThem() throws {
    let stage = try Stage()
    stage.answer = { request in
      guard case .fetchInbox(_, _, nil, _) = request else { return .refused(.tokenExpired) }
      return .fetched([entry(1)], token: "1", moreComing: true)
    }
    let client = try stage.connect()
    try client.send("FetchInbox", [:], more: true)
    try client.send("FetchInbox", ["since": "x"])
    try stage.settle()
    let replies = try client.replies()
    #expect(replies.count == 3)
    #expect(replies[1]?["error"]?.string == "io.belfry.Scheduler.TokenExpired")
    #expect(replies[1]?["parameters"] == [:])
  }

  @Test func P8_marksAreToldApart() throws {
    let stage = try Stage()
    stage.answer = { request in
      guard case .markRead(_, "c", let ids) = request else { return nil }
      return .markedRead(marked: [ids[0]], unknown: [ids[1]])
    }
    let client = try stage.connect()
    let other = UUIDBits(high: 1, low: 2)
    try client.send(
      "MarkRead", ["container": "c", "ids": [.string(Self.id.text), .string(other.text)]])
    try stage.settle()
    let reply = try #require(try client.replies().first??["parameters"])
    #expect(reply == ["marked": [.string(Self.id.text)], "unknown": [.string(other.text)]])
  }
}
