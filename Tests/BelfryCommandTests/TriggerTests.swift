import BelfryCore
import BelfrySystem
import Testing

@testable import BelfryCommand

extension CommandLines {
  struct TriggerTests {
    /// 2026-12-25T08:30 in Berlin.
    func trigger(
      _ options: String, board: BoardZone = berlin, now: String = "2026-12-25T08:30:00+01:00"
    ) throws -> Trigger {
      let words = ["next"] + options.split(separator: "|").map { String($0) }
      guard case .run(let given) = try CommandLineParser.parse(words) else {
        throw CommandError.usage("not a command to run")
      }
      return try TriggerReader(
        given: given, now: instant(now), board: board, files: ZoneFiles()
      ).read()
    }

    struct Row: CustomTestStringConvertible {
      var options: String
      var mode: ZoneMode
      var zone: String?
      var fireDate: String?
      var testDescription: String { options }
    }

    static let rows = [
      // T1: an offset, or nothing that a zone could move.
      Row(options: "--now", mode: .absolute),
      Row(options: "--in|1h30m", mode: .absolute, fireDate: "2026-12-25T10:00:00+01:00"),
      Row(options: "--at|2027-01-01T07:00Z", mode: .absolute, fireDate: "2027-01-01T07:00Z"),
      Row(options: "--in|10m|--repeat|day", mode: .absolute, fireDate: "2026-12-25T07:40Z"),
      Row(
        options: "--at|09:00|--zone-mode|absolute", mode: .absolute, fireDate: "2026-12-25T08:00Z"),
      Row(
        options: "--at|2027-01-01T09:00|--zone-mode|absolute|--time-zone|Asia/Tokyo",
        mode: .absolute, fireDate: "2027-01-01T00:00Z"),
      // T2: a clock on the wall, which UTC can show as well as any other.
      Row(options: "--at|09:00", mode: .floating, zone: "UTC", fireDate: "2026-12-25T09:00Z"),
      Row(
        options: "--at|2027-03-28T02:30|--repeat|day", mode: .floating, zone: "UTC",
        fireDate: "2027-03-28T02:30Z"),
      Row(
        options: "--at|2027-01-01T07:00Z|--zone-mode|floating", mode: .floating, zone: "UTC",
        fireDate: "2027-01-01T08:00Z"),
      Row(
        options: "--at|2013-08-31T19:00Z|--zone-mode|floating|--time-zone|America/Los_Angeles",
        mode: .floating, zone: "America/Los_Angeles", fireDate: "2013-08-31T19:00Z"),
      // T3.
      Row(
        options: "--at|2027-01-01T09:00|--time-zone|Asia/Tokyo", mode: .zoned, zone: "Asia/Tokyo",
        fireDate: "2027-01-01T00:00Z"),
      Row(
        options: "--at|09:00|--time-zone|Asia/Tokyo", mode: .zoned, zone: "Asia/Tokyo",
        fireDate: "2026-12-26T00:00Z"),
      Row(
        options: "--at|2027-01-01T07:00Z|--time-zone|Asia/Tokyo", mode: .zoned,
        zone: "Asia/Tokyo", fireDate: "2027-01-01T07:00Z"),
      Row(
        options: "--at|2027-01-01T09:00|--zone-mode|zoned", mode: .zoned, zone: "Europe/Berlin",
        fireDate: "2027-01-01T08:00Z"),
      // T5: what has no instant is moved before it travels.
      Row(
        options: "--at|2027-03-28T02:30|--time-zone|Europe/Berlin", mode: .zoned,
        zone: "Europe/Berlin", fireDate: "2027-03-28T01:30Z"),
      Row(
        options: "--at|2027-03-28T02:30|--time-zone|Europe/Berlin|--gap|next", mode: .zoned,
        zone: "Europe/Berlin", fireDate: "2027-03-28T01:00Z"),
    ]

    @Test(arguments: rows)
    func T3_timesAreReadByTheirMode(_ row: Row) throws {
      let trigger = try trigger(row.options)
      #expect(trigger.mode == row.mode)
      #expect(trigger.draft.mode == row.mode)
      #expect(trigger.draft.timeZone == row.zone)
      #expect(trigger.draft.fireDate == (try row.fireDate.map { try instant($0) }))
      #expect(try trigger.draft.validated() == trigger.draft)
    }

    @Test func T9_onceInAWhileRunsOnAClockThatNoStepMoves() throws {
      #expect(try trigger("--in|1h30m").draft.fireIn == 90 * Nanoseconds.minute)
      #expect(try trigger("--in|10m|--repeat|day").draft.fireIn == nil)
      #expect(try trigger("--in|10m|--time-zone|Asia/Tokyo").draft.fireIn == nil)
    }

