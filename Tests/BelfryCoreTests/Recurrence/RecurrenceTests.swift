import Foundation
import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

struct RecurrenceTests {
  struct Row: CustomTestStringConvertible {
    var unit: RepeatUnit
    var anchor: (Int64, Int64, Int64)
    var days: [(Int64, Int64, Int64)]
    var testDescription: String { "\(unit) from \(anchor)" }
  }

  static let rows = [
    Row(
      unit: .month, anchor: (2027, 1, 31),
      days: [(2027, 2, 28), (2027, 3, 31), (2027, 4, 30), (2027, 5, 31), (2027, 6, 30)]),
    Row(unit: .month, anchor: (2028, 1, 30), days: [(2028, 2, 29), (2028, 3, 30), (2028, 4, 30)]),
    Row(unit: .month, anchor: (2027, 1, 29), days: [(2027, 2, 28), (2027, 3, 29), (2027, 4, 29)]),
    Row(
      unit: .month, anchor: (2027, 11, 30), days: [(2027, 12, 30), (2028, 1, 30), (2028, 2, 29)]),
    Row(
      unit: .quarter, anchor: (2026, 11, 30),
      days: [(2027, 2, 28), (2027, 5, 30), (2027, 8, 30), (2027, 11, 30), (2028, 2, 29)]),
    Row(
      unit: .year, anchor: (2028, 2, 29),
      days: [(2029, 2, 28), (2030, 2, 28), (2031, 2, 28), (2032, 2, 29), (2033, 2, 28)]),
    Row(unit: .year, anchor: (2096, 2, 29), days: [(2097, 2, 28), (2098, 2, 28), (2099, 2, 28)]),
    Row(unit: .week, anchor: (2026, 12, 24), days: [(2026, 12, 31), (2027, 1, 7)]),
    Row(unit: .weekOfMonth, anchor: (2028, 2, 24), days: [(2028, 3, 2), (2028, 3, 9)]),
    Row(unit: .weekOfYear, anchor: (2026, 12, 24), days: [(2026, 12, 31), (2027, 1, 7)]),
    Row(unit: .weekdayOrdinal, anchor: (2026, 12, 24), days: [(2026, 12, 31), (2027, 1, 7)]),
    Row(unit: .weekday, anchor: (2026, 12, 31), days: [(2027, 1, 1), (2027, 1, 2), (2027, 1, 3)]),
    Row(unit: .day, anchor: (2028, 2, 28), days: [(2028, 2, 29), (2028, 3, 1)]),
    // Thursday of week 53 of 2026; 2032 is the next year that has one.
    Row(
      unit: .yearForWeekOfYear, anchor: (2026, 12, 31),
      days: [
        (2027, 12, 30), (2028, 12, 28), (2029, 12, 27), (2030, 12, 26), (2031, 12, 25),
        (2032, 12, 30),
      ]),
    // Monday of week 1, which lies in the civil year before.
    Row(
      unit: .yearForWeekOfYear, anchor: (2024, 12, 30),
      days: [(2025, 12, 29), (2027, 1, 4), (2028, 1, 3)]),
  ]

  @Test(arguments: rows)
  func T4_countsFromTheAnchor(_ row: Row) {
    let time = 7 * Nanoseconds.hour + 5
    let anchor = instant(row.anchor.0, row.anchor.1, row.anchor.2, time)
    #expect(Recurrence.instant(anchor: anchor, unit: row.unit, k: 0) == anchor)
    for (index, day) in row.days.enumerated() {
      let due = Recurrence.instant(anchor: anchor, unit: row.unit, k: Int64(index) + 1)
      #expect(due == instant(day.0, day.1, day.2, time), "k = \(index + 1)")
    }
  }

  @Test func T4_leapDaysAcross2100() {
    let anchor = instant(2096, 2, 29)
    let years = (Int64(0)...12).compactMap { k -> Int64? in
      let due = CivilTime(Recurrence.instant(anchor: anchor, unit: .year, k: k)!)
      return due.date.day == 29 ? due.date.year : nil
    }
    #expect(years == [2096, 2104, 2108])
  }

