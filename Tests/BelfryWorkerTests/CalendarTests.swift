import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import TestSupport
import Testing

@testable import BelfryWorker

@Suite struct CalendarTests {
  static let calendars = [
    "chinese", "coptic", "dangi", "ethiopic", "ethiopic-amete-alem", "hebrew", "indian", "islamic",
    "islamic-civil", "islamic-rgsa", "islamic-tbla", "islamic-umalqura", "persian",
  ]

  private static let units: [(unit: RepeatUnit, inTenYears: Int32)] = [
    (.month, 125), (.quarter, 42), (.year, 11), (.yearForWeekOfYear, 11),
  ]

  private func worker() throws -> ClockDouble {
    let clock = try ClockDouble(
      Fixtures.products + "/libbelfry-calendars.so", run: try Fixtures.scratch())
    _ = try clock.ready()
    return clock
  }

  private func compare(_ questions: [CalendarQuestion], _ comment: String) throws {
    let clock = try worker()
    let expected = try CalendarOracle.days(questions)
    try #require(expected.count == questions.count)
    for (question, days) in zip(questions, expected) {
      clock.send(.calendar(token: 7, question))
      let answer = try #require(clock.calendarAnswer())
      guard case .days(let found, _) = answer.answer else {
        Issue.record("\(comment) \(question): \(answer.answer)")
        continue
      }
      // Where some are left out the plugin goes on for as many as were asked for.
      let wanted = days.enumerated().compactMap { k, day in
        day.map { CalendarDay(k: Int64(k), day: $0) }
      }
      #expect(Array(found.prefix(wanted.count)) == wanted, "\(comment) \(question)")
      #expect(answer.token == 7)
    }
  }

  @Test func N6_thePluginOffersEveryCalendarOfICUsThatIsNotGregorian() throws {
    let clock = try ClockDouble(
      Fixtures.products + "/libbelfry-calendars.so", run: try Fixtures.scratch())
    let summary = try clock.ready()
    #expect(summary.capabilities == ["calendar/1"])
    #expect(Set(summary.calendars) == Set(Self.calendars))
  }

  @Test(arguments: calendars)
  func N6_tenYearsOfEveryUnitAreICUs(calendar: String) throws {
    let seed = TestSeed.here()
    var random = Seeded(seed: seed)
    var questions: [CalendarQuestion] = []
    for (unit, count) in Self.units {
      for monthEnd in MonthEndPolicy.allCases {
        for every in [1, 1, Int64.random(in: 2...7, using: &random)] {
          questions.append(
            CalendarQuestion(
              calendar: calendar, anchorDay: Int64.random(in: 0...40_000, using: &random),
              unit: unit, every: every, monthEnd: monthEnd, count: count))
        }
      }
    }
    try compare(questions, "seed \(seed):")
  }

  /// Days of leap months, of the thirteenth month, and of months' ends.
  @Test(
    arguments: [
      ("hebrew", "2024-02-24"),  // 15 Adar I
      ("hebrew", "2024-03-10"),  // 30 Adar I, a day that Adar never has
      ("hebrew", "2024-03-24"),  // 14 Adar II: Purim
      ("hebrew", "2025-03-14"),  // 14 Adar of a common year
      ("hebrew", "2023-11-13"),  // 29 Heshvan
      ("hebrew", "2024-12-01"),  // 30 Heshvan, which some years lack
      ("chinese", "2020-05-23"),  // the first of leap month 4
      ("chinese", "2023-04-19"),  // the last of leap month 2
      ("chinese", "2025-07-25"),  // the first of leap month 6
      ("chinese", "2024-02-10"),  // new year
      ("chinese", "2024-02-09"),  // 30 of month 12, new year's eve
      ("dangi", "2020-05-24"), ("dangi", "2023-04-01"),
      ("ethiopic", "2023-09-11"),  // 13-6, a day of leap years
      ("ethiopic", "2024-09-10"),  // 13-5
      ("ethiopic-amete-alem", "2023-09-11"), ("coptic", "2023-09-11"),
      ("islamic-civil", "2024-07-06"),  // 29 Dhu al-Hijja
      ("islamic-umalqura", "2024-07-06"),  // 30 Dhu al-Hijja
      ("islamic", "2024-07-07"), ("islamic-tbla", "2024-07-06"), ("islamic-rgsa", "2024-07-06"),
      ("persian", "2025-03-20"),  // 30 Esfand of a leap year
      ("indian", "2024-03-21"),  // the first of a leap year's Chaitra
    ])
  func T4_leapMonthsAndMonthsEndsAreICUs(calendar: String, day: String) throws {
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

  @Test func T4_aLeapMonthThatIsMissingHasItsNamesakeInstead() throws {
    let clock = try worker()
    let rows: [(calendar: String, days: [String])] = [
      // Adar I 30: Adar has 29 days; 5787 has an Adar I again.
      ("hebrew", ["2024-03-10", "2025-03-29", "2026-03-18", "2027-03-09"]),
      // Leap month 2, day 15: month 2, day 15.
      ("chinese", ["2023-04-05", "2024-03-24", "2025-03-14", "2026-04-02"]),
    ]
    for row in rows {
      let anchor = CivilTime(try RFC3339.parse(row.days[0] + "T00:00:00Z", field: "day")).date.days
      let question = CalendarQuestion(
        calendar: row.calendar, anchorDay: anchor, unit: .year, count: Int32(row.days.count))
      clock.send(.calendar(token: 1, question))
      guard case .days(let days, false)? = clock.calendarAnswer()?.answer else {
        Issue.record("\(row.calendar): no days")
        continue
      }
      let texts = days.map { day in
        let start = CivilTime(date: CivilDate(days: day.day), nanosecondOfDay: 0).instant()!
        return String(RFC3339.text(start).prefix(10))
      }
      #expect(texts == row.days)
    }
  }

  @Test func N6_questionsFromADayOrAnIndexOnAreThePartOfTheWhole() throws {
    let clock = try worker()
    let seed = TestSeed.here()
    var random = Seeded(seed: seed)
    for _ in 0..<60 {
      let unit = Self.units.randomElement(using: &random)!.unit
      var question = CalendarQuestion(
        calendar: Self.calendars.randomElement(using: &random)!,
        anchorDay: Int64.random(in: -9000...20_000, using: &random), unit: unit,
        every: Int64.random(in: 1...3, using: &random),
        monthEnd: MonthEndPolicy.allCases.randomElement(using: &random)!, count: 200)
      clock.send(.calendar(token: 1, question))
      guard case .days(let all, _)? = clock.calendarAnswer()?.answer, all.count == 200 else {
        Issue.record("seed \(seed) \(question): no days")
        continue
      }
      question.firstDay = question.anchorDay + Int64.random(in: -40...4000, using: &random)
      question.firstIndex = Int64.random(in: 0...90, using: &random)
      question.count = 20
      clock.send(.calendar(token: 1, question))
      let expected = all.filter { $0.day >= question.firstDay && $0.k >= question.firstIndex }
      #expect(
        clock.calendarAnswer()?.answer == .days(Array(expected.prefix(20)), isLast: false),
        "seed \(seed) \(question)")
    }
  }

