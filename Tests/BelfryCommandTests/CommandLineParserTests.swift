import BelfryCore
import Testing

@testable import BelfryCommand

/// One at a time: getopt_long keeps its place in globals.
@Suite(.serialized) enum CommandLines {}

extension CommandLines {
  struct CommandLineParserTests {
    struct Wrong: Sendable {
      var line: String
      var status: EndStatus
      var says: String
    }

    /// Splits at spaces; what a test writes needs no quoting.
    static func parse(_ line: String) throws(CommandError) -> CommandLineParser.Parsed {
      try CommandLineParser.parse(line.split(separator: " ").map { String($0) })
    }

    static func invocation(_ line: String) throws -> Invocation {
      guard case .run(let invocation) = try parse(line) else {
        throw CommandError.usage("not a command to run: " + line)
      }
      return invocation
    }

    @Test func everyOptionIsInTheTableOnce() {
      for name in OptionName.allCases {
        #expect(OptionTable.all.filter { $0.name == name }.count == 1, "\(name)")
      }
      let used = CommandTable.all.flatMap { $0.options } + OptionTable.common
      #expect(Set(used) == Set(OptionName.allCases))
    }

    @Test func everyCommandOfTheDesignIsThere() {
      let names = [
        "try", "schedule", "next", "list", "cancel", "watch", "badge", "act", "dismiss", "snooze",
        "test", "unit", "status", "doctor", "history", "stop-sound", "trust-clock", "fix",
        "sound check", "sound play", "plugin list", "plugin check", "push",
        "inbox fetch", "inbox mark-read", "app list", "app show",
      ]
      for name in names { #expect(CommandTable.spec(name) != nil, "\(name)") }
    }

    @Test func optionsAndWordsInAnyOrder() throws {
      let given = try Self.invocation("--json cancel one --app radio two -- --three")
      #expect(given.command.name == "cancel")
      #expect(given.operands == ["one", "two", "--three"])
      #expect(given.has(.json))
      #expect(given.value(.app) == "radio")
      #expect(!given.has(.all))
    }

    @Test func argumentsThatLookLikeOptionsAreTaken() throws {
      let given = try Self.invocation("schedule --body=--at --badge -1 --in 5m")
      #expect(given.value(.body) == "--at")
      #expect(given.value(.badge) == "-1")
      #expect(given.value(.inDuration) == "5m")
    }

    @Test func beginningsAreEnoughWhereTheyAreUnique() throws {
      #expect(try Self.invocation("schedule --bod x --now").value(.body) == "x")
      #expect(try Self.invocation("next --at 07:00 -n4").value(.number) == "4")
      #expect(try Self.invocation("history -n 5").value(.limit) == "5")
    }

    static let wrong: [Wrong] = [
      Wrong(
        line: "", status: .wrongUsage, says: "a command is needed (belfry --help lists them)"),
      Wrong(
        line: "shedule", status: .wrongUsage,
        says:
          "no command \"shedule\"; did you mean schedule? (belfry --help lists them)"),
      Wrong(
        line: "xyzzy", status: .wrongUsage, says: "no command \"xyzzy\" (belfry --help lists them)"),
      Wrong(
        line: "sound", status: .wrongUsage, says: "sound needs one of: check, play"),
      Wrong(
        line: "sound plya x", status: .wrongUsage,
        says: "no command \"sound plya\"; did you mean sound play?"
          + " (sound needs one of: check, play)"),
      Wrong(
        line: "sound play", status: .wrongUsage, says: "sound play needs SOUND"),
      Wrong(
        line: "schedule --bdoy x", status: .wrongUsage,
        says: "no option \"--bdoy\"; did you mean --body? (belfry schedule --help)"),
      Wrong(
        line: "schedule --bdoy=x", status: .wrongUsage,
        says: "no option \"--bdoy\"; did you mean --body? (belfry schedule --help)"),
      Wrong(
        line: "schedule --body", status: .wrongUsage,
        says: "--body needs TEXT (belfry schedule --help)"),
      Wrong(line: "next -n", status: .wrongUsage, says: "-n needs N (belfry next --help)"),
      Wrong(
        line: "schedule --now=1", status: .wrongUsage, says: "--now takes no argument"),
      Wrong(
        line: "schedule --body a --body b", status: .wrongUsage,
        says: "--body is given twice (belfry schedule --help)"),
      Wrong(
        line: "schedule --t x", status: .wrongUsage,
        says: "--t may be --title, --thread, --to, --time-zone, --tolerance"),
      // A beginning that is a word for another option, or would mean everything.
      Wrong(
        line: "schedule --body x --time 07:00", status: .wrongUsage,
        says: "no option \"--time\"; did you mean --at? (belfry schedule --help)"),
      Wrong(
        line: "schedule --zone Europe/Berlin", status: .wrongUsage,
        says: "no option \"--zone\"; did you mean --time-zone? (belfry schedule --help)"),
      Wrong(
        line: "schedule --except=2030-01-01", status: .wrongUsage,
        says: "no option \"--except\"; did you mean --exdate? (belfry schedule --help)"),
      Wrong(
        line: "cancel --al", status: .wrongUsage,
        says: "no option \"--al\"; did you mean --all? (belfry cancel --help)"),
      Wrong(
        line: "--all list", status: .wrongUsage,
        says: "--all stands after its command: belfry COMMAND --all"),
      Wrong(
        line: "list -x", status: .wrongUsage, says: "no option \"-x\" (belfry list --help)"),
      Wrong(
        line: "list --body x", status: .wrongUsage,
        says: "list has no --body; it belongs to schedule, edit"),
      Wrong(
        line: "--body x schedule", status: .wrongUsage,
        says: "--body stands after its command: belfry schedule --body"),
      Wrong(
        line: "list everything", status: .wrongUsage,
        says: "list does not take \"everything\"; for one there is belfry next everything"
          + " (belfry list --help)"),
      Wrong(line: "fix", status: .wrongUsage, says: "fix needs LAT,LON"),
      Wrong(
        line: "fix -3,4 5,6", status: .wrongUsage,
        says: "fix does not take \"5,6\" (belfry fix --help)"),
      Wrong(
        line: "badge 3 4", status: .wrongUsage,
        says: "badge does not take \"4\" (belfry badge --help)"),
      Wrong(
        line: "plugin new", status: .wrongUsage,
        says: "no command \"plugin new\" (plugin needs one of: list, check)"),
      Wrong(
        line: "inbox fetch --text x", status: .wrongUsage,
        says: "inbox fetch has no --text; it belongs to act"),
      Wrong(
        line: "inbox", status: .wrongUsage, says: "inbox needs one of: fetch, mark-read"),
      Wrong(line: "push", status: .wrongUsage, says: "push needs FILE"),
      // A number or a name without its option.
      Wrong(
        line: "next tea 5", status: .wrongUsage,
        says: "next does not take \"5\"; did you mean -n 5? (belfry next --help)"),
      Wrong(
        line: "history tea", status: .wrongUsage,
        says: "history does not take \"tea\"; did you mean --id tea? (belfry history --help)"),
      Wrong(
        line: "fix 52.5,13 20m", status: .wrongUsage,
        says: "fix does not take \"20m\"; did you mean --accuracy 20? (belfry fix --help)"),
      Wrong(
        line: "pause tea --for 1h", status: .wrongUsage,
        says: "no option \"--for\"; did you mean --until? (belfry pause --help)"),
      Wrong(
        line: "push a b", status: .wrongUsage,
        says: "push does not take \"b\" (belfry push --help)"),
    ]

    @Test(arguments: wrong)
    func wrongUsageIsNamed(_ row: Wrong) {
      #expect(throws: CommandError(status: row.status, message: row.says)) {
        _ = try Self.parse(row.line)
      }
    }

    @Test(arguments: [
      "--help", "-h", "schedule --help", "schedule --body x --help", "sound --help", "badge --help",
      "--help list", "--help sound", "--version", "list --version",
    ])
    func helpNeedsNothingElse(_ line: String) throws {
      if case .run = try Self.parse(line) { Issue.record("runs: \(line)") }
    }
  }
}
