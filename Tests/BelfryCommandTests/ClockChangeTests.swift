import BelfryCore
import BelfrySystem
import Testing

@testable import BelfryCommand

/// What people write for the hours in which clocks change.
extension CommandLines.TriggerTests {
  /// What is due first, told at 02:40 of the second pass in Berlin.
  @Test(arguments: [
    ("--at|02:50", "2027-10-31T01:50Z"),
    ("--at|sun 02:50", "2027-10-31T01:50Z"),
    ("--at|today 02:50", "2027-10-31T01:50Z"),
    ("--at|2027-10-31T02:50", "2027-10-31T01:50Z"),
    ("--at|02:50|--overlap|last", "2027-10-31T01:50Z"),
    ("--at|02:50|--overlap|first", "2027-11-01T01:50Z"),
    ("--at|02:50|--zone-mode|absolute", "2027-10-31T01:50Z"),
    ("--at|02:50|--time-zone|Europe/Berlin", "2027-10-31T01:50Z"),
    ("--at|02:50|--time-zone|Europe/Berlin|--overlap|last", "2027-10-31T01:50Z"),
    ("--at|02:50|--time-zone|Europe/Berlin|--zone-mode|floating", "2027-10-31T01:50Z"),
    ("--at|02:50|--time-zone|Asia/Tokyo|--zone-mode|floating", "2027-10-31T01:50Z"),
    ("--at|02:50|--repeat|day", "2027-10-31T01:50Z"),
    ("--at|02:50|--repeat|day|--overlap|both", "2027-10-31T01:50Z"),
    ("--at|02:50|--rrule|FREQ=DAILY", "2027-10-31T01:50Z"),
    ("--at|02:45|--repeat|minute|--until|02:55", "2027-10-31T01:45Z"),
    ("--at|02:45|--rrule|FREQ=MINUTELY|--until|02:55", "2027-10-31T01:45Z"),
    ("--at|02:30", "2027-11-01T01:30Z"),
  ])
  func T5_theSecondPassReachesTheDaemon(_ options: String, _ expected: String) throws {
    let nameless = BoardZone(name: "/etc/localtime", rules: berlin.rules)
    let now = try instant("2027-10-31T01:40Z")
    for board in [berlin, nameless] {
      let trigger = try trigger(options, board: board, now: "2027-10-31T01:40Z")
      try trigger.checkAhead(of: now, board: board)
      let table = try trigger.draft.validated().reading(
        scheduledAt: now, named: trigger.named.rules, board: board.rules
      ).timetable()
      let due = try #require(table.first(after: now)?.instant)
      #expect(RFC3339.text(due) == RFC3339.text(try instant(expected)), "\(board.name)")
    }
  }

