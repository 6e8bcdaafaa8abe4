import BelfryKit
import Foundation
import TestSupport
import Testing

/// Sessions of an app with a real daemon, which shows by the console plugin what the app does not
/// take.
@Suite(.ownThreads) struct SessionTests {
  let daemon: RunningDaemon
  let scheduler: BlockingScheduler

  init() throws {
    daemon = try RunningDaemon(configuration: "[plugin:console]\nfile = console\n")
    scheduler = BlockingScheduler(daemon.options(app: "clock"))
  }

  private func open(
    _ state: AppState, _ delegate: RecordingDelegate, patience: Duration = .seconds(20)
  ) throws -> AppSession {
    let session = AppSession(
      daemon.options(app: "clock", patience: patience), state: state, delegate: delegate)
    #expect(try session.openAndWait() == nil)
    return session
  }

  private func ring(_ identifier: String) throws {
    var notification = LocalNotification(
      alertBody: "it is \(identifier)", fireDate: Date(timeIntervalSinceNow: -1))
    notification.identifier = identifier
    notification.userInfo = ["n": 1]
    try scheduler.schedule(notification)
  }

  /// Sinks and states of what became of it.
  private func outcome(_ identifier: String) throws -> [String] {
    try scheduler.history().filter { $0.identifier == identifier }.map {
      "\($0.sink) \($0.state)"
    }
  }

  @Test func D1_inTheForegroundTheAppGetsItAndNobodyElse() throws {
    let delegate = RecordingDelegate()
    let session = try open(.foreground, delegate)
    defer { session.close() }
    try ring("tea")
    try await_ { try outcome("tea") == ["app received"] }
    let event = try #require(delegate.events.first)
    #expect(event.kind == .received && event.attempt == 1 && event.delivered == nil)
    #expect(event.notification.alertBody == "it is tea" && event.notification.userInfo == ["n": 1])
    #expect(event.occurrence.hasSuffix(".0.0"))
  }

  @Test func D1_manyThatAreDueAtOnceAreAllTakenByTheApp() throws {
    let delegate = RecordingDelegate()
    let session = try open(.foreground, delegate)
    defer { session.close() }
    let due = Date(timeIntervalSinceNow: 4)
    let all = (0..<60).map {
      LocalNotification(identifier: "n\($0)", alertBody: "ring", fireDate: due)
    }
    try scheduler.replaceAll(all)
    try await_ { delegate.events.count == all.count }
    try await_ { try scheduler.history().count == all.count }
    #expect(try scheduler.history().allSatisfy { $0.sink == "app" && $0.state == .received })
  }

  @Test func D1_inTheBackgroundTheBoardShowsIt() throws {
    let delegate = RecordingDelegate()
    let session = try open(.foreground, delegate)
    defer { session.close() }
    try session.setStateAndWait(.background)
    try ring("tea")
    try await_ { try outcome("tea") == ["console delivered"] }
    try session.setStateAndWait(.foreground)
    try ring("milk")
    try await_ { try outcome("milk") == ["app received"] }
    #expect(delegate.names(.received) == ["milk"])
  }

  @Test func D1_anAppThatTakesLongerThan2SecondsHasItShown() throws {
    let delegate = RecordingDelegate(takesItsTime: true)
    let session = try open(.foreground, delegate)
    defer { session.close() }
    defer { delegate.goOn() }
    let start = Date()
    try ring("tea")
    try await_ { try outcome("tea").contains("console delivered") }
    #expect(Date().timeIntervalSince(start) > 1.9)
    #expect(delegate.names(.received) == ["tea"])
  }

  @Test func D1_aClosedSessionIsTheBackground() throws {
    let delegate = RecordingDelegate()
    let session = try open(.foreground, delegate)
    session.close()
    try await_ {
      // Not after 2 s, as while a session is open.
      let start = Date()
      let name = UUID().uuidString
      try ring(name)
      try await_ { try outcome(name).contains("console delivered") }
      return Date().timeIntervalSince(start) < 1
    }
    #expect(throws: SchedulerError.self) { try session.openAndWait() }
  }

  @Test func aRestartOfTheDaemonReopensItWithTheStateOfThen() throws {
    let delegate = RecordingDelegate()
    let session = try open(.foreground, delegate, patience: .milliseconds(100))
    defer { session.close() }
    for (number, state) in [AppState.background, .foreground, .background].enumerated() {
      daemon.kill()
      // Nobody is there to be told; the session opens with it later.
      try session.setStateAndWait(state)
      try daemon.start()
      try await_ { delegate.reopenings == number + 1 }
      try ring("tea \(number)")
      let sink = state == .foreground ? "app received" : "console delivered"
      try await_ { try outcome("tea \(number)") == [sink] }
    }
    #expect(delegate.losses.allSatisfy { $0.code == .noDaemon })
    #expect(delegate.names(.received) == ["tea 1"])
  }

  @Test func A1_aSessionOfAForbiddenNameIsRefused() throws {
    let session = AppSession(
      daemon.options(app: "no spaces"), state: .foreground, delegate: RecordingDelegate())
    let error = #expect(throws: SchedulerError.self) { try session.openAndWait() }
    #expect(error?.code == .malformed && error?.field == "app")
  }

  @Test func D10_eventsTellWhatHappensAlsoAfterARestart() async throws {
    let seen = Seen()
    let task = Task(executorPreference: OwnThreads.executor) { [daemon] in
      for try await event in Scheduler(daemon.options(app: "clock")).events() {
        if seen.note(event).identifier == "milk" { return }
      }
    }
    // Rung until it is seen: who watches begins to hear some time after.
    try await until {
      try ring("tea")
      return seen.events.contains { $0.identifier == "tea" }
    }
    try daemon.restart()
    try await until {
      try ring("milk")
      return seen.events.last?.identifier == "milk"
    }
    try await task.value
    #expect(seen.events.contains { $0.kind == .delivered && $0.sink == "console" })
    #expect(seen.events.contains { $0.kind == .reconnected })
  }

  @Test func aCancelledTaskLeavesItsEvents() async throws {
    let events = Scheduler(daemon.options()).events()
    let task = Task(executorPreference: OwnThreads.executor) {
      for try await _ in events {}
      return true
    }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    #expect(try await task.value)
  }
}

/// What a task has seen so far.
private final class Seen: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [SchedulerEvent] = []

  var events: [SchedulerEvent] { lock.withLock { all } }

  func note(_ event: SchedulerEvent) -> SchedulerEvent {
    lock.withLock { all.append(event) }
    return event
  }
}
