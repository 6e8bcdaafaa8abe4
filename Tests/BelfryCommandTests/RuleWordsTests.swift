import BelfryCore
import Testing

@testable import BelfryCommand

struct RuleWordsTests {
  @Test(arguments: [
    ("FREQ=DAILY", "every day"), ("FREQ=DAILY;INTERVAL=3", "every 3 days"),
    ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "weekdays"), ("FREQ=WEEKLY;BYDAY=SA,SU", "weekends"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH", "every week on Mon-Thu"),
    ("FREQ=WEEKLY;BYDAY=TU,SA", "every week on Tue, Sat"),
    ("FREQ=WEEKLY;BYDAY=SA,SU,MO", "every week on Mon, Sat, Sun"),
    ("FREQ=WEEKLY", "every week on Wednesday"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", "every 2 weeks on Mon, Sun"),
    ("FREQ=DAILY;INTERVAL=2;BYDAY=MO", "every 2 days if it is Mon"),
    ("FREQ=MONTHLY", "every month on day 6"),
    ("FREQ=MONTHLY;BYDAY=-1FR", "the last Fri of the month"),
    ("FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU", "the 2nd Tue of every 2 months"),
    ("FREQ=MONTHLY;BYDAY=2TU,-1FR", "every month on the last Fri, the 2nd Tue"),
    ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every month on weekdays, only the last"),
    ("FREQ=MONTHLY;BYMONTHDAY=15", "day 15 of the month"),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "the last day of the month"),
    ("FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on day 1, 15"),
    (
      "FREQ=MONTHLY;BYMONTHDAY=10,11,12,-1,-2",
      "every month on day 10-12, the 2nd last day, the last day"
    ),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "every month on day 13 if it is Fri"),
    ("FREQ=YEARLY", "every year on 6 Jan"), ("FREQ=YEARLY;BYMONTH=3", "every year in Mar"),
    ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "every year in Nov on the 4th Thu"),
    ("FREQ=YEARLY;INTERVAL=2;BYMONTH=1,2,3,12", "every 2 years in Jan-Mar, Dec"),
    ("FREQ=YEARLY;BYYEARDAY=1,100,-1", "every year on day 1, 100, the last day of the year"),
    ("FREQ=YEARLY;BYWEEKNO=20,-1;BYDAY=MO", "every year in week 20, the last week on Mon"),
    ("FREQ=YEARLY;BYDAY=22MO", "every year on the 22nd Mon"),
    ("FREQ=YEARLY;BYMONTHDAY=13", "every year on day 13 of each month"),
    ("FREQ=YEARLY;BYDAY=MO", "every year on Mon of each week"),
    ("FREQ=MONTHLY;BYDAY=-1FR;RSCALE=GREGORIAN;SKIP=FORWARD", "the last Fri of the month"),
    (
      "FREQ=DAILY;BYMONTHDAY=31;RSCALE=GREGORIAN;SKIP=BACKWARD", "every day on day 31"
    ),
    ("FREQ=HOURLY;INTERVAL=6", "every 6 hours"), ("FREQ=MINUTELY;INTERVAL=15", "every 15 minutes"),
    ("FREQ=MINUTELY;INTERVAL=15;BYHOUR=9,10,11,12,17", "every 15 minutes in hours 9-12, 17"),
    ("FREQ=MINUTELY;BYDAY=SA;BYHOUR=9;BYSECOND=30", "every minute on Sat in hour 9 at second 30"),
    ("FREQ=HOURLY;BYMINUTE=0,30", "every hour at minutes 0, 30"),
    ("FREQ=SECONDLY;BYMINUTE=0", "every second in minute 0"),
    ("FREQ=DAILY;BYHOUR=7,19", "every day at 07:05, 19:05"),
    ("FREQ=DAILY;BYHOUR=7;BYMINUTE=0,30;BYSECOND=15", "every day at 07:00:15, 07:30:15"),
    ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0", "every week on Monday at 08:00"),
    ("FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7", "every day in hours 0-7"),
    ("FREQ=DAILY;COUNT=10", "every day, 10 times"),
    ("FREQ=SECONDLY;INTERVAL=30", "every 30 seconds"),
    ("FREQ=DAILY;RSCALE=GREGORIAN;SKIP=BACKWARD", "every day"),
    ("FREQ=WEEKLY;BYDAY=MO;RSCALE=GREGORIAN;SKIP=FORWARD", "every week on Monday"),
    ("FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD", "every month on day 6"),
    (
      "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD", "every month on day 6, else the day after"
    ),
    (
      "FREQ=MONTHLY;BYMONTHDAY=31;RSCALE=GREGORIAN;SKIP=BACKWARD",
      "day 31 of the month, else the day before"
    ),
    ("FREQ=WEEKLY;BYDAY=MO;UNTIL=20270131", "every week on Monday, until 2027-01-31"),
    ("FREQ=WEEKLY;BYDAY=MO;UNTIL=20270131T080000", "every week on Monday, until 2027-01-31 08:00"),
    (
      "FREQ=WEEKLY;BYDAY=MO;UNTIL=20270131T080030Z",
      "every week on Monday, until 2027-01-31 08:00:30Z"
    ),
  ])
  func E8_rulesInWords(_ rule: String, _ words: String) throws {
    let start = CivilTime(
      date: CivilDate(year: 2027, month: 1, day: 6),
      nanosecondOfDay: 7 * Nanoseconds.hour + 5 * Nanoseconds.minute)
    #expect(RuleWords.text(try RecurrenceRule.parse(rule), from: start) == words)
  }

  /// All rules that RFC 5545 allows have words, none of them its own.
  @Test func E8_everyPartIsNamed() throws {
    for frequency in ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"] {
      for part in [
        "BYMONTH=2", "BYWEEKNO=3", "BYYEARDAY=-4", "BYMONTHDAY=5", "BYDAY=WE", "BYDAY=-2WE",
        "BYHOUR=6", "BYMINUTE=7", "BYSECOND=8", "BYDAY=WE;BYSETPOS=9",
      ] {
        guard let rule = try? RecurrenceRule.parse("FREQ=\(frequency);" + part) else { continue }
        let plain = try RecurrenceRule.parse("FREQ=\(frequency)")
        let words = RuleWords.text(rule)
        #expect(words != RuleWords.text(plain) && !words.contains("="), "\(rule.text): \(words)")
      }
    }
  }

  private func text(_ content: Notification, next: Instant? = nil) -> String {
    var words = RepeatWords(board: .utc, files: BoardZone.files)
    return words.text(content, next: next)
  }

  @Test func E8_whatBeganAtOnceHasItsWeekdayFromWhenItIsDue() throws {
    var content = Notification()
    content.repeatInterval = .week
    #expect(text(content) == "every week")
    let sunday = try RFC3339.parse("2027-01-03T23:30:00Z", field: "")
    #expect(text(content, next: sunday) == "every week on Sunday by UTC")
    (content.zoneMode, content.timeZone) = (.zoned, "Europe/Berlin")
    #expect(text(content, next: sunday) == "every week on Monday")
    // An offset moves it to another day than its rule's (E4).
    content.offset = DueOffset(days: -1, seconds: 0)
    #expect(text(content, next: sunday) == "every week, 1 day before")
    content.repeatInterval = .month
    #expect(text(content, next: sunday) == "every month, 1 day before")
  }

  @Test func E8_whatTheStartSays() throws {
    var content = Notification()
    content.rrule = try RecurrenceRule.parse("FREQ=WEEKLY")
    #expect(text(content) == "every week by UTC")
    // Sunday 23:30 UTC is Monday in Berlin.
    content.fireDate = try RFC3339.parse("2027-01-03T23:30:00Z", field: "")
    #expect(text(content) == "every week on Sunday by UTC")
    (content.zoneMode, content.timeZone) = (.zoned, "Europe/Berlin")
    #expect(text(content) == "every week on Monday")
    content.until = try RFC3339.parse("2027-02-01T22:59:59.999999Z", field: "")
    #expect(text(content) == "every week on Monday, until 2027-02-01")
    content.until = try RFC3339.parse("2027-02-01T07:00:00Z", field: "")
    #expect(text(content) == "every week on Monday, until 2027-02-01 08:00")
    (content.zoneMode, content.timeZone) = (.absolute, nil)
    #expect(text(content) == "every week on Sunday by UTC, until 2027-02-01 07:00Z")
    content.rrule = try RecurrenceRule.parse("FREQ=HOURLY;BYMINUTE=30")
    #expect(text(content) == "every hour at minute 30, until 2027-02-01 07:00Z")
    content.until = nil
    for (date, month, year, whole) in [
      ("2027-01-28", "on day 28", "on 28 Jan", ("on day 28", "on 28 Jan")),
      ("2027-01-31", "on day 31 or the last", "on 31 Jan", ("that has a day 31", "on 31 Jan")),
      (
        "2028-02-29", "on day 29 or the last", "on the last day of Feb",
        ("that has a day 29", "that has a 29 Feb")
      ),
    ] {
      (content.zoneMode, content.timeZone) = (.floating, "Etc/UTC")
      content.fireDate = try RFC3339.parse(date + "T07:00:00Z", field: "")
      for (unit, policy, words) in [
        (RepeatUnit.month, MonthEndPolicy.clamp, month), (.year, .clamp, year),
        (.month, .skip, whole.0), (.year, .skip, whole.1),
      ] {
        content.rrule = nil
        (content.repeatInterval, content.monthEnd) = (unit, policy)
        #expect(text(content) == "every \(unit.name) " + words)
        content.repeatInterval = nil
        let skip = policy == .clamp ? ";RSCALE=GREGORIAN;SKIP=BACKWARD" : ""
        content.rrule = try RecurrenceRule.parse("FREQ=\(unit.name.uppercased())LY" + skip)
        #expect(text(content) == "every \(unit.name) " + words)
      }
    }
    content.monthEnd = .clamp
    content.fireDate = try RFC3339.parse("2027-01-03T23:30:00Z", field: "")
    for (rule, unit, byUTC, inBerlin) in [
      ("FREQ=MONTHLY", RepeatUnit.month, "every month on day 3", "every month on day 4"),
      ("FREQ=YEARLY", .year, "every year on 3 Jan", "every year on 4 Jan"),
    ] {
      content.rrule = try RecurrenceRule.parse(rule)
      (content.zoneMode, content.timeZone) = (.absolute, nil)
      #expect(text(content) == byUTC + " by UTC")
      (content.zoneMode, content.timeZone) = (.zoned, "Europe/Berlin")
      #expect(text(content) == inBerlin)
      (content.rrule, content.repeatInterval) = (nil, unit)
      #expect(text(content) == inBerlin)
      (content.zoneMode, content.timeZone) = (.absolute, nil)
      #expect(text(content) == byUTC + " by UTC")
      content.repeatInterval = nil
    }
  }

  @Test func N4_unitsInWords() {
    var content = Notification()
    #expect(text(content) == "-")
    for (unit, every, words) in [
      (RepeatUnit.day, 1, "every day"), (.weekday, 1, "every day"),
      (.weekdayOrdinal, 1, "every week"),
      (.week, 2, "every 2 weeks"), (.quarter, 1, "every quarter"),
      (.second, 30, "every 30 seconds"),
      (.yearForWeekOfYear, 1, "every ISO year"),
    ] {
      (content.repeatInterval, content.every) = (unit, Int64(every))
      #expect(text(content) == words)
    }
  }

  @Test func T6_countAndDatesInWords() throws {
    var content = Notification()
    content.rrule = try RecurrenceRule.parse("FREQ=WEEKLY;BYDAY=MO")
    let dates = [Instant(nanoseconds: 0), Instant(nanoseconds: 86_400_000_000_000)]
    (content.count, content.exdate) = (5, [dates[0]])
    #expect(text(content) == "every week on Monday, 5 times, 1 date left out")
    (content.count, content.rdate) = (nil, dates)
    #expect(text(content) == "every week on Monday, 1 date left out, 2 dates added")
  }

  @Test func E3_E4_E5_daysOffsetAndSeveralRulesInWords() throws {
    var content = Notification()
    content.rrule = try RecurrenceRule.parse("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    content.exceptOn = ["holidays", "school"]
    content.asOn = [AsOn(calendar: "bridge", weekday: .sun)]
    content.offset = DueOffset(days: -1, seconds: -5400)
    #expect(
      text(content)
        == "weekdays, not on holidays or school, bridge as Sun, 1 day 1 h 30 min before")
    content = Notification()
    content.rrules = [
      try RecurrenceRule.parse("FREQ=WEEKLY;BYDAY=SA"), try RecurrenceRule.parse("FREQ=MONTHLY"),
    ]
    content.onlyOn = ["term"]
    content.offset = DueOffset(seconds: 45)
    #expect(text(content) == "every week on Saturday + every month, only on term, 45 s after")
  }

  @Test func R1_aRegionRepeatsByCrossings() {
    var content = Notification()
    content.region = CircularRegion(
      latitude: 1, longitude: 2, radius: 3, notifyOnEntry: true, notifyOnExit: false)
    #expect(text(content) == "-")
    content.regionTriggersOnce = false
    #expect(text(content) == "every crossing")
  }
}
