import BelfryKit
import Foundation

/// Notifications that have every field and every type between them.
public enum KitSamples {
  /// Every field at its default but one; the same ones for the same date, in any process.
  public static func notifications(on soon: Date) -> [LocalNotification] {
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
      {
        $0.alertBody = "%d left"; $0.alertBodyIsFormat = true
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
      {
        $0.soundName = LocalNotification.defaultSoundName
        $0.repeatSound = 3
      },
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

  /// Every type of a property list.
  public static let userInfo: [String: PropertyListValue] = [
    "one": 1, "one point nought": .double(1), "true": true, "text": "1", "$key": "dollar",
    "least": .integer(.min), "most": .integer(.max), "tiny": .double(5e-300), "third": 0.1,
    "date": .date(Date(timeIntervalSince1970: 1_234_567_890.123_456_789)),
    "old": .date(Date(timeIntervalSince1970: -1.000_000_5)),
    "data": .data(Data([0, 255, 1])), "none": .data(Data()), "": "empty key",
    "list": [1, 1.5, false, ["a": [[]]], [:]], "🔔": "bell",
  ]
}