  @Test func T4_yearsOf53WeeksAreFoundations() {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(secondsFromGMT: 0)!
    for year in Int64(1700)...2260 {
      let middle = Date(
        timeIntervalSince1970: Double(CivilDate(year: year, month: 7, day: 1).days) * 86400)
      let weeks = calendar.range(of: .weekOfYear, in: .yearForWeekOfYear, for: middle)!.count
      #expect(CivilDate.weeks(inISOYear: year) == Int64(weeks), "\(year)")
    }
  }

  /// Foundation's calendar adds k units to the anchor itself, as T4 does.
  @Test func T4_isFoundationsCalendarInUTC() {
    let components: [(RepeatUnit, Calendar.Component, Int)] = [
      (.second, .second, 1), (.minute, .minute, 1), (.hour, .hour, 1), (.day, .day, 1),
      (.weekday, .weekday, 1), (.weekdayOrdinal, .weekdayOrdinal, 1), (.week, .weekOfYear, 1),
      (.weekOfMonth, .weekOfMonth, 1), (.weekOfYear, .weekOfYear, 1), (.month, .month, 1),
      (.quarter, .month, 3), (.year, .year, 1),
    ]
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for calendarName in [Calendar.Identifier.gregorian, .iso8601] {
      var calendar = Calendar(identifier: calendarName)
      calendar.timeZone = TimeZone(secondsFromGMT: 0)!
      for _ in 0..<4000 {
        let (unit, component, count) = components.randomElement(using: &random)!
        let seconds = Int64.random(in: -8_000_000_000...8_000_000_000, using: &random)
        let k = Int64.random(in: 0...400, using: &random)
        let anchor = Instant(nanoseconds: seconds * Nanoseconds.second)
        let theirs = calendar.date(
          byAdding: component, value: Int(k) * count,
          to: Date(timeIntervalSince1970: Double(seconds)))!
        let expected = Int64(theirs.timeIntervalSince1970.rounded())
        let ours = Recurrence.instant(anchor: anchor, unit: unit, k: k)
        if abs(expected) < 9_223_372_036 {
          #expect(
            ours?.nanoseconds == expected * Nanoseconds.second,
            "seed \(seed): \(unit) from \(seconds), k = \(k)")
        }
      }
    }
  }

  @Test func T4_isoYearsKeepWeekAndWeekday() {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(secondsFromGMT: 0)!
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<4000 {
      let day = Int64.random(in: -90_000...90_000, using: &random)
      let k = Int64.random(in: 0...40, using: &random)
      let anchor = Date(timeIntervalSince1970: Double(day) * 86400)
      var parts = calendar.dateComponents(
        [.yearForWeekOfYear, .weekOfYear, .weekday], from: anchor)
      parts.yearForWeekOfYear! += Int(k)
      if parts.weekOfYear == 53 {
        let middle = DateComponents(
          weekday: 5, weekOfYear: 26, yearForWeekOfYear: parts.yearForWeekOfYear)
        let range = calendar.range(
          of: .weekOfYear, in: .yearForWeekOfYear, for: calendar.date(from: middle)!)!
        parts.weekOfYear = range.count
      }
      let expected = calendar.date(from: parts)!.timeIntervalSince1970
      let ours = Recurrence.instant(
        anchor: Instant(nanoseconds: day * Nanoseconds.day), unit: .yearForWeekOfYear, k: k)
      #expect(
        ours?.nanoseconds == Int64(expected) * Nanoseconds.second, "seed \(seed): \(day), k = \(k)")
    }
  }

  /// The definition itself, by walking: due(k) rises with k, and the indices are where it passes
  /// the instant asked for.
  @Test func T4_indicesAreWhereTheDueInstantsPass() {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<20_000 {
      let unit = RepeatUnit.allCases.randomElement(using: &random)!
      let anchor = Instant(nanoseconds: .random(in: .min ... .max, using: &random))
      let k = Int64.random(in: 0...5000, using: &random)
      let comment: Comment = "seed \(seed): \(unit) from \(anchor.nanoseconds), k = \(k)"
      guard let due = Recurrence.instant(anchor: anchor, unit: unit, k: k) else {
        #expect(Recurrence.instant(anchor: anchor, unit: unit, k: k + 1) == nil, comment)
        continue
      }
      #expect(Recurrence.newestIndex(anchor: anchor, unit: unit, notAfter: due) == k, comment)
      let before = Instant(nanoseconds: due.nanoseconds &- 1)
      if k > 0 {
        #expect(Recurrence.firstIndex(anchor: anchor, unit: unit, after: before) == k, comment)
        #expect(
          Recurrence.newestIndex(anchor: anchor, unit: unit, notAfter: before) == k - 1, comment)
      }
      let next = Recurrence.instant(anchor: anchor, unit: unit, k: k + 1)
      if let next { #expect(next > due, comment) }
      #expect(
        Recurrence.firstIndex(anchor: anchor, unit: unit, after: due)
          == (next == nil ? nil : k + 1),
        comment)
    }
  }

  @Test(arguments: RepeatUnit.allCases)
  func T4_theEndsOfTimeAreFoundAtOnce(_ unit: RepeatUnit) throws {
    let past = Instant.distantPast
    let last = try #require(
      Recurrence.newestIndex(anchor: past, unit: unit, notAfter: .distantFuture))
    let due = try #require(Recurrence.instant(anchor: past, unit: unit, k: last))
    #expect(due < .distantFuture)
    #expect(Recurrence.instant(anchor: past, unit: unit, k: last + 1) == nil)
    #expect(Recurrence.firstIndex(anchor: past, unit: unit, after: due) == nil)
    #expect(Recurrence.firstIndex(anchor: past, unit: unit, after: .distantFuture) == nil)
    #expect(Recurrence.firstIndex(anchor: past, unit: unit, after: past) == 1)
    #expect(Recurrence.newestIndex(anchor: past, unit: unit, notAfter: past) == 0)
    for k in [-1, .min, .max, .max / 2, 8001] as [Int64] {
      #expect(Recurrence.instant(anchor: .init(nanoseconds: .max - 1), unit: unit, k: k) == nil)
    }
    #expect(Recurrence.instant(anchor: past, unit: unit, k: .max) == nil)
  }

  @Test func N2_distantFutureNeverComes() {
    for unit in [nil, .second, .month, .yearForWeekOfYear] as [RepeatUnit?] {
      #expect(Recurrence.instant(anchor: .distantFuture, unit: unit, k: 0) == nil)
      #expect(Recurrence.firstIndex(anchor: .distantFuture, unit: unit, after: .distantPast) == nil)
      #expect(
        Recurrence.newestIndex(anchor: .distantFuture, unit: unit, notAfter: .distantFuture) == nil)
    }
  }

  @Test func T4_withoutAUnitItHappensOnce() {
    let anchor = instant(2026, 12, 24)
    let later = anchor.advanced(by: 1)
    let earlier = anchor.advanced(by: -1)
    #expect(Recurrence.instant(anchor: anchor, unit: nil, k: 0) == anchor)
    #expect(Recurrence.instant(anchor: anchor, unit: nil, k: 1) == nil)
    #expect(Recurrence.firstIndex(anchor: anchor, unit: nil, after: earlier) == 0)
    #expect(Recurrence.firstIndex(anchor: anchor, unit: nil, after: anchor) == nil)
    #expect(Recurrence.newestIndex(anchor: anchor, unit: nil, notAfter: later) == 0)
    #expect(Recurrence.newestIndex(anchor: anchor, unit: nil, notAfter: earlier) == nil)
  }
}
