import BelfryKit
import Foundation
import TestSupport
import Testing

/// Samples that are told of pushes, with the real daemon.
@Suite(.ownThreads) struct PushSampleTests {
  /// A record of the shared list was changed.
  private func change(_ record: String, _ reason: Int64, text: String? = nil) -> [String: PushValue]
  {
    var query: [String: PushValue] = ["rid": .string(record), "fo": .integer(reason), "dbs": 2]
    if let text { query["af"] = ["text": .string(text)] }
    return [
      "aps": ["alert": "The list has changed", "badge": 1], "ck": ["qry": .dictionary(query)],
    ]
  }

  @Test func P3_P6_P7_P8_sharedList() throws {
    let daemon = try RunningDaemon()
    let kept = daemon.folder + "/token"
    // What came while the app was not there.
    try daemon.scheduler.push(change("milk", 1, text: "Milk"))
    let first = try RunningSample("SharedList", kept, with: daemon)
    try first.expect("registered, 7 bytes", "add Milk", "marked 1, true")
    try daemon.scheduler.push(change("bread", 2))
    try first.expect(
      "push: The list has changed bread", "public true", "look again at bread", "marked 1, true")
    #expect(first.end() == 0)
    // The next start goes on where the token is: it hears that the second one was read.
    try daemon.scheduler.push(change("milk", 3))
    let second = try RunningSample("SharedList", kept, with: daemon)
    try second.expect("registered, 7 bytes", "remove milk", "marked 1, true")
    #expect(!second.lines.contains("add Milk") && !second.lines.contains("look again at bread"))
  }

  @Test func P1_P7_changeFeed() throws {
    let daemon = try RunningDaemon()
    let sample = try RunningSample("ChangeFeed", state: "background", with: daemon)
    try sample.expect("container iCloud.org.example.feed")
    // Of the container, but nothing new for the app: it hears nothing, and finds them later.
    for zone in ["a", "b", "c"] {
      try daemon.scheduler.push([
        "ck": ["cid": "iCloud.org.example.feed", "fet": ["zid": .string(zone)]]
      ])
    }
    try daemon.scheduler.push([
      "aps": ["content-available": 1],
      "ck": ["cid": "iCloud.org.example.feed", "met": ["dbs": 1, "sid": "private-changes"]],
    ])
    try sample.expect(
      "database 2 of private-changes", "recordZone pruned true", "recordZone pruned true", "more",
      "recordZone pruned true", "database pruned true", "all")
    #expect(!daemon.log.contains("private-changes"))
  }

  private static let ring: [String: PushValue] = [
    "aps": ["alert": "Somebody is at the door", "category": "DOOR", "badge": 1], "door": "back",
  ]

  @Test func P1_P6_D1_D3_D4_doorPush() throws {
    let daemon = try RunningDaemon()
    let sample = try RunningSample("DoorPush", state: "background", with: daemon)
    try sample.expect("launched by hand", "token 73616d706c6573 true")
    // In the background the board shows it, and its button is the app's.
    try daemon.scheduler.push(Self.ring)
    try daemon.scheduler.act(try daemon.shown("Somebody is at the door"), action: "OPEN")
    try sample.expect("OPEN at back")
    #expect(try daemon.scheduler.badge() == 1)
    // A tap brings the app to the front, where it gets the next one itself.
    try daemon.scheduler.push(Self.ring)
    try daemon.scheduler.act(try daemon.shown("Somebody is at the door"))
    try sample.expect("ring at back: Somebody is at the door state 1")
    try daemon.scheduler.push(Self.ring)
    try sample.expect("ring at back: Somebody is at the door state 0")
  }

  @Test func P6_D3_aTapOnAPushLaunchesTheAppWithItsOption() throws {
    let daemon = try RunningDaemon()
    try daemon.install("DoorPush")
    try daemon.scheduler.push(Self.ring)
    try daemon.scheduler.act(try daemon.shown("Somebody is at the door"))
    try waitUntil("launched: \(daemon.out) \(daemon.log)") {
      daemon.out.contains("launched by door back\n")
    }
    #expect(!daemon.out.contains("ring at"))
  }

  @Test func P9_somethingNewLaunchesAnAppThatAsksForIt() throws {
    let daemon = try RunningDaemon()
    try daemon.install("ChangeFeed", keys: "launchForPush = yes\n")
    try daemon.scheduler.push([
      "aps": ["content-available": 1],
      "ck": ["cid": "iCloud.org.example.feed", "met": ["dbs": 3, "sid": "s"]],
    ])
    try waitUntil("launched: \(daemon.out) \(daemon.log)") {
      daemon.out.contains("database 3 of s\ndatabase pruned true\nall\n")
    }
  }

  /// The worked example of BelfryCloudKit's documentation.
  @Test func P6_P7_P8_listApp() throws {
    let daemon = try RunningDaemon()
    let kept = daemon.folder + "/token"
    try daemon.scheduler.push(change("milk", 1))
    let first = try RunningSample("ListApp", arguments: [kept], with: daemon)
    try first.expect("recordCreated milk")
    try daemon.scheduler.push(change("bread", 3))
    try first.expect("recordDeleted bread")
    // Many at once: each is fetched once, in order.
    let many = (0..<20).map { "item\($0)" }
    for name in many { try daemon.scheduler.push(change(name, 2)) }
    try first.expect("recordUpdated item19")
    #expect(first.lines.dropFirst(2) == many.map { "recordUpdated \($0)" }[...])
    try waitUntil { try daemon.scheduler.fetchInbox().entries.allSatisfy { $0.payload == nil } }
    #expect(first.end() == 0)
    try daemon.scheduler.push(change("eggs", 2))
    let second = try RunningSample("ListApp", arguments: [kept], with: daemon)
    try second.expect("recordUpdated eggs")
    #expect(second.lines == ["recordUpdated eggs"])
  }

  @Test func theWorkedExampleStandsInTheDocumentation() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let program = try String(
      contentsOf: root.appendingPathComponent("Tests/Examples/ListApp/ListApp.swift"),
      encoding: .utf8)
    let text = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/BelfryCloudKit/BelfryCloudKit.docc/BelfryCloudKit.md"), encoding: .utf8)
    #expect(text.contains("```swift\n\(program)```"))
  }
}
