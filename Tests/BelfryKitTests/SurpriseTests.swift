import BelfryKit
import Foundation
import TestSupport
import Testing

/// The examples of the article "Rules that surprise people", as they stand there.
@Suite(.ownThreads) struct SurpriseTests {
  let daemon: RunningDaemon
  let scheduler: Scheduler
  let blocking: BlockingScheduler

  init() throws {
    daemon = try RunningDaemon(
      configuration: "zone = America/Chicago\n[plugin:console]\nfile = console\n")
    scheduler = daemon.scheduler()
    blocking = scheduler.blocking
  }

  private func date(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  /// Whoever changes an example changes it here too.
  @Test func everyExampleIsRunHere() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appending(path: "Sources/BelfryKit/BelfryKit.docc/Surprises.md"),
      encoding: .utf8)
    let tests = Set(lines(try String(contentsOf: here, encoding: .utf8)))
    let blocks = article.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }
    let examples = blocks.flatMap { lines(String($0.element.dropFirst("swift".count))) }
    #expect(examples.count > 50)
    for line in examples { #expect(tests.contains(line), "not run: \(line)") }
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  @Test func N1_equalIsUnchanged() async throws {
    var stretch = LocalNotification(alertBody: "Stretch")
    stretch.identifier = "stretch"
    stretch.fireDate = Date(timeIntervalSinceNow: 600)
    stretch.repeatInterval = .hour
    let first = try await scheduler.schedule(stretch)
    let second = try await scheduler.schedule(stretch)
    #expect(second.isUnchanged && second.next == first.next)
    stretch.alertBody = "Stretch, really"
    let third = try await scheduler.schedule(stretch)
    #expect(third.isReplacement && !third.isUnchanged)
  }

  @Test func N2_thePastIsNow() async throws {
    let hourAgo = Date(timeIntervalSinceNow: -3600)
    let missed = LocalNotification(alertBody: "An hour ago", fireDate: hourAgo)
    try await scheduler.schedule(missed)
    try await until { try blocking.history().contains { $0.state == .delivered } }
  }

  @Test func N5_aRepeatWaits() async throws {
    var daily = LocalNotification(alertBody: "Daily", fireDate: Date(timeIntervalSinceNow: -3600))
    daily.repeatInterval = .day
    let outcome = try await scheduler.schedule(daily)
    #expect(outcome.next == daily.fireDate?.addingTimeInterval(86_400))
  }

  @Test func N7_aFormatLosesItsEscapes() async throws {
    // Shows as it stands.
    var sale = LocalNotification(alertBody: "50 % discount, 90%full")
    // Shows "100% sure,  left".
    sale.alertBody = "100%% sure, %d left"
    sale.alertBodyIsFormat = true
    // Shows "50 % discount, 3 left".
    sale.alertBody = "50 % discount, %@ left"
    sale.alertLocalizationArgs = ["3"]
    #expect(sale.alertLocalizationArgs == ["3"])
  }

  @Test func N11_zeroLeavesTheBadge() async throws {
    try await scheduler.setBadge(3)
    var clears = LocalNotification(alertBody: nil)
    clears.applicationIconBadgeNumber = -1
    try await scheduler.presentNow(clears)
    try await until { try blocking.badge() == 0 }
  }

  @Test func N15_everyEqualOne() async throws {
    var twin = LocalNotification(alertBody: "Twin", fireDate: Date(timeIntervalSinceNow: 3600))
    try await scheduler.schedule(twin)
    try await scheduler.schedule(twin)  // without an identifier of its own it is another one
    twin.identifier = "does not matter"
    let gone = try await scheduler.cancel(equalTo: twin)
    #expect(gone.cancelled == 2)
  }

  @Test func N17_moreThan512AreRefused() async throws {
    let many = (1...512).map { number in
      LocalNotification(
        alertBody: "\(number)", fireDate: Date(timeIntervalSinceNow: Double(3600 + number)))
    }
    try await scheduler.replaceAll(many)
    let last = LocalNotification(alertBody: "next", fireDate: Date(timeIntervalSinceNow: 60))
    await #expect(throws: SchedulerError.self) { try await scheduler.schedule(last) }
  }

  @Test func T2_T3_anAlarmClock() async throws {
    var noon = LocalNotification(alertBody: "Noon", fireDate: try date("2027-08-31T19:00:00Z"))
    noon.timeZone = TimeZone(identifier: "America/Los_Angeles")  // 12:00 there
    let floating = try await scheduler.next(of: noon)
    #expect(floating.first?.date == (try date("2027-08-31T17:00:00Z")))  // 12:00 in Chicago
    noon.zoneMode = .zoned  // 12:00 in Los Angeles, wherever the board is (T3)
    let zoned = try await scheduler.next(of: noon)
    #expect(zoned.first?.date == (try date("2027-08-31T19:00:00Z")))
  }

  @Test func T4_monthsEnd() async throws {
    var rent = LocalNotification(alertBody: "Rent", fireDate: try date("2027-01-31T08:00:00Z"))
    rent.repeatInterval = .month
    let days = try await scheduler.next(of: rent, count: 4).map { $0.date }
    #expect(days[1] == (try date("2027-02-28T08:00:00Z")))
    #expect(days[2] == (try date("2027-03-31T08:00:00Z")))
    #expect(days[3] == (try date("2027-04-30T08:00:00Z")))
  }

  @Test func T5_aGap() async throws {
    var night = LocalNotification(alertBody: "Night", fireDate: try date("2027-03-27T01:30:00Z"))
    night.timeZone = TimeZone(identifier: "Europe/Berlin")  // 02:30 there
    night.zoneMode = .zoned
    night.repeatInterval = .day
    let nights = try await scheduler.next(of: night, count: 3).map { $0.date }
    #expect(nights[1] == (try date("2027-03-28T01:30:00Z")))  // 03:30 summer time
    #expect(nights[2] == (try date("2027-03-29T00:30:00Z")))  // 02:30 again
  }

  @Test func D7_oneId() async throws {
    var bell = LocalNotification(alertBody: "Bell", fireDate: Date(timeIntervalSinceNow: 3600))
    bell.identifier = "bell"
    let before = try await scheduler.schedule(bell)
    bell.alertBody = "Bell, changed"
    let after = try await scheduler.schedule(bell)
    #expect(before.occurrence?.hasSuffix(".0.0") == true)
    #expect(after.occurrence?.hasSuffix(".1.0") == true)
    #expect(before.occurrence?.prefix(36) == after.occurrence?.prefix(36))
  }

  @Test func P8_P9_aPushIsOneAndAMarkIsToldOnce() async throws {
    let id = UUID()
    let door: [String: PushValue] = ["aps": ["alert": "Somebody is at the door"]]
    let once = try await scheduler.push(door, id: id)
    try await scheduler.markRead([id])
    let twice = try await scheduler.push(door, id: id)
    #expect(!once.isDuplicate && twice.isDuplicate)
    let all = try await scheduler.fetchInbox()  // nil: everything
    let mark = try #require(all.entries.last)
    #expect(mark.kind == .readNotification && mark.id == id && mark.payload == nil)
    let later = try await scheduler.fetchInbox(since: all.token)
    #expect(later.entries.isEmpty)
  }

  @Test func aLostReply() async throws {
    do {
      try await scheduler.presentNow(LocalNotification(alertBody: "Now"))
    } catch let error where error.code == .outcomeUnknown {
      print("perhaps it was shown")
    }
  }
}
