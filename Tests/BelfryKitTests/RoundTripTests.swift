import BelfryKit
import Foundation
import KitSamples
import TestSupport
import Testing

/// Library, socket, store, restart, library: what comes back equals what was sent.
@Suite(.ownThreads) struct RoundTripTests {
  private static let soon = Date(timeIntervalSinceNow: 86_400.123_456_7)

  @Test func N12_everyFieldComesBackEqualAfterARestart() async throws {
    let daemon = try RunningDaemon()
    let scheduler = daemon.scheduler()
    let sent = KitSamples.notifications(on: Self.soon)
    for notification in sent {
      let outcome = try await scheduler.schedule(notification)
      #expect(outcome.isScheduled && outcome.identifier == notification.identifier)
    }
    daemon.kill()
    try daemon.start()
    let listed = try await scheduler.scheduled().map { $0.notification }
    let found = Dictionary(uniqueKeysWithValues: listed.map { ($0.identifier, $0) })
    for notification in sent {
      #expect(found[notification.identifier] == notification, "\(notification.identifier ?? "")")
    }
    // Scheduling what is scheduled changes nothing (N1), nor does replacing the list by itself (N16).
    for notification in listed { #expect(try await scheduler.schedule(notification).isUnchanged) }
    let outcome = try await scheduler.replaceAll(listed)
    #expect(outcome.unchanged == sent.count && outcome.cancelled == 0 && outcome.replaced == 0)
  }

  @Test func N12_N13_N15_whateverIsScheduledComesBackEqual() throws {
    let daemon = try RunningDaemon(
      configuration: "[limits]\nnotifications = 10000\nregions = 10000\n")
    let scheduler = BlockingScheduler(daemon.options())
    let seed = TestSeed.here()
    var random = RandomNotification(seed: seed, now: Date())
    var sent: [String: LocalNotification] = [:]
    var number = 0
    while sent.count < 300 {
      number += 1
      try #require(number < 450, "a third are refused, seed \(seed)")
      let one = random.next("n\(number)")
      do {
        try scheduler.schedule(one)
        sent["n\(number)"] = one
      } catch {
        // Two fields that exclude each other; nothing else is wrong with it.
        #expect(error.code == .conflict, "\(error), number \(number), seed \(seed)")
      }
    }
    try daemon.restart()
    let listed = try scheduler.scheduled().map { $0.notification }
    #expect(listed.count == sent.count, "seed \(seed)")
    for notification in listed {
      let name = notification.identifier ?? ""
      #expect(notification == sent[name], "\(name), seed \(seed)")
      #expect(try scheduler.schedule(notification).isUnchanged, "\(name), seed \(seed)")
    }
    for (name, notification) in sent {
      let outcome = try scheduler.cancel(equalTo: notification)
      #expect(outcome.cancelled == 1, "\(name), seed \(seed)")
    }
  }

  @Test func N15_oneProcessSchedulesAnotherListsAndCancelsByValue() throws {
    let daemon = try RunningDaemon()
    let soon = String(Self.soon.timeIntervalSinceReferenceDate)
    let count = KitSamples.notifications(on: Self.soon).count
    for verb in ["schedule", "list", "cancel", "none"] {
      let probe = Process()
      probe.executableURL = URL(fileURLWithPath: RunningDaemon.products + "/KitProbe")
      probe.arguments = [verb, daemon.socket, soon]
      let output = Pipe()
      probe.standardOutput = output
      try probe.run()
      let said = try output.fileHandleForReading.readToEnd() ?? Data()
      probe.waitUntilExit()
      #expect(probe.terminationStatus == 0)
      let expected = verb == "none" ? 0 : count
      #expect(String(decoding: said, as: UTF8.self) == "\(expected)\n", "\(verb)")
      if verb == "schedule" { try daemon.restart() }
    }
  }

  @Test(arguments: [
    0, 0.5, 1_234_567_890.123_456_7, -0.000_000_6, -8_640_000_000.1, 9_000_000_000.999_999_6,
  ])
  func roundingADateTwiceIsRoundingItOnce(_ seconds: Double) {
    var notification = LocalNotification()
    notification.fireDate = Date(timeIntervalSince1970: seconds)
    let once = notification.fireDate
    notification.fireDate = once
    #expect(notification.fireDate == once)
    let moved = (once?.timeIntervalSince1970 ?? 0) - seconds
    #expect(abs(moved) < 0.000_002)
  }
}
