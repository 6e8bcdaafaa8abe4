import BelfryCore
import BelfryWire
import Testing

@testable import BelfryCommand

/// What `belfry push` says of a payload, and `belfry inbox fetch` of an entry.
struct PushExplanationTests {
  private func explanation(_ text: String, limit: Int? = nil) throws -> PushExplanation {
    let reading = try PushPayload.read(Array(text.utf8))
    var options = PushOptions()
    options.limit = limit
    return PushExplanation(reading: reading, draft: try reading.draft(options))
  }

  @Test(arguments: [
    (#"{"aps": {}}"#, "it has no alert, badge or sound"),
    (#"{"aps": {"alert": " "}}"#, "its alert is blank, and it has no badge or sound"),
  ])
  func P1_whyNothingIsShownInWords(payload: String, because: String) throws {
    let row = PushRows.shown(of: try explanation(payload).draft).first
    #expect(row?.property == "nothing" && row?.because == because)
  }

  @Test(
    arguments: [
      (#"{"aps": {"alert": "x"}}"#, ["body=x", "buttons=OK", "badge=stays", "sound=none"]),
      (
        #"{"aps": {"alert": {"loc-key": "K", "body": "b", "action-loc-key": "GO"}, "badge": 0}}"#,
        ["body=K", "buttons=dismiss, GO", "badge=cleared", "sound=none"]
      ),
      (#"{"aps": {"badge": 7}}"#, ["alert=none", "badge=7", "sound=none"]),
      (#"{"aps": {"sound": "a.caf"}}"#, ["alert=none", "badge=stays", "sound=a.caf"]),
      (
        #"{"aps": {"content-available": 1}}"#,
        ["nothing=-", "app=told that something new is there"]
      ),
      (#"{"ck": {"qry": {}}}"#, ["nothing=-"]),
      (
        #"{"aps": {"alert": {"title": "t", "subtitle": "s", "body": "b"}}}"#,
        ["title=t", "subtitle=s", "body=b", "buttons=OK", "badge=stays", "sound=none"]
      ),
    ])
  func P4_whatIsShownInWords(payload: String, rows: [String]) throws {
    let shown = PushRows.shown(of: try explanation(payload).draft).map {
      $0.property + "=" + $0.value
    }
    #expect(shown == rows + ["inbox=the app's own"])
  }

  @Test func P5_P7_aScriptFindsTheSameKeysAlways() throws {
    let plain = try explanation(#"{"aps": {"alert": "x", "y": 1}}"#).object
    #expect(
      plain.members.map(\.name) == [
        "kind", "payload", "bytes", "ignored", "odd", "pruned", "cut", "shown",
      ])
    #expect(plain["shown"]?["alertBody"] == "x")
    #expect(plain["ignored"]?.array?.first?["path"] == "aps.y")
    let pruned = try explanation(
      #"{"aps": {"badge": 1}, "ck": {"cid": "a long name", "qry": {"fo": 1}}}"#, limit: 60
    ).object
    #expect(pruned["pruned"] == ["containerIdentifier"])
    #expect(pruned["kind"] == "CKQueryNotification")
    #expect(try explanation(#"{"aps": {"content-available": 1}}"#).object["shown"] == .null)
  }

  @Test func P7_P8_entriesHaveTheKeysThatScriptsKnow() throws {
    let words = LocalWords(now: try instant("2026-12-25T08:30:00+01:00"), zone: berlin)
    let id = UUIDBits(high: 1, low: 2)
    let received = try instant("2026-12-25T07:00:00Z")
    let entry = InboxEntry(
      id: id, position: 1, kind: 4, payload: #"{"aps":{}}"#, received: received,
      pruned: ["zoneName"])
    let mark = InboxEntry(
      id: id, position: 2, kind: InboxEntry.readKind, payload: nil, received: received)
    for row in [words.json(entry), words.json(mark)] {
      #expect(
        row.members.map(\.name) == ["id", "kind", "received", "payload", "isPruned", "pruned"])
      #expect(row["received"] == "2026-12-25T08:00:00.000000+01:00")
      #expect(row["isPruned"] == true)
    }
    #expect(words.json(entry)["kind"] == "database")
    #expect(words.json(entry)["payload"] == ["aps": [:]])
    #expect(words.json(mark)["kind"] == "readNotification")
    #expect(words.json(mark)["payload"] == .null)
  }
}
