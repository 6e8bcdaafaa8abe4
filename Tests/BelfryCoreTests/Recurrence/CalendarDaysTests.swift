import Testing

@testable import BelfryCore

@Suite struct CalendarDaysTests {
  /// Months of thirty days, from occurrence `first` on.
  private func days(
    _ anchor: Instant, from first: Int64 = 0, count: Int32 = 6, isLast: Bool = false
  ) throws -> CalendarDays {
    let question = CalendarQuestion(
      calendar: "thirty", anchorDay: CivilTime(anchor).date.days, unit: .month, firstIndex: first,
      count: count)
    let days = (0..<Int64(count)).map {
      CalendarDay(k: first + $0, day: question.anchorDay + 30 * (first + $0))
    }
    return try #require(CalendarDays(question, .days(days, isLast: isLast)))
  }

  private func timetable(
    _ days: CalendarDays, _ anchor: Instant, zone: ZoneRules = .utc, mode: ZoneMode = .absolute,
    _ change: (inout RepeatPlan) -> Void = { _ in }
  ) -> Timetable {
    var plan = RepeatPlan(.unit(.month, every: 1))
    plan.calendar = "thirty"
    change(&plan)
    return Timetable(plan: plan, anchor: anchor, mode: mode, zone: zone, days: days)
  }

  private func at(_ text: String) throws -> Instant {
    try RFC3339.parse(text, field: "at")
  }

  @Test func N6_knownDaysAreOccurrencesAtTheAnchorsTimeOfDay() throws {
    let anchor = try at("2027-01-01T07:30:00.5Z")
    let table = timetable(try days(anchor), anchor)
    var texts: [String] = []
    var place = anchor.advanced(by: -1)
    while let due = table.first(after: place) {
      texts.append("\(due.k) " + RFC3339.text(due.instant))
      #expect(table.due(k: due.k) == due)
      place = due.instant
    }
    #expect(
      texts == [
        "0 2027-01-01T07:30:00.500000Z", "1 2027-01-31T07:30:00.500000Z",
        "2 2027-03-02T07:30:00.500000Z",
        "3 2027-04-01T07:30:00.500000Z", "4 2027-05-01T07:30:00.500000Z",
        "5 2027-05-31T07:30:00.500000Z",
      ])
    #expect(table.isOpen)
    #expect(table.newest(notAfter: try at("2027-04-15T00:00:00Z"))?.k == 3)
    #expect(table.count(after: anchor, through: place, limit: 100) == 5)
  }

  @Test func N6_aStretchBeginsWhereItWasAsked() throws {
    let anchor = try at("2027-01-01T07:30:00Z")
    let table = timetable(try days(anchor, from: 12), anchor)
    #expect(table.first(after: anchor)?.k == 12)
    #expect(table.next(afterIndex: 11)?.k == 12)
    #expect(table.next(afterIndex: 12)?.k == 13)
    #expect(table.next(afterIndex: 17) == nil)
    #expect(table.due(k: 11) == nil)
    #expect(table.newest(notAfter: anchor) == nil)
  }

  @Test func T6_untilAndCountCloseIt() throws {
    let anchor = try at("2027-01-01T07:30:00Z")
    let known = try days(anchor)
    let until = try at("2027-03-02T07:30:00Z")
    let rows: [(Timetable, last: Int64?, isOpen: Bool)] = [
      (timetable(known, anchor) { $0.until = until }, 2, false),
      (timetable(known, anchor) { $0.count = 4 }, 3, false),
      (timetable(known, anchor) { $0.count = 6 }, 5, false),
      (timetable(known, anchor) { $0.count = 7 }, 5, true),
      (timetable(try days(anchor, isLast: true), anchor), 5, false),
      (timetable(try days(anchor, count: 0), anchor), nil, true),
    ]
    for (table, last, isOpen) in rows {
      #expect(table.newest(notAfter: .distantFuture.advanced(by: -1))?.k == last)
      #expect(table.isOpen == isOpen)
    }
  }

  @Test func N6_nonsenseIsNoStretch() {
    let question = CalendarQuestion(
      calendar: "thirty", anchorDay: 100, unit: .month, firstIndex: 0, firstDay: 90, count: 3)
    let rows: [[(k: Int64, day: Int64)]] = [
      [(0, 101)], [(0, 99)], [(1, 95)], [(1, 130), (1, 160)], [(1, 130), (2, 130)],
      [(2, 130), (1, 160)], [(1, 130), (2, 120)], [(0, 100), (1, 130), (2, 160), (3, 190)],
      [(-1, 100)], [(1, 130)], [(0, 100), (2, 160)],
    ]
    for row in rows {
      let days = row.map { CalendarDay(k: $0.k, day: $0.day) }
      #expect(CalendarDays(question, .days(days, isLast: false)) == nil, "\(row)")
    }
    #expect(CalendarDays(question, .failed(reason: "no")) == nil)
    #expect(CalendarDays(question, .days([CalendarDay(k: 0, day: 100)], isLast: false)) != nil)
  }

  @Test func N6_daysBeyondTimeAreNone() throws {
    let question = CalendarQuestion(
      calendar: "thirty", anchorDay: 0, unit: .month, firstIndex: 0, count: 3)
    let days = [CalendarDay(k: 0, day: 0), CalendarDay(k: 1, day: .max)]
    let known = try #require(CalendarDays(question, .days(days, isLast: false)))
    let table = timetable(known, Instant(nanoseconds: 5))
    #expect(table.first(after: Instant(nanoseconds: 5)) == nil)
    #expect(!table.isOpen)
  }
}
