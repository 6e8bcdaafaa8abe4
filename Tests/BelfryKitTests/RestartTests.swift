import BelfryKit
import Foundation
import TestSupport
import Testing

/// A daemon that is killed and restarted in the middle of each call: every call either happened once
/// or throws; none hangs.
@Suite(.serialized, .ownThreads) struct RestartTests {
  let daemon: RunningDaemon
  let scheduler: BlockingScheduler

  init() throws {
    daemon = try RunningDaemon(
      configuration: "[plugin:console]\nfile = console\n[limits]\nnotifications = 100000\n")
    scheduler = BlockingScheduler(daemon.options())
  }

  private func future(_ number: Int) -> LocalNotification {
    var notification = LocalNotification(
      alertBody: "number \(number)", fireDate: Date(timeIntervalSinceNow: 86_400))
    notification.identifier = "n\(number)"
    return notification
  }

  /// What may be thrown: never that nobody knows, where nothing can happen twice.
  private func expectOnly(
    _ codes: Set<SchedulerError.Code>, _ error: SchedulerError, _ unrest: Unrest
  ) {
    #expect(codes.contains(error.code), "\(error.code) \(error), seed \(unrest.seed)")
  }

  @Test func schedulingHappensOnce() throws {
    let unrest = Unrest(daemon)
    var sent: [String: LocalNotification] = [:]
    try unrest.harass { number throws(SchedulerError) in
      try scheduler.schedule(future(number))
    } judge: { number, result in
      switch result {
      case .success(let outcome):
        #expect(outcome.isScheduled && !outcome.isReplacement, "seed \(unrest.seed)")
        sent[outcome.identifier] = future(number)
      case .failure(let error): expectOnly([], error, unrest)
      }
    }
    let listed = try scheduler.scheduled()
    #expect(listed.count == sent.count, "seed \(unrest.seed)")
    #expect(Set(listed.map { $0.notification.identifier }) == Set(sent.keys), "seed \(unrest.seed)")
  }

  @Test func N14_presentingHappensOnceOrThrows() throws {
    try deliversOnce { [scheduler] number throws(SchedulerError) in
      var notification = LocalNotification(alertBody: "now \(number)")
      notification.identifier = "n\(number)"
      return try scheduler.presentNow(notification).identifier
    }
  }

  @Test func N2_whatIsDueAtOnceHappensOnceOrThrows() throws {
    try deliversOnce { [scheduler] number throws(SchedulerError) in
      var notification = LocalNotification(
        alertBody: "past \(number)", fireDate: Date(timeIntervalSinceNow: -60))
      notification.identifier = "n\(number)"
      return try scheduler.schedule(notification).identifier
    }
  }

  private func deliversOnce(
    _ call: (Int) throws(SchedulerError) -> String
  ) throws {
    let unrest = Unrest(daemon)
    var sure: Set<String> = []
    var unsure: Set<String> = []
    try unrest.harass(call) { number, result in
      switch result {
      case .success(let identifier): sure.insert(identifier)
      case .failure(let error):
        expectOnly([.outcomeUnknown], error, unrest)
        unsure.insert("n\(number)")
      }
    }
    #expect(!sure.isEmpty)
    var occurrences: [String: Set<String>] = [:]
    try await_ {
      let rows = try scheduler.history()
      occurrences = Dictionary(grouping: rows, by: \.identifier).mapValues {
        Set($0.map { $0.occurrence })
      }
      return sure.isSubset(of: occurrences.keys)
    }
    for (identifier, ids) in occurrences {
      #expect(ids.count == 1, "\(identifier): \(ids), seed \(unrest.seed)")
      #expect(sure.contains(identifier) || unsure.contains(identifier))
    }
  }

  @Test func N15_cancellingHappens() throws {
    let all = (0..<2_000).map { future($0) }
    try scheduler.replaceAll(all)
    let unrest = Unrest(daemon)
    var cancelled: Set<String> = []
    try unrest.harass { number throws(SchedulerError) in
      if number % 2 == 0 {
        try scheduler.cancel(["n\(number % all.count)"])
      } else {
        try scheduler.cancel(equalTo: all[number % all.count])
      }
    } judge: { number, result in
      switch result {
      case .success: cancelled.insert("n\(number % all.count)")
      case .failure(let error): expectOnly([], error, unrest)
      }
    }
    let left = Set(try scheduler.scheduled().compactMap { $0.notification.identifier })
    #expect(left.isDisjoint(with: cancelled), "seed \(unrest.seed)")
    #expect(left.count + cancelled.count == all.count, "seed \(unrest.seed)")
  }

