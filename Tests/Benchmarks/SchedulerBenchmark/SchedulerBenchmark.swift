import BelfryCore
import BelfrySystem

/// The scheduler alone, without store and sinks of its own.
///
/// Built by BELFRY_BENCHMARKS=1. usage: SchedulerBenchmark replan COUNT | kiosk | regions COUNT FIXES
/// - replan: so many floating notifications, and the board moves to another zone (T7); prints
///   COUNT MILLISECONDS TURNS LONGEST_TURN_MILLISECONDS LONGEST_DELAY_MILLISECONDS, the last for what
///   came due every 10 ms meanwhile
/// - kiosk: the wake-ups of a typical kiosk's day without and with tolerance (T12)
/// - regions: a board drives about among so many of them; prints NANOSECONDS_PER_FIX CROSSINGS
@main
struct SchedulerBenchmark {
  static func main() {
    let words = Arguments.all
    switch words.count > 1 ? words[1] : "" {
    case "replan": Replanning.run(words.count > 2 ? Int64(words[2]) ?? 100_000 : 100_000)
    case "kiosk": Kiosk.run()
    case "regions":
      Paths.run(
        words.count > 2 ? Int64(words[2]) ?? 10_000 : 10_000,
        fixes: words.count > 3 ? Int64(words[3]) ?? 20_000 : 20_000)
    default: print("usage: SchedulerBenchmark replan COUNT | kiosk | regions COUNT FIXES")
    }
  }

  /// A scheduler with one app that nobody limits.
  static func scheduler(_ sinks: [Sink], boardZone: (String, ZoneRules)) -> SchedulerEngine {
    var configuration = EngineConfiguration()
    configuration.isClockTrusted = true
    configuration.notifications = .max
    configuration.sinks = sinks
    var uuid: UInt64 = 0
    let scheduler = SchedulerEngine(configuration: configuration) {
      uuid += 1
      return UUIDBits(high: 0, low: uuid)
    }
    scheduler.restore(boardZone: boardZone.0, boardZone.1)
    scheduler.restore(StoredApp(number: 1, name: "app", owner: 0, badge: 0))
    return scheduler
  }

  /// What a row without content comes to: enough for these measurements.
  static func content(_ summary: PendingSummary) -> StoredNotification {
    var notification = Notification()
    notification.identifier = "n\(summary.slot)"
    notification.alertBody = "body"
    notification.repeatInterval = summary.unit
    notification.tolerance = summary.tolerance
    var row = StoredNotification(
      slot: summary.slot, app: 1, uuid: UUIDBits(high: 1, low: UInt64(summary.slot)),
      generation: 0, sequence: summary.sequence, anchor: summary.anchor,
      firedThrough: summary.firedThrough, notification: notification)
    row.plan = summary.plan
    return row
  }
}
