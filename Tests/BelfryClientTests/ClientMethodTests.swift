import BelfryCore
import BelfryWire
import Testing

@testable import BelfryClient

/// The scheduler's methods: what goes out and what is read of the replies.
@Suite struct ClientMethodTests {
  @Test func N1_schedulingSendsTheNotificationAndReadsTheReply() throws {
    let peer = try Peer { line in
      let call = try line.next()
      #expect(call.method == "io.belfry.Scheduler.Schedule")
      #expect(call.parameters["app"]?.string == "a.b")
      #expect(call.parameters["notification"]?.object?["alertBody"]?.string == "Tea")
      try line.reply([
        "identifier": "tea", "scheduled": true, "unchanged": false, "replaced": true,
        "discarded": ["old"],
      ])
      line.awaitEnd()
    }
    let client = try Client(path: peer.path)
    var notification = Notification()
    notification.alertBody = "Tea"
    let reply = try client.schedule(app: "a.b", notification)
    #expect(reply.identifier == "tea" && reply.scheduled && reply.replaced && !reply.unchanged)
    #expect(reply.discarded == ["old"])
  }

  @Test func aFieldOfTheWrongTypeIsAReplyThatCannotBeRead() throws {
    let peer = try Peer { line in
      _ = try line.next()
      try line.reply(["identifier": 7])
      line.awaitEnd()
    }
    let client = try Client(path: peer.path)
    let error = #expect(throws: ClientError.self) {
      try client.schedule(app: nil, Notification())
    }
    guard case .unreadableReply(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.hasPrefix("identifier: "))
  }

  @Test func aListComesAsRowsHoweverManyRepliesItTakes() throws {
    let peer = try Peer { line in
      let call = try line.next()
      #expect(call.more && call.parameters["delivered"] == true)
      for name in ["a", "b", "c"] {
        let row: JSONObject = [
          "app": .string(name), "notification": .object(["identifier": .string("n")]),
          "state": "fired",
        ]
        try line.reply(["notifications": [.object(row)]], continues: name != "c")
      }
      line.awaitEnd()
    }
    let client = try Client(path: peer.path)
    var apps: [String] = []
    try client.list(app: nil, delivered: true) { row throws(ClientError) in apps.append(row.app) }
    #expect(apps == ["a", "b", "c"])
  }

  @Test func N15_cancellingCounts() throws {
    let peer = try Peer { line in
      let call = try line.next()
      #expect(call.parameters["identifiers"]?.array?.compactMap { $0.string } == ["a", "b"])
      try line.reply(["cancelled": 2, "withdrawn": 1])
      line.awaitEnd()
    }
    let client = try Client(path: peer.path)
    let counts = try client.cancel(app: "x", identifiers: ["a", "b"])
    #expect(counts.cancelled == 2 && counts.withdrawn == 1)
  }
}
