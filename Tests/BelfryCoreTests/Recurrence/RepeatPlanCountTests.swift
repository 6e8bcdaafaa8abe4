import Testing

@testable import BelfryCore

/// COUNT counts what happens: not what a gap or the end of a month leaves out, but what EXDATE takes out
/// (T6, RFC 5545); against plain counting, and python-dateutil.
struct RepeatPlanCountTests {
  private static let zones = [
    TimetableTests.berlin, TimetableTests.howe, TimetableTests.troll, TimetableTests.dublin,
    TimetableTests.apia,
  ]

  /// Counted as if it showed UTC.
  private static func wall(_ text: String) -> Instant {
    try! RFC3339.parse(text + "Z", field: "wall")
  }

  private static func exists(_ wall: Instant, in zone: ZoneRules) -> Bool {
    if case .skipped = zone.resolve(wall: wall) { return false }
    return true
  }

  /// All that a plan ever comes to, `most` at most; its COUNT has been turned into an end.
  private static func all(
    _ plan: RepeatPlan, _ anchor: Instant, _ zone: ZoneRules, mode: ZoneMode = .zoned, most: Int
  ) -> [Instant] {
    let table = Timetable(plan: plan, anchor: anchor, mode: mode, zone: zone)
    var found: [Instant] = []
    while found.count < most, let due = table.first(after: found.last ?? .distantPast) {
      found.append(due.instant)
    }
    return found
  }

  /// What walls come to: shifted, to the end of the gap, or left out; each instant once.
  private static func instants(
    _ walls: [Instant], _ gap: GapPolicy, _ zone: ZoneRules
  ) -> [Instant] {
    walls.compactMap { wall in
      switch (zone.resolve(wall: wall), gap) {
      case (.skipped, .skip): nil
      case (.skipped(_, _, let change), .next): change
      default: zone.instants(ofWall: wall).first
      }
    }.ascending
  }