  /// Both passes of 02:30 are past at 02:40 of the second, which began an hour after the first.
  @Test(arguments: [
    ("--at|today 02:30", "Sun 02:30 in Europe/Berlin is past (10 min ago)"),
    ("--at|2027-10-31T02:30", "Sun 02:30 in Europe/Berlin is past (10 min ago)"),
    ("--at|2027-10-31T02:30|--overlap|last", "Sun 02:30 in Europe/Berlin is past (10 min ago)"),
    (
      "--at|2027-10-31T02:30|--overlap|first",
      "Sun 02:30 in Europe/Berlin is past (1 h 10 min ago)"
    ),
    ("--at|2027-10-31T02:30+02:00", "Sun 02:30 in Europe/Berlin is past (1 h 10 min ago)"),
    ("--at|2027-10-31T02:30+01:00", "Sun 02:30 in Europe/Berlin is past (10 min ago)"),
    ("--at|2027-10-31T01:30", "Sun 01:30 in Europe/Berlin is past (2 h 10 min ago)"),
  ])
  func T5_howLongAgoIsSaidByTheLastPass(_ options: String, _ says: String) throws {
    let now = try instant("2027-10-31T01:40Z")
    let error = try #require(throws: CommandError.self) {
      try trigger(options, now: "2027-10-31T01:40Z").checkAhead(of: now, board: berlin)
    }
    #expect(error.message == "--at: " + says + "; for at once there is --now")
  }

  @Test func T5_anEndInTheSecondPassIsNotInTheFirst() throws {
    for options in ["--repeat|minute", "--rrule|FREQ=MINUTELY"] {
      let trigger = try trigger(
        "--at|02:45|--until|02:55|" + options, now: "2027-10-31T01:40Z")
      let now = try instant("2027-10-31T01:40Z")
      let table = try trigger.draft.validated().reading(
        scheduledAt: now, named: trigger.named.rules, board: berlin.rules
      ).timetable()
      #expect(table.count(after: now, through: .distantFuture.advanced(by: -1), limit: 99) == 11)
    }
  }

  /// What rings from 26 March 2027 on; on the 28th the clocks jump over 02:00 to 03:00.
  static let overTheGap: [(String, [String])] = [
    ("--repeat|day", ["27T02:30", "28T03:30", "29T02:30"]),
    ("--repeat|day|--exdate|2027-03-28T02:30", ["27T02:30", "29T02:30", "30T02:30"]),
    ("--rrule|FREQ=DAILY|--exdate|2027-03-28T02:30", ["27T02:30", "29T02:30", "30T02:30"]),
    // By the moved instant.
    ("--repeat|day|--exdate|2027-03-28T03:30", ["27T02:30", "29T02:30", "30T02:30"]),
    ("--repeat|day|--exdate|2027-03-28T01:30Z", ["27T02:30", "29T02:30", "30T02:30"]),
    ("--repeat|day|--gap|next", ["27T02:30", "28T03:00", "29T02:30"]),
    ("--repeat|day|--gap|next|--exdate|2027-03-28T02:30", ["27T02:30", "29T02:30", "30T02:30"]),
    ("--repeat|day|--gap|skip|--exdate|2027-03-28T02:30", ["27T02:30", "29T02:30", "30T02:30"]),
    (
      "--rrule|FREQ=DAILY;BYHOUR=2,3|--gap|skip|--exdate|2027-03-28T02:30",
      ["27T02:30", "27T03:30", "28T03:30", "29T02:30"]
    ),
    // What the rule itself has there is meant, and not what the gap moves.
    (
      "--rrule|FREQ=DAILY;BYHOUR=2,3|--gap|next|--exdate|2027-03-28T03:30",
      ["27T02:30", "27T03:30", "28T03:00", "29T02:30"]
    ),
    // Two dates, one of which is there.
    (
      "--repeat|day|--exdate|2027-03-28T02:30,2027-03-29T02:30",
      ["27T02:30", "30T02:30", "31T02:30"]
    ),
    // The same that no rule has takes out nothing.
    ("--repeat|day|--exdate|2027-03-28T02:15", ["27T02:30", "28T03:30", "29T02:30"]),
    ("--rrule|FREQ=WEEKLY;BYDAY=SA|--rdate|2027-03-28T02:30", ["27T02:30", "28T03:30"]),
    (
      "--rrule|FREQ=WEEKLY;BYDAY=SA|--gap|next|--rdate|2027-03-28T02:30",
      ["27T02:30", "28T03:00"]
    ),
  ]

  @Test(arguments: overTheGap)
  func T6_datesInTheGapAreTakenOutAndAdded(_ options: String, _ expected: [String]) throws {
    for zone in ["--time-zone|Europe/Berlin", "--zone-mode|floating"] {
      let options = "--at|2027-03-27T02:30|" + zone + "|" + options
      let found = try dates(options, count: Int32(expected.count))
      let shown = found.map { instant in
        String(RFC3339.text(instant, offset: berlin.offset(at: instant)).dropFirst(8).prefix(8))
      }
      #expect(shown == expected, "\(options)")
    }
  }

  @Test func T5_aDateOfTheSecondPassIsRefusedWhereTheRepeatTakesTheFirst() throws {
    let now = "2027-10-31T01:40Z"
    for zone in ["--zone-mode|floating", "--zone-mode|floating|--time-zone|Europe/Berlin"] {
      let options = "--at|03:45|--repeat|day|--rdate|02:50|" + zone
      let error = #expect(throws: CommandError.self) { try trigger(options, now: now) }
      #expect(error?.message.hasPrefix("--rdate: 02:50: clocks show this time twice") == true)
      _ = try trigger(options + "|--overlap|both", now: now)
    }
  }

  /// What is said of a date in the gap. One of a named zone travels as the instant to which it is
  /// moved, a floating one as the wall clock that it is.
  @Test(
    arguments: [
      ("--repeat|day", "02:30", nil, nil),
      ("--repeat|day|--gap|next", "02:30", nil, nil),
      ("--repeat|day|--gap|skip", "02:30", nil, nil),
      ("--rrule|FREQ=DAILY;BYHOUR=2,3|--gap|next", "02:30", nil, nil),
      ("--rrule|FREQ=DAILY;BYHOUR=2,3|--gap|skip", "02:30", nil, nil),
      // Both are due at 03:30, and both are left out.
      ("--rrule|FREQ=DAILY;BYHOUR=2,3", "02:30", "takes out 03:30", nil),
      ("--rrule|FREQ=DAILY;BYMINUTE=0,30|--gap|next", "02:30", "takes out 03:00", nil),
      ("--rrule|FREQ=DAILY;BYHOUR=3", "02:30", "takes out 03:30", "nothing; 03:30"),
      ("--rrule|FREQ=DAILY;BYHOUR=3|--gap|next", "02:30", "nothing; 03:30", "nothing; 03:30"),
      ("--rrule|FREQ=DAILY;BYHOUR=3|--gap|skip", "02:30", "nothing; 03:30", "nothing; 03:30"),
      ("--rrule|FREQ=HOURLY", "02:30", "takes out 03:30", "nothing; 00:30"),
      ("--rrule|FREQ=HOURLY", "02:15", "nothing; 00:30", "nothing; 00:30"),
      ("--repeat|day", "02:15", "nothing; 03:30", "nothing; 03:30"),
      ("--repeat|day|--gap|next", "02:15", "takes out 03:00", "nothing; 03:00"),
      ("--repeat|day|--gap|skip", "02:15", "nothing", "nothing"),
      ("--repeat|day|--gap|skip", "03:30", "nothing", "nothing"),
      ("--repeat|day", "03:30", nil, nil),
      ("--repeat|day|--gap|next", "03:00", nil, nil),
      ("--repeat|day|--gap|next", "03:30", "it takes out 03:00", "it takes out 03:00"),
      ("--rrule|FREQ=DAILY;BYHOUR=2,3|--gap|next", "03:30", nil, nil),
    ] as [(String, String, String?, String?)])
  func T6_aDateInTheGapThatTakesOutNothingOrAnotherIsSaid(
    _ options: String, _ time: String, _ zoned: String?, _ floating: String?
  ) throws {
    let date = "2027-03-28T" + time
    for (zone, expected) in [
      ("--time-zone|Europe/Berlin", zoned), ("--zone-mode|floating", floating),
    ] {
      let said = try trigger(
        "--at|2027-03-27T02:30|\(zone)|\(options)|--exdate|\(date)", now: "2027-03-26T12:00Z"
      ).warnings
      let words = expected.map { words in
        if words.hasPrefix("takes") { return date + " does not exist there; it " + words }
        if words.hasPrefix("it takes") { return date + words.dropFirst(2) }
        let there = words.split(separator: "; ").dropFirst().first
        let day = there.map { "; on that day it is at " + $0 } ?? ", nor on that day"
        return "nothing is due at " + date + day
      }
      #expect(said == words.map { ["--exdate: " + $0] } ?? [], "\(options) \(time) \(zone)")
    }
  }

  /// What is said of a date in the hour that comes twice: it counts by its wall clock, in both passes.
  @Test(
    arguments: [
      ("--repeat|hour", "02:30", nil),
      ("--repeat|hour", "02:30+02:00", " takes out 02:30+01:00, too"),
      ("--repeat|hour", "02:30+01:00", " takes out 02:30+02:00, too"),
      ("--repeat|hour|--zone-mode|absolute", "02:30+02:00", nil),
      ("--repeat|day", "02:30", nil),
      ("--repeat|day", "02:30+02:00", nil),
      ("--repeat|day", "02:30+01:00", " takes out 02:30+02:00"),
      ("--repeat|day|--overlap|last", "02:30+02:00", " takes out 02:30+01:00"),
      ("--repeat|day|--overlap|both", "02:30", nil),
      ("--repeat|day|--overlap|both", "02:30+02:00", " takes out 02:30+01:00, too"),
    ] as [(String, String, String?)])
  func T6_aDateInTheHourThatComesTwiceSaysWhatElseItTakesOut(
    _ options: String, _ time: String, _ expected: String?
  ) throws {
    let zone = options.contains("absolute") ? "" : "|--time-zone|Europe/Berlin"
    let date = "2027-10-31T" + time
    let said = try trigger(
      "--at|2027-10-30T02:30\(zone)|\(options)|--exdate|\(date)", now: "2027-10-29T12:00Z"
    ).warnings
    #expect(said == expected.map { ["--exdate: " + date + $0] } ?? [], "\(options) \(time)")
  }

  @Test(arguments: [
    "--at|2027-01-01T07:00+01:00", "--at|2027-07-01T07:00+0200", "--at|2027-01-01T07:00Z",
    "--at|2027-01-01T07:00-00:00",
    // Each pass has its offset; what the clocks jump over, that of before.
    "--at|2027-10-31T02:30+02:00", "--at|2027-10-31T02:30+01:00", "--at|2027-03-28T02:30+01:00",
    "--at|2027-01-01T07:00|--repeat|day|--until|2027-07-01T07:00+02:00",
  ])
  func T3_offsetsThatAgreeAreTaken(_ options: String) throws {
    let trigger = try trigger(options + "|--time-zone|Europe/Berlin")
    #expect(trigger.draft.zoneMode == .zoned)
  }

  @Test(arguments: [
    ("--at|2027-01-01T07:00+05:00", "--at", "2027-01-01T03:00", "2027-01-01T07:00"),
    ("--at|2027-07-01T07:00+01:00", "--at", "2027-07-01T08:00", "2027-07-01T07:00"),
    ("--at|2027-07-01T07:00+0000", "--at", "2027-07-01T09:00", "2027-07-01T07:00"),
    (
      "--at|2027-01-01T07:00|--repeat|day|--until|2027-07-01T07:00+01:00", "--until",
      "2027-07-01T08:00", "2027-07-01T07:00"
    ),
    (
      "--at|2027-01-01T07:00|--repeat|day|--exdate|2027-01-02T07:00,2027-01-03T07:00-0500",
      "--exdate", "2027-01-03T13:00", "2027-01-03T07:00"
    ),
  ])
  func T3_aContradictoryOffsetIsRefusedWithBothReadings(
    _ options: String, _ option: String, _ moment: String, _ wall: String
  ) throws {
    for mode in ["", "|--zone-mode|floating"] {
      let error = try #require(throws: CommandError.self) {
        try trigger(options + "|--time-zone|Europe/Berlin" + mode)
      }
      #expect(error.status == .refused && error.message.hasPrefix(option + ": "))
      #expect(error.message.contains(moment) && error.message.contains(wall))
    }
    // Without a zone there is nothing that it could contradict.
    _ = try trigger(options.replacingOccurrences(of: "T07:00,", with: "T07:00Z,"))
  }
}
