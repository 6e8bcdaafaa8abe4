import Foundation
import Testing

@testable import BelfryCore

/// `2026-02-29T23:59:59.5Z`, without a check of its own.
func instant(_ year: Int64, _ month: Int64, _ day: Int64, _ nanosecondOfDay: Int64 = 0) -> Instant {
  let date = CivilDate(year: year, month: month, day: day)
  return CivilTime(date: date, nanosecondOfDay: nanosecondOfDay).instant()!
}

struct CivilDateTests {
  @Test func T4_everyDayOfElevenCenturiesGoesThereAndBack() {
    var expected = CivilDate(year: 1500, month: 1, day: 1)
    for day in expected.days..<CivilDate(year: 2600, month: 1, day: 1).days {
      let date = CivilDate(days: day)
      #expect(date == expected && date.days == day)
      expected.day += 1
      if expected.day > CivilDate.length(ofMonth: expected.month, year: expected.year) {
        expected.day = 1
        expected.month += 1
      }
      if expected.month > 12 { expected = CivilDate(year: expected.year + 1, month: 1, day: 1) }
    }
  }

  @Test(
    arguments: [
      (1970, 1, 1, 0, 4), (1969, 12, 31, -1, 3), (2000, 2, 29, 11016, 2), (2026, 11, 21, 20778, 6),
      (1, 1, 1, -719_162, 1), (0, 3, 1, -719_468, 3), (-400, 3, 1, -865_565, 3),
      (10000, 1, 1, 2_932_897, 6),
    ] as [(Int64, Int64, Int64, Int64, Int64)])
  func T4_knownDays(_ year: Int64, _ month: Int64, _ day: Int64, _ days: Int64, _ weekday: Int64) {
    let date = CivilDate(year: year, month: month, day: day)
    #expect(date.days == days)
    #expect(date.weekday == weekday)
    #expect(CivilDate(days: days) == date)
  }

  @Test func T4_farYearsGoThereAndBack() {
    for year in [-1_000_000_000_000, -10000, 9999, 10000, 1_000_000_000_000] as [Int64] {
      for (month, day) in [(1, 1), (2, 28), (3, 1), (12, 31)] as [(Int64, Int64)] {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(CivilDate(days: date.days) == date)
      }
    }
  }

  @Test func T4_isoWeeksAreFoundations() {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(secondsFromGMT: 0)!
    for day in stride(from: Int64(-36_000), to: 72_000, by: 1) {
      let date = Date(timeIntervalSince1970: Double(day) * 86400)
      let parts = calendar.dateComponents([.yearForWeekOfYear, .weekOfYear], from: date)
      let week = CivilDate(days: day).isoWeek
      #expect(week.year == Int64(parts.yearForWeekOfYear!) && week.week == Int64(parts.weekOfYear!))
    }
  }

  @Test func T4_theEndsOfInstantAreCivilTimes() {
    let first = CivilTime(.distantPast)
    let last = CivilTime(.distantFuture)
    #expect(first.date == CivilDate(year: 1677, month: 9, day: 21))
    #expect(last.date == CivilDate(year: 2262, month: 4, day: 11))
    #expect((last.hour, last.minute, last.second, last.nanosecond) == (23, 47, 16, 854_775_807))
    for offset in [-604_800, -50_400, -1, 0, 1, 50_400, 604_800] as [Int64] {
      #expect(CivilTime(.distantPast, offset: offset).instant(offset: offset) == .distantPast)
      #expect(CivilTime(.distantFuture, offset: offset).instant(offset: offset) == .distantFuture)
    }
    var beyond = last
    beyond.nanosecondOfDay += 1
    #expect(beyond.instant() == nil)
    beyond = first
    beyond.nanosecondOfDay -= 1
    #expect(beyond.instant() == nil)
    beyond.date.year = 1_000_000_000_000
    #expect(beyond.instant() == nil)
  }
}
