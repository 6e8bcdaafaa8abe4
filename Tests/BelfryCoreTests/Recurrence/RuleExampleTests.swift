import Foundation
import Testing

@testable import BelfryCore

/// Every example of RFC 5545, 3.8.5.3, in New York's clocks, at 09:00 where nothing else is said.
struct RuleExampleTests {
  struct Row: CustomTestStringConvertible {
    var what: String
    /// A day of 1997, or more of it, as `RuleDates` reads it.
    var start = "1997 Sep 2"
    var rule: String
    /// From the first on, as `RuleDates` reads them; all there are if the rule ends.
    var expected: String
    var ends = true
    var exdate: String?
    var testDescription: String { what }
  }

  static let workdays = "MO,TU,WE,TH,FR"

  static let days = [
    Row(what: "daily, ten times", rule: "FREQ=DAILY;COUNT=10", expected: "1997 Sep 2-11"),
    Row(
      what: "daily until a day before Christmas", rule: "FREQ=DAILY;UNTIL=19971224T000000Z",
      expected: "1997 Sep 2-30 Oct 1-31 Nov 1-30 Dec 1-23"),
    Row(
      what: "every other day", rule: "FREQ=DAILY;INTERVAL=2",
      expected: """
        1997 Sep 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 \
        Oct 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 Nov 1,3,5
        """, ends: false),
    Row(
      what: "every ten days, five times", rule: "FREQ=DAILY;INTERVAL=10;COUNT=5",
      expected: "1997 Sep 2,12,22 Oct 2,12"),
    Row(
      what: "every day of three Januaries, by the year", start: "1998 Jan 1",
      rule: "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
      expected: "1998 Jan 1-31 1999 Jan 1-31 2000 Jan 1-31"),
    Row(
      what: "every day of three Januaries, by the day", start: "1998 Jan 1",
      rule: "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
      expected: "1998 Jan 1-31 1999 Jan 1-31 2000 Jan 1-31"),
  ]

