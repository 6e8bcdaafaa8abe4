import BelfryUIKit

/// Notifications that an app schedules a second, one at a time, as `scheduleLocalNotification(_:)` does;
/// each is in the store when the call returns.
///
/// usage: UIKitBenchmark COUNT    BELFRY_SOCKET names the daemon
@main
struct UIKitBenchmark {
  static func main() throws {
    let count = CommandLine.arguments.last.flatMap { Int($0) } ?? 1000
    let application = UIApplication.shared
    let notification = UILocalNotification()
    notification.fireDate = Date(timeIntervalSinceNow: 86_400)
    notification.alertBody = "The kettle in the ward kitchen is ready"
    notification.soundName = UILocalNotificationDefaultSoundName
    notification.userInfo = ["room": 12, "urgent": false]
    try measure("scheduleLocalNotification(_:)", count) {
      for _ in 0..<count { try application.schedule(notification) }
    }
    try measure("scheduledLocalNotifications, a notification", count) {
      guard application.scheduledLocalNotifications?.count == count else { throw Missing() }
    }
    try measure("cancelLocalNotification(_:), all equal", count) {
      try application.cancel(notification)
    }
  }

  private struct Missing: Error {}

  private static func measure(_ name: String, _ count: Int, _ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    try body()
    let time = ContinuousClock.now - start
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    print("\(name)\t\(Int(Double(count) / seconds))")
  }
}
