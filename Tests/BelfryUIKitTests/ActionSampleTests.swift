import BelfryKit
import Foundation
import TestSupport
import Testing

/// Samples that the user answers.
@Suite(.ownThreads) struct ActionSampleTests {
  @Test func D4_D5_quickReply() throws {
    let daemon = try RunningDaemon()
    let sample = try RunningSample("QuickReply", with: daemon)
    try sample.expect("presented, listed 0")
    let id = try daemon.shown("Will you come?")
    try daemon.scheduler.act(id, action: "REPLY", text: "yes, at 8")
    try sample.expect("reply to Ada: yes, at 8")
  }

  @Test func D4_D5_N10_todoActions() throws {
    let daemon = try RunningDaemon()
    let sample = try RunningSample("TodoActions", with: daemon)
    try sample.expect("registered 5 [\"DONE\", \"LATER\"]")
    let id = try daemon.shown("Water the plants")
    try daemon.scheduler.act(id, action: "LATER")
    try sample.expect("LATER Water the plants 2", "later 1")
  }

  @Test func D3_aTapOnARunningAppIsToldByTheState() throws {
    let daemon = try RunningDaemon()
    let sample = try RunningSample("LaunchedBy", state: "background", with: daemon)
    try sample.expect("launched by hand")
    try daemon.scheduler.presentNow(LocalNotification(alertBody: "Lunch"))
    try daemon.scheduler.act(try daemon.shown("Lunch"))
    try sample.expect("received Lunch state 1", "active")
  }

  @Test func D2_D3_aTapLaunchesTheAppWithItsOption() throws {
    let daemon = try RunningDaemon()
    try daemon.install("LaunchedBy")
    try daemon.scheduler.presentNow(LocalNotification(alertBody: "Lunch"))
    try daemon.scheduler.act(try daemon.shown("Lunch"))
    try waitUntil("launched: \(daemon.log)") {
      daemon.out == "launched by Lunch\nactive\n"
    }
  }

  @Test func D2_D4_anActionLaunchesTheAppThatHandlesIt() throws {
    let daemon = try RunningDaemon()
    let sample = try RunningSample("QuickReply", with: daemon)
    try sample.expect("presented, listed 0")
    let id = try daemon.shown("Will you come?")
    #expect(sample.end() == 0)
    try daemon.install("QuickReply")
    try daemon.scheduler.act(id, action: "REPLY", text: "no")
    try waitUntil("launched: \(daemon.out) \(daemon.log)") {
      daemon.out.contains("reply to Ada: no\n")
    }
  }

  @Test func D3_anAppThatWasThereBeforeItsDaemonHearsOfTheTap() throws {
    let daemon = try RunningDaemon()
    daemon.stop()
    let sample = try RunningSample(
      "LaunchedBy", state: "background", withoutDaemon: true, with: daemon)
    try sample.expect("launched by hand")
    try daemon.start()
    // Taps before its session is open are nobody's: it has no executable that could be started.
    try waitUntil("told: \(sample.text) \(daemon.log)") {
      try daemon.scheduler.presentNow(LocalNotification(alertBody: "Lunch"))
      try daemon.scheduler.act(try daemon.shown("Lunch"))
      let end = Date(timeIntervalSinceNow: 2)
      while !sample.lines.contains("received Lunch state 1") {
        if Date() > end { return false }
        usleep(5_000)
      }
      return true
    }
    try sample.expect("received Lunch state 1", "active")
  }

  @Test func R1_R2_nearShop() throws {
    let daemon = try RunningDaemon(configuration: "[app:samples]\nlocation = yes\n")
    let sample = try RunningSample("NearShop", with: daemon)
    try sample.expect("waiting at shop within 200 m")
    for place in ["52.60,13.405", "52.52,13.405", "52.60,13.405", "52.52,13.405"] {
      try go(to: place, with: daemon)
    }
    try sample.expect("near shop: Buy milk", "near shop: Buy milk")
  }

