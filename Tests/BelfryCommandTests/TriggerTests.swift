import BelfryCore
import BelfrySystem
import Testing

@testable import BelfryCommand

extension CommandLines {
  struct TriggerTests {
    /// 2026-12-25T08:30 in Berlin.
    func trigger(
      _ options: String, board: BoardZone = berlin
    ) throws -> Trigger {
      let words = ["next"] + options.split(separator: "|").map { String($0) }
      guard case .run(let given) = try CommandLineParser.parse(words) else {
        throw CommandError.usage("not a command to run")
      }
      return try TriggerReader(
        given: given, now: instant("2026-12-25T08:30:00+01:00"), board: board, files: ZoneFiles()
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
      #expect(try trigger("--in|1h30m").draft.fireIn == 90 * Duration.minute)
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
        "--region: not LAT,LON,METRES such as 52.52,13.405,100: \"1,2\""
      ),
      (
        "--region|1,2,3,x", .wrongUsage,
        "--region: not LAT,LON,METRES such as 52.52,13.405,100: \"1,2,3,x\""
      ),
      (
        "--region|1,2,3|--on|entr", .wrongUsage,
        "--on: no crossing \"entr\"; did you mean enter? (one of enter, exit, both)"
      ),
      ("--in|1x", .wrongUsage, "--in: no duration in \"1x\"; write 90s, 10m, 1h30m, 2d"),
      (
        "--now|--repeat|weak", .wrongUsage,
        "--repeat: there is no unit \"weak\"; did you mean week?"
      ),
      ("--now|--repeat|era", .wrongUsage, "--repeat: nothing can repeat every era (N4)"),
      (
        "--now|--repeat|nanosecond", .wrongUsage,
        "--repeat: nothing can repeat every nanosecond (N4)"
      ),
      ("--now|--every|2", .wrongUsage, "--every needs --repeat UNIT"),
      ("--now|--repeat|day|--every|two", .wrongUsage, "--every: no whole number: \"two\""),
      (
        "--now|--zone-mode|floatin", .wrongUsage,
        "--zone-mode: no mode \"floatin\"; did you mean floating?"
          + " (one of absolute, floating, zoned)"
      ),
      (
        "--now|--gap|hop", .wrongUsage, "--gap: no policy \"hop\" (one of shift, next, skip)"
      ),
      (
        "--at|07:00|--time-zone|Berlin", .refused,
        "--time-zone: there is no time zone Berlin; did you mean Europe/Berlin?"
      ),
      (
        "--at|07:00|--time-zone|../../etc/passwd", .refused,
        "--time-zone: \"../../etc/passwd\" is no name of a time zone"
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

    @Test func T3_aBoardWithoutANamedZoneNeedsOne() throws {
      let nameless = BoardZone(name: "/etc/localtime", rules: .utc)
      let error = try #require(throws: CommandError.self) {
        try trigger("--at|07:00|--zone-mode|zoned", board: nameless)
      }
      #expect(error.status == .wrongUsage)
    }

    @Test func T5_whatMovedTheStartIsSaid() throws {
      #expect(
        try trigger("--at|2027-03-28T02:30|--time-zone|Europe/Berlin").because
          == "02:30 does not exist on 2027-03-28 in Europe/Berlin: 03:30")
    }

    @Test func everyUnitHasItsName() {
      #expect(Set(RepeatUnit.allCases.map { $0.name }) == Set(OptionTable.units))
    }
  }
}