    @Test func T6_repeatsReachTheirFields() throws {
      let draft = try trigger(
        "--at|2027-01-31T09:00|--repeat|month|--every|3|--until|2028-01-31T09:00|--count|4"
          + "|--gap|next|--overlap|both|--month-end|roll"
      ).draft
      #expect(draft.repeatInterval == .month && draft.every == 3 && draft.count == 4)
      #expect(draft.until == (try instant("2028-01-31T09:00Z")))
      #expect((draft.gap, draft.overlap, draft.monthEnd) == (.next, .both, .roll))
      let zoned = try trigger("--at|09:00|--repeat|day|--time-zone|Asia/Tokyo|--until|09:00").draft
      #expect(zoned.until == (try instant("2026-12-26T00:00Z")))
    }

    @Test func T6_aDateAloneEndsARepeatAtItsEnd() throws {
      let options = "--at|2027-01-01T09:00|--repeat|day|--until|2027-01-03"
      #expect(try trigger(options).draft.until == (try instant("2027-01-03T23:59:59.999999Z")))
      let zoned = try trigger(options + "|--time-zone|Asia/Tokyo").draft
      #expect(zoned.until == (try instant("2027-01-03T14:59:59.999999Z")))
    }

    /// The first `count` from the start on.
    func dates(_ options: String, count: Int32) throws -> [Instant] {
      let trigger = try trigger(options)
      let now = try instant("2026-12-25T08:30:00+01:00")
      let table = try trigger.draft.validated().reading(
        scheduledAt: now, named: trigger.named.rules, board: berlin.rules
      ).timetable()
      return Occurrences.next(
        in: table, after: .distantPast, expires: nil, count: count, zoneName: ""
      ).map { $0.instant }
    }

    @Test(arguments: [
      "2027-03-27T02:30|--repeat|day", "2027-01-01T09:00|--repeat|day|--every|3",
      "2027-01-01T09:00|--repeat|week|--every|2", "2027-01-31T09:00|--repeat|month",
      "2027-01-31T09:00|--repeat|month|--month-end|skip",
      "2027-01-31T09:00|--repeat|month|--month-end|roll", "2027-01-31T09:00|--repeat|quarter",
      "2028-02-29T09:00|--repeat|year", "2027-01-01T00:30|--repeat|minute|--every|40",
      "2027-01-01T09:00|--repeat|day|--count|7", "2027-01-01T09:00|--repeat|day|--until|2027-01-07",
    ])
    func T6_datesAreTakenOutOfARepeatAsOutOfARule(_ options: String) throws {
      let all = try dates("--at|" + options, count: 8)
      let excluded = RFC3339.text(all[2])
      let rest = try dates("--at|" + options + "|--exdate|" + excluded, count: 7)
      #expect(rest == all.filter { $0 != all[2] })
      let added = try dates("--at|" + options + "|--rdate|2026-12-31T00:00", count: 8)
      #expect(added.count == 8 && Array(added.dropFirst()) == Array(all.prefix(7)))
    }

    @Test(arguments: [("--repeat|yearForWeekOfYear"), ("--repeat|month|--calendar|hebrew")])
    func T6_whatNoRuleSaysKeepsItsDates(_ options: String) throws {
      let error = try #require(throws: CommandError.self) {
        try trigger("--at|09:00|--exdate|2027-01-31T09:00|" + options)
      }
      #expect(error.status == .wrongUsage)
      #expect(error.message.hasPrefix("--exdate and --"))
    }

