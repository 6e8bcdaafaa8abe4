import BelfryCore
import Testing

@testable import BelfryWire

@Suite struct EverydayCallTests {
  private func read(_ method: String, _ parameters: String) throws -> Request {
    let text = #"{"method":"io.belfry.Scheduler.\#(method)","parameters":\#(parameters)}"#
    let call = try VarlinkCall.parse(.message(Array(text.utf8)))
    guard case .request(let request) = try SchedulerCall.read(call, defaultApp: "own") else {
      throw FieldError(method, .unknown, "it is no request")
    }
    return request
  }

  private func refusal(_ method: String, _ parameters: String) -> String? {
    do {
      _ = try read(method, parameters)
      return nil
    } catch let failure as VarlinkFailure {
      return failure.parameters["field"]?.string
    } catch {
      return "\(error)"
    }
  }

  @Test func E1_whatIsPausedIsNamedInOneWay() throws {
    guard
      case .everyday("own", .pause(let identifiers, nil, let until)) = try read(
        "Pause", #"{"identifiers":["a","b"],"until":1800000000000000}"#)
    else { return #expect(Bool(false)) }
    #expect(identifiers == ["a", "b"])
    #expect(until == Instant(nanoseconds: 1_800_000_000 * Nanoseconds.second))
    guard case .everyday(nil, .resume(let none)) = try read("Resume", #"{"all":true}"#) else {
      return #expect(Bool(false))
    }
    #expect(none.isEmpty)
    #expect(refusal("Pause", #"{"all":true,"app":"x"}"#) == "all")
    // What a client has dropped is not to silence all.
    #expect(refusal("Pause", "{}") == "identifiers")
    #expect(refusal("Pause", #"{"until":1800000000000000}"#) == "identifiers")
    #expect(refusal("Pause", #"{"identifiers":[]}"#) == "identifiers")
    #expect(refusal("Pause", #"{"identifiers":[""]}"#) == "identifiers[0]")
    #expect(refusal("Pause", #"{"since":1}"#) == "since")
  }

  @Test func E2_aSkipIsByCountOrByInstant() throws {
    guard case .everyday("own", .skip("a", 1)) = try read("Skip", #"{"identifier":"a"}"#) else {
      return #expect(Bool(false))
    }
    #expect(refusal("Skip", #"{"identifier":"a","count":1001}"#) == "count")
    #expect(refusal("Skip", #"{"identifier":"a","count":1,"at":5}"#) == "at")
    #expect(refusal("Unskip", "{}") == "identifier")
  }

  private func edited(_ parameters: String, _ before: Notification) throws -> Notification {
    guard case .everyday(_, .edit(_, let change)) = try read("Edit", parameters) else {
      throw FieldError("Edit", .unknown, "it is no edit")
    }
    return try change(before)
  }

  @Test func E7_fieldsAreSetClearedOrLeft() throws {
    var before = Notification()
    before.identifier = "a"
    before.alertBody = "Body"
    before.alertTitle = "Title"
    before.fireDate = Instant(nanoseconds: Nanoseconds.second)
    before.userInfo = ["a": .integer(1)]
    var after = before
    after.alertBody = "New"
    after.alertTitle = nil
    let parameters = #"{"identifier":"a","set":{"alertBody":"New"},"clear":["alertTitle"]}"#
    #expect(try edited(parameters, before) == after)
    // What says when takes its rivals away.
    after = before
    after.fireDate = nil
    after.fireIn = Nanoseconds.second
    #expect(try edited(#"{"identifier":"a","set":{"fireIn":1000000}}"#, before) == after)
  }

  @Test func E7_whatIsWrongIsNamed() {
    let refused = { (parameters: String) in
      refusal("Edit", #"{"identifier":"a",\#(parameters)}"#)
    }
    #expect(refused(#""clear":["alertBodi"]"#) == "clear[0]")
    #expect(refused(#""clear":["identifier"]"#) == "clear[0]")
    #expect(refused(#""set":{"identifier":"b"}"#) == "set.identifier")
    #expect(refused(#""set":{"alertBody":1}"#) == "set.alertBody")
    #expect(refused(#""set":{"alertBody":"x"},"clear":["alertBody"]"#) == "clear[0]")
  }

  @Test func E1_E2_repliesAreReadAsTheyWereWritten() throws {
    let instant = Instant(nanoseconds: 7 * Nanoseconds.second)
    var paused = PauseReply(from: instant, until: nil)
    paused.ending = [.init(app: "x", identifier: "a", due: instant)]
    (paused.more, paused.critical) = (3, 1)
    #expect(try PauseReply(#require(Reply.paused(paused).parameters)) == paused)
    let resumed = ResumeReply(resumed: 2, stillPaused: "its app is paused")
    #expect(try ResumeReply(#require(Reply.resumed(resumed).parameters)) == resumed)
    let skipped = SkipReply(instants: [instant], next: instant)
    #expect(try SkipReply(#require(Reply.skipped(skipped).parameters)) == skipped)
    let runs = [
      PassedRun(first: instant, last: instant, reason: "skipped by request"),
      PassedRun(first: instant, last: nil, reason: "it is paused"),
    ]
    let next = Reply.occurrences([.init(instant: instant, because: nil)], passed: runs)
    #expect(try PassedRun.read(#require(next.parameters)) == runs)
    var status = PauseStatus()
    status.spans = [.init(app: nil, from: instant, until: nil)]
    (status.notifications, status.openNotifications) = (2, 1)
    #expect(PauseStatus(status.parameters) == status)
    #expect(PauseStatus().parameters.isEmpty)
  }
}
