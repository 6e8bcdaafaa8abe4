import BelfryClient
import BelfryCore
import BelfryWire
import Testing

@testable import BelfryCommand

struct CommandErrorTests {
  @Test(arguments: [
    ("applicationIconBadgeNumber", "--badge"), ("userInfo.rooms[3]", "--user-info rooms[3]"),
    ("exdate[2]", "--exdate[2]"), ("region.latitude", "--region latitude"), ("volume", "--volume"),
    ("aps.badge", "aps.badge"),
  ])
  func A4_fieldsAreNamedAsTheyWereWritten(_ field: String, _ option: String) {
    #expect(CommandWords.field(field, .notification) == option)
  }

  /// What scripts go by stands on the page and in `belfry help exit`.
  @Test func A4_everyCodeIsDocumented() throws {
    let refusals: [RequestError] = [
      .notPermitted, .notOwner(app: "a"), .notFound(identifier: "a"), .unknownSink(name: "a"),
      .limitReached(limit: "a", value: 1), .unknownSession(1), .storeUnavailable(reason: "a"),
      .tokenExpired, .tokenForeign,
    ]
    let codes =
      refusals.map { CommandError(ClientError.refused($0)).code }
      + FieldError.Code.allCases.map {
        CommandError(ClientError.refused(.invalidField(FieldError("a", $0, "b")))).code
      } + [CommandError.usage("").code, CommandError.refused("").code]
      + [CommandError(ClientError.noDaemon(path: "/a")).code]
    #expect(Set(codes).count == refusals.count + FieldError.Code.allCases.count + 3)
    let page = try CommandLines.ReadmeTests().text("Sources/BelfryServer/README.md")
    let help = HelpText.topic(.exit, width: 80)
    for code in codes {
      #expect(page.contains("`\(code)`"), "\(code)")
      #expect(help.contains(code), "\(code)")
    }
  }

  @Test func A4_callsHaveWordsAndOptionsOfTheirOwn() {
    for (field, written) in [("identifier", "ID"), ("since", "--since"), ("payload", "payload")] {
      #expect(CommandWords.field(field, .call) == written)
    }
  }

  @Test(arguments: [
    (
      "it lies before fireDate, so nothing would ever be due",
      "it lies before --at, so nothing would ever be due"
    ),
    (
      "either a region or fireIn says when it is due",
      "either a region or --in says when it is due"
    ),
    ("there is no rrule whose dates", "there is no --rrule whose dates"),
    ("the volume must be (at most) 1", "the volume must be (at most) 1"),
    ("a part is missing (character 12)", "a part is missing (character 12)"),
    ("no key \"fireDate\" here", "no key \"fireDate\" here"), ("", ""),
    ("until and count and sound", "until and count and sound"),
  ])
  func A4_reasonsHaveNoNamesOfTheWire(_ reason: String, _ said: String) {
    #expect(CommandWords.reason(reason) == said)
  }

  @Test func A4_scriptsGetCodeFieldAndMessage() {
    let late = CommandError.refused(FieldError("fireDate", .outOfRange, "too late"), .notification)
    #expect(late.status == .refused && late.message == "--at: too late")
    #expect(late.json == ["code": "outOfRange", "field": "--at", "message": "too late"])
    let usage = CommandError.usage("a command is needed (belfry --help lists them)")
    #expect(
      usage.json
        == ["code": "usage", "field": .null, "message": .string(usage.message)])
    let path = CommandError.refused("/a/b: there is no such file")
    #expect(path.field == nil && path.message == "/a/b: there is no such file")
    let missing = CommandError(ClientError.refused(.notOwner(app: "radio")))
    #expect((missing.code, missing.field) == ("notOwner", "--app"))
    #expect(CommandError(ClientError.noDaemon(path: "/s")).json["code"] == "noDaemon")
    let daemons = ClientError.refused(.invalidField(FieldError("late", .conflict, "no fireDate")))
    #expect(CommandError(daemons, of: .notification).message == "--late: no --at")
  }
}
