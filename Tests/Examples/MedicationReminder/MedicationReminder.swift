import BelfryKit
import Foundation

/// Reminds of a medicine until somebody acknowledges: the sound comes again and again, "Taken" asks what
/// was taken and writes it down, "Later" comes back in half an hour.
///
/// usage: MedicationReminder LOG [HH:MM]    or, to try it: MedicationReminder LOG in SECONDS
@main
final class MedicationReminder: AppSessionDelegate {
  private let log: URL
  private let scheduler = BlockingScheduler()

  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard let file = words.first, !file.hasPrefix("-"),
      let time = MedicationTime(Array(words.dropFirst()))
    else {
      end("usage: MedicationReminder LOG [HH:MM], or MedicationReminder LOG in SECONDS", status: 2)
    }
    let reminder = MedicationReminder(log: URL(fileURLWithPath: file))
    // In the background: what is due is shown and sounded by the board, not handed to us.
    let session = AppSession(state: .background, delegate: reminder)
    do throws(SchedulerError) {
      try reminder.register()
      try reminder.schedule(time)
      _ = try await session.open()
    } catch {
      end("MedicationReminder: \(error)", status: error.exitStatus)
    }
    say("ready")
    while true { try? await Task.sleep(for: .seconds(3600)) }
  }

  private static func end(_ line: String, status: Int32) -> Never {
    say(line, to: .standardError)
    exit(status)
  }

  private init(log: URL) { self.log = log }

  private func register() throws(SchedulerError) {
    var taken = NotificationAction(identifier: "TAKEN", title: "Taken", behavior: .textInput)
    var later = NotificationAction(identifier: "LATER", title: "Later")
    (taken.activationMode, later.activationMode) = (.background, .background)
    try scheduler.register(
      .all, categories: [NotificationCategory(identifier: "MEDICINE", actions: [taken, later])])
  }

  private func schedule(_ time: MedicationTime) throws(SchedulerError) {
    var medicine = reminder()
    medicine.identifier = "medicine"
    switch time {
    case .once(let seconds): medicine.fireIn = .seconds(seconds)
    case .daily(let hour, let minute):
      // A fixed first day: scheduling the same again changes nothing.
      medicine.fireDate = Calendar.current.date(
        bySettingHour: hour, minute: minute, second: 0,
        of: Date(timeIntervalSince1970: 1_767_614_400))
      medicine.timeZone = .current
      medicine.repeatInterval = .day
    }
    let outcome = try scheduler.schedule(medicine)
    say("next \(outcome.next?.formatted(.iso8601) ?? "never")")
  }

  private func reminder() -> LocalNotification {
    var medicine = LocalNotification(alertBody: "Take your medicine", soundName: "default")
    medicine.category = "MEDICINE"
    medicine.interruptionLevel = .timeSensitive
    medicine.repeatSound = 10
    return medicine
  }

  func session(
    _ session: AppSession, handle event: AppEvent, completion: @escaping @Sendable () -> Void
  ) {
    do {
      if event.action == "LATER" {
        var again = reminder()
        // Under the occurrence's own name, so that an action told twice does not remind twice.
        again.identifier = "later-" + event.occurrence
        again.fireIn = .seconds(30 * 60)
        try scheduler.schedule(again)
        say("later")
      } else {
        try note("\(event.due.formatted(.iso8601)) \(event.text ?? "taken")\n")
        say("taken: \(event.text ?? "")")
      }
      // Only now: what failed, or was cut short, is told again.
      completion()
    } catch {
      say("not done: \(error)")
    }
  }

  private func note(_ line: String) throws {
    if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
    let file = try FileHandle(forWritingTo: log)
    try file.seekToEnd()
    try file.write(contentsOf: Data(line.utf8))
    try file.synchronize()
  }
}

/// When to remind, by the words of a command line.
private enum MedicationTime {
  case once(seconds: Double)
  case daily(hour: Int, minute: Int)

  /// `HH:MM`, without words 08:00, or `in SECONDS`; nil: neither.
  init?(_ words: [String]) {
    if words.count == 2, words[0] == "in", let seconds = Double(words[1]),
      (0...31_536_000).contains(seconds)
    {
      self = .once(seconds: seconds)
      return
    }
    let time = words.first ?? "08:00"
    let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard words.count <= 1, parts.count == 2, let hour = parts[0], let minute = parts[1],
      (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    self = .daily(hour: hour, minute: minute)
  }
}

/// A line that whoever reads gets at once.
private func say(_ line: String, to file: FileHandle = .standardOutput) {
  file.write(Data((line + "\n").utf8))
}
