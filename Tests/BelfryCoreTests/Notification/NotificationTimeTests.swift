import Testing

@testable import BelfryCore

/// The fields that say when a notification is due.
struct NotificationTimeTests {
  typealias Row = NotificationValidationTests.Row

  static func rule(_ text: String) -> RecurrenceRule {
    try! RecurrenceRule.parse(text)
  }

  static let refused = [
    Row("timeZone", .malformed) { $0.timeZone = "" },
    Row("timeZone", .malformed) { $0.timeZone = "Europe/Berlin\n" },
    Row("timeZone", .tooLong) { $0.timeZone = NotificationValidationTests.text(256) },
    Row("timeZone", .missing) { $0.zoneMode = .floating },
    Row("timeZone", .missing) { $0.zoneMode = .zoned },
    Row("fireIn", .conflict) { ($0.fireIn, $0.timeZone) = (1, "Europe/Berlin") },
    Row("fireIn", .conflict) { ($0.fireIn, $0.repeatInterval) = (1, .day) },
    Row("every", .outOfRange) { ($0.every, $0.repeatInterval) = (0, .day) },
    Row("every", .outOfRange) { ($0.every, $0.repeatInterval) = (-1, .day) },
    Row("every", .outOfRange) { ($0.every, $0.repeatInterval) = (1_000_000_000_000, .day) },
    Row("every", .conflict) { $0.every = 2 },
    Row("count", .outOfRange) { ($0.count, $0.repeatInterval) = (0, .day) },
    Row("count", .outOfRange) { ($0.count, $0.repeatInterval) = (.max, .day) },
    Row("count", .conflict) { $0.count = 1 },
    Row("until", .conflict) { $0.until = instant(2027, 1, 1) },
    Row("until", .conflict) {
      ($0.fireDate, $0.repeatInterval) = (instant(2027, 1, 2), .day)
      $0.until = instant(2027, 1, 1)
    },
    Row("monthEnd", .conflict) { $0.monthEnd = .roll },
    Row("overlap", .conflict) { ($0.overlap, $0.timeZone) = (.both, "Europe/Berlin") },
    Row("rrule", .conflict) { ($0.rrule, $0.repeatInterval) = (rule("FREQ=DAILY"), .day) },
    Row("every", .conflict) { ($0.rrule, $0.every) = (rule("FREQ=DAILY"), 2) },
    Row("monthEnd", .conflict) { ($0.rrule, $0.monthEnd) = (rule("FREQ=MONTHLY"), .roll) },
    Row("until", .conflict) {
      ($0.rrule, $0.until) = (rule("FREQ=DAILY;COUNT=2"), instant(2027, 1, 1))
    },
    Row("count", .conflict) { ($0.rrule, $0.count) = (rule("FREQ=DAILY;UNTIL=20270101"), 2) },
    Row("rrule", .conflict) {
      ($0.rrule, $0.fireDate) = (rule("FREQ=DAILY;UNTIL=20270101T000000Z"), instant(2027, 1, 2))
    },
    Row("repeatCalendar", .conflict) {
      ($0.rrule, $0.repeatCalendar) = (rule("FREQ=MONTHLY"), "hebrew")
    },
    Row("exdate", .conflict) { $0.exdate = [instant(2027, 1, 1)] },
    Row("rdate", .conflict) { ($0.rdate, $0.repeatInterval) = ([instant(2027, 1, 1)], .day) },
    Row("exdate", .tooLong) {
      $0.rrule = rule("FREQ=DAILY")
      $0.exdate = (0..<10_000).map { Instant(nanoseconds: $0) }
    },
    Row("rdate[1]", .outOfRange) {
      ($0.rrule, $0.rdate) = (rule("FREQ=DAILY"), [instant(2027, 1, 1), .distantFuture])
    },
    Row("tolerance", .outOfRange) { $0.tolerance = -1 },
    Row("tolerance", .outOfRange) { $0.tolerance = Nanoseconds.day + 1 },
  ]

