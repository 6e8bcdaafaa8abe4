import BelfryCore
import BelfryWire
import Testing

@testable import BelfryServer
@testable import BelfrySystem

/// Users take turns by the clock thread's time that they use (A2).
struct ServerTurnTests {
  private func uids(_ incoming: [Server.Incoming]) -> [UInt32] { incoming.map { $0.peer.uid } }

  @Test func A2_aTurnEndsAfterABoundedTime() throws {
    let stage = try Stage()
    stage.work = { _ in Nanoseconds.millisecond }
    let client = try stage.connect()
    for _ in 0..<10 { try client.send("StopSound") }
    #expect(try stage.turn().count == 2)
    stage.server.flush(elapsed: 0)
    #expect(stage.server.hasWork)
    #expect(try stage.turn().count == 2)
  }

  @Test func A2_whoUsesLessIsNextWhoeverCameFirst() throws {
    let stage = try Stage()
    // What the first asks is dear.
    stage.work = { $0.peer.uid == 1000 ? Nanoseconds.millisecond : Nanoseconds.millisecond / 100 }
    let dear = try stage.connect()
    let second = try stage.connect()
    let quiet = try stage.connect(uid: 1001)
    for _ in 0..<50 {
      try dear.send("StopSound")
      try second.send("StopSound")
    }
    for _ in 0..<20 { try quiet.send("StopSound") }
    var order: [UInt32] = []
    for _ in 0..<3 {
      order += uids(try stage.turn())
      stage.server.flush(elapsed: 0)
    }
    // All of his come between the other's first few.
    #expect(order.filter { $0 == 1001 }.count == 20)
    #expect(order.filter { $0 == 1000 }.count <= 6)
  }

  @Test func A2_whoHasUsedUpHisShareWaitsAndOthersDoNot() throws {
    let stage = try Stage()
    stage.work = { $0.peer.uid == 1001 ? 0 : 100 * Nanoseconds.millisecond }
    let dear = try stage.connect()
    let quiet = try stage.connect(uid: 1001)
    let root = try stage.connect(uid: 0)
    for _ in 0..<10 { try dear.send("StopSound") }
    try stage.settle()
    #expect(
      try dear.replies().count == Int(ServerLimits.timeBurst / (100 * Nanoseconds.millisecond)))
    let wake = try #require(stage.server.deadline)
    #expect(wake <= Nanoseconds.second)
    #expect(!stage.server.hasWork)
    try quiet.send("StopSound")
    for _ in 0..<10 { try root.send("StopSound") }
    try stage.settle()
    #expect(try quiet.replies().count == 1)
    #expect(try root.replies().count == 10)
    // A fifth of each second comes back.
    stage.elapsed = wake
    try stage.settle()
    #expect(try dear.replies().count == 1)
    stage.elapsed = wake + Nanoseconds.second
    try stage.settle()
    #expect(try dear.replies().count == 2)
  }

  @Test func A2_aClientThatHasGoneWakesNobodyWhileHisCallsWait() throws {
    let stage = try Stage()
    stage.work = { _ in 100 * Nanoseconds.millisecond }
    let client = try stage.connect()
    // More than one read brings.
    let call = VarlinkCall(
      method: "io.belfry.Scheduler.StopSound", parameters: [:], more: false, oneway: false
    ).encoded
    let calls = 2 * ServerLimits.bytesPerRead / call.count
    let bytes = Array(repeating: call, count: calls).flatMap { $0 }
    #expect(try client.write(bytes) == bytes.count)
    try stage.settle()
    client.close()
    try stage.settle()
    let before = stage.requests.count
    #expect((1..<calls).contains(before))
    #expect(Poll.wait(stage.server.descriptor, .readable, milliseconds: 0).isEmpty)
    #expect(stage.server.connectionCount == 1)
    // With his time they go on, and with the last of them he.
    stage.work = { _ in 0 }
    stage.elapsed = 10 * Nanoseconds.second
    try stage.settle()
    #expect(stage.requests.count == calls)
    #expect(stage.server.connectionCount == 0)
  }

  @Test func A2_whatAClientThatHasGoneOnlyWantedToKnowIsNotLookedFor() throws {
    let stage = try Stage()
    let client = try stage.connect()
    for _ in 0..<8 {
      try client.send("List")
      try client.send("CancelAll")
    }
    client.close()
    try stage.settle()
    #expect(stage.requests.count == 8)
    #expect(stage.server.connectionCount == 0)
  }

  @Test func A2_requestsOfAClientThatHasGoneAreTold() throws {
    let stage = try Stage()
    stage.answer = { _ in nil }
    let client = try stage.connect()
    try client.send("StopSound")
    try stage.settle()
    let asked = stage.requests.map { $0.id }
    client.close()
    try stage.settle()
    #expect(stage.abandoned == asked)
  }
}
