import BelfryKit
import Foundation
import TestSupport
import Testing

/// What the user does, on its way to the app (D3 to D7).
@Suite(.ownThreads) struct ActionTests {
  let daemon: RunningDaemon
  let scheduler: BlockingScheduler

  init() throws {
    daemon = try RunningDaemon(configuration: "[plugin:console]\nfile = console\n")
    scheduler = BlockingScheduler(daemon.options(app: "pills"))
    try scheduler.register(
      .all,
      categories: [
        NotificationCategory(
          identifier: "pill",
          actions: [
            NotificationAction(identifier: "taken", title: "Taken", activationMode: .background),
            NotificationAction(
              identifier: "note", title: "Note", activationMode: .background,
              behavior: .textInput),
          ])
      ])
  }

  private func open(_ delegate: RecordingDelegate) throws -> AppSession {
    let session = AppSession(
      daemon.options(app: "pills"), state: .background, delegate: delegate)
    #expect(try session.openAndWait() == nil)
    return session
  }

  /// Shows a notification, and waits until it is.
  private func show(_ identifier: String) throws {
    var pill = LocalNotification(alertBody: "Take \(identifier)")
    pill.identifier = identifier
    pill.category = "pill"
    try scheduler.presentNow(pill)
    try await_ { try scheduler.shown().contains { $0.notification.identifier == identifier } }
  }

  private func ends(_ identifier: String, _ reason: String) throws -> Bool {
    try scheduler.history().contains {
      $0.identifier == identifier && $0.sink == "app" && $0.reason == reason
    }
  }

  @Test func D3_theDefaultActionActivatesAnAppThatRuns() throws {
    let delegate = RecordingDelegate()
    let session = try open(delegate)
    defer { session.close() }
    try show("red")
    try scheduler.act("red")
    try await_ { delegate.names(.activated) == ["red"] }
    #expect(try scheduler.shown().isEmpty)
  }

  @Test func D4_anActionComesWithWhatWasTyped() throws {
    let delegate = RecordingDelegate()
    let session = try open(delegate)
    defer { session.close() }
    try show("red")
    try scheduler.act("red", action: "note", text: "with \"water\"\n")
    try await_ { try ends("red", "action note") }
    let event = try #require(delegate.events.first)
    #expect(event.kind == .handleAction && event.action == "note")
    #expect(event.text == "with \"water\"\n" && event.attempt == 1)
  }

  @Test func D4_aProcessIsToldOnceHoweverOftenTheDaemonRestarts() throws {
    let delegate = RecordingDelegate(completes: false)
    let session = try open(delegate)
    defer { session.close() }
    try show("red")
    try scheduler.act("red", action: "taken")
    try await_ { !delegate.events.isEmpty }
    try daemon.restart()
    try await_ { delegate.reopenings == 1 }
    // It has been told again, by a session of another number, to which the completion goes now.
    _ = try scheduler.scheduled()
    delegate.completeAll()
    try await_ { try ends("red", "action taken") }
    #expect(delegate.events.count == 1)
  }

  @Test func D4_anAppThatDiesInItsHandlerGetsItAgain() throws {
    try show("red")
    let first = RecordingDelegate(completes: false)
    let session = try open(first)
    try scheduler.act("red", action: "taken")
    try await_ { !first.events.isEmpty }
    session.close()
    let second = RecordingDelegate()
    let next = try open(second)
    defer { next.close() }
    try await_ { try ends("red", "action taken") }
    #expect(second.events.map { $0.attempt } == [2])
    #expect(second.events.first?.occurrence == first.events.first?.occurrence)
  }

  @Test func D3_theFirstTapLaunchesTheOthersFollow() throws {
    let mark = daemon.folder + "/started"
    let program = daemon.folder + "/app.sh"
    try Data("#!/bin/sh\necho $BELFRY_APP $BELFRY_SOCKET >> \(mark)\n".utf8)
      .write(to: URL(fileURLWithPath: program))
    chmod(program, 0o755)
    mkdir(daemon.folder + "/apps", 0o755)
    try Data("[app]\nexecutable = \(program)\n".utf8)
      .write(to: URL(fileURLWithPath: daemon.folder + "/apps/pills.app"))
    try daemon.restart()
    for identifier in ["red", "blue", "green"] {
      try show(identifier)
      try scheduler.act(identifier)
    }
    try await_ { FileManager.default.fileExists(atPath: mark) }
    let delegate = RecordingDelegate()
    let session = AppSession(
      daemon.options(app: "pills"), state: .foreground, delegate: delegate)
    defer { session.close() }
    let launch = try #require(try session.openAndWait())
    #expect(launch.kind == .launch && launch.notification.identifier == "red")
    try await_ { delegate.names(.activated) == ["blue", "green"] }
    let text = try String(contentsOfFile: mark, encoding: .utf8)
    #expect(text == "pills \(daemon.socket)\n")
  }

  @Test func D7_aSnoozeComesAgainUnderItsId() throws {
    try show("red")
    let occurrence = try #require(try scheduler.history().first?.occurrence)
    let next = try scheduler.snooze(occurrence, for: .seconds(1))
    #expect((0.0...1.5).contains(next.timeIntervalSinceNow + 0.25))
    #expect(try scheduler.snoozed().map { $0.notification.identifier } == ["red"])
    #expect(try scheduler.scheduled().isEmpty)
    try await_ { try scheduler.history().contains { $0.occurrence == occurrence + ".s1" } }
  }

  @Test func dismissingTakesItAwayAndTellsTheApp() throws {
    let delegate = RecordingDelegate()
    let session = try open(delegate)
    defer { session.close() }
    try show("red")
    try scheduler.dismiss("red")
    try await_ { delegate.names(.dismissed) == ["red"] }
    #expect(try scheduler.shown().isEmpty)
    let error = #expect(throws: SchedulerError.self) { try scheduler.dismiss("red") }
    #expect(error?.code == .notFound)
  }

  @Test func D5_settingsAndCategoriesComeBackEqual() throws {
    let categories = [
      NotificationCategory(
        identifier: "all",
        actions: [
          NotificationAction(
            identifier: "a", title: "A", activationMode: .background, isDestructive: true,
            isAuthenticationRequired: true),
          NotificationAction(
            identifier: "b", title: "B", behavior: .textInput, buttonTitle: "Send"),
          NotificationAction(identifier: "c", title: "C"),
        ], minimal: ["c", "a"]),
      NotificationCategory(
        identifier: "two", actions: [NotificationAction(identifier: "a", title: "A")]),
    ]
    #expect(try scheduler.register([.alert, .badge], categories: categories) == [.alert, .badge])
    try daemon.restart()
    let found = try scheduler.settings()
    #expect(found.isRegistered && found.settings == [.alert, .badge])
    #expect(Set(found.categories) == Set(categories))
    let five = (0..<5).map { NotificationAction(identifier: "\($0)", title: "\($0)") }
    let error = #expect(throws: SchedulerError.self) {
      try scheduler.register(
        .all, categories: [NotificationCategory(identifier: "five", actions: five)])
    }
    #expect(error?.field?.hasPrefix("categories[0].actions") == true)
  }
}
