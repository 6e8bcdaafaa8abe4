import Testing

@testable import BelfryCore

struct OccurrencesTests {
  static let now = instant(2026, 11, 21, 10 * Nanoseconds.hour)

  static func next(
    _ fireDate: Instant?, _ unit: RepeatUnit?, after: Instant? = nil, expires: Instant? = nil
  ) -> [Instant] {
    var notification = Notification()
    notification.fireDate = fireDate
    notification.repeatInterval = unit
    notification.expires = expires
    return next(notification, after: after, count: 3)
  }

  static func next(_ notification: Notification, after: Instant?, count: Int32) -> [Instant] {
    Occurrences.next(
      in: reading(notification).timetable(),
      after: max(after ?? .distantPast, now.advanced(by: -1)), expires: notification.expires,
      count: count, zoneName: "UTC"
    ).map { $0.instant }
  }

  static let hour = Nanoseconds.hour
  static let rows: [(Instant?, RepeatUnit?, [Instant])] = [
    // N2: nil and past are at once, and now is the anchor of a repeat without a date.
    (nil, nil, [now]),
    (now.advanced(by: -1), nil, [now]),
    (.distantPast, nil, [now]),
    (nil, .hour, [now, now.advanced(by: hour), now.advanced(by: 2 * hour)]),
    (
      .distantPast, .day, [now, instant(2026, 11, 22, 10 * hour), instant(2026, 11, 23, 10 * hour)]
    ),
    (.distantFuture, nil, []),
    (.distantFuture, .day, []),
    (now, nil, [now]),
    (instant(2026, 12, 24), nil, [instant(2026, 12, 24)]),
    // N5: a repeat whose anchor is past starts at its next occurrence.
    (
      instant(2026, 8, 31), .month,
      [instant(2026, 11, 30), instant(2026, 12, 31), instant(2027, 1, 31)]
    ),
    (
      instant(2026, 12, 24), .week,
      [instant(2026, 12, 24), instant(2026, 12, 31), instant(2027, 1, 7)]
    ),
  ]

  @Test(arguments: rows)
  func N18_nextOfADraft(_ fireDate: Instant?, _ unit: RepeatUnit?, _ expected: [Instant]) {
    #expect(Self.next(fireDate, unit) == expected)
  }

  @Test func N18_afterIsExclusive() {
    let start = instant(2026, 12, 1)
    #expect(
      Self.next(start, .day, after: start)
        == [instant(2026, 12, 2), instant(2026, 12, 3), instant(2026, 12, 4)])
    #expect(Self.next(start, nil, after: start) == [])
    #expect(Self.next(start, .day, after: .distantFuture) == [])
    // What lies before the scheduling does not happen.
    #expect(Self.next(start, .year, after: .distantPast).first == start)
  }

  @Test func N18_endsWithTimeAndWithExpiry() {
    #expect(
      Self.next(instant(2260, 12, 31), .year) == [instant(2260, 12, 31), instant(2261, 12, 31)])
    let start = instant(2026, 12, 1)
    #expect(
      Self.next(start, .day, expires: instant(2026, 12, 2))
        == [start, instant(2026, 12, 2)])
    for count in [0, -1, .min] as [Int32] {
      #expect(Self.next(Notification(), after: nil, count: count) == [])
    }
  }

  static func reading(_ notification: Notification) -> PlanReading {
    notification.reading(scheduledAt: now, named: .utc, board: .utc)
  }

  /// Months of thirty days, as a plugin that knows `last` of them would tell.
  private func thirty(
    _ question: CalendarQuestion, last: Int64 = .max
  ) throws(FieldError) -> CalendarDays {
    var days: [CalendarDay] = []
    var k = question.firstIndex
    while days.count < Int(question.count), k <= last {
      let day = question.anchorDay + 30 * k
      if day >= question.firstDay { days.append(CalendarDay(k: k, day: day)) }
      k += 1
    }
    guard let known = CalendarDays(question, .days(days, isLast: k > last)) else {
      throw FieldError("days", .malformed, "\(question)")
    }
    return known
  }

  @Test func N6_aPluginIsAskedAsOftenAsThereIsMoreToKnow() throws {
    var notification = Notification()
    notification.fireDate = instant(2026, 12, 1, 8 * Self.hour)
    notification.repeatInterval = .month
    notification.repeatCalendar = "hebrew"
    var asked: [CalendarQuestion] = []
    let found = try Occurrences.next(
      of: Self.reading(notification), after: instant(2026, 12, 31, 8 * Self.hour), expires: nil,
      count: 600, zoneName: "UTC"
    ) { (question) throws(FieldError) in
      asked.append(question)
      return try thirty(question)
    }
    let first = instant(2027, 1, 30, 8 * Self.hour)
    #expect(
      found.map { $0.instant } == (0..<600).map { first.advanced(by: $0 * 30 * Nanoseconds.day) })
    #expect(asked.count == 3)
    #expect(asked.allSatisfy { $0.isSound && $0.calendar == "hebrew" && $0.unit == .month })
  }

  @Test func N6_itEndsWithWhatThePluginTellsOrWithExpiry() throws {
    var notification = Notification()
    notification.fireDate = instant(2026, 12, 1)
    notification.repeatInterval = .year
    notification.repeatCalendar = "persian"
    func next() throws -> Int {
      try Occurrences.next(
        of: Self.reading(notification), after: Self.now, expires: notification.expires, count: 10,
        zoneName: "UTC"
      ) { (question) throws(FieldError) in try thirty(question, last: 4) }.count
    }
    #expect(try next() == 5)
    notification.expires = instant(2026, 12, 31)
    #expect(try next() == 2)
    // Nothing more is known, and not that nothing comes: asked no further.
    let found = try Occurrences.next(
      of: Self.reading(notification), after: Self.now, expires: nil, count: 10, zoneName: "UTC"
    ) { (question) throws(FieldError) in
      CalendarDays(question, .days([], isLast: false))!
    }
    #expect(found == [])
  }
}
