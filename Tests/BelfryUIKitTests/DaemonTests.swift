import BelfryKit
import Testing

@testable import BelfryUIKit

/// Through the socket, with the real daemon.
@MainActor @Suite struct DaemonTests {
  private func application(_ daemon: RunningDaemon) -> UIApplication {
    let application = UIApplication(service: DaemonNotificationService(daemon.options))
    application.refusalHandler = { Issue.record("\($0)") }
    return application
  }

  /// One of each field and type that the socket has.
  private static var variety: [UILocalNotification] {
    let units: [NSCalendar.Unit] = [
      [], .second, .minute, .hour, .day, .weekday, .weekdayOrdinal, .week, .weekOfMonth,
      .weekOfYear,
      .month, .quarter, .year, .yearForWeekOfYear,
    ]
    let calendars: [Calendar.Identifier] = [
      .gregorian, .iso8601, .buddhist, .japanese, .republicOfChina,
    ]
    let zones = [
      "Europe/Berlin", "America/Los_Angeles", "GMT", "Asia/Kathmandu", "GMT+0530", "GMT-0900",
    ]
    var list = units.map { unit in
      let notification = UILocalNotificationTests.full()
      notification.fireDate = Date(timeIntervalSinceNow: 86_400.123_456_7)
      notification.repeatInterval = unit
      return notification
    }
    list += calendars.map { calendar in
      let notification = UILocalNotification()
      notification.alertBody = "monthly"
      notification.fireDate = Date(timeIntervalSinceNow: 90_000)
      notification.repeatInterval = .month
      notification.repeatCalendar = Calendar(identifier: calendar)
      return notification
    }
    list += zones.map { zone in
      let notification = UILocalNotification()
      notification.fireDate = Date(timeIntervalSinceNow: 90_000)
      notification.soundName = "tick.wav"
      notification.timeZone = TimeZone(identifier: zone)
      return notification
    }
    list += [(true, false), (false, true), (true, true)].map { entry, exit in
      let region = UILocalNotificationTests.region
      (region.notifyOnEntry, region.notifyOnExit) = (entry, exit)
      let notification = UILocalNotification()
      notification.region = region
      notification.applicationIconBadgeNumber = 1
      notification.regionTriggersOnce = entry
      return notification
    }
    list += UILocalNotificationTests.info.map { key, value in
      let notification = UILocalNotification()
      notification.fireDate = .distantFuture
      notification.userInfo = [key: value]
      return notification
    }
    return list
  }

  @Test func N12_N13_T2_everyFieldComesBackEqualAfterARestart() throws {
    let daemon = try RunningDaemon()
    let app = application(daemon)
    let sent = Self.variety
    for notification in sent { try app.schedule(notification) }
    daemon.stop()
    try daemon.start()
    let listed = try #require(app.scheduledLocalNotifications)
    #expect(listed.count == sent.count)
    for notification in sent {
      #expect(listed.contains(notification), "\(notification) is not in the list")
    }
    // N16: the list replaced by itself is the same.
    app.scheduledLocalNotifications = listed
    #expect(Set(app.scheduledLocalNotifications ?? []) == Set(listed))
    // N15: by value, each.
    for notification in sent { try app.cancel(notification) }
    #expect(app.scheduledLocalNotifications == [])
  }

  @Test func N16_whatUIKitHasNoNameForSurvivesItsList() throws {
    let daemon = try RunningDaemon()
    let app = application(daemon)
    var service = LocalNotification(identifier: "bell", alertBody: "Bell")
    service.fireDate = Date(timeIntervalSinceNow: 3600)
    service.alertSubtitle = "Subtitle"
    service.rrule = "FREQ=WEEKLY;BYDAY=MO,TU"
    service.timeZoneName = "Europe/Berlin"
    service.zoneMode = .zoned
    service.interruptionLevel = .critical
    service.late = .seconds(9)
    try daemon.scheduler.schedule(service)
    app.scheduledLocalNotifications = app.scheduledLocalNotifications
    #expect(try daemon.scheduler.scheduled().map { $0.notification } == [service])
    let listed = try #require(app.scheduledLocalNotifications?.first)
    listed.alertBody = "Other"
    app.scheduledLocalNotifications = [listed]
    service.alertBody = "Other"
    #expect(try daemon.scheduler.scheduled().map { $0.notification } == [service])
  }

  @Test func N15_everyEqualOneGoes() throws {
    let daemon = try RunningDaemon()
    let app = application(daemon)
    let notification = UILocalNotificationTests.full()
    notification.fireDate = Date(timeIntervalSinceNow: 3600)
    for _ in 0..<3 { try app.schedule(notification) }
    let other = try #require(notification.copy() as? UILocalNotification)
    other.alertBody = "Other"
    try app.schedule(other)
    #expect(app.scheduledLocalNotifications?.count == 4)
    app.cancelLocalNotification(notification)
    #expect(app.scheduledLocalNotifications == [other])
    app.cancelAllLocalNotifications()
    #expect(app.scheduledLocalNotifications == [])
  }

  @Test func A4_N4_N12_S8_whatIsRefusedNamesTheFieldAndStoresNothing() throws {
    let breaches: [(String, (UILocalNotification) -> Void)] = [
      ("repeatInterval", { $0.repeatInterval = [.day, .hour] }),
      ("soundName", { $0.soundName = "a/b.caf" }),
      ("alertBody", { $0.alertBody = String(repeating: "x", count: 20_000) }),
      ("category", { $0.category = String(repeating: "c", count: 300) }),
      ("userInfo", { $0.userInfo = ["a": String(repeating: "x", count: 70_000)] }),
      ("userInfo.a", { $0.userInfo = ["a": Double.nan] }),
    ]
    let daemon = try RunningDaemon()
    let app = application(daemon)
    for (field, breach) in breaches {
      let notification = UILocalNotification()
      notification.fireDate = Date(timeIntervalSinceNow: 3600)
      breach(notification)
      let error = #expect(throws: SchedulerError.self) { try app.schedule(notification) }
      #expect(error?.field?.hasSuffix(field) == true, "\(String(describing: error))")
      var refusals: [SchedulerError] = []
      app.refusalHandler = { refusals.append($0) }
      app.scheduleLocalNotification(notification)
      #expect(refusals.count == 1)
    }
    #expect(app.scheduledLocalNotifications == [])
  }

  @Test func D6_N11_theBadgeIsTheDaemons() throws {
    let daemon = try RunningDaemon()
    let app = application(daemon)
    app.applicationIconBadgeNumber = 7
    daemon.stop()
    try daemon.start()
    #expect(app.applicationIconBadgeNumber == 7)
    // How apps cleared the badge and left alone what is shown.
    app.applicationIconBadgeNumber = -1
    #expect(app.applicationIconBadgeNumber == 0)
    app.applicationIconBadgeNumber = 7
    let notification = UILocalNotification()
    notification.applicationIconBadgeNumber = -1
    try app.presentNow(notification)
    try waitUntil("badge cleared") { app.applicationIconBadgeNumber == 0 }
  }
}
