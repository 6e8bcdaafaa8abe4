import BelfryUIKit

/// Programs in the style of the public UIKit samples of 2010 to 2016, one a file, each with what was its
/// `AppDelegate.swift`. Only the import line is another, and `@UIApplicationMain` is `main()`.
///
/// usage: UIKitSamples NAME    KeptForLater and SharedList: UIKitSamples NAME FILE
@main
struct Samples {
  static func main() {
    // Lines are read by those who wait for them.
    setvbuf(stdout, nil, _IOLBF, 0)
    let words = CommandLine.arguments.dropFirst()
    let keepsAFile = ["KeptForLater", "SharedList"].contains(words.first)
    guard words.count == (keepsAFile ? 2 : 1) else { endForUsage() }
    switch words.first {
    case "TeaTimer": TeaTimerDelegate.main()
    case "DailyReminder": DailyReminderDelegate.main()
    case "Birthdays": BirthdaysDelegate.main()
    case "BadgeReset": BadgeResetDelegate.main()
    case "QuickReply": QuickReplyDelegate.main()
    case "TodoActions": TodoActionsDelegate.main()
    case "NearShop": NearShopDelegate.main()
    case "BackgroundUpload": BackgroundUploadDelegate.main()
    case "LaunchedBy": LaunchedByDelegate.main()
    case "ForegroundAlert": ForegroundAlertDelegate.main()
    case "Permission": PermissionDelegate.main()
    case "Queue": QueueDelegate.main()
    case "KeptForLater": KeptForLaterDelegate.main()
    case "Lifecycle": LifecycleDelegate.main()
    case "OldAlarms": OldAlarmsDelegate.main()
    case "SharedList": SharedListDelegate.main()
    case "ChangeFeed": ChangeFeedDelegate.main()
    case "DoorPush": DoorPushDelegate.main()
    case "OldNames": OldNamesDelegate.main()
    case "WatchedPlaces": WatchedPlacesDelegate.main()
    case "Services": ServicesDelegate.main()
    default: endForUsage()
    }
  }

  static func endForUsage() -> Never {
    fputs("usage: UIKitSamples NAME [FILE]\n", stderr)
    exit(2)
  }
}
