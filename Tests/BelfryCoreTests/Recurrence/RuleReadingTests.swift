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

  @Test(arguments: rows)
  func T6_readingsWhereProgramsDiffer(_ row: Row) throws {
    #expect(try RuleText.walls(row.rule, start: row.start, count: 3) == row.expected)
  }
}