    @Test(arguments: [
      ("", true, true, true), ("|--on|both", true, true, true), ("|--on|enter", true, false, true),
      ("|--on|exit|--every-crossing", false, true, false),
    ])
    func R1_aPlaceReachesItsFields(
      _ more: String, _ onEntry: Bool, _ onExit: Bool, _ once: Bool
    ) throws {
      let trigger = try trigger("--region|-33.86,151.21,12.5" + more)
      #expect(
        trigger.draft.region
          == CircularRegion(
            latitude: -33.86, longitude: 151.21, radius: 12.5, notifyOnEntry: onEntry,
            notifyOnExit: onExit))
      #expect(trigger.draft.regionTriggersOnce == once)
      #expect(!trigger.isNow && trigger.mode == .absolute)
    }

    @Test func R1_aPlaceInWords() {
      var draft = Notification()
      draft.region = CircularRegion(latitude: 52.5, longitude: -13, radius: 100)
      #expect(draft.crossingWords == "when the board enters or leaves 100 m around 52.5,-13")
      draft.region?.notifyOnExit = false
      draft.regionTriggersOnce = false
      #expect(draft.crossingWords == "when the board enters 100 m around 52.5,-13, every time")
    }

    static let wrong: [(String, EndStatus, String)] = [
      ("-n|2", .wrongUsage, "one of --at TIME, --in DURATION, --now and --region is needed"),
      ("--at|07:00|--now", .wrongUsage, "--at and --now cannot stand together"),
      ("--region|1,2,3|--at|07:00", .wrongUsage, "--at and --region cannot stand together"),
      ("--region|1,2,3|--repeat|day", .wrongUsage, "--region and --repeat cannot stand together"),
      ("--now|--on|enter", .wrongUsage, "--on needs --region LAT,LON,METRES"),
      ("--now|--every-crossing", .wrongUsage, "--every-crossing needs --region LAT,LON,METRES"),
      (
        "--region|1,2", .wrongUsage,
        "--region: \"1,2\" is not LAT,LON,METRES such as 52.52,13.405,100"
      ),
      (
        "--region|1,2,3,x", .wrongUsage,
        "--region: \"1,2,3,x\" is not LAT,LON,METRES such as 52.52,13.405,100"
      ),
      (
        "--region|1,2,3|--on|entr", .wrongUsage,
        "--on: there is no crossing \"entr\"; did you mean enter? (one of enter, exit, both)"
      ),
      ("--in|1x", .wrongUsage, "--in: \"1x\" is not a duration; use 90s, 10m, 1h30m, 2d, 1w"),
      (
        "--now|--repeat|weak", .wrongUsage,
        "--repeat: there is no unit \"weak\"; did you mean week?"
      ),
      (
        "--now|--repeat|era", .wrongUsage,
        "--repeat: \"era\" is no unit; nothing can repeat every era"
      ),
      (
        "--now|--repeat|nanosecond", .wrongUsage,
        "--repeat: \"nanosecond\" is no unit; nothing can repeat every nanosecond"
      ),
      ("--now|--every|2", .wrongUsage, "--every needs --repeat UNIT"),
      ("--now|--calendar|hebrew", .wrongUsage, "--calendar needs --repeat UNIT"),
      (
        "--now|--count|2", .wrongUsage,
        "--count needs --repeat UNIT, --weekdays DAYS or --rrule RULE"
      ),
      (
        "--at|07:00|--repeat|day|--rrule|FREQ=DAILY", .wrongUsage,
        "--repeat and --rrule cannot stand together"
      ),
      ("--in|1h|--offset|5m", .wrongUsage, "--in and --offset cannot stand together"),
      (
        "--at|2027-01-01T07:00Z|--repeat|day|--gap|skip", .refused,
        "--gap: no clocks jump over what goes by UTC: give --at without an offset, or --time-zone"
      ),
      (
        "--at|2027-01-01T07:00Z|--repeat|day|--overlap|last", .refused,
        "--overlap: nothing that goes by UTC comes twice: give --at without an offset, or"
          + " --time-zone"
      ),
      (
        "--region|1,2,3|--only-on|feast", .wrongUsage,
        "--region and --only-on cannot stand together"
      ),
      ("--now|--repeat|day|--every|two", .wrongUsage, "--every: \"two\" is not a whole number"),
      (
        "--now|--zone-mode|floatin", .wrongUsage,
        "--zone-mode: there is no mode \"floatin\"; did you mean floating?"
          + " (one of absolute, floating, zoned)"
      ),
      (
        "--now|--gap|hop", .wrongUsage,
        "--gap: there is no policy \"hop\" (one of shift, next, skip)"
      ),
      (
        "--at|2027-03-28T02:30|--repeat|day|--time-zone|Europe/Berlin", .refused,
        "--at: the clocks of Europe/Berlin jump over it: begin on another day, or give an offset"
      ),
    ]

    @Test(arguments: wrong)
    func wrongTriggersAreNamed(
      _ options: String, _ status: EndStatus, _ message: String
    ) throws {
      let error = try #require(throws: CommandError.self) { try trigger(options) }
      #expect(error == CommandError(status: status, message: message))
    }

    @Test(arguments: [
      ("Berlin", "there is no time zone Berlin; did you mean Europe/Berlin?"),
      ("../../etc/passwd", "\"../../etc/passwd\" is no name of a time zone"),
    ])
    func T3_whatIsNoZoneIsUnknown(_ name: String, _ reason: String) throws {
      let error = try #require(throws: CommandError.self) {
        try trigger("--at|07:00|--time-zone|" + name)
      }
      #expect(
        error
          == CommandError(status: .refused, code: "unknown", message: "--time-zone: " + reason))
    }

    @Test func T3_aBoardWithoutANamedZoneNeedsOne() throws {
      let nameless = BoardZone(name: "/etc/localtime", rules: .utc)
      let error = try #require(throws: CommandError.self) {
        try trigger("--at|07:00|--zone-mode|zoned", board: nameless)
      }
      #expect(error.status == .wrongUsage)
    }

    @Test(arguments: [
      ("--at|2025-12-25T07:00", "Thu 2025-12-25 07:00 in Europe/Berlin is past (365 d 2 h ago)"),
      ("--at|today 07:00", "Fri 07:00 in Europe/Berlin is past (1 h 30 min ago)"),
      ("--at|2026-12-25T07:29Z", "Fri 08:29 in Europe/Berlin is past (1 min ago)"),
      (
        "--at|2026-12-25T16:00|--time-zone|Asia/Tokyo",
        "Fri 16:00 in Asia/Tokyo is past (30 min ago)"
      ),
      (
        "--at|2013-08-31T19:00Z|--zone-mode|floating|--time-zone|America/Los_Angeles",
        "Sat 2013-08-31 12:00 in Europe/Berlin is past (4863 d 22 h ago)"
      ),
    ])
    func N2_aPastDateIsReadBackAndRefused(_ options: String, _ says: String) throws {
      let now = try instant("2026-12-25T08:30:00+01:00")
      let trigger = try trigger(options)
      let error = try #require(throws: CommandError.self) {
        try trigger.checkAhead(of: now, board: berlin)
      }
      let message = "--at: " + says + "; for at once there is --now"
      #expect(error == CommandError(status: .refused, message: message))
    }

    @Test(arguments: [
      "--now", "--in|0s", "--at|2026-12-25T08:30", "--at|2026-12-25T07:29:59Z", "--at|08:31",
      "--at|2020-01-01T07:00|--repeat|day", "--at|2020-01-01T07:00|--rrule|FREQ=DAILY",
      "--region|1,2,3",
    ])
    func N2_N5_whatIsAheadOrRepeatsIsTaken(_ options: String) throws {
      let now = try instant("2026-12-25T08:30:00+01:00")
      try trigger(options).checkAhead(of: now, board: berlin)
    }

    @Test func T5_whatMovedTheStartIsSaid() throws {
      #expect(
        try trigger("--at|2027-03-28T02:30|--time-zone|Europe/Berlin").because
          == "02:30 does not exist on 2027-03-28 in Europe/Berlin: 03:30")
    }

    @Test func N4_everyUnitHasItsNameButThoseThatPromiseSomethingElse() {
      #expect(
        Set(RepeatUnit.allCases.map { $0.name }).subtracting(RepeatWord.units)
          == ["weekday", "weekdayOrdinal"])
    }

    @Test(arguments: ["weekday", "weekdays", "Weekdays", "workdays", "weekdayOrdinal", "weekend"])
    func N4_whatIsMeantByWeekdaysIsARule(_ word: String) throws {
      let error = try #require(throws: CommandError.self) {
        try trigger("--now|--repeat|" + word)
      }
      #expect(error.status == .wrongUsage)
      #expect(error.message.hasPrefix("--repeat: \"\(word)\" is no unit; "))
      #expect(!error.message.contains("did you mean"))
      // What it says to write is understood.
      let words = error.message.split(separator: " ")
      let option = try #require(words.firstIndex { ["--weekdays", "--repeat"].contains($0) })
      let word = words[option + 1]
      let written = words[option] + "|" + (word.hasSuffix(",") ? word.dropLast() : word)
      let draft = try trigger("--at|2027-01-04T07:00|" + written).draft
      #expect(draft.repeats && (words[option] == "--repeat" || draft.rrule != nil))
    }

    @Test func N4_nothingOffersTheUnitWeekday() throws {
      let schedule = try #require(CommandTable.spec("schedule"))
      let texts = [
        BashCompletion.script, ZshCompletion.script, FishCompletion.script, ManPage.text,
        HelpText.command(schedule, width: 80),
      ]
      for text in texts {
        // The option --weekdays and its word are another thing.
        #expect(!text.replacingOccurrences(of: "weekdays", with: "").contains("weekday"))
      }
    }
  }
}
