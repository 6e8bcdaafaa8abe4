import BelfryUIKit

/// An alarm clock: rings on the days that are given at what the board's own clock shows, wherever the
/// board is, until it is stopped; nine minutes later again where snooze is pressed.
///
/// usage: AlarmClock 07:00 [mon tue wed thu fri]    or, to try it: AlarmClock in SECONDS
@main
final class AlarmClock: UIResponder, UIApplicationDelegate {
  private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    register(application)
    let words = CommandLine.arguments.dropFirst()
    // Without words it was launched for an alarm that the user has answered.
    if let time = words.first {
      application.cancelAllLocalNotifications()
      if time == "in", let seconds = words.last.flatMap({ Double($0) }) {
        application.scheduleLocalNotification(alarm(at: Date(timeIntervalSinceNow: seconds)))
      } else {
        setAlarms(time, Array(words.dropFirst()), application)
      }
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
  private func setAlarms(_ time: String, _ names: [String], _ application: UIApplication) {
    let parts = time.split(separator: ":").compactMap { Int($0) }
    guard parts.count == 2 else { return say("a time is written as 07:00") }
    for name in names.isEmpty ? ["mon", "tue", "wed", "thu", "fri"] : names {
      guard let day = Self.days.firstIndex(of: name) else {
        return say("there is no day \(name)")
      }
      let when = DateComponents(hour: parts[0], minute: parts[1], second: 0, weekday: day + 1)
      let first = Calendar.current.nextDate(
        after: Date(), matching: when, matchingPolicy: .nextTime)
      let alarm = alarm(at: first!)
      alarm.repeatInterval = .weekOfYear
      application.scheduleLocalNotification(alarm)
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
private func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
