import Testing

@testable import BelfryCore

struct OccurrencesTests {
  static let now = instant(2026, 11, 21, 10 * Duration.hour)

  static func next(
    _ fireDate: Instant?, _ unit: RepeatUnit?, after: Instant? = nil, expires: Instant? = nil
  ) -> [Instant] {
    var notification = Notification()
    notification.fireDate = fireDate
    notification.repeatInterval = unit
    notification.expires = expires
    return Occurrences.next(of: notification, scheduledAt: now, after: after, count: 3)
  }

  static let hour = Duration.hour
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
      #expect(
        Occurrences.next(of: Notification(), scheduledAt: Self.now, after: nil, count: count) == [])
    }
  }
}
