import Testing

@testable import BelfryCore

/// Days that a month or a year does not have, by each policy, and the wall clock kept with them (T4).
struct MonthEndTests {
  struct Row: CustomTestStringConvertible {
    var unit: RepeatUnit
    var every: Int64 = 1
    var policy: MonthEndPolicy
    /// As `RuleDates` reads them, the anchor first.
    var days: String
    var testDescription: String { "\(unit) \(policy): \(days)" }
  }

  static let rows = [
    Row(
      unit: .month, policy: .clamp, days: "2027 Jan 31 Feb 28 Mar 31 Apr 30 May 31 Jun 30 Jul 31"),
    Row(unit: .month, policy: .skip, days: "2027 Jan 31 Mar 31 May 31 Jul 31 Aug 31 Oct 31 Dec 31"),
    Row(
      unit: .month, policy: .roll, days: "2027 Jan 31 Mar 1,31 May 1,31 Jul 1,31 Aug 31 Oct 1,31"),
    Row(unit: .month, policy: .clamp, days: "2027 Jan 30 Feb 28 Mar 30 Apr 30"),
    Row(unit: .month, policy: .skip, days: "2027 Jan 30 Mar 30 Apr 30 May 30"),
    Row(unit: .month, policy: .roll, days: "2027 Jan 30 Mar 1,30 Apr 30"),
    Row(unit: .month, policy: .clamp, days: "2028 Jan 29 Feb 29 Mar 29"),
    Row(unit: .month, policy: .skip, days: "2027 Dec 29 2028 Jan 29 Feb 29 Mar 29"),
    Row(unit: .month, policy: .roll, days: "2026 Dec 29 2027 Jan 29 Mar 1,29"),
    Row(unit: .month, every: 2, policy: .clamp, days: "2027 Dec 31 2028 Feb 29 Apr 30 Jun 30"),
    Row(unit: .quarter, policy: .clamp, days: "2026 Nov 30 2027 Feb 28 May 30 Aug 30 Nov 30"),
    Row(unit: .quarter, policy: .skip, days: "2026 Nov 30 2027 May 30 Aug 30 Nov 30 2028 May 30"),
    Row(unit: .quarter, policy: .roll, days: "2026 Nov 30 2027 Mar 1 May 30 Aug 30 Nov 30"),
    Row(
      unit: .year, policy: .clamp,
      days: "2096 Feb 29 2097 Feb 28 2098 Feb 28 2099 Feb 28 2100 Feb 28 2101 Feb 28"),
    Row(unit: .year, policy: .skip, days: "2096 Feb 29 2104 Feb 29 2108 Feb 29"),
    Row(
      unit: .year, policy: .roll,
      days: "2096 Feb 29 2097 Mar 1 2098 Mar 1 2099 Mar 1 2100 Mar 1 2101 Mar 1"),
    Row(unit: .year, every: 4, policy: .clamp, days: "2092 Feb 29 2096 Feb 29 2100 Feb 28"),
    // Thursday of week 53 of 2026: years without one have it in week 52, not, or a week later.
    Row(
      unit: .yearForWeekOfYear, policy: .clamp,
      days: "2026 Dec 31 2027 Dec 30 2028 Dec 28 2029 Dec 27"),
    Row(unit: .yearForWeekOfYear, policy: .skip, days: "2026 Dec 31 2032 Dec 30 2037 Dec 31"),
    Row(
      unit: .yearForWeekOfYear, policy: .roll,
      days: "2026 Dec 31 2028 Jan 6 2029 Jan 4 2030 Jan 3"),
  ]

  @Test(arguments: rows)
  func T4_daysThatAreNotThere(_ row: Row) throws {
    var plan = RepeatPlan(.unit(row.unit, every: row.every))
    plan.monthEnd = row.policy
    let days = RuleDates.instants(row.days)
    let anchor = try #require(days.first)
    for (mode, zone) in [(ZoneMode.absolute, ZoneRules.utc), (.zoned, TimetableTests.berlin)] {
      let table = Timetable(plan: plan, anchor: anchor, mode: mode, zone: zone)
      var found: [Instant] = []
      var due = table.first(after: .distantPast)
      while let known = due, found.count < days.count {
        found.append(zone.wall(at: known.instant))
        #expect(table.due(k: known.k) == known)
        due = table.next(after: known)
      }
      #expect(found == days)
    }
  }

  /// Weeks go on over the ends of years, of 53 weeks too, at the same wall clock.
  @Test(arguments: [RepeatUnit.week, .weekOfMonth, .weekOfYear, .weekdayOrdinal])
  func T4_weeksOverTheEndsOfYears(_ unit: RepeatUnit) {
    let days = RuleDates.instants("2026 Dec 17,24,31 2027 Jan 7,14")
    let table = Timetable(
      plan: RepeatPlan(.unit(unit, every: 1)), anchor: days[0], mode: .zoned,
      zone: TimetableTests.berlin)
    let found = (Int64(0)..<5).compactMap { table.due(k: $0)?.instant }
    #expect(found.map { TimetableTests.berlin.wall(at: $0) } == days)
  }

  /// A month's or a year's wall clock may fall into a gap or an overlap too (T5).
  @Test func T5_monthsAndYearsMeetTheChangesOfTheClocks() throws {
    let minute = Nanoseconds.minute
    let rows: [(RepeatUnit, Instant, [Int64])] = [
      // 28 March 2027, 02:30 does not exist; before it CET, behind it CEST.
      (.month, instant(2027, 2, 28, 150 * minute), [90, 90, 30]),
      // 31 October 2027, 02:30 exists twice.
      (.year, instant(2026, 10, 31, 150 * minute), [90, 30, 90]),
      // 25 October 2026 is such a day, 25 October 2027 and 2028 are summer.
      (.year, instant(2026, 10, 25, 150 * minute), [30, 30, 30]),
    ]
    for (unit, anchor, minutes) in rows {
      let table = Timetable(
        plan: RepeatPlan(.unit(unit, every: 1)), anchor: anchor, mode: .floating,
        zone: TimetableTests.berlin)
      let found = (Int64(0)..<3).compactMap { table.due(k: $0)?.instant }
      #expect(found.map { $0.nanoseconds % Nanoseconds.day / minute } == minutes, "\(unit)")
    }
  }

  /// Hours and below go on through the gap and the overlap (T5).
  @Test(arguments: [
    (RepeatUnit.second, Nanoseconds.second), (.minute, Nanoseconds.minute),
    (.hour, Nanoseconds.hour),
  ])
  func T5_shortUnitsNeitherSkipNorDouble(unit: RepeatUnit, length: Int64) {
    for anchor in [instant(2027, 3, 28, Nanoseconds.hour), instant(2027, 10, 31, Nanoseconds.hour)]
    {
      let table = Timetable(
        plan: RepeatPlan(.unit(unit, every: 1)), anchor: anchor, mode: .floating,
        zone: TimetableTests.berlin)
      let first = table.due(k: 0)?.instant ?? .distantFuture
      for k in [Int64(1), 2, 3, 59, 60, 61, 3599, 3600, 7201] {
        #expect(table.due(k: k)?.instant == first.advanced(by: k * length), "k = \(k)")
      }
    }
  }
}
