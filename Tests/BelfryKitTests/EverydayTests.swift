import BelfryKit
import Foundation
import TestSupport
import Testing

/// Pausing, skipping and editing through the library, against a real daemon that is killed between.
@Suite(.ownThreads) struct EverydayTests {
  private let daemon: RunningDaemon
  private let scheduler: Scheduler
  private let blocking: BlockingScheduler

  init() throws {
    daemon = try RunningDaemon()
    scheduler = daemon.scheduler()
    blocking = scheduler.blocking
  }

  /// Tomorrow at a whole second, since a skip names one.
  private let first = Date(
    timeIntervalSince1970: (Date().timeIntervalSince1970 + 86_400).rounded(.down))

  private func day(_ number: Int) -> Date { first + Double(number) * 86_400 }

  private func daily(_ identifier: String) -> LocalNotification {
    var notification = LocalNotification(alertBody: identifier, fireDate: first)
    notification.identifier = identifier
    notification.repeatInterval = .day
    return notification
  }

  private func once(_ identifier: String) -> LocalNotification {
    var notification = daily(identifier)
    notification.repeatInterval = nil
    return notification
  }

  private func listed(_ identifier: String) throws -> ScheduledNotification {
    try #require(try blocking.scheduled().first { $0.notification.identifier == identifier })
  }

  @Test func E1_aPauseByNameIsListedSurvivesAKillAndEnds() async throws {
    try await scheduler.schedule(daily("bell"))
    try await scheduler.schedule(once("tea"))
    let outcome = try await scheduler.pause(["bell", "tea"], from: first, until: day(2))
    #expect(outcome.from == first && outcome.until == day(2))
    #expect(outcome.ending.map { $0.identifier } == ["tea"] && outcome.more == 0)
    #expect(outcome.ending.first?.due == first)
    try daemon.restart()
    let bell = try listed("bell")
    #expect(bell.next == day(2))
    #expect(bell.skipped.map { $0.first } == [first] && bell.skipped.map { $0.last } == [day(1)])
    #expect(bell.skipped.first?.reason.contains("paused until") == true)
    #expect(try listed("tea").next == nil)
    #expect(try await scheduler.status().pausedNotifications == 2)
    let resumed = try await scheduler.resume(["bell", "tea"])
    #expect(resumed.resumed == 2 && resumed.stillPaused == nil)
    #expect(try listed("bell").next == first && listed("tea").skipped.isEmpty)
  }

  @Test func E1_theAppAndEverythingPauseWithoutAnEnd() throws {
    try blocking.schedule(daily("bell"))
    #expect(try blocking.pauseApp().until == nil)
    let bell = try listed("bell")
    #expect(bell.state == .paused && bell.next == nil && bell.skipped.first?.last == nil)
    try blocking.pauseEverything(from: day(3), until: day(4))
    let pauses = try blocking.status().pauses
    #expect(pauses.map { $0.app } == [blocking.app, nil])
    #expect(pauses.map { $0.until } == [nil, day(4)])
    #expect(try blocking.resume(["bell"]).stillPaused?.contains("its app is paused") == true)
    #expect(try blocking.resumeApp().resumed == 1)
    #expect(try listed("bell").next == first && listed("bell").state == .scheduled)
    #expect(try blocking.resumeEverything().resumed == 1)
    #expect(try blocking.status().pauses.isEmpty)
  }

  @Test func E2_skipsAreListedSurviveAKillAndAreTakenBack() async throws {
    try await scheduler.schedule(daily("bell"))
    let skipped = try await scheduler.skip("bell", count: 2)
    #expect(skipped.dates == [first, day(1)] && skipped.next == day(2))
    #expect(try await scheduler.skip("bell", count: 2) == skipped)
    #expect(try await scheduler.skip("bell", at: day(4)).dates == [day(4)])
    try daemon.restart()
    let bell = try listed("bell")
    #expect(bell.next == day(2) && bell.skipped.map { $0.first } == [first])
    #expect(try await scheduler.next(of: "bell", count: 3).map { $0.date } == [2, 3, 5].map(day))
    #expect(try await scheduler.unskip("bell", at: first).next == first)
    #expect(try blocking.unskip("bell").dates == [day(1), day(4)])
    #expect(try await scheduler.next(of: "bell", count: 3).map { $0.date } == [0, 1, 2].map(day))
  }

  @Test func E7_onlyWhatChangesIsSentAndSkipsStay() async throws {
    try await scheduler.schedule(daily("bell"))
    try await scheduler.skip("bell")
    let first = try await scheduler.edit("bell") {
      $0.alertBody = "Later"
      $0.soundName = LocalNotification.defaultSoundName
    }
    #expect(first.isReplacement && first.next == day(1))
    #expect(try await scheduler.edit("bell") { $0.alertBody = "Later" }.isUnchanged)
    try daemon.restart()
    var expected = daily("bell")
    expected.alertBody = "Later"
    expected.soundName = LocalNotification.defaultSoundName
    #expect(try listed("bell").notification == expected)
    // What is nil again is cleared, and what says when else gives way.
    let second = try blocking.edit("bell") {
      $0.soundName = nil
      $0.repeatInterval = nil
      $0.fireIn = .seconds(7200)
    }
    #expect(second.next.map { abs($0.timeIntervalSinceNow - 7200) < 60 } == true)
    let edited = try listed("bell").notification
    #expect(edited.soundName == nil && edited.fireDate == nil && edited.fireIn == .seconds(7200))
  }

  @Test func E1_E2_E7_whatIsWrongIsNamed() throws {
    try blocking.schedule(daily("bell"))
    try blocking.schedule(once("tea"))
    let first = first
    let cases: [(SchedulerError.Code, String?, () throws -> Void)] = [
      (.notFound, "identifier", { try blocking.pause(["bell", "gone"]) }),
      (.notFound, "identifier", { try blocking.resume(["gone"]) }),
      (.outOfRange, "until", { try blocking.pause(["bell"], from: day(2), until: day(1)) }),
      (.outOfRange, "until", { try blocking.pauseApp(until: Date(timeIntervalSinceNow: -60)) }),
      (.outOfRange, "from", { try blocking.pauseApp(from: Date(timeIntervalSince1970: .nan)) }),
      (.notFound, "identifier", { try blocking.skip("gone") }),
      (.outOfRange, "count", { try blocking.skip("bell", count: 0) }),
      (.outOfRange, "count", { try blocking.skip("bell", count: 1001) }),
      (.outOfRange, "at", { try blocking.skip("bell", at: Date(timeIntervalSinceNow: -60)) }),
      (.unknown, "at", { try blocking.skip("bell", at: first + 60) }),
      (.notFound, "identifier", { try blocking.unskip("gone") }),
      (.notFound, "identifier", { try blocking.edit("gone") { $0.alertBody = "x" } }),
      (.conflict, "identifier", { try blocking.edit("bell") { $0.identifier = "gong" } }),
      (.conflict, "count", { try blocking.edit("tea") { $0.count = 2 } }),
      (.outOfRange, "volume", { try blocking.edit("bell") { $0.volume = 2 } }),
    ]
    for (index, (code, field, body)) in cases.enumerated() {
      let error = #expect(throws: SchedulerError.self, "case \(index)") { try body() }
      #expect(error?.code == code && error?.field == field, "case \(index): \(error!)")
    }
    #expect(try listed("bell").skipped.isEmpty)
    #expect(try listed("bell").notification == daily("bell"))
  }
}
