import BelfryCore
import Testing

@testable import BelfryWire

/// P1: what only decorates never costs the alert.
struct PushDecorationTests {
  /// Beside an alert; what is named as odd; what the level, thread, category and volume come to.
  struct Row: CustomTestStringConvertible {
    var members: String
    var odd: [String]
    var level = InterruptionLevel.active
    var thread: String?
    var category: String?
    var volume = 1.0
    var testDescription: String { members }
  }

  static let rows = [
    Row(members: #""thread-id": "t", "category": "c""#, odd: [], thread: "t", category: "c"),
    Row(
      members: #""interruption-level": "time-sensitive""#, odd: [], level: .timeSensitive),
    Row(
      members: #""interruption-level": "timeSensitive""#, odd: ["aps.interruption-level"],
      level: .timeSensitive),
    Row(
      members: #""interruption-level": "Time Sensitive""#, odd: ["aps.interruption-level"],
      level: .timeSensitive),
    Row(
      members: #""interruption-level": "PASSIVE""#, odd: ["aps.interruption-level"],
      level: .passive),
    Row(members: #""interruption-level": "loud""#, odd: ["aps.interruption-level"]),
    Row(members: #""interruption-level": 2"#, odd: ["aps.interruption-level"]),
    Row(members: #""interruption-level": null"#, odd: []),
    Row(members: #""interruption-level": """#, odd: ["aps.interruption-level"]),
    Row(members: #""thread-id": 7"#, odd: ["aps.thread-id"]),
    Row(members: #""thread-id": ["t"]"#, odd: ["aps.thread-id"]),
    Row(members: #""thread-id": """#, odd: ["aps.thread-id"]),
    Row(members: #""thread-id": "a\nb", "category": "c""#, odd: ["aps.thread-id"], category: "c"),
    Row(
      members: #""category": "\#(String(repeating: "c", count: 300))", "thread-id": "t""#,
      odd: ["aps.category"], thread: "t"),
    Row(members: #""category": """#, odd: ["aps.category"]),
    Row(members: #""category": 5"#, odd: ["aps.category"]),
    Row(members: #""category": {}"#, odd: ["aps.category"]),
    Row(members: #""category": true, "thread-id": "t""#, odd: ["aps.category"], thread: "t"),
    Row(
      members: #""sound": {"name": "a.wav", "volume": 1.5}"#, odd: ["aps.sound.volume"]),
    Row(
      members: #""sound": {"name": "a.wav", "volume": -0.5}"#, odd: ["aps.sound.volume"]),
    Row(
      members: #""sound": {"name": "a.wav", "volume": "loud"}"#, odd: ["aps.sound.volume"]),
    Row(
      members: #""sound": {"name": "a.wav", "volume": []}"#, odd: ["aps.sound.volume"]),
    Row(
      members: #""sound": {"name": "a.wav", "volume": "0.5"}"#, odd: ["aps.sound.volume"],
      volume: 0.5),
    Row(members: #""sound": {"name": "a.wav", "volume": 0.5}"#, odd: [], volume: 0.5),
    Row(
      members: #""interruption-level": 1, "thread-id": 7, "category": 5"#,
      odd: ["aps.category", "aps.interruption-level", "aps.thread-id"]),
  ]

  @Test(arguments: rows)
  func P1_whatOnlyDecoratesNeverCostsTheAlert(_ row: Row) throws {
    let text = "{\"aps\": {\"alert\": \"Fire\", \(row.members)}}"
    let reading = try PushPayload.read(Array(text.utf8))
    #expect(reading.odd.map(\.path).sorted() == row.odd)
    #expect(reading.odd.allSatisfy { !$0.reason.isEmpty && !$0.reason.hasSuffix(".") })
    let shown = try reading.draft().push.notification
    #expect(shown.alertBody == "Fire")
    #expect(shown.interruptionLevel == row.level)
    #expect(shown.threadIdentifier == row.thread)
    #expect(shown.category == row.category)
    #expect(shown.volume == row.volume)
    // What is kept of it is read as the same; a name that cannot be used is kept.
    let again = try PushPayload.read(reading.payload.encoded)
    #expect(again.payload == reading.payload)
    let kept = [reading.payload.threadIdentifier, reading.payload.category].compactMap { $0 }
    #expect(again.odd.isEmpty || kept != [row.thread, row.category].compactMap { $0 })
  }

  @Test func P1_withinTheAlertToo() throws {
    let text = #"{"aps": {"alert": {"body": "Fire", "category": 5}, "category": "c"}}"#
    let reading = try PushPayload.read(Array(text.utf8))
    #expect(reading.payload.category == "c")
    #expect(reading.odd.map(\.path) == ["aps.alert.category"])
    let other = #"{"aps": {"alert": {"body": "Fire", "category": "c"}, "category": 5}}"#
    #expect(try PushPayload.read(Array(other.utf8)).payload.category == "c")
  }

  /// What is contradictory, or says what is to be shown, is refused as before.
  @Test(arguments: [
    #""sound": 1"#, #""badge": -1"#, #""sound": {"name": 5}"#,
    #""sound": {"name": "a", "critical": "yes"}"#,
  ])
  func P1_whatIsShownIsNotGuessed(_ members: String) {
    #expect(throws: FieldError.self) {
      try PushPayload.read(Array("{\"aps\": {\"alert\": \"Fire\", \(members)}}".utf8))
    }
  }
}
