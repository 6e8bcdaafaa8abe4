import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import Testing

@testable import BelfryWorker

/// push/1 between a worker and its plugin.
@Suite struct PushTests {
  private struct Stage {
    var clock: ClockDouble
    var out: String

    init(_ settings: [String: String]) throws {
      let run = try Fixtures.scratch()
      out = run + "/out"
      var settings = settings
      settings["out"] = out
      clock = try ClockDouble(try Fixtures.plugin("pusher"), settings: settings, run: run)
      _ = try clock.ready()
    }

    /// The next push; nil: the worker went without one.
    func push() -> PluginPush? {
      func push(_ message: MessageFromChild) -> PluginPush? {
        if case .push(let push) = message { return push }
        return nil
      }
      return clock.next(push)
    }

    /// The host's answers to the plugin, once there are so many.
    func answers(_ count: Int) throws -> [String] {
      func lines() -> [[String: String]] {
        Recording(out).lines.filter { $0["event"] == "push" }
      }
      try Fixtures.wait("\(count) answers of the host") { lines().count >= count }
      return lines().map { $0["answer"] ?? "" }
    }

    func pushed() throws -> [String: String] {
      func line() -> [String: String]? {
        Recording(out).lines.last { $0["event"] == "pushed" }
      }
      try Fixtures.wait("an answer of the clock's") { line() != nil }
      return line() ?? [:]
    }
  }

  @Test func itGoesToTheClockAsItIs() throws {
    let payload = "{\"aps\":{\"badge\":-1}}"
    let stage = try Stage([
      "payload": payload, "app": "org.example.tea", "owner": "1001", "id": "7", "collapse": "tea",
    ])
    var expected = PluginPush(token: 1, app: "org.example.tea", payload: Array(payload.utf8))
    expected.uid = 1001
    expected.id = UUIDBits(high: 0, low: 7)
    expected.collapseIdentifier = "tea"
    #expect(stage.push() == expected)
  }

  @Test func whatIsNotSaidIsNotThere() throws {
    let push = try #require(try Stage([:]).push())
    #expect(push == PluginPush(token: 1, app: nil, payload: push.payload))
  }

  @Test func malformedUTF8IsTheClocksToRefuse() throws {
    let push = try #require(try Stage(["do": "bytes"]).push())
    #expect(push.payload == Array("{\"aps\":{\"alert\":\"".utf8) + [0xFF, 0] + Array("\"}}".utf8))
  }

  @Test func theLargestFits() throws {
    #expect(try Stage(["do": "largest"]).push()?.payload.count == 64 << 10)
  }

  @Test func aThreadOfThePluginsMayPush() throws {
    #expect(try Stage(["do": "thread"]).push() != nil)
  }

  @Test(
    arguments: [
      (.accepted, 0, 0, ""), (.duplicate, 1, 0, ""),
      (.refused(reason: "aps.badge: no"), 2, 0, "aps.badge:_no"),
      (.later(reason: "the disk is full", after: 5), 3, 5, "the_disk_is_full"),
    ] as [(PluginPushAnswer, Int, Int, String)])
  func itHearsWhatBecameOfIt(
    answer: PluginPushAnswer, status: Int, after: Int, text: String
  ) throws {
    let stage = try Stage([:])
    _ = stage.push()
    stage.clock.send(.pushed(token: 1, answer))
    let line = try stage.pushed()
    #expect(line["token"] == "1" && line["status"] == "\(status)")
    #expect(line["after"] == "\(after)" && line["text"] == text)
    // LATER: the same token again.
    if status == 3 { #expect(stage.push()?.token == 1) }
  }

  @Test func A2_itFloodsAndOnly64AreUnderWay() throws {
    let stage = try Stage(["do": "flood"])
    let answers = try stage.answers(200)
    #expect(answers.prefix(64).allSatisfy { $0 == "0" })
    #expect(answers.dropFirst(64).allSatisfy { $0 == "-3" })
    for token in 1...UInt64(64) { #expect(stage.push()?.token == token) }
  }

  @Test func A2_eachAnswerMakesRoomForOneMore() throws {
    let stage = try Stage(["do": "repeat"])
    for _ in 0..<500 {
      let push = try #require(stage.push())
      stage.clock.send(.pushed(token: push.token, .accepted))
    }
    #expect(try stage.answers(500).allSatisfy { $0 == "0" })
  }

  @Test func itBreaksTheRulesAndIsToldSo() throws {
    let stage = try Stage(["do": "break"])
    // A short struct, 1 MiB, a byte over 64 KiB, a long app, a long collapse id, two that are no uid;
    // one that is right, and the same token again.
    let expected = ["-1", "-1", "-1", "-1", "-1", "-1", "-1", "0", "-1"]
    #expect(try stage.answers(9) == expected)
    #expect(stage.push()?.token == 6)
  }

  @Test func answersThatItDoesNotAwaitDoNotReachIt() throws {
    let stage = try Stage([:])
    _ = stage.push()
    stage.clock.send(.pushed(token: 9, .accepted))
    stage.clock.send(.pushed(token: 1, .accepted))
    stage.clock.send(.pushed(token: 1, .refused(reason: "twice")))
    stage.clock.send(.stop)
    #expect(try stage.clock.end() == .exited(0))
    let lines = Recording(stage.out).lines.filter { $0["event"] == "pushed" }
    #expect(lines.map { $0["token"] } == ["1"] && lines.first?["status"] == "0")
  }

  @Test func itDiesInTheAnswer() throws {
    let stage = try Stage(["do": "die"])
    _ = stage.push()
    stage.clock.send(.pushed(token: 1, .accepted))
    #expect(try stage.clock.end() == .killed(SIGABRT))
  }

  @Test func withoutPush1ThereIsNone() throws {
    let clock = try ClockDouble(
      try Fixtures.plugin("push_nobody"), run: try Fixtures.scratch())
    _ = try clock.ready()
    clock.send(.deliver(Sample.delivery(Sample.id())))
    #expect(clock.answer()?.answer == .done(note: nil))
  }

  @Test func aCheckCountsWhatItPushes() throws {
    let plugin = try Fixtures.plugin("pusher")
    for (what, count) in [("nothing", 0), ("once", 1), ("flood", 64)] {
      let (text, end) = try Fixtures.output(
        Fixtures.worker, ["--check", plugin, "--set", "do=" + what])
      #expect(text.contains("push      \(count) at once"), "\(what): \(text)")
      #expect(end == .exited(0))
    }
  }
}
