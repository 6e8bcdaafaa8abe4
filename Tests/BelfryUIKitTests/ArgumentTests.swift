import BelfryKit
import Foundation
import TestSupport
import Testing

/// How samples and examples end before they have begun.
@Suite(.ownThreads) struct ArgumentTests {
  /// `KeptForLater`'s and others' file is never written.
  private static let file = "/nonexistent/file"

  @Test(
    arguments: [
      ["AlarmClock", "07:00"], ["AlarmClock"], ["SchoolBell"], ["MedicationReminder", file],
      ["ListApp", file], ["UIKitSamples", "TeaTimer"], ["UIKitSamples", "Queue"],
      ["UIKitSamples", "KeptForLater", file], ["UIKitSamples", "WatchedPlaces"],
    ])
  func withoutADaemonThereIsOneLineAndAStatus(_ words: [String]) throws {
    let daemon = try RunningDaemon()
    daemon.stop()
    let program = try Ended(words, with: daemon)
    #expect(program.status == 3)
    #expect(program.lines.count == 1, "\(program.text)")
    #expect(program.text.contains("no daemon answers at \(daemon.socket)"))
  }

  @Test func withoutASessionThereIsOneLineAndAStatus() throws {
    let daemon = try RunningDaemon(configuration: "[limits]\nsessions = 1\n")
    let first = try RunningSample("Lifecycle", with: daemon)
    try first.expect("didFinishLaunching 1")
    let second = try Ended(["UIKitSamples", "Lifecycle"], with: daemon)
    #expect(second.status == 1)
    #expect(second.lines.count == 1, "\(second.text)")
  }

  @Test(
    arguments: [
      ["AlarmClock", "--help"], ["AlarmClock", "7"], ["AlarmClock", "24:00"],
      ["AlarmClock", "07:00", "monday"], ["AlarmClock", "in", "a", "while"], ["AlarmClock", "in"],
      ["SchoolBell", "tomorrow"], ["SchoolBell", "2027-03-26", "--help"],
      ["MedicationReminder"], ["MedicationReminder", "--help"],
      ["MedicationReminder", file, "8"], ["MedicationReminder", file, "in"],
      ["MedicationReminder", file, "08:00", "daily"], ["UIKitSamples"],
      ["UIKitSamples", "KeptForLater"], ["UIKitSamples", "TeaTimers"],
    ])
  func whatIsNoUsageSchedulesAndCancelsNothing(_ words: [String]) throws {
    let daemon = try RunningDaemon()
    var alarm = LocalNotification(identifier: "kept", alertBody: "Kept")
    alarm.fireDate = Date(timeIntervalSinceNow: 86_400)
    try daemon.scheduler.schedule(alarm)
    let program = try Ended(words, with: daemon)
    #expect(program.status == 2)
    #expect(program.lines.count == 1 && program.text.hasPrefix("usage: "), "\(program.text)")
    #expect(try daemon.scheduler.scheduled().map { $0.notification.identifier } == ["kept"])
  }
}

/// A program that has ended by itself, and all that it wrote.
private struct Ended {
  /// nil: by a signal.
  let status: Int32?
  let text: String
  var lines: [Substring] { text.split(separator: "\n") }

  init(_ words: [String], with daemon: RunningDaemon) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: RunningDaemon.products + "/" + words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["BELFRY_SOCKET": daemon.socket, "BELFRY_APP": "samples"]
    ) { $1 }
    // A file, not a pipe, which is whole only once nobody else has it open.
    let path = daemon.folder + "/output"
    try Data().write(to: URL(fileURLWithPath: path))
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : nil
    text = try String(contentsOfFile: path, encoding: .utf8)
  }
}
