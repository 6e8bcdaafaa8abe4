import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// Precedence, and how long a verdict holds.
@Suite struct DayRuleTests {
  private func days(_ spans: (String, String)...) -> DayCalendar {
    DayCalendar(
      spans.map {
        DayCalendar.Range(
          first: DayCalendarTests.day($0.0), last: DayCalendarTests.day($0.1), name: "N")
      })
  }

  private func at(_ text: String) throws -> PlannedOccurrence {
    PlannedOccurrence(k: 0, due: try RFC3339.parse(text, field: "at"))
  }

  @Test func E3_exceptOnGoesBeforeOnlyOnAndThatBeforeAsOn() throws {
    var rule = DayRule(zone: .utc)
    rule.exceptOn = [.init(name: "off", days: days(("2026-12-25", "2026-12-25")))]
    rule.onlyOn = [.init(name: "term", days: days(("2026-12-01", "2026-12-26")))]
    rule.asOn = [
      .init(name: "feast", days: days(("2026-12-24", "2026-12-28")), weekday: .sun)
    ]
    rule.weekdays = 1 << 7
    // A Friday of all three, a Thursday of two, a Sunday of one, an ordinary Sunday and Monday.
    let reasons = try ["25", "24", "27", "20", "21"].map {
      rule.cause(of: try at("2026-12-\($0)T08:00Z"))?.reason
    }
    #expect(
      reasons == [
        "2026-12-25 is a day off: N (off)", nil,
        "calendar-ended: term has no day after 2026-12-26", nil, "it is not for this weekday",
      ])
  }

  @Test func E3_aWeekdayTimetableDoesNotRingOnAWorkdayThatCountsAsSunday() throws {
    var rule = DayRule(zone: .utc)
    rule.asOn = [
      .init(name: "feast", days: days(("2026-12-25", "2026-12-26")), weekday: .sun)
    ]
    rule.weekdays = 0b0011_1110
    let friday = try #require(rule.cause(of: try at("2026-12-25T08:00Z")))
    #expect(friday.isTold && friday.reason == "2026-12-25..2026-12-26 counts as Sunday: N (feast)")
    // Nobody would have expected it on a Saturday.
    let saturday = try #require(rule.cause(of: try at("2026-12-26T08:00Z")))
    #expect(!saturday.isTold)
    #expect(rule.cause(of: try at("2026-12-24T08:00Z")) == nil)
  }

  @Test func E3_theDayIsThatOfTheZonesClocks() throws {
    let rules = try ZoneRules(posix: "LHST-10:30LHDT-11,M10.1.0,M4.1.0")
    var rule = DayRule(zone: rules)
    rule.exceptOn = [.init(name: "off", days: days(("2026-12-25", "2026-12-25")))]
    #expect(rule.cause(of: try at("2026-12-24T12:59:59Z")) == nil)
    #expect(rule.cause(of: try at("2026-12-24T13:00:00Z")) != nil)
    #expect(rule.cause(of: try at("2026-12-25T12:59:59Z")) != nil)
    #expect(rule.cause(of: try at("2026-12-25T13:00:00Z")) == nil)
    #expect(
      try rule.end(of: at("2026-12-24T13:00:00Z"))
        == at("2026-12-25T13:00:00Z").due.advanced(by: -1))
  }

  @Test func E3_anEmptyRangeOfOnlyOnNeverOverflows() throws {
    var rule = DayRule(zone: .utc)
    rule.onlyOn = [.init(name: "none", days: DayCalendar([]))]
    let cause = try #require(rule.cause(of: try at("2026-12-24T00:00Z")))
    #expect(cause.reason == "calendar-ended: none has no day")
    #expect(try rule.end(of: at("2026-12-24T00:00Z")) == .distantFuture)
  }

  @Test func E3_aVerdictHoldsForAllDaysThatItSaysAndIsThePlainOne() {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    func calendar() -> DayCalendar {
      DayCalendar(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          let first = Int64.random(in: 0...200, using: &random)
          return .init(
            first: first, last: first + Int64.random(in: 0...12, using: &random), name: "")
        })
    }
    for _ in 0..<30 {
      var rule = DayRule(zone: .utc)
      for number in 0..<Int.random(in: 0...2, using: &random) {
        rule.exceptOn.append(.init(name: "\(number)", days: calendar()))
      }
      for number in 0..<Int.random(in: 0...2, using: &random) {
        rule.onlyOn.append(.init(name: "\(number)", days: calendar()))
      }
      if Bool.random(using: &random) {
        rule.weekdays = UInt64.random(in: 1...127, using: &random) << 1
        for number in 0..<Int.random(in: 0...2, using: &random) {
          rule.asOn.append(
            .init(
              name: "\(number)", days: calendar(),
              weekday: AsOn.Weekday.allCases.randomElement(using: &random) ?? .mon))
        }
      }
      for day in Int64(-5)...230 {
        let verdict = rule.verdict(on: day)
        #expect((verdict.cause == nil) == rings(rule, day), "seed \(seed): \(rule) \(day)")
        #expect(verdict.last >= day, "seed \(seed)")
        for other in day...min(verdict.last, day + 40) {
          #expect((rule.verdict(on: other).cause == nil) == (verdict.cause == nil))
          #expect(
            rule.verdict(on: other).cause?.isTold == verdict.cause?.isTold
              || verdict.cause?.kind == .otherWeekday)
        }
      }
    }
  }

  /// The rule as its words say it.
  private func rings(_ rule: DayRule, _ day: Int64) -> Bool {
    if rule.exceptOn.contains(where: { $0.days.contains(day) }) { return false }
    if !rule.onlyOn.isEmpty, !rule.onlyOn.contains(where: { $0.days.contains(day) }) {
      return false
    }
    if rule.weekdays == 0 { return true }
    let weekday =
      rule.asOn.first { $0.days.contains(day) }?.weekday.number ?? CivilDate(days: day).weekday
    return rule.weekdays >> UInt64(weekday) & 1 == 1
  }
}
