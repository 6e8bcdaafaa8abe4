import Testing

@testable import BelfryCore

/// What a notification with a region may say.
struct RegionValidationTests {
  private func refusal(
    _ region: CircularRegion = .init(latitude: 1, longitude: 2, radius: 3),
    _ change: (inout Notification) -> Void = { _ in }
  ) -> FieldError? {
    var notification = Notification()
    notification.region = region
    change(&notification)
    do throws(FieldError) {
      _ = try notification.validated()
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      (91.0, 0.0, 5.0, "region.latitude"), (-90.5, 0, 5, "region.latitude"),
      (.nan, 0, 5, "region.latitude"), (0, 181, 5, "region.longitude"),
      (0, -.infinity, 5, "region.longitude"), (0, 0, 0, "region.radius"),
      (0, 0, -5, "region.radius"), (0, 0, 0.5, "region.radius"), (0, 0, 1e7 + 1, "region.radius"),
      (0, 0, .nan, "region.radius"), (0, 0, .infinity, "region.radius"),
    ] as [(Double, Double, Double, String)])
  func R1_aCircleLiesOnTheGlobe(
    _ latitude: Double, _ longitude: Double, _ radius: Double, _ field: String
  ) {
    let region = CircularRegion(latitude: latitude, longitude: longitude, radius: radius)
    let error = refusal(region)
    #expect(error?.field == field && error?.code == .outOfRange)
  }

  @Test(arguments: [
    (90.0, 180.0, 1.0), (-90, -180, 1e7), (0, 0, 20.5),
  ])
  func R1_theEdgesAreAllowed(_ latitude: Double, _ longitude: Double, _ radius: Double) {
    #expect(refusal(.init(latitude: latitude, longitude: longitude, radius: radius)) == nil)
  }

  @Test func R1_somethingMustFire() {
    let error = refusal(
      .init(latitude: 0, longitude: 0, radius: 5, notifyOnEntry: false, notifyOnExit: false))
    #expect(error?.field == "region.notifyOnEntry" && error?.code == .conflict)
  }

  @Test func N3_aRegionGoesWithNoDate() {
    for error in [
      refusal { $0.fireDate = Instant(nanoseconds: 1) }, refusal { $0.fireIn = 1 },
      refusal { $0.fireDate = .distantPast },
    ] {
      #expect(error?.field == "region" && error?.code == .conflict)
    }
  }

  @Test func N4_aRegionGoesWithNoRepeat() throws {
    let rule = try RecurrenceRule.parse("FREQ=DAILY")
    let unit = refusal { $0.repeatInterval = .day }
    #expect(unit?.field == "repeatInterval" && unit?.code == .conflict)
    #expect(refusal { $0.rrule = rule }?.field == "rrule")
    #expect(refusal { $0.count = 2 }?.field == "count")
  }

  @Test func R2_onceOnlyMattersWithARegion() throws {
    var notification = Notification()
    notification.regionTriggersOnce = false
    #expect(try notification.validated().firesOnce)
    notification.region = .init(latitude: 0, longitude: -0.0, radius: 5)
    let checked = try notification.validated()
    #expect(!checked.firesOnce)
    #expect(checked.region?.longitude.sign == .plus)
  }
}