  static let weeks = [
    Row(
      what: "weekly, ten times", rule: "FREQ=WEEKLY;COUNT=10",
      expected: "1997 Sep 2,9,16,23,30 Oct 7,14,21,28 Nov 4"),
    Row(
      what: "weekly until a day before Christmas", rule: "FREQ=WEEKLY;UNTIL=19971224T000000Z",
      expected: "1997 Sep 2,9,16,23,30 Oct 7,14,21,28 Nov 4,11,18,25 Dec 2,9,16,23"),
    Row(
      what: "every other week", rule: "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
      expected: "1997 Sep 2,16,30 Oct 14,28 Nov 11,25 Dec 9,23 1998 Jan 6,20 Feb 3,17",
      ends: false),
    Row(
      what: "Tuesdays and Thursdays for five weeks",
      rule: "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
      expected: "1997 Sep 2,4,9,11,16,18,23,25,30 Oct 2"),
    Row(
      what: "Tuesdays and Thursdays, ten times", rule: "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
      expected: "1997 Sep 2,4,9,11,16,18,23,25,30 Oct 2"),
    Row(
      what: "three days of every other week until Christmas", start: "1997 Sep 1",
      rule: "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
      expected: """
        1997 Sep 1,3,5,15,17,19,29 Oct 1,3,13,15,17,27,29,31 Nov 10,12,14,24,26,28 Dec 8,10,12,22
        """),
    Row(
      what: "two days of every other week, eight times",
      rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
      expected: "1997 Sep 2,4,16,18,30 Oct 2,14,16"),
    Row(
      what: "weeks that begin on Monday", start: "1997 Aug 5",
      rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", expected: "1997 Aug 5,10,19,24"),
    Row(
      what: "weeks that begin on Sunday", start: "1997 Aug 5",
      rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", expected: "1997 Aug 5,17,19,31"),
  ]

  static let months = [
    Row(
      what: "first Fridays, ten", start: "1997 Sep 5", rule: "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
      expected: "1997 Sep 5 Oct 3 Nov 7 Dec 5 1998 Jan 2 Feb 6 Mar 6 Apr 3 May 1 Jun 5"),
    Row(
      what: "first Fridays until Christmas", start: "1997 Sep 5",
      rule: "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
      expected: "1997 Sep 5 Oct 3 Nov 7 Dec 5"),
    Row(
      what: "first and last Sundays of every other month", start: "1997 Sep 7",
      rule: "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
      expected: "1997 Sep 7,28 Nov 2,30 1998 Jan 4,25 Mar 1,29 May 3,31"),
    Row(
      what: "last Mondays but one", start: "1997 Sep 22", rule: "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
      expected: "1997 Sep 22 Oct 20 Nov 17 Dec 22 1998 Jan 19 Feb 16"),
    Row(
      what: "last day but two", start: "1997 Sep 28", rule: "FREQ=MONTHLY;BYMONTHDAY=-3",
      expected: "1997 Sep 28 Oct 29 Nov 28 Dec 29 1998 Jan 29 Feb 26", ends: false),
    Row(
      what: "the 2nd and the 15th", rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
      expected: "1997 Sep 2,15 Oct 2,15 Nov 2,15 Dec 2,15 1998 Jan 2,15"),
    Row(
      what: "first and last day", start: "1997 Sep 30",
      rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
      expected: "1997 Sep 30 Oct 1,31 Nov 1,30 Dec 1,31 1998 Jan 1,31 Feb 1"),
    Row(
      what: "six days of every eighteenth month", start: "1997 Sep 10",
      rule: "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
      expected: "1997 Sep 10-15 1999 Mar 10-13"),
    Row(
      what: "Tuesdays of every other month", rule: "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
      expected: "1997 Sep 2,9,16,23,30 Nov 4,11,18,25 1998 Jan 6,13,20,27 Mar 3,10,17,24,31",
      ends: false),
    Row(
      what: "Fridays the 13th, and not the start", rule: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
      expected: "1998 Feb 13 Mar 13 Nov 13 1999 Aug 13 2000 Oct 13", ends: false,
      exdate: "1997 Sep 2"),
    Row(
      what: "the Saturday behind the first Sunday", start: "1997 Sep 13",
      rule: "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
      expected: "1997 Sep 13 Oct 11 Nov 8 Dec 13 1998 Jan 10 Feb 7 Mar 7 Apr 11 May 9 Jun 13",
      ends: false),
    Row(
      what: "the third of a month's midweek days", start: "1997 Sep 4",
      rule: "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", expected: "1997 Sep 4 Oct 7 Nov 6"),
    Row(
      what: "the last workday but one", start: "1997 Sep 29",
      rule: "FREQ=MONTHLY;BYDAY=\(workdays);BYSETPOS=-2",
      expected: "1997 Sep 29 Oct 30 Nov 27 Dec 30 1998 Jan 29 Feb 26 Mar 30", ends: false),
    Row(
      what: "30 February does not count", start: "2007 Jan 15",
      rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", expected: "2007 Jan 15,30 Feb 15 Mar 15,30"),
  ]

  static let years = [
    Row(
      what: "June and July", start: "1997 Jun 10", rule: "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
      expected: """
        1997 Jun 10 Jul 10 1998 Jun 10 Jul 10 1999 Jun 10 Jul 10 2000 Jun 10 Jul 10 \
        2001 Jun 10 Jul 10
        """),
    Row(
      what: "three months of every other year", start: "1997 Mar 10",
      rule: "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
      expected: """
        1997 Mar 10 1999 Jan 10 Feb 10 Mar 10 2001 Jan 10 Feb 10 Mar 10 2003 Jan 10 Feb 10 Mar 10
        """),
    Row(
      what: "three days of every third year", start: "1997 Jan 1",
      rule: "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
      expected: """
        1997 Jan 1 Apr 10 Jul 19 2000 Jan 1 Apr 9 Jul 18 2003 Jan 1 Apr 10 Jul 19 2006 Jan 1
        """),
    Row(
      what: "the twentieth Monday", start: "1997 May 19", rule: "FREQ=YEARLY;BYDAY=20MO",
      expected: "1997 May 19 1998 May 18 1999 May 17", ends: false),
    Row(
      what: "the Monday of week 20", start: "1997 May 12", rule: "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
      expected: "1997 May 12 1998 May 11 1999 May 17", ends: false),
    Row(
      what: "Thursdays in March", start: "1997 Mar 13", rule: "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
      expected: "1997 Mar 13,20,27 1998 Mar 5,12,19,26 1999 Mar 4,11,18,25", ends: false),
    Row(
      what: "Thursdays in summer", start: "1997 Jun 5", rule: "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
      expected: """
        1997 Jun 5,12,19,26 Jul 3,10,17,24,31 Aug 7,14,21,28 \
        1998 Jun 4,11,18,25 Jul 2,9,16,23,30 Aug 6,13,20,27 \
        1999 Jun 3,10,17,24 Jul 1,8,15,22,29 Aug 5,12,19,26
        """, ends: false),
    Row(
      what: "election days: the Tuesday behind the first Monday of November", start: "1996 Nov 5",
      rule: "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      expected: "1996 Nov 5 2000 Nov 7 2004 Nov 2", ends: false),
  ]

  static let twentyMinutes =
    "1997 Sep 2 "
    + (9...16).map { "\($0):00 \($0):20 \($0):40 " }.joined()
    + "3 9:00 9:20"

  static let hours = [
    // The RFC's own UNTIL, 17:00Z, is 13:00 in New York; its list has what 21:00Z gives.
    Row(
      what: "every three hours to five o'clock",
      rule: "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z",
      expected: "1997 Sep 2 9:00 12:00 15:00"),
    Row(
      what: "every three hours, as it is written",
      rule: "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z",
      expected: "1997 Sep 2 9:00 12:00"),
    Row(
      what: "every quarter of an hour, six times", rule: "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
      expected: "1997 Sep 2 9:00 9:15 9:30 9:45 10:00 10:15"),
    Row(
      what: "every hour and a half, four times", rule: "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
      expected: "1997 Sep 2 9:00 10:30 12:00 13:30"),
    Row(
      what: "every twenty minutes of the working day, by the day",
      rule: "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40", expected: twentyMinutes,
      ends: false),
    Row(
      what: "every twenty minutes of the working day, by the minute",
      rule: "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16", expected: twentyMinutes,
      ends: false),
  ]

  @Test(arguments: days + weeks + months + years + hours)
  func T6_examplesOfRFC5545(_ row: Row) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/America/New_York"))
    let zone = try ZoneRules(tzif: Array(data))
    var plan = RepeatPlan(.rule(try RecurrenceRule.parse(row.rule)))
    plan.exdates = RuleDates.instants(row.exdate ?? "")
    let expected = RuleDates.instants(row.expected)
    let anchor = try #require(RuleDates.instants(row.start).first)
    for mode in [ZoneMode.floating, .zoned] {
      let table = Timetable(plan: plan, anchor: anchor, mode: mode, zone: zone)
      var found: [Instant] = []
      var due = table.first(after: .distantPast)
      while let known = due, found.count < expected.count {
        found.append(zone.wall(at: known.instant))
        due = table.next(after: known)
      }
      #expect(found == expected)
      #expect((due == nil) == row.ends)
    }
  }

  /// The lists above are the RFC's; another implementation has the same.
  @Test func T6_examplesOfRFC5545ByDateutil() throws {
    let rows = Self.days + Self.weeks + Self.months + Self.years + Self.hours
    let zone = try ZoneRules(
      tzif: Array(Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/America/New_York"))))
    func seconds(_ text: String) -> [Int64] {
      RuleDates.instants(text).map { $0.nanoseconds / Nanoseconds.second }
    }
    let questions = try rows.map { row in
      var rule = try RecurrenceRule.parse(row.rule)
      // It takes no UNTIL in UTC beside a wall clock.
      if case .untilInstant(let end) = rule.end { rule.end = .untilWall(zone.wall(at: end)) }
      return DateutilOracle.Question(
        start: try #require(seconds(row.start).first), rule: rule.text,
        exdates: seconds(row.exdate ?? ""))
    }
    let most = rows.map { seconds($0.expected).count }.max() ?? 0
    let answers = try DateutilOracle.answers(to: questions, count: most + 1, within: 10)
    for (row, answer) in zip(rows, answers) {
      let expected = seconds(row.expected)
      #expect(answer.map { Array($0.prefix(expected.count)) } == expected, "\(row.what)")
      #expect((answer?.count == expected.count) == row.ends, "\(row.what)")
    }
    #expect(answers.count == rows.count)
  }
}
