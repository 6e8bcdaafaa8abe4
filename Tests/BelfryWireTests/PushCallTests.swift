import BelfryCore
import Testing

@testable import BelfryWire

/// The methods of pushes and inboxes.
@Suite struct PushCallTests {
  private static let id = "2f9a4a4b-8b0c-4d3b-9f6e-0123456789ab"

  private func read(_ method: String, _ parameters: String) throws -> SchedulerCall {
    let text = #"{"method": "io.belfry.Scheduler.\#(method)", "parameters": \#(parameters)}"#
    let call = try VarlinkCall.parse(.message(Array(text.utf8)))
    return try SchedulerCall.read(call, defaultApp: "user.7")
  }

  private func failure(_ method: String, _ parameters: String) -> VarlinkFailure? {
    do {
      _ = try read(method, parameters)
      return nil
    } catch let error as VarlinkFailure {
      return error
    } catch {
      return (error as? VarlinkCall.Unreadable)?.failure
    }
  }

  @Test func P6_aPushWithAllThatACallerCanSay() throws {
    let call = try read(
      "Push",
      """
      {"app": "ward", "payload": {"aps": {"alert": "x", "y": 1}}, "id": "\(Self.id)",
       "collapseId": "c", "expiration": 1790000000000000, "limit": 256}
      """)
    guard case .push("ward", let draft) = call else {
      Issue.record("\(call)")
      return
    }
    #expect(draft.push.id?.text == Self.id)
    #expect(draft.push.notification.identifier == "c")
    #expect(draft.push.notification.expires?.microseconds == 1_790_000_000_000_000)
    #expect(draft.ignored.map(\.path) == ["aps.y"])
    guard case .push("user.7", _) = try read("Push", #"{"payload": {"aps": {}}, "id": null}"#)
    else {
      Issue.record("no default app")
      return
    }
  }

  @Test(
    arguments: [
      ("Push", "{}", "payload", "missing"),
      ("Push", #"{"payload": "x"}"#, "payload", "wrongType"),
      ("Push", #"{"payload": []}"#, "payload", "wrongType"),
      ("Push", #"{"payload": {}}"#, "aps", "missing"),
      ("Push", #"{"payload": {"aps": {"badge": -1}}}"#, "aps.badge", "outOfRange"),
      ("Push", #"{"payload": {"aps": {"badge": 1, "badge": 2}}}"#, "aps.badge", "conflict"),
      ("Push", #"{"payload": {"aps": {"alert": "\ud800"}}}"#, "aps.alert", "malformed"),
      ("Push", #"{"payload": {"aps": {}}, "id": "17"}"#, "id", "malformed"),
      ("Push", #"{"payload": {"aps": {}}, "limit": 0}"#, "limit", "outOfRange"),
      ("Push", #"{"payload": {"aps": {}}, "expiration": "x"}"#, "expiration", "wrongType"),
      ("Push", #"{"payload": {"aps": {}}, "collapseId": ""}"#, "collapseId", "malformed"),
      ("Push", #"{"payload": {"aps": {}}, "app": "a b"}"#, "app", "malformed"),
      ("Push", #"{"payload": {"aps": {}}, "topic": "a"}"#, "topic", "unknown"),
      ("FetchInbox", #"{"limit": 0}"#, "limit", "outOfRange"),
      ("FetchInbox", #"{"limit": 1001}"#, "limit", "outOfRange"),
      ("FetchInbox", #"{"since": 4}"#, "since", "wrongType"),
      ("FetchInbox", #"{"container": "a\nb"}"#, "container", "malformed"),
      ("MarkRead", "{}", "ids", "missing"),
      ("MarkRead", #"{"ids": "x"}"#, "ids", "wrongType"),
      ("MarkRead", #"{"ids": ["\#(id)", "x"]}"#, "ids[1]", "malformed"),
      ("MarkRead", #"{"ids": [], "container": 1}"#, "container", "wrongType"),
    ])
  func P1_P7_P8_badParametersAreNamed(
    method: String, parameters: String, field: String, code: String
  ) {
    let failure = failure(method, parameters)
    #expect(failure?.name == "io.belfry.Scheduler.InvalidField")
    #expect(failure?.parameters["field"]?.string == field)
    #expect(failure?.parameters["code"]?.string == code)
  }

  @Test func P1_hostileMessagesNameAPathOrAnOffset() {
    let deep = String(repeating: "[", count: 10_000)
    let bytes = Array(
      #"{"method":"io.belfry.Scheduler.Push","parameters":{"payload":{"aps":{"x":"#.utf8)
    for tail in [Array(deep.utf8), [0x22, 0xFF, 0x22, 0x7D]] {
      guard case .failure(let error) = result(bytes + tail) else {
        Issue.record("it was read")
        continue
      }
      #expect(error.failure.parameters["field"]?.string?.hasPrefix("aps.x") == true)
    }
  }

  private func result(_ bytes: [UInt8]) -> Result<VarlinkCall, VarlinkCall.Unreadable> {
    do throws(VarlinkCall.Unreadable) {
      return .success(try VarlinkCall.parse(.message(bytes)))
    } catch {
      return .failure(error)
    }
  }

  @Test func P7_P8_fetchingAndMarking() throws {
    guard
      case .request(.fetchInbox("user.7", "", nil, 100)) = try read("FetchInbox", "{}"),
      case .request(.fetchInbox("a", "c", "t", 1000)) = try read(
        "FetchInbox", #"{"app": "a", "container": "c", "since": "t", "limit": 1000}"#),
      case .request(.markRead("user.7", "c", let ids)) = try read(
        "MarkRead", #"{"container": "c", "ids": ["\#(Self.id.uppercased())"]}"#)
    else {
      Issue.record("read otherwise")
      return
    }
    #expect(ids.map(\.text) == [Self.id])
    #expect(
      failure("MarkRead", #"{"ids": [\#(String(repeating: "\"x\",", count: 1000))"x"]}"#)?
        .parameters["code"]?.string == "tooLong")
  }

  @Test(arguments: ["Schedule", "PresentNow"])
  func P6_whatCameAsAPushIsTheDaemonsWord(method: String) throws {
    let call = try read(method, #"{"notification": {"alertBody": "x", "push": {"aps": {}}}}"#)
    guard case .request(let request) = call else { return }
    switch request {
    case .schedule(_, let notification, _), .presentNow(_, let notification):
      #expect(throws: FieldError.self) { try notification.validated() }
    default: Issue.record("\(request)")
    }
    let failure = failure(
      "ReplaceAll", #"{"notifications": [{"push": {"aps": {}}}], "final": true}"#)
    #expect(failure?.parameters["field"]?.string == "notifications[0].push")
  }

  // MARK: Replies

  @Test func P9_aReplyToPushComesBackAsItWent() throws {
    var notes = PushNotes()
    notes.pruned = ["recordID"]
    notes.cut = ["alertLocalizationArgs[0]"]
    notes.ignored = [.init(path: "aps.x", reason: "it has no meaning here; kept")]
    let reply = PushReply(
      id: try #require(UUIDBits(text: Self.id)), isDuplicate: false,
      occurrence: OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 0, k: 0))
    #expect(try PushReply(reply.parameters(notes)) == reply)
    #expect(try PushNotes(reply.parameters(notes)) == notes)
    let duplicate = PushReply(id: reply.id, isDuplicate: true, occurrence: nil)
    let parameters = duplicate.parameters(PushNotes())
    #expect(try PushReply(parameters) == duplicate)
    #expect(parameters["occurrence"] == nil)
  }

  @Test func P7_P8_pagesAndMarksComeBackAsTheyWent() throws {
    let id = try #require(UUIDBits(text: Self.id))
    let received = Instant(nanoseconds: 1_790_000_000_123_456_000)
    var entries = [Int64(0), 1, 2, 4].map { kind in
      InboxEntry(
        id: id, position: 0, kind: kind, payload: #"{"aps":{"alert":"x"}}"#, received: received,
        pruned: kind == 1 ? ["recordID"] : [])
    }
    entries.append(
      InboxEntry(
        id: id, position: 0, kind: InboxEntry.readKind, payload: nil, received: received))
    let page = InboxPage(entries: entries, token: "AAEC", moreComing: true)
    #expect(try InboxPage(page.parameters) == page)
    for page in [page, InboxPage(entries: [], token: "\"", moreComing: false)] {
      #expect(Varlink.reply(page) == Varlink.reply(page.parameters))
      #expect(
        Varlink.reply(page, continues: true) == Varlink.reply(page.parameters, continues: true))
    }
    var damaged = page
    damaged.entries[0].payload = "{\0}"
    let message = Varlink.reply(damaged)
    #expect(message.firstIndex(of: 0) == message.count - 1)
    let first = try #require(page.parameters["entries"]?.array?.first)
    #expect(first["isPruned"] == true && first["kind"] == "base")
    #expect(first["payload"] == ["aps": ["alert": "x"]])
    let last = try #require(page.parameters["entries"]?.array?.last)
    #expect(last["kind"] == "readNotification" && last["payload"] == nil)
    let marked = MarkReadReply(marked: [id], unknown: [UUIDBits(high: 0, low: 1)])
    #expect(try MarkReadReply(marked.parameters) == marked)
    for error in [RequestError.tokenExpired, .tokenForeign] {
      #expect(VarlinkFailure(error).requestError == error)
    }
  }
}