  static let refusedOffsets = [
    Row("offset", .outOfRange) {
      ($0.fireDate, $0.offset) = (instant(2027, 1, 1), DueOffset(days: 400))
    },
    Row("offset", .outOfRange) {
      ($0.repeatInterval, $0.offset) = (.day, DueOffset(seconds: -367 * 86_400))
    },
    Row("offset", .conflict) {
      ($0.fireDate, $0.offset) = (instant(2027, 1, 1), DueOffset(days: 1, seconds: -1))
    },
    Row("offset", .conflict) {
      $0.region = CircularRegion(latitude: 52, longitude: 13, radius: 100)
      $0.offset = DueOffset(days: -1)
    },
    Row("offset", .conflict) { ($0.fireIn, $0.offset) = (1, DueOffset(days: -1)) },
    Row("offset", .conflict) { $0.offset = DueOffset(seconds: 60) },
    Row("offset", .conflict) { ($0.fireDate, $0.offset) = (.distantPast, DueOffset(seconds: 60)) },
  ]

  @Test(arguments: refusedOffsets)
  func E4_refusesByField(_ row: Row) throws { try T6_refusesByField(row) }

  static let refusedRules = [
    Row("rrules", .tooLong) {
      $0.rrules = [RecurrenceRule](repeating: rule("FREQ=DAILY"), count: 9)
    },
    Row("rrules", .conflict) {
      ($0.rrule, $0.rrules) = (rule("FREQ=DAILY"), [rule("FREQ=WEEKLY")])
    },
    Row("rrules", .conflict) {
      ($0.repeatInterval, $0.rrules) = (.day, [rule("FREQ=DAILY"), rule("FREQ=WEEKLY")])
    },
    Row("count", .conflict) {
      ($0.count, $0.rrules) = (3, [rule("FREQ=DAILY"), rule("FREQ=WEEKLY")])
    },
    Row("until", .conflict) {
      $0.until = instant(2027, 1, 1)
      $0.rrules = [rule("FREQ=DAILY"), rule("FREQ=WEEKLY;COUNT=2")]
    },
    Row("rrules[1]", .conflict) {
      $0.fireDate = instant(2027, 1, 2)
      $0.rrules = [rule("FREQ=DAILY"), rule("FREQ=DAILY;UNTIL=20270101T000000Z")]
    },
  ]

  @Test(arguments: refusedRules)
  func E5_refusesByField(_ row: Row) throws { try T6_refusesByField(row) }

  @Test func E5_oneOfSeveralRulesIsARule() throws {
    var one = Notification()
    one.alertBody = "b"
    one.rrules = [Self.rule("FREQ=DAILY")]
    let checked = try one.validated()
    #expect(checked.rrule == Self.rule("FREQ=DAILY") && checked.rrules.isEmpty)
  }

  @Test(arguments: refused)
  func T6_refusesByField(_ row: Row) throws {
    let error = try #require(NotificationValidationTests.refusal(row.notification))
    #expect(error.field == row.field && error.code == row.code, "\(error)")
    #expect(!error.reason.hasSuffix("."))
  }

  @Test(
    arguments: [
      (nil, nil, ZoneMode.absolute), (nil, .absolute, .absolute),
      ("GMT", nil, .floating), ("GMT", .floating, .floating), ("GMT", .zoned, .zoned),
      ("GMT", .absolute, .absolute),
    ] as [(String?, ZoneMode?, ZoneMode)])
  func T2_aZoneAloneFloats(zone: String?, given: ZoneMode?, mode: ZoneMode) {
    let notification = NotificationValidationTests.with {
      ($0.timeZone, $0.zoneMode) = (zone, given)
    }
    #expect(notification.mode == mode)
  }

