import BelfryKit
import Foundation
import TestSupport
import Testing

/// The samples of Tests/Examples/UIKit do what they did, with the real daemon.
@Suite(.ownThreads) struct SampleTests {
  @Test func N15_oneProcessSchedulesAndExitsAnotherCancelsByValue() throws {
    let daemon = try RunningDaemon()
    let kept = daemon.folder + "/kept"
    let first = try RunningSample("KeptForLater", kept, with: daemon)
    try first.expect("kept, 1 scheduled")
    #expect(first.end() == 0)
    let second = try RunningSample("KeptForLater", kept, with: daemon)
    try second.expect("cancelled, 0 left")
    #expect(second.end() == 0)
  }

  @Test func N4_N6_T2_dailyReminder() throws {
    let sample = try RunningSample("DailyReminder", with: RunningDaemon())
    try sample.expect("listed")
    for line in [
      "Good morning at 8 every 16", "Weekly report at 17 every 8192", "Rent at 9 every 8",
      "Once at 12 every 0",
    ] {
      #expect(sample.lines.contains(line))
    }
  }

  @Test func N4_N12_T2_oldAlarms() throws {
    let sample = try RunningSample("OldAlarms", with: RunningDaemon())
    try sample.expect(
      "early at 06:45, 3, true", "cancelled early", "late at 09:05, 3, true",
      "UIAlertView: Alarms: One is left [OK, Settings]")
    #expect(sample.lines.filter { $0.hasPrefix("late") }.count == 2)
    #expect(sample.lines.filter { $0.hasPrefix("early") }.count == 1)
  }

  @Test func N12_N15_birthdays() throws {
    let sample = try RunningSample("Birthdays", with: RunningDaemon())
    try sample.expect("done")
    #expect(sample.lines == ["Ada 1815", "Alan 1912", "done"])
  }

  @Test func N16_N17_queue() throws {
    let sample = try RunningSample("Queue", with: RunningDaemon())
    try sample.expect("kept 64, last badge 64", "left 0")
  }

  @Test func N7_N9_N14_backgroundUpload() throws {
    let daemon = try RunningDaemon()
    let sample = try RunningSample("BackgroundUpload", with: daemon)
    try sample.expect("uploading, time enough", "presented")
    try waitUntil("shown: \(daemon.log)") { daemon.log.contains("photographs are uploaded") }
    #expect(!daemon.log.contains("%d photographs"))
    #expect(sample.end() == 0)
  }

  @Test func lifecycle() throws {
    let sample = try RunningSample("Lifecycle", with: RunningDaemon())
    try sample.expect(
      "didFinishLaunching 1", "didBecomeActive 0", "willResignActive 0", "didEnterBackground 2",
      "willEnterForeground 2", "didBecomeActive 0")
    #expect(sample.end() == 0)
    #expect(sample.lines.last == "willTerminate 0")
  }

  @Test func D1_teaTimer() throws {
    let sample = try RunningSample("TeaTimer", with: RunningDaemon())
    try sample.expect(
      "scheduled 1", "UIAlertView: Tea: Your tea is ready [OK]", "received Your tea is ready")
  }

  @Test func D6_N11_badgeReset() throws {
    let sample = try RunningSample("BadgeReset", with: RunningDaemon())
    try sample.expect("badge was 0", "badge is 0", "badge was 3", "badge is 0")
  }

  @Test func D5_permission() throws {
    let sample = try RunningSample("Permission", with: RunningDaemon())
    try sample.expect(
      "will finish launching", "allowed 6", "current 6, badge false", "pushes: true")
  }

  @Test func oldNames() throws {
    let sample = try RunningSample("OldNames", with: RunningDaemon())
    try sample.expect(
      "asked as since iOS 8", "and by the class", "heard 3", "heard 4 minutes",
      "5 minutes in Europe/Berlin", "active")
  }

  @Test func services() throws {
    let sample = try RunningSample("Services", with: RunningDaemon())
    try sample.expect(
      "status bar true", "logged Ready", "opened [false, false]", "Reading, page 7",
      "continued true")
    #expect(sample.lines.filter { $0 == "logged Ready" }.count == 1)
  }

  @Test func D1_foregroundAlert() throws {
    let daemon = try RunningDaemon()
    let sample = try RunningSample("ForegroundAlert", with: daemon)
    try sample.expect("loaded")
    var call = LocalNotification(alertBody: "Call Ada")
    // Past its launch, so that the session is open.
    call.fireIn = .seconds(1)
    try daemon.scheduler.schedule(call)
    try sample.expect("UIAlertController: Reminder: Call Ada [OK]", "arrived: Call Ada")
    #expect(!daemon.log.contains("Call Ada"), "no sink shows what the app took")
  }
}
