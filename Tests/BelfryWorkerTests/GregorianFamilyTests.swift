import BelfryCore
import TestSupport
import Testing

/// The calendars whose months are Gregorian are the core's: it must reckon in each as ICU does.
@Suite struct GregorianFamilyTests {
  static let family = ["gregorian", "iso8601", "buddhist", "japanese", "roc"]

  private static let units: [(unit: RepeatUnit, inTenYears: Int32)] = [
    (.month, 121), (.quarter, 41), (.year, 11), (.yearForWeekOfYear, 11),
  ]

  /// The days that the core's own timetable gives.
  private func days(_ question: CalendarQuestion) throws -> [Int64?] {
    var notification = Notification()
    notification.repeatInterval = question.unit
    notification.repeatCalendar = question.calendar
    notification.every = question.every
    notification.monthEnd = question.monthEnd
    let plan = notification.plan(reading: .utc)
    #expect(plan.calendar == nil)
    let anchor = try #require(
      CivilTime(date: CivilDate(days: question.anchorDay), nanosecondOfDay: 0).instant())
    let table = Timetable(plan: plan, anchor: anchor, mode: .absolute, zone: .utc)
    return (0..<Int64(question.count)).map { k in
      table.due(k: k).map { CivilTime($0.instant).date.days }
    }
  }

  private func compare(_ questions: [CalendarQuestion], _ comment: String) throws {
    let expected = try CalendarOracle.days(questions)
    try #require(expected.count == questions.count)
    for (question, wanted) in zip(questions, expected) {
      #expect(try days(question) == wanted, "\(comment) \(question)")
    }
  }

  @Test(arguments: family)
  func N6_tenYearsOfEveryUnitAreICUs(calendar: String) throws {
    let seed = TestSeed.here()
    var random = Seeded(seed: seed)
    var questions: [CalendarQuestion] = []
    for (unit, count) in Self.units {
      for monthEnd in MonthEndPolicy.allCases {
        for every in [1, 1, Int64.random(in: 2...7, using: &random)] {
          questions.append(
            CalendarQuestion(
              calendar: calendar, anchorDay: Int64.random(in: 0...60_000, using: &random),
              unit: unit, every: every, monthEnd: monthEnd, count: count))
        }
      }
    }
    try compare(questions, "seed \(seed):")
  }

  /// Months' ends, leap days, weeks over a year's end, and the first and last days of Japanese eras.
  @Test(
    arguments: family,
    [
      "2027-01-31", "2028-02-29", "2096-02-29", "2020-12-31", "2026-12-31", "2027-01-01",
      "1912-07-30", "1926-12-25", "1989-01-07", "1989-01-08", "2019-04-30", "2019-05-01",
    ])
  func T4_endsOfMonthsYearsAndErasAreICUs(calendar: String, day: String) throws {
    let anchor = CivilTime(try RFC3339.parse(day + "T00:00:00Z", field: "day")).date.days
    var questions: [CalendarQuestion] = []
    for (unit, count) in Self.units {
      for monthEnd in MonthEndPolicy.allCases {
        questions.append(
          CalendarQuestion(
            calendar: calendar, anchorDay: anchor, unit: unit, monthEnd: monthEnd, count: count))
      }
    }
    try compare(questions, day)
  }
}
