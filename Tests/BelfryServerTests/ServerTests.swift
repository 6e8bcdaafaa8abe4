import BelfryCore
import BelfryWire
import Testing

@testable import BelfryServer

@Suite struct ServerTests {
  private func name(_ reply: JSONValue?) -> String? { reply?["error"]?.string }

  private func scheduled(_ request: Request) -> Reply? {
    guard case .schedule(_, let notification, _) = request else { return .stopped(7) }
    return .scheduled(
      ScheduleReply(
        identifier: notification.identifier ?? "made", scheduled: true, unchanged: false,
        replaced: false, occurrence: nil, next: nil, discarded: []))
  }

  @Test func introspectionIsAnswered() throws {
    let stage = try Stage()
    let client = try stage.connect()
    try client.send("org.varlink.service.GetInfo")
    try client.send(
      "org.varlink.service.GetInterfaceDescription", ["interface": "io.belfry.Scheduler"])
    try client.send("org.varlink.service.GetInterfaceDescription", ["interface": "org.none"])
    try stage.settle()
    let replies = try client.replies()
    #expect(replies.count == 3)
    #expect(
      replies[0]?["parameters"]?["interfaces"]
        == ["org.varlink.service", "io.belfry.Scheduler"])
    // The project has no page on the web, so it names none.
    #expect(replies[0]?["parameters"]?["url"] == "")
    #expect(
      replies[1]?["parameters"]?["description"]?.string
        == Varlink.description(of: "io.belfry.Scheduler"))
    #expect(name(replies[2]) == "org.varlink.service.InterfaceNotFound")
    #expect(replies[2]?["parameters"] == ["interface": "org.none"])
  }

  @Test func aCallSplitAtEveryByteIsOneCall() throws {
    let stage = try Stage()
    stage.answer = scheduled
    let client = try stage.connect()
    let call = VarlinkCall(
      method: "io.belfry.Scheduler.Schedule",
      parameters: ["notification": ["identifier": "é", "alertBody": "tea"]])
    for cut in 1..<call.encoded.count {
      _ = try client.write(Array(call.encoded[..<cut]))
      try stage.settle()
      #expect(try client.replies().isEmpty)
      _ = try client.write(Array(call.encoded[cut...]))
      try stage.settle()
      let replies = try client.replies()
      #expect(replies.map { $0?["parameters"]?["identifier"]?.string } == ["é"])
    }
  }

  @Test func repliesComeInTheOrderOfCalls() throws {
    let stage = try Stage()
    stage.answer = { _ in nil }
    let client = try stage.connect()
    let calls = (1...3).map {
      VarlinkCall(
        method: "io.belfry.Scheduler.Schedule",
        parameters: ["notification": ["identifier": .string("\($0)")]])
    }
    _ = try client.write(calls.flatMap { $0.encoded })
    try client.send("Status")
    try stage.settle()
    #expect(stage.requests.count == 3)
    for incoming in stage.requests.reversed() {
      #expect(try client.replies().isEmpty)
      stage.server.send(incoming.id, try #require(scheduled(incoming.request)))
      stage.server.flush(elapsed: stage.elapsed)
    }
    let replies = try client.replies()
    #expect(
      replies.prefix(3).map { $0?["parameters"]?["identifier"]?.string } == ["1", "2", "3"])
    let status = try #require(replies[3]?["parameters"]?["status"])
    #expect(status["clock"] == "trusted" && status["for"]?.integer == 1000)
  }

  @Test(
    arguments: [
      ("garbage", "io.belfry.Scheduler.MalformedMessage", nil, nil),
      ("", "io.belfry.Scheduler.MalformedMessage", nil, nil),
      ("[]", "io.belfry.Scheduler.MalformedMessage", nil, nil),
      ("{\"method\":1}", "io.belfry.Scheduler.InvalidField", "method", "wrongType"),
      ("{}", "io.belfry.Scheduler.InvalidField", "method", "missing"),
      ("{\"method\":\"a.b\",\"x\":1}", "io.belfry.Scheduler.InvalidField", "x", "unknown"),
      ("{\"method\":\"None\"}", "org.varlink.service.MethodNotFound", nil, nil),
      ("{\"method\":\"a.None\"}", "org.varlink.service.InterfaceNotFound", nil, nil),
      (
        "{\"method\":\"io.belfry.Scheduler.None\"}", "org.varlink.service.MethodNotFound", nil, nil
      ),
      (
        "{\"method\":\"io.belfry.Scheduler.Status\",\"parameters\":{\"x\":1}}",
        "io.belfry.Scheduler.InvalidField", "x", "unknown"
      ),
      (
        "{\"method\":\"io.belfry.Scheduler.Watch\"}", "org.varlink.service.ExpectedMore", nil, nil
      ),
      (
        "{\"method\":\"org.varlink.service.GetInfo\",\"parameters\":{\"x\":1}}",
        "org.varlink.service.InvalidParameter", nil, nil
      ),
      (
        "{\"method\":\"io.belfry.Scheduler.Schedule\",\"parameters\":"
          + "{\"notification\":{\"volume\":NaN}}}",
        "io.belfry.Scheduler.InvalidField", "volume", "malformed"
      ),
      (
        "{\"method\":\"io.belfry.Scheduler.Schedule\",\"parameters\":"
          + "{\"notification\":{\"alertBody\":\"\\ud800\"}}}",
        "io.belfry.Scheduler.InvalidField", "alertBody", "malformed"
      ),
      (
        "{\"method\":\"io.belfry.Scheduler.Schedule\",\"parameters\":"
          + "{\"notification\":{\"region\":{}}}}",
        "io.belfry.Scheduler.InvalidField", "region.latitude", "missing"
      ),
      (
        "{\"method\":\"io.belfry.Scheduler.Cancel\",\"parameters\":"
          + "{\"identifiers\":[\"a\",1]}}",
        "io.belfry.Scheduler.InvalidField", "identifiers[1]", "wrongType"
      ),
      (
        "{\"method\":\"io.belfry.Scheduler.Cancel\",\"parameters\":"
          + "{\"identifiers\":[],\"equal\":{}}}",
        "io.belfry.Scheduler.InvalidField", "equal", "conflict"
      ),
      (
        "{\"method\":\"io.belfry.Scheduler.List\",\"parameters\":{\"app\":\"a/b\"}}",
        "io.belfry.Scheduler.InvalidField", "app", "malformed"
      ),
      (
        "{\"method\":\"io.belfry.Scheduler.List\",\"parameters\":{\"limit\":0}}",
        "io.belfry.Scheduler.InvalidField", "limit", "outOfRange"
      ),
      (
        "{\"method\":\"io.belfry.Scheduler.ReplaceAll\",\"parameters\":"
          + "{\"final\":true,\"notifications\":[{},{\"soundName\":\"../x\"}]}}",
        "io.belfry.Scheduler.InvalidField", "notifications[1].soundName", "malformed"
      ),
    ] as [(String, String, String?, String?)])
  func A4_badInputIsNamedAndTheConnectionGoesOn(
    text: String, error: String, field: String?, code: String?
  ) throws {
    let stage = try Stage()
    let client = try stage.connect()
    _ = try client.write(Array(text.utf8) + [0])
    try client.send("Status")
    try stage.settle()
    let replies = try client.replies()
    #expect(replies.count == 2)
    #expect(name(replies[0]) == error)
    #expect(replies[0]?["parameters"]?.object != nil)
    #expect(replies[0]?["parameters"]?["field"]?.string == field)
    #expect(replies[0]?["parameters"]?["code"]?.string == code)
    #expect(replies[1]?["parameters"]?["status"] != nil)
    #expect(stage.requests.isEmpty)
  }

  @Test(
    arguments: [
      (RequestError.notOwner(app: "x"), "NotOwner", ["app": "x"]),
      (.notFound(identifier: "i"), "NotFound", ["identifier": "i"]),
      (.unknownSink(name: "s"), "UnknownSink", ["name": "s"]),
      (
        .limitReached(limit: "notifications", value: 64), "LimitReached",
        ["limit": "notifications", "value": 64]
      ),
      (.storeUnavailable(reason: "disk full"), "BooksUnavailable", ["reason": "disk full"]),
      (
        .invalidField(FieldError("late", .malformed, "no")), "InvalidField",
        ["field": "late", "code": "malformed", "reason": "no"]
      ),
    ] as [(RequestError, String, JSONValue)])
  func everyRefusalHasItsError(
    error: RequestError, wanted: String, parameters: JSONValue
  ) throws {
    let stage = try Stage()
    stage.answer = { _ in .refused(error) }
    let client = try stage.connect()
    try client.send("CancelAll")
    try stage.settle()
    let reply = try #require(try client.replies().first)
    #expect(name(reply) == "io.belfry.Scheduler." + wanted)
    #expect(reply?["parameters"] == parameters)
    let failure = VarlinkFailure(
      name: name(reply) ?? "", parameters: reply?["parameters"]?.object ?? [:])
    #expect(failure.requestError == error)
  }

  @Test func onewayIsNeverAnswered() throws {
    let stage = try Stage()
    let client = try stage.connect()
    try client.send("CancelAll", oneway: true)
    try client.send("Status", oneway: true)
    try client.send("Nothing", oneway: true)
    try client.send("Watch", oneway: true)
    try client.send("Schedule", ["notification": ["late": 1]], oneway: true)
    let bad = "{\"method\":\"io.belfry.Scheduler.CancelAll\",\"oneway\" : true,\"parameters\":NaN}"
    _ = try client.write(Array(bad.utf8) + [0])
    try client.send("StopSound")
    try stage.settle()
    #expect(stage.requests.count == 2)
    #expect(try client.replies().map { $0?["parameters"] } == [["stopped": 0]])
  }

  @Test func onewayBeforeAHangUpIsCarriedOut() throws {
    let stage = try Stage()
    let client = try stage.connect()
    let call = VarlinkCall(method: "io.belfry.Scheduler.CancelAll", oneway: true).encoded
    _ = try client.write((0..<300).flatMap { _ in call })
    client.close()
    try stage.settle()
    #expect(stage.requests.count == 300)
    #expect(stage.server.connectionCount == 0)
  }

  @Test func halfClosedConnectionsGetTheirReplies() throws {
    let stage = try Stage()
    stage.answer = { _ in nil }
    let client = try stage.connect()
    try client.send("CancelAll")
    client.shutDownWriting()
    try stage.settle()
    stage.server.send(stage.requests[0].id, .cancelled(cancelled: 2, withdrawn: 1))
    stage.server.flush(elapsed: stage.elapsed)
    let replies = try client.replies()
    #expect(replies == [["parameters": ["cancelled": 2, "withdrawn": 1]], nil])
    #expect(stage.server.connectionCount == 0)
  }

  @Test func aMessageMayHaveOneMebibyte() throws {
    let stage = try Stage()
    stage.answer = scheduled
    let client = try stage.connect()
    let start = Array(#"{"method":"io.belfry.Scheduler.Schedule","parameters":{"#.utf8)
    let inner = Array(#""notification":{"alertBody":""#.utf8)
    let end = Array("\"}}}".utf8)
    for size in [1 << 20, (1 << 20) + 4, 3 << 20] {
      let filling = size - start.count - inner.count - end.count
      let message = start + inner + [UInt8](repeating: 0x61, count: filling) + end
      #expect(message.count == size)
      try client.write(message + [0], stage)
      try client.send("Status")
      try stage.settle()
      let replies = try client.replies()
      #expect(replies.count == 2)
      if size == 1 << 20 {
        #expect(replies[0]?["parameters"]?["scheduled"] == true)
      } else {
        #expect(replies[0]?["parameters"]?["field"] == "alertBody")
        #expect(replies[0]?["parameters"]?["code"] == "tooLong")
      }
      #expect(replies[1]?["parameters"]?["status"] != nil)
    }
  }
}
