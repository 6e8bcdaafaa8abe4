import Testing

@testable import BelfryCore

/// The fields that say when a notification is due.
struct NotificationTimeTests {
  typealias Row = NotificationValidationTests.Row

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
    Row("tolerance", .outOfRange) { $0.tolerance = -1 },
    Row("tolerance", .outOfRange) { $0.tolerance = Duration.day + 1 },
  ]

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
      $0.until = instant(2027, 7, 1, 5 * Duration.hour)
    }
    var plan = RepeatPlan(.unit(.month, every: 3))
    plan.until = instant(2027, 7, 1, 7 * Duration.hour)
    (plan.count, plan.gap, plan.overlap, plan.monthEnd) = (7, .next, .both, .skip)
    #expect(notification.plan(reading: TimetableTests.berlin) == plan)
    notification.timeZone = nil
    plan.until = instant(2027, 7, 1, 5 * Duration.hour)
    #expect(notification.plan(reading: TimetableTests.berlin) == plan)
    notification.timeZone = "Europe/Berlin"
    notification.until = .distantFuture
    #expect(notification.plan(reading: TimetableTests.berlin).until == .distantFuture)
  }
}