  private func go(to place: String, with daemon: RunningDaemon) throws {
    let fix = Process()
    fix.executableURL = URL(fileURLWithPath: RunningDaemon.products + "/belfry")
    fix.arguments = ["--socket", daemon.socket, "fix", place, "--accuracy", "10"]
    try fix.run()
    fix.waitUntilExit()
    #expect(fix.terminationStatus == 0)
  }

  @Test func R1_R2_D1_watchedPlaces() throws {
    let daemon = try RunningDaemon(configuration: "[app:samples]\nlocation = yes\n")
    let sample = try RunningSample("WatchedPlaces", with: daemon)
    try sample.expect("watched before: []", "watching home", "watching office")
    try go(to: "52.52,13.405", with: daemon)
    try go(to: "52.56,13.405", with: daemon)
    try sample.expect("left home")
    try go(to: "52.52,13.405", with: daemon)
    try sample.expect("left home", "came to home", "Welcome to home")
    try go(to: "52.60,13.405", with: daemon)
    try sample.expect("came to home", "left home", "came to office", "still watching [\"home\"]")
    #expect(sample.end() == 0)
    // What is monitored stays.
    let again = try RunningSample("WatchedPlaces", with: daemon)
    try again.expect("watched before: [\"home\"]")
  }
}

/// Tests/Examples' longer programs.
@Suite(.ownThreads) struct ExampleTests {
  private func run(
    _ program: String, _ arguments: String..., with daemon: RunningDaemon
  ) throws -> RunningSample {
    try RunningSample(program, arguments: arguments, with: daemon)
  }

  @Test func T2_D4_alarmClock() throws {
    let daemon = try RunningDaemon()
    let weekly = try run("AlarmClock", "07:00", "mon", "sat", with: daemon)
    try waitUntil { weekly.lines.filter { $0.hasSuffix("weekly") }.count == 2 }
    let set = try daemon.scheduler.scheduled().map { $0.notification }
    #expect(set.allSatisfy { $0.timeZoneName == "Europe/Berlin" && $0.repeatInterval != nil })
    #expect(weekly.end() == 0)
    let once = try run("AlarmClock", "in", "1", with: daemon)
    try waitUntil("alarm shown: \(once.text)") { try !daemon.scheduler.shown().isEmpty }
    let id = try daemon.scheduler.shown()[0].notification.identifier ?? ""
    try daemon.scheduler.act(id, action: "SNOOZE")
    try waitUntil("snoozed: \(once.text)") { once.text.contains("again at") }
    #expect(try daemon.scheduler.scheduled().count == 1)
  }

  @Test func T6_N16_schoolBell() throws {
    let daemon = try RunningDaemon()
    let first = try run("SchoolBell", with: daemon)
    try first.expect("6 new, 0 changed, 0 as before")
    try waitUntil { first.lines.count == 7 }
    // Name, and when it rings next: by the clocks of the school.
    let begins = try #require(first.lines.first { $0.hasPrefix("first-begins ") })
    #expect(begins.contains("T08:00:00+0"))
    let again = try run("SchoolBell", with: daemon)
    try again.expect("0 new, 0 changed, 6 as before")
    // The day of the next bell becomes a holiday.
    let next = try #require(try daemon.scheduler.next(of: "first-begins").first)
    let style = Date.ISO8601FormatStyle(
      timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt)
    let day = next.date.formatted(style.year().month().day())
    let holiday = try run("SchoolBell", day, with: daemon)
    try holiday.expect("0 new, 6 changed, 0 as before")
    let later = try #require(try daemon.scheduler.next(of: "first-begins").first)
    #expect(later.date > next.date)
  }

  @Test func D4_D11_medicationReminder() throws {
    let daemon = try RunningDaemon()
    let log = daemon.folder + "/taken"
    let reminder = try run("MedicationReminder", log, "in", "1", with: daemon)
    try reminder.expect("ready")
    try waitUntil("shown: \(daemon.log)") { try !daemon.scheduler.shown().isEmpty }
    try daemon.scheduler.act("medicine", action: "TAKEN", text: "two pills")
    try reminder.expect("taken: two pills")
    #expect(try String(contentsOfFile: log, encoding: .utf8).hasSuffix(" two pills\n"))
  }
}
