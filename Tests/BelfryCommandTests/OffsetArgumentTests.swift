import BelfryCore
import Testing

@testable import BelfryCommand

extension CommandLines {
  struct OffsetArgumentTests {
    @Test(arguments: [
      ("-15m", DueOffset(seconds: -900)), ("1d", DueOffset(days: 1)), ("-1w", DueOffset(days: -7)),
      ("24h", DueOffset(seconds: 86_400)), ("+1h30m", DueOffset(seconds: 5400)),
      ("-1w2d3h", DueOffset(days: -9, seconds: -10_800)), ("-1.5h", DueOffset(seconds: -5400)),
      ("0s", DueOffset.none), ("-PT15M", DueOffset(seconds: -900)), ("P1D", DueOffset(days: 1)),
      ("-p1w", DueOffset(days: -7)), ("366d", DueOffset(days: 366)),
    ])
    func E4_offsetsAreReadAsTheyAreWritten(_ text: String, _ offset: DueOffset) throws {
      #expect(try OffsetArgument.parse(text) == offset)
      // A value that begins with - is the option's, and no other option.
      let trigger = try TriggerTests().trigger("--at|2028-01-01T09:00|--offset|" + text)
      #expect(trigger.draft.offset == offset)
      let joined = try TriggerTests().trigger("--at|2028-01-01T09:00|--offset=" + text)
      #expect(joined.draft.offset == offset)
    }

    @Test(arguments: [
      "", "-", "soon", "1h1h", "1.5d", "0.5s", "--15m", "-PT", "P1M", "-15 m", "1y",
    ])
    func A4_E4_whatIsNoneIsSaid(_ text: String) throws {
      let error = try #require(throws: CommandError.self) { try OffsetArgument.parse(text) }
      #expect(error.status == .wrongUsage)
      #expect(error.message.hasPrefix("--offset: ") && error.message.contains("-15m"))
    }

    @Test func A4_E4_whatIsNearlyOneIsSuggested() throws {
      for (text, meant) in [
        ("15", "15s or 15m"), ("-90", "-90s or -90m"), ("-15min", "-15m"), ("-1h1d", "-1d1h"),
      ] {
        let error = try #require(throws: CommandError.self) { try OffsetArgument.parse(text) }
        #expect(error.message.hasSuffix("is not a duration; did you mean \(meant)?"))
      }
    }

    @Test(arguments: ["400d", "-400d", "-P400D", "53w", "8785h", "999999999d", "366d1s"])
    func A4_E4_beyond366DaysIsRefused(_ text: String) throws {
      let error = try #require(throws: CommandError.self) { try OffsetArgument.parse(text) }
      #expect(
        error
          == CommandError(
            status: .refused, message: "--offset: it must be between -366 and +366 days"))
    }

    @Test func E4_nextIsWhatIsDue() throws {
      let dates = try TriggerTests().dates(
        "--at|2027-03-28T09:00|--repeat|day|--offset|-1d|--time-zone|Europe/Berlin", count: 2)
      #expect(dates == [try instant("2027-03-27T08:00Z"), try instant("2027-03-28T07:00Z")])
    }

    @Test func E4_whatIsDueInThePastIsRefused() throws {
      let now = try instant("2026-12-25T08:30:00+01:00")
      let trigger = try TriggerTests().trigger("--at|09:00|--offset|-1h")
      let error = try #require(throws: CommandError.self) {
        try trigger.checkAhead(of: now, board: berlin)
      }
      #expect(error.message.hasPrefix("--offset: Fri 08:00 in Europe/Berlin is past"))
      try TriggerTests().trigger("--at|08:00|--offset|1h").checkAhead(of: now, board: berlin)
    }

    @Test func E4_aRegionHasNoOffset() throws {
      let error = try #require(throws: CommandError.self) {
        try TriggerTests().trigger("--region|1,2,3|--offset|-15m")
      }
      #expect(error.message == "--region and --offset cannot stand together")
    }

    @Test func E5_severalRulesReachTheirField() throws {
      let one = try TriggerTests().trigger("--at|09:00|--rrule|FREQ=DAILY").draft
      #expect(one.rrule == RecurrenceRule(.daily) && one.rrules.isEmpty)
      let two = try TriggerTests().trigger(
        "--at|09:00|--rrule|FREQ=DAILY|--rrule|FREQ=HOURLY"
      ).draft
      #expect(two.rrule == nil)
      #expect(two.rrules == [RecurrenceRule(.daily), RecurrenceRule(.hourly)])
      let nine = [String](repeating: "--rrule|FREQ=DAILY", count: 9).joined(separator: "|")
      let error = try #require(throws: CommandError.self) {
        try TriggerTests().trigger("--at|09:00|" + nine)
      }
      #expect(
        error
          == CommandError(
            status: .refused, message: "--rrule: at most 8 rules are allowed, not 9"))
    }

    @Test func E5_nextIsTheUnion() throws {
      let dates = try TriggerTests().dates(
        "--at|2027-01-04T09:00|--rrule|FREQ=WEEKLY;BYDAY=MO,TU|--rrule|FREQ=WEEKLY;BYDAY=TU,WE"
          + "|--exdate|2027-01-06T09:00", count: 4)
      let days = try ["01-04", "01-05", "01-11", "01-12"].map {
        try instant("2027-\($0)T08:00Z")
      }
      #expect(dates == days)
    }
  }
}
