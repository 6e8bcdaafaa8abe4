import BelfryUIKit

/// An alarm clock: rings on the days that are given at what the board's own clock shows, wherever the
/// board is, until it is stopped; nine minutes later again where snooze is pressed.
///
/// usage: AlarmClock 07:00 [mon tue wed thu fri]    or, to try it: AlarmClock in SECONDS
@main
final class AlarmClock: UIResponder, UIApplicationDelegate {
  /// nil: it was launched for an alarm that the user has answered, and leaves the others alone.
  private var wish: AlarmWish?

  /// Reads the arguments before anything is scheduled or cancelled.
  static func main() {
    let clock = AlarmClock()
    let words = Array(CommandLine.arguments.dropFirst())
    if !words.isEmpty {
      guard let wish = AlarmWish(words) else {
        say("usage: AlarmClock HH:MM [DAY ...], or AlarmClock in SECONDS", to: .standardError)
        exit(2)
      }
      clock.wish = wish
    }
    UIApplicationMain(clock)
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    register(application)
    if let wish {
      application.cancelAllLocalNotifications()
      setAlarms(wish, application)
    }
    for alarm in application.scheduledLocalNotifications ?? [] {
      let often = alarm.repeatInterval == [] ? "once" : "weekly"
      say("alarm \(alarm.fireDate!.formatted(.iso8601)) \(often)")
    }
    // The sinks show and sound alarms; this program only answers buttons.
    DispatchQueue.main.async { application.enterBackground() }
    return true
  }

  /// One weekly alarm a day: UIKit knows no sets of weekdays.
  private func setAlarms(_ wish: AlarmWish, _ application: UIApplication) {
    switch wish {
    case .once(let seconds):
      application.scheduleLocalNotification(alarm(at: Date(timeIntervalSinceNow: seconds)))
    case .weekly(let hour, let minute, let days):
      for day in days {
        let when = DateComponents(hour: hour, minute: minute, second: 0, weekday: day)
        let first = Calendar.current.nextDate(
          after: Date(), matching: when, matchingPolicy: .nextTime)
        let alarm = alarm(at: first!)
        alarm.repeatInterval = .weekOfYear
        application.scheduleLocalNotification(alarm)
      }
    }
  }

  private func alarm(at date: Date) -> UILocalNotification {
    let alarm = UILocalNotification()
    alarm.fireDate = date
    // With a zone it floats: what counts is what the clock on the wall shows (T2).
    alarm.timeZone = .current
    alarm.alertBody = "Good morning"
    alarm.soundName = UILocalNotificationDefaultSoundName
    alarm.category = "ALARM"
    return alarm
  }

  private func register(_ application: UIApplication) {
    let snooze = UIMutableUserNotificationAction()
    (snooze.identifier, snooze.title, snooze.activationMode) = ("SNOOZE", "Snooze", .background)
    let stop = UIMutableUserNotificationAction()
    (stop.identifier, stop.title, stop.activationMode) = ("STOP", "Stop", .background)
    let category = UIMutableUserNotificationCategory()
    category.identifier = "ALARM"
    category.setActions([snooze, stop], for: .default)
    application.registerUserNotificationSettings(
      UIUserNotificationSettings(types: [.alert, .sound], categories: [category]))
  }

  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, completionHandler: @escaping () -> Void
  ) {
    if identifier == "SNOOZE" {
      let again = alarm(at: Date(timeIntervalSinceNow: 9 * 60))
      application.scheduleLocalNotification(again)
      say("again at \(again.fireDate!.formatted(.iso8601))")
    } else {
      say("stopped")
    }
    completionHandler()
  }
}

/// A line that whoever reads gets at once.
func say(_ line: String, to file: FileHandle = .standardOutput) {
  file.write(Data((line + "\n").utf8))
}
