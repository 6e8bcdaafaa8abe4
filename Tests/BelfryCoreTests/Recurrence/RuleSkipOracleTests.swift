import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// SKIP as it is defined, every day of every month or year judged by itself (RFC 7529, 4.1).
struct RuleSkipOracleTests {
  /// A rule by the month or year with days that may not be there.
  struct Question {
    var isYearly: Bool
    var interval: Int64
    var months: [Int64]
    /// Of the month, else of the year.
    var monthDays: [Int64]
    var yearDays: [Int64]
    var weekdays: Set<Int64>
    var hours: [Int64]
    var positions: [Int64]
    var skip: RecurrenceRule.Skip
    var start: CivilDate

    var text: String {
      func part<Values: Collection>(_ name: String, _ values: Values) -> String
      where Values.Element == Int64 {
        values.isEmpty ? "" : ";\(name)=" + values.map { "\($0)" }.joined(separator: ",")
      }
      let names = weekdays.sorted().map { RecurrenceRule.weekdayNames[Int($0) - 1] }
      return "FREQ=\(isYearly ? "YEARLY" : "MONTHLY");INTERVAL=\(interval)"
        + part("BYMONTH", months) + part("BYMONTHDAY", monthDays) + part("BYYEARDAY", yearDays)
        + (names.isEmpty ? "" : ";BYDAY=" + names.joined(separator: ","))
        + part("BYHOUR", hours) + part("BYSETPOS", positions)
        + ";SKIP=" + ["OMIT", "BACKWARD", "FORWARD"][Int(skip.rawValue)]
    }

    /// The day with this number of a stretch of days, or where SKIP puts it.
    private func day(_ number: Int64, first: Int64, length: Int64) -> Int64? {
      let day = number > 0 ? first + number - 1 : first + length + number
      if day < first { return skip == .omit ? nil : skip == .backward ? first - 1 : first }
      guard day >= first + length else { return day }
      return skip == .omit ? nil : skip == .backward ? first + length - 1 : first + length
    }

    /// What one month or year has, in hours since 1970.
    private func set(year: Int64, month: Int64?) -> [Int64] {
      var days: Set<Int64> = []
      for month in month.map({ [$0] }) ?? Array(1...12) where allows(month) {
        let first = CivilDate(year: year, month: month, day: 1).days
        let length = CivilDate.length(ofMonth: month, year: year)
        days.formUnion(monthDays.compactMap { day($0, first: first, length: length) })
      }
      let first = CivilDate(year: year, month: 1, day: 1).days
      let length: Int64 = CivilDate.isLeap(year) ? 366 : 365
      days.formUnion(yearDays.compactMap { day($0, first: first, length: length) })
      let times = days.sorted().filter {
        weekdays.isEmpty || weekdays.contains(CivilDate(days: $0).weekday)
      }.flatMap { day in hours.map { day * 24 + $0 } }
      guard !positions.isEmpty else { return times }
      let places = positions.map { $0 > 0 ? Int($0) - 1 : times.count + Int($0) }
      return places.filter { times.indices.contains($0) }.map { times[$0] }
    }

    private func allows(_ month: Int64) -> Bool { months.isEmpty || months.contains(month) }

    /// All through `years` years, in seconds.
    func occurrences(years: Int64) -> [Int64] {
      var hours: Set<Int64> = []
      // From the one before the start on, whose last day may have gone on to it.
      for year in (start.year - 1)...(start.year + years) {
        if isYearly {
          if (year - start.year) % interval == 0 { hours.formUnion(set(year: year, month: nil)) }
          continue
        }
        for month in Int64(1)...12 where allows(month) {
          let way = (year - start.year) * 12 + month - start.month
          if way % interval == 0 { hours.formUnion(set(year: year, month: month)) }
        }
      }
      return hours.filter { $0 >= start.days * 24 }.sorted().map { $0 * 3600 }
    }
  }

  static func question(_ random: inout SeededRandom) -> Question {
    func some(_ numbers: [Int64], _ most: Int) -> [Int64] {
      let count = Int.random(in: 1...most, using: &random)
      return Set((0..<count).map { _ in numbers.randomElement(using: &random)! }).sorted()
    }
    let byYearDay = Int.random(in: 0..<4, using: &random) == 0
    let monthDays: [Int64] = [-31, -30, -29, -28, -1, 1, 2, 15, 28, 29, 30, 31]
    return Question(
      isYearly: byYearDay || Bool.random(using: &random),
      interval: .random(in: 1...3, using: &random),
      months: byYearDay || Bool.random(using: &random) ? [] : some(Array(1...12), 4),
      monthDays: byYearDay ? [] : some(monthDays, 4),
      yearDays: byYearDay ? some([-366, -365, -1, 1, 2, 60, 365, 366], 4) : [],
      weekdays: Bool.random(using: &random) ? [] : Set(some(Array(1...7), 5)),
      hours: some([0, 9, 17], 3),
      positions: Bool.random(using: &random) ? [] : some([-3, -2, -1, 1, 2, 3], 2),
      skip: .allCases.randomElement(using: &random)!,
      start: CivilDate(days: .random(in: 10_000...20_000, using: &random)))
  }

  @Test func T6_skipIsItsDefinition() throws {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<3000 {
      let question = Self.question(&random)
      let comment: Comment = "seed \(seed): \(question.text) from \(question.start)"
      let years: Int64 = 12
      // What comes after them may go back into the last one.
      let end = CivilDate(year: question.start.year + years, month: 12, day: 1).days * 86400
      let expected = question.occurrences(years: years).filter { $0 < end }
      var rule = try RecurrenceRule.parse(question.text)
      let start = question.start.days * 86400
      let series = RuleSeries(rule, start: start)
      var found: [Int64] = []
      while let next = series.first(onOrAfter: found.last.map { $0 + 1 } ?? .min), next < end {
        found.append(next)
      }
      try #require(found == expected, comment)
      guard let place = found.indices.randomElement(using: &random) else { continue }
      rule.end = .count(Int64(place) + 1)
      #expect(RuleSeries(rule, start: start).last == found[place], comment)
    }
  }
}
