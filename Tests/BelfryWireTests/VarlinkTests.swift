import BelfryCore
import Foundation
import Testing

@testable import BelfryWire

@Suite struct VarlinkTests {
  private func file(_ interface: String = "io.belfry.Scheduler") throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "Sources/BelfryWire/Varlink/\(interface).varlink"),
      encoding: .utf8)
  }

  @Test func theDescriptionIsTheFile() throws {
    for interface in ["io.belfry.Scheduler", "org.varlink.service"] {
      #expect(try Varlink.description(of: interface) == file(interface))
    }
    #expect(Varlink.description(of: "io.belfry.Other") == nil)
  }

  /// The PyPI client sends only what the description names, so every field has to stand in it with
  /// its type.
  @Test func everyFieldOfANotificationIsDescribed() throws {
    let text = try file()
    let start = try #require(text.range(of: "type Notification (\n"))
    let end = try #require(text.range(of: "\n)", range: start.upperBound..<text.endIndex))
    let lines = text[start.upperBound..<end.lowerBound].split(separator: "\n").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
    }
    #expect(
      Set(lines.filter { !$0.hasPrefix("#") })
        == Set(NotificationField.table.map { "\($0.name): ?\($0.type)" }))
  }

  @Test func descriptionsKeepToWhatClientsRead() throws {
    for interface in ["io.belfry.Scheduler", "org.varlink.service"] {
      let text = try #require(Varlink.description(of: interface))
      #expect(!text.contains("\r") && !text.contains("__") && text.hasSuffix("\n"))
      let code = text.split(separator: "\n").filter {
        !$0.trimmingCharacters(in: .whitespaces).hasPrefix("#")
      }.joined(separator: "\n")
      #expect(code.range(of: ",\\s*\\)", options: .regularExpression) == nil)
      #expect(code.range(of: "\\(\\s*[a-zA-Z]+\\s*\\)", options: .regularExpression) == nil)
      for line in code.split(separator: "\n") where line.hasPrefix("error") {
        #expect(line.contains("("))
      }
    }
  }

  @Test func framesAreCutAtNUL() {
    var frames = VarlinkFrames(limit: 4)
    frames.append(Array("ab\0\0cdef\0ghijk\0l".utf8))
    #expect(frames.next() == .message(Array("ab".utf8)))
    #expect(frames.next() == .message([]))
    #expect(frames.next() == .message(Array("cdef".utf8)))
    #expect(frames.next() == .oversized(Array("ghij".utf8)))
    #expect(frames.next() == nil)
    #expect(frames.isInsideMessage)
    frames.append(Array("mnopqrstuv".utf8))
    #expect(frames.next() == nil)
    #expect(frames.buffered == 4)
    frames.append(Array("w\0x\0".utf8))
    #expect(frames.next() == .oversized(Array("lmno".utf8)))
    #expect(frames.next() == .message(Array("x".utf8)))
    #expect(!frames.isInsideMessage)
  }

  @Test func rowsComeBackAsTheyWent() throws {
    var samples = Samples(random: Seeded(seed: 11))
    let instant = Instant(nanoseconds: 1_790_000_000_123_456_000)
    for state in DeliveryState.allCases {
      let row = HistoryRow(
        app: "a", identifier: "i",
        occurrence: OccurrenceID(
          uuid: UUIDBits(high: samples.random.next(), low: 1), generation: 2, k: 3),
        sink: "s", due: instant, handedOver: instant, acknowledged: nil, state: state,
        reason: "r", attempts: 2)
      #expect(try HistoryRow(row.parameters) == row)
    }
    for kind in WatchEvent.Kind.allCases {
      let event = WatchEvent(
        kind: kind, app: "a", identifier: "i", occurrence: nil, sink: nil, at: instant,
        due: instant, handedOver: nil, reason: "why", missed: 4)
      #expect(try WatchEvent(event.parameters) == event)
    }
    var notification = Notification()
    notification.identifier = "i"
    notification.fireDate = instant
    notification.alertBody = "tea"
    let listed = ListedNotification(
      app: "a", notification: notification, next: instant, state: .held)
    #expect(try ListedNotification(listed.parameters) == listed)
    var silent = listed
    silent.silence = "quiet hours"
    #expect(try ListedNotification(silent.parameters) == silent)
    let reply = ScheduleReply(
      identifier: "i", scheduled: false, unchanged: true, replaced: false, occurrence: nil,
      next: instant, discarded: ["x"])
    #expect(try ScheduleReply(reply.parameters) == reply)
    #expect(Varlink.reply(reply) == Varlink.reply(reply.parameters))
    var demoted = reply
    demoted.demotion = "critical counts as timeSensitive: \"a\" may not be critical"
    #expect(try ScheduleReply(demoted.parameters) == demoted)
    #expect(Varlink.reply(demoted) == Varlink.reply(demoted.parameters))
    #expect(demoted.parameters["interruptionLevel"] == .string("timeSensitive"))
    #expect(demoted.presented["note"] == demoted.parameters["note"])
    var warned = reply
    warned.warnings = ["no sound folder has \"a.wav\"", "quiet hours"]
    #expect(try ScheduleReply(warned.parameters) == warned)
    #expect(Varlink.reply(warned) == Varlink.reply(warned.parameters))
    #expect(warned.presented["warnings"] == warned.parameters["warnings"])
    let added = ScheduleReply(
      identifier: "a \"quoted\\ name\u{1} of many bytes, ünï", scheduled: true, unchanged: false,
      replaced: true,
      occurrence: OccurrenceID(uuid: UUIDBits(high: 7, low: .max), generation: 12, k: -3),
      next: nil, discarded: [])
    #expect(Varlink.reply(added) == Varlink.reply(added.parameters))
    var replaced = ReplaceAllReply(
      added: 1, replaced: 2, unchanged: 3, cancelled: 4, discarded: [])
    #expect(try ReplaceAllReply(replaced.parameters) == replaced)
    (replaced.demoted, replaced.demotion) = (2, "why")
    replaced.warnings = ["a and 2 more: quiet hours"]
    #expect(try ReplaceAllReply(replaced.parameters) == replaced)
  }

  @Test(
    arguments: [
      (#"{"method":"a.B"}"#, nil), (#"{"method":"a.B","parameters":null}"#, nil),
      (#"{"method":"a.B","parameters":{},"more":false,"oneway":null}"#, nil),
      (#"{"method":"a.B","upgrade":true}"#, "upgrade"),
      (#"{"method":"a.B","parameters":[]}"#, "parameters"),
      (#"{"method":"a.B","more":1}"#, "more"), (#"{"methods":"a.B"}"#, "methods"),
    ] as [(String, String?)])
  func callsAreReadStrictly(text: String, field: String?) {
    do throws(VarlinkCall.Unreadable) {
      let call = try VarlinkCall.parse(.message(Array(text.utf8)))
      #expect(field == nil && call == VarlinkCall(method: "a.B"))
    } catch {
      #expect(error.failure.parameters["field"]?.string == field)
    }
  }

  @Test(arguments: [
    (#"{"method":"a.B","oneway":true,"parameters":NaN}"#, true),
    (#"{"parameters":{"x":"\"oneway\":true"},"x":NaN}"#, false),
    (#"{"parameters":{"oneway":true},"x":NaN}"#, false),
    (#"{"x":NaN, "oneway" : true}"#, true), (#"{"x":NaN,"oneway":false}"#, false),
    (#"{"x":"\ud800","oneway":true}"#, true), ("\"oneway\"", false), (#"{"oneway""#, false),
  ])
  func anUnreadableCallMayStillBeOneway(text: String, oneway: Bool) {
    #expect {
      try VarlinkCall.parse(.message(Array(text.utf8)))
    } throws: {
      ($0 as? VarlinkCall.Unreadable)?.oneway == oneway
    }
  }
}
