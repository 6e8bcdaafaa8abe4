import Testing

@testable import BelfryCore

/// Which reading was chosen where programs differ, as the manual says it.
struct RuleReadingTests {
  struct Row: CustomTestStringConvertible {
    var what: String
    var start: String
    var rule: String
    var expected: [String]
    var testDescription: String { what }
  }

  static let rows = [
    Row(
      what: "days of the month alone are those of every month of a year",
      start: "2027-02-15T09:00", rule: "FREQ=YEARLY;BYMONTHDAY=15",
      expected: ["2027-02-15T09:00", "2027-03-15T09:00", "2027-04-15T09:00"]),
    Row(
      what: "INTERVAL counts calendar years: the end of December belongs to the year that ends",
      start: "2030-01-01T09:00", rule: "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=TU",
      expected: ["2030-01-01T09:00", "2030-12-31T09:00", "2034-01-03T09:00"]),
  ]

  /// Taken as meant, and what it is meant as (T6).
  @Test(arguments: [
    ("FREQ=WEEKLY;BYDAY=MO, TU,  WE", "FREQ=WEEKLY;BYDAY=MO,TU,WE"),
    ("RRULE:FREQ=WEEKLY; BYDAY=MO, TU; ", "FREQ=WEEKLY;BYDAY=MO,TU"),
    ("FREQ=WEEKLY ; BYDAY=MO ,TU , WE ", "FREQ=WEEKLY;BYDAY=MO,TU,WE"),
    ("FREQ=DAILY;UNTIL=2027-02-02 08:00:00", "FREQ=DAILY;UNTIL=20270202T080000"),
    ("freq=monthly;byday=1mo, -1fr", "FREQ=MONTHLY;BYDAY=1MO,-1FR"),
    ("FREQ=DAILY;BYHOUR=7, 19;BYMINUTE=0, 30", "FREQ=DAILY;BYHOUR=7,19;BYMINUTE=0,30"),
    ("FREQ=MONTHLY;BYMONTHDAY=1, -1", "FREQ=MONTHLY;BYMONTHDAY=1,-1"),
    ("FREQ=YEARLY;BYYEARDAY=1, 100, -1", "FREQ=YEARLY;BYYEARDAY=1,100,-1"),
    ("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1, -1", "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,-1"),
    ("FREQ=DAILY;UNTIL=2027-12-31", "FREQ=DAILY;UNTIL=20271231"),
    ("FREQ=DAILY;UNTIL=2027-12-31T07:00:00", "FREQ=DAILY;UNTIL=20271231T070000"),
    ("FREQ=DAILY;UNTIL=2027-12-31T07:00:00Z", "FREQ=DAILY;UNTIL=20271231T070000Z"),
    ("freq=daily;until=2027-12-31t07:00:00z", "FREQ=DAILY;UNTIL=20271231T070000Z"),
    ("FREQ=DAILY;UNTIL=2027-12-31T07:00Z", "FREQ=DAILY;UNTIL=20271231T070000Z"),
    ("FREQ=DAILY;UNTIL=20271231T07:00:00Z", "FREQ=DAILY;UNTIL=20271231T070000Z"),
    ("FREQ=DAILY;UNTIL=2027-12-31T070000Z", "FREQ=DAILY;UNTIL=20271231T070000Z"),
    ("FREQ=DAILY;UNTIL=9999-12-31T23:59:59Z", "FREQ=DAILY"),
    ("FREQ=DAILY;UNTIL=9999-12-31", "FREQ=DAILY"),
  ])
  func T6_whatIsMeantIsTaken(_ written: String, _ meant: String) throws {
    let rule = try RecurrenceRule.parse(written)
    #expect(try rule == RecurrenceRule.parse(meant))
    #expect(!rule.text.utf8.contains(0x20))
  }

  @Test(arguments: [
    "FREQ=DAILY;UNTIL=2027-1231", "FREQ=DAILY;UNTIL=202712-31", "FREQ=DAILY;UNTIL=2027-12-",
    "FREQ=DAILY;UNTIL=2027-13-01", "FREQ=DAILY;UNTIL=2027-12-31T07:0000Z",
    "FREQ=DAILY;UNTIL=2027-12-31T0700:00Z", "FREQ=DAILY;UNTIL=2027-12-31T0700",
    "FREQ=DAILY;UNTIL=2027-12-31T07", "FREQ=DAILY;UNTIL=2027/12/31", "FREQ=DAILY;UNTIL=31-12-2027",
    "FREQ=DAILY;UNTIL=2027-12-31T07:00:00+01:00", "FREQ=WEEKLY;BYDAY=MO TU",
    "FREQ=WEEKLY;BYDAY=MO,", "FREQ=WEEKLY;BYDAY=MO, ", "FREQ =DAILY", "FREQ=WEEKLY;BYDAY=M O",
  ])
  func T6_whatIsNotPlainIsRefused(_ text: String) {
    #expect(throws: FieldError.self) { try RecurrenceRule.parse(text) }
  }

  @Test(arguments: rows)
  func T6_readingsWhereProgramsDiffer(_ row: Row) throws {
    #expect(try RuleText.walls(row.rule, start: row.start, count: 3) == row.expected)
  }
}