  @Test func N6_theEndOfWhatACalendarTellsIsSaid() throws {
    let clock = try worker()
    let question = CalendarQuestion(
      calendar: "persian", anchorDay: 0, unit: .year, every: 1000, count: 10)
    clock.send(.calendar(token: 1, question))
    guard case .days(let days, isLast: true)? = clock.calendarAnswer()?.answer else {
      Issue.record("no end")
      return
    }
    #expect(days.map { $0.k } == [0, 1, 2, 3])
  }

  @Test func N6_questionsThatAreNoneAreRefused() throws {
    let clock = try worker()
    let good = CalendarQuestion(calendar: "hebrew", anchorDay: 0, unit: .month, count: 3)
    func changed(_ change: (inout CalendarQuestion) -> Void) -> CalendarQuestion {
      var question = good
      change(&question)
      return question
    }
    let rows = [
      changed { $0.calendar = "julian" }, changed { $0.calendar = "" }, changed { $0.unit = .day },
      changed { $0.every = 0 }, changed { $0.every = .max }, changed { $0.count = 0 },
      changed { $0.count = .max }, changed { $0.anchorDay = .min }, changed { $0.firstDay = .max },
      changed { $0.firstIndex = -1 }, changed { $0.firstIndex = .max },
    ]
    for row in rows {
      clock.send(.calendar(token: 1, row))
      guard case .failed? = clock.calendarAnswer()?.answer else {
        Issue.record("\(row) was answered")
        continue
      }
    }
    clock.send(.calendar(token: 2, good))
    #expect(clock.calendarAnswer()?.token == 2)
  }
}

@Suite struct CalendarMisbehaviourTests {
  private func ask(_ fixture: String) throws -> ClockDouble {
    let clock = try ClockDouble(try Fixtures.plugin(fixture), run: try Fixtures.scratch())
    #expect(try clock.ready().calendars == ["hebrew"])
    let question = CalendarQuestion(calendar: "hebrew", anchorDay: 100, unit: .month, count: 12)
    clock.send(.calendar(token: 5, question))
    return clock
  }

  @Test(
    arguments: [
      ("calendar_before_anchor", "do not ascend from the anchor"),
      ("calendar_descends", "do not ascend from the anchor"),
      ("calendar_million", "wrote 1000000 days into room for 13"),
      ("calendar_refuses", "the almanac is lost"),
    ])
  func N6_nonsenseIsAFailure(fixture: String, words: String) throws {
    let clock = try ask(fixture)
    guard case .failed(let reason)? = clock.calendarAnswer()?.answer else {
      Issue.record("\(fixture) was believed")
      return
    }
    #expect(reason.contains(words), "\(reason)")
    // It goes on serving.
    clock.send(.stop)
    #expect(try clock.end() == .exited(0))
  }

  @Test func N6_whatItCompletesBesidesIsIgnored() throws {
    let clock = try ask("calendar_answers_twice")
    guard case .days(let days, false)? = clock.calendarAnswer()?.answer else {
      Issue.record("no answer")
      return
    }
    let expected = (0..<12).map { Int64(100 + 30 * $0) }
    #expect(days.map { $0.day } == expected)
    #expect(clock.log(containing: "awaits no answer"))
  }

  @Test func N6_aCrashIsTheEndOfItsProcess() throws {
    let clock = try ask("calendar_crashes")
    #expect(clock.calendarAnswer() == nil)
    #expect(try clock.end() == .killed(SIGABRT))
  }

  @Test func N6_aHungOneSaysNothingUntilItIsKilled() throws {
    let clock = try ask("calendar_hangs")
    #expect(clock.receive(seconds: 0.5) == nil)
    clock.killGroup()
    #expect(try clock.end() == .killed(SIGKILL))
  }

  @Test func checkAsksACalendar() throws {
    let rows = [
      (Fixtures.products + "/libbelfry-calendars.so", "calendar  hebrew: a month from today", 0),
      (try Fixtures.plugin("calendar_descends"), "do not ascend", 1),
      (try Fixtures.plugin("calendar_crashes"), "hebrew: no answer", 1),
    ]
    for (file, words, status) in rows {
      let (text, end) = try Fixtures.output(Fixtures.worker, ["--check", file])
      #expect(text.contains(words), "\(text)")
      #expect(end == .exited(Int32(status)))
    }
  }
}
