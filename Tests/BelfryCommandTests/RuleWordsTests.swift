import BelfryCore
import Testing

@testable import BelfryCommand

struct RuleWordsTests {
  @Test(arguments: [
    ("FREQ=DAILY", "every day"), ("FREQ=DAILY;INTERVAL=3", "every 3 days"),
    ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "weekdays"), ("FREQ=WEEKLY;BYDAY=SA,SU", "weekends"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH", "Mon-Thu"), ("FREQ=WEEKLY;BYDAY=TU,SA", "Tue, Sat"),
    ("FREQ=WEEKLY;BYDAY=SA,SU,MO", "Mon, Sat, Sun"), ("FREQ=WEEKLY", "every week"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", "every 2 weeks on Mon, Sun"),
    ("FREQ=DAILY;INTERVAL=2;BYDAY=MO", "FREQ=DAILY;INTERVAL=2;BYDAY=MO"),
    ("FREQ=MONTHLY", "every month"), ("FREQ=MONTHLY;BYDAY=-1FR", "the last Fri of the month"),
    ("FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU", "the 2nd Tue of every 2 months"),
    ("FREQ=MONTHLY;BYMONTHDAY=15", "day 15 of the month"),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "the last day of the month"),
    ("FREQ=MONTHLY;BYMONTHDAY=1,15", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
    ("FREQ=YEARLY", "every year"), ("FREQ=YEARLY;BYMONTH=3", "FREQ=YEARLY;BYMONTH=3"),
    ("FREQ=HOURLY;INTERVAL=6", "every 6 hours"), ("FREQ=MINUTELY;INTERVAL=15", "every 15 minutes"),
    ("FREQ=DAILY;BYHOUR=7,19", "FREQ=DAILY;BYHOUR=7,19"),
    ("FREQ=DAILY;COUNT=10", "every day, 10 times"),
    ("FREQ=SECONDLY;INTERVAL=30", "every 30 seconds"),
    ("FREQ=DAILY;RSCALE=GREGORIAN;SKIP=BACKWARD", "every day"),
    ("FREQ=WEEKLY;BYDAY=MO;RSCALE=GREGORIAN;SKIP=FORWARD", "Mon"),
    ("FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD", "every month"),
    ("FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD", "FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD"),
    ("FREQ=WEEKLY;BYDAY=MO;UNTIL=20270131", "Mon, until 2027-01-31"),
  ])
  func E8_rulesInWords(_ rule: String, _ words: String) throws {
    #expect(RuleWords.rule(try RecurrenceRule.parse(rule)) == words)
  }

  @Test func N4_unitsInWords() {
    var content = Notification()
    #expect(RuleWords.text(content) == "-")
    for (unit, every, words) in [
      (RepeatUnit.day, 1, "every day"), (.weekday, 1, "every day"),
      (.weekdayOrdinal, 1, "every week"),
      (.week, 2, "every 2 weeks"), (.quarter, 1, "every quarter"),
      (.second, 30, "every 30 seconds"),
      (.yearForWeekOfYear, 1, "every ISO year"),
    ] {
      (content.repeatInterval, content.every) = (unit, Int64(every))
      #expect(RuleWords.text(content) == words)
    }
  }

  @Test func T6_countAndDatesInWords() throws {
    var content = Notification()
    content.rrule = try RecurrenceRule.parse("FREQ=WEEKLY;BYDAY=MO")
    let dates = [Instant(nanoseconds: 0), Instant(nanoseconds: 86_400_000_000_000)]
    (content.count, content.exdate) = (5, [dates[0]])
    #expect(RuleWords.text(content) == "Mon, 5 times, 1 date left out")
    (content.count, content.rdate) = (nil, dates)
    #expect(RuleWords.text(content) == "Mon, 1 date left out, 2 dates added")
  }

  @Test func E3_E4_E5_daysOffsetAndSeveralRulesInWords() throws {
    var content = Notification()
    content.rrule = try RecurrenceRule.parse("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    content.exceptOn = ["holidays", "school"]
    content.asOn = [AsOn(calendar: "bridge", weekday: .sun)]
    content.offset = DueOffset(days: -1, seconds: -5400)
    #expect(
      RuleWords.text(content)
        == "weekdays, not on holidays or school, bridge as Sun, 1 day 1 h 30 min before")
    content = Notification()
    content.rrules = [
      try RecurrenceRule.parse("FREQ=WEEKLY;BYDAY=SA"), try RecurrenceRule.parse("FREQ=MONTHLY"),
    ]
    content.onlyOn = ["term"]
    content.offset = DueOffset(seconds: 45)
    #expect(RuleWords.text(content) == "Sat + every month, only on term, 45 s after")
  }

  @Test func R1_aRegionRepeatsByCrossings() {
    var content = Notification()
    content.region = CircularRegion(
      latitude: 1, longitude: 2, radius: 3, notifyOnEntry: true, notifyOnExit: false)
    #expect(RuleWords.text(content) == "-")
    content.regionTriggersOnce = false
    #expect(RuleWords.text(content) == "every crossing")
  }
}