  @Test func N15_cancellingAllHappens() throws {
    let unrest = Unrest(daemon)
    try unrest.harass { number throws(SchedulerError) in
      try scheduler.schedule(future(number))
      try scheduler.cancelAll()
    } judge: { _, result in
      if case .failure(let error) = result { expectOnly([], error, unrest) }
      let listed = try scheduler.scheduled()
      #expect(listed.isEmpty, "seed \(unrest.seed)")
    }
  }

  @Test func N16_replacingAllHappensAsAWhole() throws {
    let unrest = Unrest(daemon)
    try unrest.harass { number throws(SchedulerError) in
      try scheduler.replaceAll((number * 10..<number * 10 + 30).map { future($0) })
    } judge: { number, result in
      if case .failure(let error) = result { expectOnly([], error, unrest) }
      let listed = Set(try scheduler.scheduled().map { $0.notification.identifier })
      let expected = Set((number * 10..<number * 10 + 30).map { future($0).identifier })
      #expect(listed == expected, "seed \(unrest.seed)")
    }
  }

  @Test func R2_aFixHappensAndNoCrossingTwice() throws {
    var milk = LocalNotification(alertBody: "milk")
    milk.identifier = "milk"
    milk.region = CircularRegion(latitude: 48, longitude: 11, radius: 1000)
    milk.regionTriggersOnce = false
    try scheduler.schedule(milk)
    try scheduler.fix(latitude: 47, longitude: 11)
    let unrest = Unrest(daemon)
    var crossings = 0
    try unrest.harass { number throws(SchedulerError) in
      try scheduler.fix(latitude: number % 2 == 0 ? 48 : 47, longitude: 11)
    } judge: { number, result in
      if case .failure(let error) = result { expectOnly([], error, unrest) }
      crossings += 1
      let place = try #require(try scheduler.status().location)
      #expect(place.latitude == (number % 2 == 0 ? 48 : 47), "seed \(unrest.seed)")
    }
    // k is the crossing's number: each was counted once.
    try scheduler.fix(latitude: crossings % 2 == 0 ? 48 : 47, longitude: 11)
    try await_ {
      try scheduler.history().contains { $0.occurrence.hasSuffix(".0.\(crossings)") }
    }
    let ids = try scheduler.history().map { $0.occurrence }
    #expect(Set(ids).count == ids.count, "seed \(unrest.seed)")
    #expect(!ids.contains { $0.hasSuffix(".0.\(crossings + 1)") }, "seed \(unrest.seed)")
  }

  @Test func D6_settingTheBadgeHappens() throws {
    let unrest = Unrest(daemon)
    try unrest.harass { number throws(SchedulerError) in
      try scheduler.setBadge(number)
    } judge: { number, result in
      if case .failure(let error) = result { expectOnly([], error, unrest) }
      let badge = try scheduler.badge()
      #expect(badge == number, "seed \(unrest.seed)")
    }
  }

  @Test func readingIsRepeatedUntilItIsRead() throws {
    let all = (0..<50).map { future($0) }
    try scheduler.replaceAll(all)
    let unrest = Unrest(daemon)
    try unrest.harass { number throws(SchedulerError) in
      switch number % 9 {
      case 0: return try scheduler.scheduled().count
      case 1: return try scheduler.next(of: "n7").count + 49
      case 2: return try scheduler.history().count + 50
      case 3: return try scheduler.shown().count + 50
      case 4: return try scheduler.snoozed().count + 50
      case 5: return try scheduler.badge() + 50
      case 6: return try scheduler.settings().categories.count + 50
      case 7: return try scheduler.stopSound() + 50
      default: return try scheduler.status().scheduled
      }
    } judge: { _, result in
      switch result {
      case .success(let count): #expect(count == 50, "seed \(unrest.seed)")
      case .failure(let error): expectOnly([], error, unrest)
      }
    }
  }
}
