import BelfryCore
import BelfrySystem
import Testing

@testable import BelfryCommand

extension CommandLines {
  struct ClockDriftTests {
    static let now = "2026-12-25T08:30:00+01:00"

    func drift(_ words: [String], board: BoardZone = berlin) throws -> String? {
      try read(words, board).trigger.drift(board: board, now: try instant(Self.now))
    }

    private func read(
      _ words: [String], _ board: BoardZone
    ) throws -> (trigger: Trigger, given: Invocation) {
      guard case .run(let given) = try CommandLineParser.parse(["next"] + words) else {
        throw CommandError.usage("not a command to run")
      }
      let now = try instant(Self.now)
      let reader = TriggerReader(given: given, now: now, board: board, files: ZoneFiles())
      return (try reader.read(), given)
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

    /// Of what is due at `next`, which is not the time that was written.
    @Test(arguments: [
      (
        "--at|2027-03-28T02:30", "2027-03-28T01:30Z",
        "02:30 does not exist on 2027-03-28 in # 03:30"
      ),
      (
        "--at|02:30|--repeat|day", "2027-03-28T01:30Z",
        "02:30 does not exist on 2027-03-28 in # 03:30"
      ),
      ("--at|02:30|--repeat|day", "2026-12-26T01:30Z", nil),
      (
        "--at|2027-10-31T02:30", "2027-10-31T00:30Z",
        "02:30 comes twice on 2027-10-31 in # the first"
      ),
      ("--at|2027-03-28T02:30|--gap|shift", "2027-03-28T01:30Z", nil),
      ("--at|2027-10-31T02:30|--overlap|first", "2027-10-31T00:30Z", nil),
      ("--at|2027-03-28T03:30", "2027-03-28T01:30Z", nil), ("--now", nil, nil),
    ])
    func T5_aTimeThatClocksLackOrShowTwiceIsTold(
      _ options: String, _ next: String?, _ words: String?
    ) throws {
      let now = try instant(Self.now)
      for (zone, board) in [("", berlin), ("|--time-zone|Europe/Berlin", .utc)] {
        let (trigger, given) = try read(
          (options + (next == nil ? "" : zone)).split(separator: "|").map { String($0) }, board)
        let told = trigger.passing(
          try next.map { try instant($0) }, given, board: board, now: now)
        let parts = words?.split(separator: "#").map { String($0) } ?? []
        #expect((told == nil) == parts.isEmpty)
        for part in parts { #expect(told?.contains(part) == true, "\(told ?? "nil")") }
      }
    }

    /// A day alone is one of the clocks that the start was written by; the board's are Berlin's.
    @Test(arguments: [
      ("2026-12-28T07:00+09:00", "2026-12-27T22:00Z"),
      ("2026-12-28T23:30-08:00", "2026-12-29T07:30Z"),
      ("2026-12-28T23:30Z", "2026-12-28T23:30Z"), ("2026-12-28T23:30", nil),
    ])
    func T6_aDayThatIsLeftOutIsOneOfTheClocksOfTheStart(_ at: String, _ left: String?) throws {
      let words = ["--at", at, "--repeat", "day", "--exdate", "2027-01-04"]
      let (trigger, _) = try read(words, berlin)
      #expect(trigger.warnings == [] && trigger.draft.exdate.count == 1)
      guard let left, let found = trigger.draft.exdate.first else { return }
      let week = 7 * Nanoseconds.day
      #expect(RFC3339.text(found.advanced(by: -week)) == RFC3339.text(try instant(left)))
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
