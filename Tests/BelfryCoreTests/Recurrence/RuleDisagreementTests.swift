import Foundation
import Testing

@testable import BelfryCore

/// Where python-dateutil reads a rule otherwise, and the sentence that decides.
struct RuleDisagreementTests {
  /// RFC 5545, 3.3.10: "Week number one of the calendar year is the first week that contains at
  /// least four (4) days in that calendar year." So 2 January 2011, a Sunday, is of week 52 of 2010,
  /// which dateutil leaves out: it counts the weeks of 2010 with the length of 2011. It also knows no
  /// week by its number from the end but the last. Python's own `isocalendar` judges instead.
  @Test func T6_weeksAreThoseOfISO8601() throws {
    let script = """
      import datetime
      for n in range(47482):
          day = datetime.date(1970, 1, 1) + datetime.timedelta(days=n)
          year, week, _ = day.isocalendar()
          print(week, week - datetime.date(year, 12, 28).isocalendar()[1] - 1)
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let read = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    var days: [Int: [Int64]] = [:]
    for (day, line) in String(decoding: read, as: UTF8.self).split(separator: "\n").enumerated() {
      for week in line.split(separator: " ") { days[Int(week)!, default: []].append(Int64(day)) }
    }
    for week in -53...53 where week != 0 {
      let text = "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYWEEKNO=\(week)"
      let series = RuleSeries(try RecurrenceRule.parse(text), start: 0)
      var found: [Int64] = []
      while let next = series.first(onOrAfter: found.last.map { ($0 + 1) * 86400 } ?? 0),
        next < 47482 * 86400
      { found.append(next / 86400) }
      #expect(found == days[week], "\(text)")
    }
  }

  struct Row: CustomTestStringConvertible {
    var why: String
    var start: String
    var rule: String
    /// As dateutil does not have them.
    var expected: [String]
    var testDescription: String { why }
  }

  static let rows = [
    Row(
      why: """
        3.3.10: "Information, not contained in the rule, necessary to determine the various \
        recurrence instance start time and dates are derived from the Start Time (DTSTART)": a week without \
        a weekday has that of the start; dateutil takes all seven
        """,
      start: "2027-01-05T09:00", rule: "FREQ=YEARLY;BYWEEKNO=10,20",
      expected: ["2027-03-09T09:00", "2027-05-18T09:00", "2028-03-07T09:00"]),
    Row(
      why: """
        3.3.10: "A set of recurrence instances starts at the beginning of the interval defined by \
        the FREQ rule part", so the first week's has the days before the start too; dateutil begins \
        it at the start
        """,
      start: "2027-01-06T09:00", rule: "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2",
      expected: ["2027-01-06T09:00", "2027-01-13T09:00", "2027-01-20T09:00"]),
  ]

  @Test(arguments: rows)
  func T6_theSentenceDecides(_ row: Row) throws {
    #expect(try RuleText.walls(row.rule, start: row.start, count: 3) == row.expected)
  }
}
