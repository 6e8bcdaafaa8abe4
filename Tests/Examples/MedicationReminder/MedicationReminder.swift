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

  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count > 1 else { return say("usage: MedicationReminder LOG [HH:MM]") }
    let reminder = MedicationReminder(log: URL(fileURLWithPath: words[1]))
    try reminder.register()
    try reminder.schedule(Array(words.dropFirst(2)))
    // In the background: what is due is shown and sounded by the board, not handed to us.
    let session = AppSession(state: .background, delegate: reminder)
    _ = try await session.open()
    say("ready")
    while true { try await Task.sleep(for: .seconds(3600)) }
  }

  private init(log: URL) { self.log = log }

  private func register() throws {
    var taken = NotificationAction(identifier: "TAKEN", title: "Taken", behavior: .textInput)
    var later = NotificationAction(identifier: "LATER", title: "Later")
    (taken.activationMode, later.activationMode) = (.background, .background)
    try scheduler.register(
      .all, categories: [NotificationCategory(identifier: "MEDICINE", actions: [taken, later])])
  }

  private func schedule(_ words: [String]) throws {
    var medicine = reminder()
    medicine.identifier = "medicine"
    if words.first == "in", let seconds = words.last.flatMap({ Double($0) }) {
      medicine.fireIn = .seconds(seconds)
    } else {
      let parts = (words.first ?? "08:00").split(separator: ":").compactMap { Int($0) }
      guard parts.count == 2 else { return say("a time is written as 08:00") }
      // A fixed first day: scheduling the same again changes nothing.
      medicine.fireDate = Calendar.current.date(
        bySettingHour: parts[0], minute: parts[1], second: 0,
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

/// A line that whoever reads gets at once.
private func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
