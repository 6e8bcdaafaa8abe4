import BelfryKit
import Foundation
import TestSupport
import Testing

/// Where the board is, and how the daemon is.
@Suite(.ownThreads) struct BoardTests {
  let daemon: RunningDaemon
  let scheduler: Scheduler

  init() throws {
    daemon = try RunningDaemon(
      configuration: "zone = Europe/Berlin\n[plugin:console]\nfile = console\n")
    scheduler = daemon.scheduler()
  }

  @Test func R1_aFixCrossesABoundary() async throws {
    var milk = LocalNotification(alertBody: "Buy milk")
    milk.identifier = "milk"
    milk.region = CircularRegion(latitude: 48.1372, longitude: 11.5755, radius: 200)
    try await scheduler.schedule(milk)
    #expect(try await scheduler.fix(latitude: 48.1, longitude: 11.5) == 0)
    let time = Date().addingTimeInterval(-1)
    #expect(try await scheduler.fix(latitude: 48.1372, longitude: 11.5755, accuracy: 7) == 1)
    #expect(try await scheduler.scheduled().isEmpty)
    let error = await #expect(throws: SchedulerError.self) {
      try await scheduler.fix(latitude: 0, longitude: 0, time: time)
    }
    #expect(error?.field == "time" && error?.code == .conflict)
    let place = try #require(try await scheduler.status().location)
    #expect(place.latitude == 48.1372 && place.longitude == 11.5755 && place.accuracy == 7)
    #expect(abs(try #require(place.time).timeIntervalSinceNow) < 60)
    #expect(place.regions == 0 && place.denied.isEmpty)
  }

  @Test(
    arguments: [
      ("latitude", 91, 0, nil), ("latitude", .nan, 0, nil), ("longitude", 0, -180.1, nil),
      ("longitude", 0, .infinity, nil), ("accuracy", 0, 0, -1), ("accuracy", 0, 0, .nan),
    ] as [(String, Double, Double, Double?)])
  func R5_whatIsNoFixIsRefusedByField(
    _ field: String, _ latitude: Double, _ longitude: Double, _ accuracy: Double?
  ) async throws {
    let error = await #expect(throws: SchedulerError.self) {
      try await scheduler.fix(latitude: latitude, longitude: longitude, accuracy: accuracy)
    }
    #expect(error?.field == field && error?.code == .outOfRange)
    #expect(try await scheduler.status().location == nil)
  }

  @Test func theStatusSaysHowTheDaemonIs() async throws {
    let due = Date(timeIntervalSinceNow: 86_400)
    try await scheduler.schedule(LocalNotification(alertBody: "later", fireDate: due))
    let status = try scheduler.blocking.status()
    #expect(status.scheduled == 1 && status.held == 0 && status.isClockTrusted)
    #expect(status.zone == "Europe/Berlin" && status.pid > 1 && !status.version.isEmpty)
    #expect(abs(try #require(status.nextDue).timeIntervalSince(due)) < 0.001)
    #expect(status.plugins.map { $0.name } == ["console"])
    #expect(status.json.hasPrefix("{") && status.location == nil && status.isOfWholeBoard)
  }
}
