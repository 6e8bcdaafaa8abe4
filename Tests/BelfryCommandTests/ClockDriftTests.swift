import BelfryCore
import BelfrySystem
import Testing

@testable import BelfryCommand

extension CommandLines {
  struct ClockDriftTests {
    static let now = "2026-12-25T08:30:00+01:00"

    func drift(_ words: [String], board: BoardZone = berlin) throws -> String? {
      guard case .run(let given) = try CommandLineParser.parse(["next"] + words) else {
        throw CommandError.usage("not a command to run")
      }
      let now = try instant(Self.now)
      return try TriggerReader(given: given, now: now, board: board, files: ZoneFiles()).read()
        .drift(board: board, now: now)
    }

    @Test func T1_whoRepeatsAnInstantIsToldThatItDrifts() throws {
      #expect(
        try drift(["--at", "2027-01-04T08:00+01:00", "--repeat", "week"])
          == "it repeats by UTC: from 2027-03-29 on at 09:00 in Europe/Berlin, no longer at 08:00;"
          + " --time-zone Europe/Berlin keeps the wall clock")
      let nameless = BoardZone(name: "/etc/localtime", rules: berlin.rules)
      let warning = try drift(["--in", "1d", "--repeat", "day"], board: nameless)
      #expect(warning?.hasSuffix("; --zone-mode floating keeps the wall clock") == true)
    }

    @Test(arguments: [
      ["--at", "2027-01-04T07:00Z", "--repeat", "day"], ["--now", "--repeat", "month"],
      ["--at", "2027-07-04T07:00Z", "--rrule", "FREQ=WEEKLY"],
    ])
    func T1_whatIsDaysApartDrifts(_ words: [String]) throws {
      #expect(try drift(words) != nil)
    }

    @Test(arguments: [
      ["--at", "2027-01-04T08:00", "--repeat", "week"],
      ["--at", "2027-01-04T08:00+01:00", "--repeat", "week", "--time-zone", "Europe/Berlin"],
      ["--at", "2027-01-04T08:00+01:00"], ["--now", "--repeat", "hour"],
      ["--now", "--rrule", "FREQ=HOURLY"],
      // Over before the clocks change.
      ["--at", "2027-01-04T08:00+01:00", "--repeat", "week", "--count", "3"],
      ["--at", "2027-01-04T08:00Z", "--repeat", "day", "--until", "2027-02-01T08:00Z"],
    ])
    func T1_nobodyIsToldInVain(_ words: [String]) throws {
      #expect(try drift(words) == nil)
    }

    @Test func T1_aBoardWhoseClocksNeverChangeHasNoDrift() throws {
      #expect(try drift(["--now", "--repeat", "day"], board: .utc) == nil)
    }

    @Test(arguments: CommandTable.all.flatMap { $0.examples.map { $0.line } })
    func T1_noExampleDrifts(_ line: String) throws {
      let words = line.filter { $0 != "'" }.split(separator: " ").map { String($0) }
      for command in ["schedule", "next"] where words.count > 2 && words[1] == command {
        let trigger = words.drop { !$0.hasPrefix("--at") }
        if !trigger.isEmpty { #expect(try drift(trigger.filter { $0 != "--json" }) == nil) }
      }
    }
  }
}