  /// Units, by the wall clocks of `Recurrence`: those that exist, up to COUNT.
  @Test(arguments: GapPolicy.allCases, MonthEndPolicy.allCases)
  func T6_ofAUnitCountIsOfWhatHappens(gap: GapPolicy, monthEnd: MonthEndPolicy) {
    let anchors = [
      ("2027-01-31T02:30", RepeatUnit.month), ("2027-03-27T02:15", .day),
      ("2027-03-29T02:00", .day),
      ("2026-03-28T02:59:59", .year), ("2027-03-14T02:30", .week), ("2026-12-28T01:30", .quarter),
      ("2027-10-02T02:15", .weekday), ("2026-12-30T12:00", .year),
    ]
    for zone in Self.zones {
      for (text, unit) in anchors {
        for (count, every) in [(1, 1), (2, 1), (3, 1), (5, 2), (40, 1), (400, 1)] as [(Int, Int64)]
        {
          let anchor = Self.wall(text)
          guard Self.exists(anchor, in: zone) else { continue }
          var plan = RepeatPlan(.unit(unit, every: every))
          (plan.gap, plan.monthEnd, plan.count) = (gap, monthEnd, Int64(count))
          let recurrence = Recurrence(anchor: anchor, unit: unit, every: every, monthEnd: monthEnd)
          var walls: [Instant] = []
          for k in 0..<3000 as Range<Int64> where walls.count < count {
            guard let wall = recurrence.instant(k: k) else { continue }
            if gap != .skip || Self.exists(wall, in: zone) { walls.append(wall) }
          }
          let counted = plan.counted(from: anchor, in: zone)
          // Two may come to one instant, and yearly ones to the end of time.
          let found = Self.all(counted, anchor, zone, most: count + 1)
          #expect(
            found == Self.instants(walls, gap, zone), "\(text) \(unit) \(count) \(counted.text)")
          #expect((try? RepeatPlan.parse(counted.text)) == counted)
        }
      }
    }
  }

  /// Rules with EXDATE and RDATE, by python-dateutil.
  @Test(arguments: GapPolicy.allCases)
  func T6_ofARuleCountIsOfWhatHappens(gap: GapPolicy) throws {
    let rules = [
      "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,30",
      "FREQ=DAILY;BYHOUR=2;BYMINUTE=5,10,15,20,25,35", "FREQ=WEEKLY;BYDAY=SU",
      "FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=2,3", "FREQ=MONTHLY;BYDAY=-1SU",
      "FREQ=MONTHLY;BYMONTHDAY=28,31",
      "FREQ=MONTHLY;BYDAY=SU;BYSETPOS=-1,1", "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
      "FREQ=YEARLY;BYMONTH=3,10;BYMONTHDAY=28",
    ]
    let start = Self.wall("2027-03-21T02:15")
    let most = 500
    let answers = try DateutilOracle.answers(
      to: rules.map { .init(start: start.second, rule: $0, zone: nil) }, count: most, within: 5)
    for (text, answer) in zip(rules, answers) {
      let walls = try #require(answer).map { Instant(nanoseconds: $0 * Nanoseconds.second) }
      for (zone, count) in Self.zones.flatMap({ zone in [1, 2, 7, 30, 200].map { (zone, $0) } }) {
        guard Self.exists(start, in: zone) else { continue }
        var plan = RepeatPlan(.rule(try RecurrenceRule.parse(text)))
        (plan.gap, plan.count) = (gap, Int64(count))
        // Counted, and then taken out; what is added is beside the count.
        // One that is moved onto another would take that out, too.
        plan.exdates = walls.prefix(count).enumerated().filter { place, wall in
          place % 5 == 1
            && [0, 30, 60].allSatisfy {
              Self.exists(wall.advanced(by: -$0 * Nanoseconds.minute), in: zone)
            }
        }.map { $0.element }
        plan.rdates = [Self.wall("2027-04-05T17:00")]
        let happen = walls.filter { gap != .skip || Self.exists($0, in: zone) }.prefix(count)
        guard happen.count == count else { continue }
        let left = happen.filter { !plan.exdates.contains($0) } + plan.rdates
        let counted = plan.counted(from: start, in: zone)
        let found = Self.all(counted, start, zone, most: count + 9)
        #expect(
          found == Self.instants(left, gap, zone), "\(text) \(count) \(counted.text)")
      }
    }
  }

  /// The end was found where it was scheduled: whoever moves has it still (T2), and in absolute mode
  /// there is no gap.
  @Test func T6_T2_aZoneChangeKeepsTheEnd() throws {
    let anchor = Self.wall("2027-03-27T02:30")
    for pattern in [RepeatPlan.Pattern.unit(.day, every: 1), .rule(try .parse("FREQ=DAILY"))] {
      var plan = RepeatPlan(pattern)
      (plan.gap, plan.count) = (.skip, 3)
      let counted = plan.counted(from: anchor, in: TimetableTests.berlin)
      let here = Self.all(counted, anchor, TimetableTests.berlin, mode: .floating, most: 9)
      #expect(
        here.map { RFC3339.text($0) } == [
          "2027-03-27T01:30:00.000000Z", "2027-03-29T00:30:00.000000Z",
          "2027-03-30T00:30:00.000000Z",
        ])
      let there = Self.all(counted, anchor, TimetableTests.howe, mode: .floating, most: 9)
      #expect(there.count == 4)
      #expect(TimetableTests.howe.wall(at: there[3]) == Self.wall("2027-03-30T02:30"))
      let absolute = plan.counted(from: anchor)
      #expect(Self.all(absolute, anchor, .utc, mode: .absolute, most: 9).count == 3)
    }
  }

  /// Each of several rules has a COUNT of its own, and one by the hour counts elapsed time.
  @Test func T6_E5_eachOfSeveralRulesCountsItsOwn() throws {
    var plan = RepeatPlan(
      .rules([try .parse("FREQ=DAILY;COUNT=2"), try .parse("FREQ=HOURLY;INTERVAL=24;COUNT=3")]))
    plan.gap = .skip
    let anchor = Self.wall("2027-03-27T02:30")
    let counted = plan.counted(from: anchor, in: TimetableTests.berlin)
    let found = Self.all(counted, anchor, TimetableTests.berlin, most: 9)
    #expect(
      found.map { RFC3339.text($0) } == [
        "2027-03-27T01:30:00.000000Z", "2027-03-28T01:30:00.000000Z", "2027-03-29T00:30:00.000000Z",
        "2027-03-29T01:30:00.000000Z",
      ])
  }

  /// Only who knows all its days could count in a plugin's calendar what a gap leaves out.
  @Test func T6_N6_aPluginsCalendarDoesNotCountBehindGaps() {
    var notification = Notification()
    notification.alertBody = "x"
    notification.fireDate = Instant(nanoseconds: 1_800_000_000 * Nanoseconds.second)
    notification.timeZone = "Europe/Berlin"
    (notification.repeatInterval, notification.repeatCalendar) = (.month, "hebrew")
    (notification.gap, notification.count) = (.skip, 3)
    #expect(throws: FieldError.self) { try notification.validated() }
    notification.gap = .next
    #expect(throws: Never.self) { try notification.validated() }
  }
}
