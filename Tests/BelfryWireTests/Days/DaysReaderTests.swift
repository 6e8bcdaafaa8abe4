import BelfryCore
import BelfryWire
import Testing

/// Calendars of days as files have them.
@Suite struct DaysReaderTests {
  private let reader: DaysReader

  init() throws {
    // East of UTC, so that a UTC evening is the next day.
    reader = DaysReader(
      zone: try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"),
      now: try RFC3339.parse("2026-11-24T00:00Z", field: "now"))
  }

  private func read(
    _ text: String, _ kind: DaysReader.Kind
  ) throws(DaysError) -> [String] {
    try reader.read(Array(text.utf8), kind).map { range in
      let first = CivilDate(days: range.first).text
      let last = CivilDate(days: range.last).text
      return (first == last ? first : first + ".." + last) + " " + range.name
    }
  }

  private func event(_ lines: String...) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n"
      + lines.joined(separator: "\r\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
  }

  // MARK: .days

  @Test func E3_daysFilesAreReadLineByLine() throws {
    let text =
      "\u{FEFF}# School\r\n\n2026-12-24..2027-01-06\tChristmas  holidays \r\n"
      + "  2026-05-01 Labour Day #1\n2026-05-02"
    #expect(
      try read(text, .days) == [
        "2026-05-01 Labour Day #1", "2026-05-02 ",
        "2026-12-24..2027-01-06 Christmas  holidays",
      ])
  }

  @Test(arguments: [
    ("2026-12-24\n2026-12-2", 2), ("2026-02-30 x", 1), ("\n\n24.12.2026", 3),
    ("2026-12-24..2026-12-23", 1), ("2026-12-24..", 1), ("2026-12-24...2026-12-25", 1),
    ("1699-12-31", 1), ("2026-12-24 a\n2026-12-25 \0", 2), ("# nothing\n", 0), ("", 0),
    ("2026-12-24 " + String(repeating: "x", count: 256), 1),
    ("\u{7f}ELF\u{2}\u{1}\n2026-12-24", 1),
  ])
  func E3_A4_aWrongLineIsNamed(text: String, line: Int64) {
    #expect { try reader.read(Array(text.utf8), .days) } throws: { error in
      (error as? DaysError)?.line == line
    }
  }

  @Test func E3_A2_whatIsTooMuchIsRefused() {
    let many = String(repeating: "2026-12-24\n", count: 20_001)
    #expect { try reader.read(Array(many.utf8), .days) } throws: { error in
      (error as? DaysError)?.line == 20_001
    }
    for kind in DaysReader.Kind.allCases {
      let long = [UInt8](repeating: 0x23, count: 5_000_000)
      #expect { try reader.read(long, kind) } throws: { error in
        (error as? DaysError)?.reason.contains("longer than 4 MiB") == true
      }
    }
  }

  @Test func E3_whatIsWrittenReadsTheSame() throws {
    let calendar = DayCalendar([
      .init(first: 20_000, last: 20_010, name: "# a"), .init(first: 20_011, last: 20_011, name: ""),
    ])
    #expect(
      DayCalendar(try DaysFileParser.read(DaysFileParser.write(calendar), asWritten: true))
        == calendar)
  }

  /// From a day through the same one is a day long.
  @Test func E3_A4_aSpanOfOneDayHasALength() throws {
    #expect(try read("2026-05-01..2026-05-01 Labour", .days) == ["2026-05-01 Labour"])
  }

  // MARK: .ics

  @Test func E3_eventsCoverTheirDays() throws {
    let cases: [([String], [String])] = [
      (["DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20270107"], ["2026-12-24..2027-01-06 "]),
      (["DTSTART;VALUE=DATE:20261224", "SUMMARY:Eve\\, at last"], ["2026-12-24 Eve, at last"]),
      (["DTSTART;VALUE=DATE:20261224", "DURATION:P2D"], ["2026-12-24..2026-12-25 "]),
      (["DTSTART;VALUE=DATE:20261224", "DURATION:P1W"], ["2026-12-24..2026-12-30 "]),
      (["DTSTART:20261224T180000", "DTEND:20261225T000000"], ["2026-12-24 "]),
      (["DTSTART:20261224T180000", "DTEND:20261225T000001"], ["2026-12-24..2026-12-25 "]),
      (["DTSTART:20261224T180000", "DURATION:PT6H1M"], ["2026-12-24..2026-12-25 "]),
      (["DTSTART:20261224T180000"], ["2026-12-24 "]),
      // Reminders are written so: a moment, which lies on a day.
      (["DTSTART:20261224T180000", "DTEND:20261224T180000"], ["2026-12-24 "]),
      (["DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261224"], ["2026-12-24 "]),
      // By the board's clocks, and as it is written.
      (["DTSTART:20261224T230000Z", "DTEND:20261225T010000Z"], ["2026-12-25 "]),
      (["DTSTART;TZID=\"America/New:York\":20261224T230000"], ["2026-12-24 "]),
    ]
    for (lines, days) in cases {
      let text =
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + lines.joined(separator: "\n")
        + "\nEND:VEVENT\nEND:VCALENDAR"
      #expect(try read(text, .ics) == days, "\(lines)")
    }
  }

  @Test func E3_linesAreUnfoldedAndOtherComponentsLeftOut() throws {
    let text = """
      \u{FEFF}BEGIN:VCALENDAR
      BEGIN:VTIMEZONE
      TZID:Nowhere
      BEGIN:STANDARD
      DTSTART:16010101T000000
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      DTSTART;VALUE=DATE:202
       61224
      SUMMARY:Chr\u{20}
      \tist
       mas
      BEGIN:VALARM
      DTSTART;VALUE=DATE:20270101
      END:VALARM
      END:VEVENT
      BEGIN:VTODO
      DTSTART;VALUE=DATE:20270202
      END:VTODO
      END:VCALENDAR
      """
    #expect(try read(text, .ics) == ["2026-12-24 Chr istmas"])
  }

  @Test func E3_whatIsCancelledOrTransparentDoesNotCount() throws {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      DTSTART;VALUE=DATE:20261224
      STATUS:CANCELLED
      END:VEVENT
      BEGIN:VEVENT
      DTSTART;VALUE=DATE:20261225
      TRANSP:TRANSPARENT
      END:VEVENT
      BEGIN:VEVENT
      DTSTART;VALUE=DATE:20261226
      STATUS:CONFIRMED
      TRANSP:OPAQUE
      END:VEVENT
      END:VCALENDAR
      """
    #expect(try read(text, .ics) == ["2026-12-26 "])
  }

  @Test func E3_rulesDatesAndExceptionsAreExpanded() throws {
    #expect(
      try read(
        event(
          "DTSTART;VALUE=DATE:20261101", "RRULE:FREQ=MONTHLY;COUNT=4",
          "EXDATE;VALUE=DATE:20261201", "RDATE;VALUE=DATE:20261111,20261112"), .ics)
        == ["2026-11-01 ", "2026-11-11 ", "2026-11-12 ", "2027-01-01 ", "2027-02-01 "])
    #expect(
      try read(
        event(
          "DTSTART:20261124T200000", "DURATION:PT8H", "RRULE:FREQ=WEEKLY;UNTIL=20261208T235959Z",
          "EXDATE:20261201T200000"), .ics)
        == ["2026-11-24..2026-11-25 ", "2026-12-08..2026-12-09 "])
    // One without an end goes on for twenty years.
    let yearly = try read(
      event("DTSTART;VALUE=DATE:19701225", "RRULE:FREQ=YEARLY", "SUMMARY:Xmas"), .ics)
    #expect(yearly.contains("2026-12-25 Xmas") && yearly.contains("2045-12-25 Xmas"))
    #expect(yearly.count < 30)
  }

  @Test func E3_aMovedOccurrenceStandsInItsPlace() throws {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:a
      DTSTART;VALUE=DATE:20261201
      RRULE:FREQ=DAILY;COUNT=3
      END:VEVENT
      BEGIN:VEVENT
      UID:a
      RECURRENCE-ID;VALUE=DATE:20261202
      DTSTART;VALUE=DATE:20261210
      END:VEVENT
      BEGIN:VEVENT
      UID:a
      RECURRENCE-ID;VALUE=DATE:20261203
      STATUS:CANCELLED
      DTSTART;VALUE=DATE:20261203
      END:VEVENT
      END:VCALENDAR
      """
    #expect(try read(text, .ics) == ["2026-12-01 ", "2026-12-10 "])
  }

  @Test(arguments: [
    ("", 1), ("\u{1}\u{2}\0\n", 1), ("hello", 1), ("BEGIN:VEVENT\nEND:VEVENT", 1),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261224\nEND:VEV", 4),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261224\n", 4),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR", 2),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:2026-12-24\nEND:VEVENT\nEND:VCALENDAR", 3),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261332\nEND:VEVENT\nEND:VCALENDAR", 3),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224T250000\nEND:VEVENT\nEND:VCALENDAR", 3),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224\nDURATION:2D\nEND:VEVENT\nEND:VCALENDAR", 4),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224\nRRULE:FREQ=NEVER\nEND:VEVENT\n", 4),
    ("BEGIN:VCALENDAR\nEND:VCALENDAR", 0), ("BEGIN:VCALENDAR\nnonsense\nEND:VCALENDAR", 2),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR", 3),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:00010101\nEND:VEVENT\nEND:VCALENDAR", 3),
  ])
  func E3_A4_whatIsNoCalendarIsNamedByItsLine(text: String, line: Int64) {
    #expect { try reader.read(Array(text.utf8), .ics) } throws: { error in
      (error as? DaysError)?.line == line
    }
  }

  @Test func E3_A2_aRuleThatCostsTooMuchIsRefused() {
    for text in [
      event("DTSTART;VALUE=DATE:20261124", "RRULE:FREQ=SECONDLY"),
      event("DTSTART;VALUE=DATE:20261124", "RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=28"),
    ] {
      #expect { try reader.read(Array(text.utf8), .ics) } throws: { error in
        ((error as? DaysError)?.line ?? 0) >= 5
      }
    }
  }

  @Test func E3_everyCutOfAFileIsAnErrorOrAWholeCalendar() {
    let whole = Array(
      event("DTSTART;VALUE=DATE:20261224", "SUMMARY:Christmas", "RRULE:FREQ=YEARLY").utf8)
    for count in whole.indices.dropLast(2) {
      #expect(throws: DaysError.self) {
        try reader.read(Array(whole[..<count]), .ics)
      }
    }
  }

  @Test(arguments: [
    ("holidays.ics", "holidays"), ("a.b.days", "a.b"), ("holidays.ICS", nil), ("x.txt", nil),
  ])
  func E3_aFileIsKnownByItsEnd(file: String, name: String?) {
    #expect(DaysReader.Kind.of(file)?.name == name)
  }
}