  @Test func T2_instantsAreReadOnceAsWallClocks() {
    var notification = NotificationValidationTests.with {
      ($0.timeZone, $0.repeatInterval, $0.every) = ("Europe/Berlin", .month, 3)
      ($0.count, $0.gap, $0.overlap, $0.monthEnd) = (7, .next, .both, .skip)
      $0.until = instant(2027, 7, 1, 5 * Nanoseconds.hour)
    }
    var plan = RepeatPlan(.unit(.month, every: 3))
    plan.until = instant(2027, 7, 1, 7 * Nanoseconds.hour)
    (plan.count, plan.gap, plan.overlap, plan.monthEnd) = (7, .next, .both, .skip)
    #expect(notification.plan(reading: TimetableTests.berlin) == plan)
    notification.timeZone = nil
    plan.until = instant(2027, 7, 1, 5 * Nanoseconds.hour)
    #expect(notification.plan(reading: TimetableTests.berlin) == plan)
    notification.timeZone = "Europe/Berlin"
    notification.until = .distantFuture
    #expect(notification.plan(reading: TimetableTests.berlin).until == .distantFuture)
  }

  @Test func N1_theOrderOfDatesIsNoDifference() throws {
    let dates = [instant(2027, 1, 3), instant(2027, 1, 1), instant(2027, 1, 3)]
    let checked = try NotificationValidationTests.with {
      $0.rrule = Self.rule("FREQ=DAILY")
      ($0.exdate, $0.rdate) = (dates, dates)
    }.validated()
    #expect(checked.exdate == [instant(2027, 1, 1), instant(2027, 1, 3)])
    #expect(checked.rdate == checked.exdate)
  }

  @Test(arguments: [
    ("FREQ=DAILY;UNTIL=20260227", 12), ("rrule:freq=daily;until=20260301T115958", 18),
    ("FREQ=DAILY;UNTIL=20260301T115958Z", 12), ("UNTIL=20260228;FREQ=YEARLY;BYMONTH=1", 1),
  ])
  func T6_anUntilBeforeTheStartIsRefusedWithItsPlaceInTheText(text: String, place: Int) {
    let rrule = Self.rule(text)
    for zone in [nil, "UTC"] {
      let world = World()
      world.zoneFiles["UTC"] = .utc
      let draft = world.alert("n", in: 0) {
        $0.rrule = rrule
        $0.timeZone = zone
      }
      for request in [
        Request.schedule(app: "app", draft), .nextOfDraft(draft, count: 1, after: nil),
      ] {
        guard case .refused(.invalidField(let error)) = world.request(request) else {
          Issue.record("\(text) is taken")
          continue
        }
        #expect(error.field == "rrule" && error.code == .conflict)
        #expect(
          error.reason
            == "its UNTIL lies before the start, so nothing would ever be due "
            + "(character \(place))")
      }
    }
  }

  @Test func T6_whereUntilStoodMakesNoDifferenceBetweenRules() {
    let rules = ["FREQ=DAILY;UNTIL=20270101", "UNTIL=20270101;FREQ=DAILY"].map { Self.rule($0) }
    #expect(rules[0] == rules[1] && Set(rules).count == 1)
  }

  @Test func T6_aRulesDatesAreReadAsItsStart() {
    let notification = NotificationValidationTests.with {
      ($0.timeZone, $0.rrule) = ("Europe/Berlin", Self.rule("FREQ=DAILY"))
      $0.exdate = [instant(2027, 7, 1, 5 * Nanoseconds.hour)]
      $0.rdate = [instant(2027, 1, 1, 5 * Nanoseconds.hour)]
    }
    var plan = RepeatPlan(.rule(Self.rule("FREQ=DAILY")))
    plan.exdates = [instant(2027, 7, 1, 7 * Nanoseconds.hour)]
    plan.rdates = [instant(2027, 1, 1, 6 * Nanoseconds.hour)]
    #expect(notification.repeats)
    #expect(notification.plan(reading: TimetableTests.berlin) == plan)
  }
}
