import BelfryKit
import Foundation
import TestSupport
import Testing

/// What is refused, by field and code, on this side of the socket or on the daemon's (A4).
@Suite(.ownThreads) struct RefusalTests {
  @Test func A4_theFieldIsNamed() throws {
    let daemon = try RunningDaemon()
    let scheduler = BlockingScheduler(daemon.options())
    let soon = Date(timeIntervalSinceNow: 3600)
    func place(
      _ notification: inout LocalNotification, _ latitude: Double, _ longitude: Double,
      _ radius: Double
    ) {
      notification.fireDate = nil
      notification.region = CircularRegion(
        latitude: latitude, longitude: longitude, radius: radius)
    }
    let cases: [(String, SchedulerError.Code, (inout LocalNotification) -> Void)] = [
      ("identifier", .malformed, { $0.identifier = "" }),
      ("fireDate", .outOfRange, { $0.fireDate = Date(timeIntervalSince1970: 1e10) }),
      ("fireDate", .outOfRange, { $0.fireDate = Date(timeIntervalSince1970: -1e10) }),
      ("fireDate", .outOfRange, { $0.fireDate = Date(timeIntervalSince1970: .nan) }),
      ("fireDate", .outOfRange, { $0.fireDate = Date(timeIntervalSince1970: .infinity) }),
      ("timeZone", .unknown, { $0.timeZoneName = "Mars/Olympus" }),
      (
        "every", .outOfRange,
        {
          $0.repeatInterval = .day; $0.every = 0
        }
      ),
      ("repeatCalendar", .unknown, { $0.repeatCalendarName = "mayan" }),
      ("rrule", .malformed, { $0.rrule = "every monday" }),
      ("count", .conflict, { $0.count = 2 }),
      ("tolerance", .outOfRange, { $0.tolerance = .seconds(-1) }),
      ("volume", .outOfRange, { $0.volume = .nan }),
      ("volume", .outOfRange, { $0.volume = 1.5 }),
      ("alertBody", .tooLong, { $0.alertBody = String(repeating: "a", count: 16_385) }),
      ("soundName", .malformed, { $0.soundName = "../bell.wav" }),
      ("userInfo.a[1]", .outOfRange, { $0.userInfo = ["a": [1, .double(.infinity)]] }),
      (
        "userInfo.a", .outOfRange,
        { $0.userInfo = ["a": .date(Date(timeIntervalSince1970: 1e11))] }
      ),
      ("region", .conflict, { $0.region = .init(latitude: 0, longitude: 0, radius: 100) }),
      ("region.latitude", .outOfRange, { place(&$0, 91, 0, 100) }),
      ("region.longitude", .outOfRange, { place(&$0, 0, .nan, 100) }),
      ("region.radius", .outOfRange, { place(&$0, 0, 0, 0) }),
      ("repeatSound", .outOfRange, { $0.repeatSound = 11 }),
      ("userInfo", .tooLong, { $0.userInfo = ["a": .data(Data(count: 50_000))] }),
      ("alertLocalizationArgs[0]", .wrongType, { $0.alertLocalizationArgs = [true] }),
    ]
    for (field, code, change) in cases {
      var notification = LocalNotification(alertBody: "body", fireDate: soon)
      change(&notification)
      let error = #expect(throws: SchedulerError.self) { try scheduler.schedule(notification) }
      #expect(error?.field == field, "\(String(describing: error))")
      #expect(error?.code == code, "\(field): \(String(describing: error?.code))")
      #expect(error?.reason.isEmpty == false)
    }
    #expect(try scheduler.scheduled().isEmpty)
  }

  @Test func N2_theDistantDatesAreAtOnceAndNever() throws {
    let daemon = try RunningDaemon()
    let scheduler = BlockingScheduler(daemon.options())
    var never = LocalNotification(alertBody: "never", fireDate: .distantFuture)
    never.identifier = "never"
    try scheduler.schedule(never)
    try scheduler.schedule(LocalNotification(alertBody: "now", fireDate: .distantPast))
    try await_ { try scheduler.scheduled().map { $0.notification } == [never] }
  }

  @Test func N5_aRepeatOfThePastStartsAtItsNextOccurrence() throws {
    let daemon = try RunningDaemon()
    let scheduler = BlockingScheduler(daemon.options())
    var bell = LocalNotification(
      alertBody: "bell", fireDate: Date(timeIntervalSinceNow: -3 * 86_400 + 60))
    bell.repeatInterval = .day
    let next = try #require(try scheduler.schedule(bell).next)
    #expect(abs(next.timeIntervalSinceNow - 60) < 5)
    #expect(try scheduler.history().isEmpty)
  }

  @Test func N17_theSixtyFifthSendsTheLatestAwayForWhomAsksForThat() throws {
    let daemon = try RunningDaemon()
    var options = daemon.options()
    options.onFull = .discard
    let scheduler = BlockingScheduler(options)
    let all = (0..<64).map { number in
      var notification = LocalNotification(
        alertBody: "\(number)", fireDate: Date(timeIntervalSinceNow: 3600 + Double(number)))
      notification.identifier = "n\(number)"
      return notification
    }
    #expect(try scheduler.replaceAll(all).added == 64)
    var late = LocalNotification(alertBody: "late", fireDate: Date(timeIntervalSinceNow: 9000))
    late.identifier = "late"
    let refused = try scheduler.schedule(late)
    #expect(!refused.isScheduled)
    var soon = LocalNotification(alertBody: "soon", fireDate: Date(timeIntervalSinceNow: 1800))
    soon.identifier = "soon"
    let outcome = try scheduler.schedule(soon)
    #expect(outcome.isScheduled && outcome.discarded == ["n63"])
    // Everybody else may have more, and is refused beyond that.
    let other = BlockingScheduler(daemon.options())
    #expect(try other.schedule(late).discarded == [])
    let many = (0..<513).map { number in
      LocalNotification(
        alertBody: "\(number)", fireDate: Date(timeIntervalSinceNow: 3600 + Double(number)))
    }
    #expect {
      try other.replaceAll(many)
    } throws: {
      ($0 as? SchedulerError)?.code == .limitReached
        && "\($0)".contains("512 notifications, as many as it may have ([limits] notifications)")
    }
    #expect(try other.scheduled().count == 65)
  }

  @Test func N16_aListTooLongForOneMessageIsReplacedAsOne() throws {
    let daemon = try RunningDaemon(configuration: "[limits]\nnotifications = 1000\n")
    let scheduler = BlockingScheduler(daemon.options())
    let all = (0..<100).map { number in
      var notification = LocalNotification(
        alertBody: "\(number)", fireDate: Date(timeIntervalSinceNow: 3600 + Double(number)))
      notification.identifier = "n\(number)"
      notification.userInfo = ["data": .data(Data(count: 30_000))]
      return notification
    }
    #expect(try scheduler.replaceAll(all).added == 100)
    #expect(Set(try scheduler.scheduled().map { $0.notification }) == Set(all))
    let error = #expect(throws: SchedulerError.self) {
      var broken = all
      broken[99].volume = 2
      try scheduler.replaceAll(broken)
    }
    #expect(error?.field == "notifications[99].volume")
    #expect(try scheduler.replaceAll(all).unchanged == 100)
  }
}
