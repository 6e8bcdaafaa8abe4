import BelfryKit
import Foundation
import Testing

/// Library, socket, books, restart, library: what comes back equals what was sent.
@Suite struct RoundTripTests {
  /// Every field at its default but one.
  static func notifications() -> [LocalNotification] {
    let soon = Date(timeIntervalSinceNow: 86_400.123_456_7)
    let changes: [(inout LocalNotification) -> Void] = [
      { _ in },
      { $0.timeZone = TimeZone(identifier: "America/Los_Angeles") },
      { $0.timeZone = TimeZone(secondsFromGMT: 19_800) },
      {
        $0.timeZoneName = "Europe/Berlin"; $0.zoneMode = .zoned
      },
      { $0.fireIn = .seconds(90_000) + .nanoseconds(1_499) },
      {
        $0.every = 3; $0.repeatInterval = .day
      },
      {
        $0.repeatInterval = .month; $0.repeatCalendar = .buddhist
      },
      {
        $0.repeatInterval = .week; $0.until = soon.addingTimeInterval(864_000.000_000_4)
      },
      {
        $0.repeatInterval = .hour; $0.count = 5
      },
      { $0.rrule = "BYDAY=MO,TU;FREQ=WEEKLY;INTERVAL=1" },
      {
        $0.rrule = "FREQ=DAILY"
        $0.exdate = [soon.addingTimeInterval(86_400), soon, soon]
        $0.rdate = [soon.addingTimeInterval(7.5)]
      },
      {
        $0.repeatInterval = .day; $0.gap = .next; $0.overlap = .both
      },
      {
        $0.repeatInterval = .month; $0.monthEnd = .roll
      },
      { $0.tolerance = .milliseconds(1500) },
      { $0.late = .drop },
      { $0.late = .seconds(17) },
      { $0.expires = soon.addingTimeInterval(60) },
      { $0.alertBody = "Ünïcode 🔔 \"quoted\"\n100 %" },
      {
        $0.alertTitle = "title"; $0.alertSubtitle = "subtitle"; $0.alertAction = "action"
      },
      { $0.hasAction = false },
      {
        $0.alertLaunchImage = "launch.png"; $0.category = "alarm"; $0.threadIdentifier = "t"
      },
      {
        $0.interruptionLevel = .critical; $0.volume = 0.1
      },
      { $0.applicationIconBadgeNumber = -1 },
      {
        $0.applicationIconBadgeNumber = 7; $0.badgeOperation = .add
      },
      { $0.soundName = LocalNotification.defaultSoundName },
      { $0.userInfo = userInfo },
      {
        $0.fireDate = nil
        $0.region = CircularRegion(latitude: 52.52, longitude: 13.405, radius: 150)
      },
      {
        $0.fireDate = nil
        $0.region = CircularRegion(
          identifier: "home", latitude: -0.1, longitude: -179.999_999, radius: 1e5)
        $0.region?.notifyOnExit = false
        $0.regionTriggersOnce = false
      },
      {
        $0.alertBody = "%@ %2$@"
        $0.alertLocalizationArgs = ["one", 2, 2.5, .date(soon)]
      },
      {
        $0.alertTitle = "%@"
        $0.alertSubtitle = "%@"
        $0.alertAction = "%@"
        $0.alertTitleLocalizationArgs = ["title"]
        $0.alertSubtitleLocalizationArgs = [1]
        $0.alertActionLocalizationArgs = [0.5]
      },
    ]
    let units = RepeatInterval.allCases.map { unit in
      { (notification: inout LocalNotification) in notification.repeatInterval = unit }
    }
    return (changes + units).enumerated().map { index, change in
      var notification = LocalNotification(alertBody: "body \(index)", fireDate: soon)
      notification.identifier = "field-\(index)"
      change(&notification)
      return notification
    }
  }

  static let userInfo: [String: PropertyListValue] = [
    "one": 1, "one point nought": .double(1), "true": true, "text": "1", "$key": "dollar",
    "least": .integer(.min), "most": .integer(.max), "tiny": .double(5e-300), "third": 0.1,
    "date": .date(Date(timeIntervalSince1970: 1_234_567_890.123_456_789)),
    "old": .date(Date(timeIntervalSince1970: -1.000_000_5)),
    "data": .data(Data([0, 255, 1])), "none": .data(Data()), "": "empty key",
    "list": [1, 1.5, false, ["a": [[]]], [:]], "🔔": "bell",
  ]

  @Test func N12_everyFieldComesBackEqualAfterARestart() async throws {
    let daemon = try RunningDaemon()
    let scheduler = daemon.scheduler()
    let sent = Self.notifications()
    for notification in sent {
      let outcome = try await scheduler.schedule(notification)
      #expect(outcome.isScheduled && outcome.identifier == notification.identifier)
    }
    daemon.kill()
    try daemon.start()
    let listed = try await scheduler.scheduled().map { $0.notification }
    let found = Dictionary(uniqueKeysWithValues: listed.map { ($0.identifier, $0) })
    for notification in sent {
      #expect(found[notification.identifier] == notification, "\(notification.identifier ?? "")")
    }
    // Scheduling what is scheduled changes nothing (N1), nor does replacing the list by itself (N16).
    for notification in listed { #expect(try await scheduler.schedule(notification).isUnchanged) }
    let outcome = try await scheduler.replaceAll(listed)
    #expect(outcome.unchanged == sent.count && outcome.cancelled == 0 && outcome.replaced == 0)
  }

  @Test func N15_anotherConnectionListsAndCancelsByValue() async throws {
    let daemon = try RunningDaemon()
    let sent = Self.notifications()
    do {
      let first = daemon.scheduler()
      for notification in sent { try await first.schedule(notification) }
    }
    let second = daemon.scheduler()
    for var notification in sent {
      // By value: the identifier does not count.
      notification.identifier = nil
      let outcome = try await second.cancel(equalTo: notification)
      #expect(outcome.cancelled == 1, "\(notification)")
    }
    #expect(try await second.scheduled().isEmpty)
  }

  @Test(arguments: [
    0, 0.5, 1_234_567_890.123_456_7, -0.000_000_6, -8_640_000_000.1, 9_000_000_000.999_999_6,
  ])
  func roundingADateTwiceIsRoundingItOnce(_ seconds: Double) {
    var notification = LocalNotification()
    notification.fireDate = Date(timeIntervalSince1970: seconds)
    let once = notification.fireDate
    notification.fireDate = once
    #expect(notification.fireDate == once)
    let moved = (once?.timeIntervalSince1970 ?? 0) - seconds
    #expect(abs(moved) < 0.000_002)
  }
}
