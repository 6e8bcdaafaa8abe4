import BelfryKit
import Foundation
import TestSupport
import Testing

/// The same as `RestartTests` for what the user does, what an app registers and says of itself.
@Suite(.serialized, .ownThreads) struct UserRestartTests {
  let daemon: RunningDaemon
  let scheduler: BlockingScheduler
  private static let shown = 400

  init() throws {
    daemon = try RunningDaemon(
      configuration: "[plugin:console]\nfile = console\n[limits]\nrequestsPerSecond = 100000\n")
    scheduler = BlockingScheduler(daemon.options(app: "pills"))
    try scheduler.register(.all, categories: [Self.category("taken")])
  }

  private static func category(_ action: String) -> NotificationCategory {
    NotificationCategory(
      identifier: "pill",
      actions: [
        NotificationAction(identifier: action, title: "Taken", activationMode: .background)
      ])
  }

  /// Shows so many that none is used twice.
  private func showAll() throws {
    for number in 0..<Self.shown {
      var pill = LocalNotification(alertBody: "pill \(number)")
      pill.identifier = "n\(number)"
      pill.category = "pill"
      try scheduler.presentNow(pill)
    }
    try await_ { try scheduler.shown().count == Self.shown }
  }

  private func expectUnknownOutcome(_ error: SchedulerError, _ unrest: Unrest) {
    #expect(error.code == .outcomeUnknown, "\(error.code) \(error), seed \(unrest.seed)")
  }

  @Test func D4_actingHappensOnceOrThrows() throws {
    try showAll()
    let delegate = RecordingDelegate()
    let session = AppSession(
      daemon.options(app: "pills"), state: .background, delegate: delegate)
    defer { session.close() }
    #expect(try session.openAndWait() == nil)
    let unrest = Unrest(daemon)
    var sure: Set<String> = []
    try unrest.harass(kills: 20) { number throws(SchedulerError) in
      try scheduler.act("n\(number % Self.shown)", action: "taken")
    } judge: { number, result in
      switch result {
      case .success: sure.insert("n\(number)")
      case .failure(let error): expectUnknownOutcome(error, unrest)
      }
      usleep(2_000)
    }
    #expect(!sure.isEmpty)
    // An action that was taken twice would be two, each told for the first time.
    try await_ { sure.isSubset(of: delegate.names(.handleAction)) }
    let told = delegate.names(.handleAction)
    #expect(Set(told).count == told.count, "seed \(unrest.seed)")
  }

  @Test func D7_snoozingHappensOnceOrThrows() throws {
    try showAll()
    let unrest = Unrest(daemon)
    var sure: Set<String> = []
    var all: Set<String> = []
    func settle() throws {
      let rows = try scheduler.snoozed().compactMap { $0.notification.identifier }
      #expect(Set(rows).count == rows.count, "seed \(unrest.seed)")
      #expect(sure.isSubset(of: rows) && all.isSuperset(of: rows), "seed \(unrest.seed)")
      try scheduler.cancel(Array(all))
      (sure, all) = ([], [])
    }
    try unrest.harass(kills: 20) { number throws(SchedulerError) in
      try scheduler.snooze("n\(number % Self.shown)", for: .seconds(600))
    } judge: { number, result in
      all.insert("n\(number)")
      switch result {
      case .success: sure.insert("n\(number)")
      case .failure(let error): expectUnknownOutcome(error, unrest)
      }
      // Only 64 of an app may be snoozed.
      if all.count == 40 { try settle() }
    }
    try settle()
  }

  @Test func dismissingHappensOrThrows() throws {
    try showAll()
    let unrest = Unrest(daemon)
    var sure: Set<String> = []
    try unrest.harass(kills: 20) { number throws(SchedulerError) in
      try scheduler.dismiss("n\(number % Self.shown)")
    } judge: { number, result in
      switch result {
      case .success: sure.insert("n\(number)")
      case .failure(let error): expectUnknownOutcome(error, unrest)
      }
      usleep(2_000)
    }
    #expect(!sure.isEmpty)
    let shown = try scheduler.shown().compactMap { $0.notification.identifier }
    #expect(sure.isDisjoint(with: shown), "seed \(unrest.seed)")
  }

  @Test func D5_registeringHappens() throws {
    let unrest = Unrest(daemon)
    try unrest.harass(kills: 20) { number throws(SchedulerError) in
      try scheduler.register([.alert], categories: [Self.category("action \(number)")])
    } judge: { number, result in
      if case .failure(let error) = result { Issue.record("\(error), seed \(unrest.seed)") }
      let found = try scheduler.settings()
      #expect(found.settings == [.alert] && found.isRegistered, "seed \(unrest.seed)")
      #expect(found.categories == [Self.category("action \(number)")], "seed \(unrest.seed)")
    }
  }

  @Test func D1_theStateIsTheAppsInTheEnd() throws {
    let session = AppSession(
      daemon.options(app: "pills"), state: .background, delegate: RecordingDelegate())
    defer { session.close() }
    #expect(try session.openAndWait() == nil)
    let unrest = Unrest(daemon)
    var last = AppState.background
    try unrest.harass(kills: 20) { number throws(SchedulerError) in
      last = number % 2 == 0 ? .foreground : .background
      try session.setStateAndWait(last)
    } judge: { _, result in
      if case .failure(let error) = result { Issue.record("\(error), seed \(unrest.seed)") }
    }
    let sink = last == .foreground ? "app" : "console"
    try await_ {
      let identifier = UUID().uuidString
      var ring = LocalNotification(alertBody: "ring")
      ring.identifier = identifier
      try scheduler.presentNow(ring)
      var sinks: [String] = []
      try await_ {
        sinks = try scheduler.history().filter { $0.identifier == identifier }.map { $0.sink }
        return !sinks.isEmpty
      }
      return sinks == [sink]
    }
  }
}
