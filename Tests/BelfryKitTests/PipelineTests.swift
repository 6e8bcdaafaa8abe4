import BelfryKit
import Foundation
import TestSupport
import Testing

/// Calls that are awaited: many at once, over one connection.
@Suite(.serialized, .ownThreads) struct PipelineTests {
  let daemon: RunningDaemon
  let scheduler: Scheduler

  init() throws {
    daemon = try RunningDaemon(
      configuration: "[plugin:console]\nfile = console\n[limits]\nnotifications = 100000\n"
        + "requestsPerSecond = 1000000\n")
    scheduler = daemon.scheduler()
  }

  private static let tomorrow = Date(timeIntervalSinceNow: 86_400)

  private func future(_ number: Int) -> LocalNotification {
    var notification = LocalNotification(
      alertBody: "number \(number)", fireDate: Self.tomorrow)
    notification.identifier = "n\(number)"
    return notification
  }

  /// What `body` comes to for each number, all at once.
  private func atOnce<T: Sendable>(
    _ numbers: Range<Int>, _ body: @escaping @Sendable (Int) async throws(SchedulerError) -> T
  ) async -> [Int: Result<T, SchedulerError>] {
    await withTaskGroup(of: (Int, Result<T, SchedulerError>).self) { group in
      for number in numbers {
        group.addTask {
          do throws(SchedulerError) {
            return (number, .success(try await body(number)))
          } catch {
            return (number, .failure(error))
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  @Test func eachGetsItsOwnReply() async throws {
    let scheduler = scheduler
    let outcomes = await atOnce(0..<2_000) { [self] number throws(SchedulerError) in
      number % 5 == 4
        ? try await scheduler.badge().description
        : try await scheduler.schedule(future(number)).identifier
    }
    for (number, outcome) in outcomes {
      #expect(try outcome.get() == (number % 5 == 4 ? "0" : "n\(number)"))
    }
    #expect(try await scheduler.scheduled().count == 1_600)
  }

  /// In a process of its own, whose threads are all its own.
  @Test func whatWaitsHoldsNoThread() throws {
    let probe = Process()
    probe.executableURL = URL(fileURLWithPath: RunningDaemon.products + "/KitProbe")
    probe.arguments = ["wait", daemon.socket, "500"]
    let (input, output) = (Pipe(), Pipe())
    probe.standardInput = input
    probe.standardOutput = output
    try probe.run()
    let heard = output.fileHandleForReading
    let goOn = { input.fileHandleForWriting.write(Data("\n".utf8)) }
    #expect(try line(heard) == "ready")
    daemon.freeze(true)
    goOn()
    let threads = try line(heard)
    daemon.freeze(false)
    #expect(try #require(Int(threads), "\(threads)") < 50)
    goOn()
    #expect(try line(heard) == "500")
    probe.waitUntilExit()
    #expect(probe.terminationStatus == 0)
  }

  private func line(_ handle: FileHandle) throws -> String {
    var bytes = Data()
    while let byte = try handle.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
      bytes += byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func aReplyThatComesTooLateGoesToNobody() async throws {
    let hasty = Scheduler(daemon.options(timeout: .milliseconds(300)))
    _ = try await inTime { try await hasty.badge() }
    daemon.freeze(true)
    let outcomes = await atOnce(0..<20) { [self] number throws(SchedulerError) in
      number % 2 == 0
        ? try await hasty.presentNow(future(number)).identifier
        : try await hasty.badge().description
    }
    for (number, outcome) in outcomes {
      guard case .failure(let error) = outcome else {
        Issue.record("\(number) did not fail")
        continue
      }
      #expect(error.code == (number % 2 == 0 ? .outcomeUnknown : .timedOut))
    }
    daemon.freeze(false)
    for number in 0..<20 {
      #expect(try await inTime { try await hasty.next(of: future(number)) }.count == 1)
      #expect(try await inTime { try await hasty.badge() } == 0)
    }
  }

  @Test func aTaskThatIsCancelledWaitsForNoDaemon() async throws {
    daemon.kill()
    let scheduler = scheduler
    let task = Task(executorPreference: OwnThreads.executor) { try await scheduler.badge() }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    let error = await #expect(throws: SchedulerError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test func withoutADaemonACallSaysSo() async throws {
    let nobody = Scheduler(
      SchedulerOptions(socket: "/tmp/belfry-nobody/socket", patience: .milliseconds(50)))
    let error = await #expect(throws: SchedulerError.self) { try await nobody.badge() }
    #expect(error?.code == .noDaemon)
  }

  @Test func N16_aListRefusedHalfWaySpoilsNotTheNext() async throws {
    var list = (0..<40).map { future($0) }
    for index in list.indices { list[index].userInfo = ["data": .data(Data(count: 40_000))] }
    var broken = list
    broken[3].alertBody = String(repeating: "a", count: 20_000)
    for _ in 0..<2 {
      let error = #expect(throws: SchedulerError.self) {
        try scheduler.blocking.replaceAll(broken)
      }
      #expect(error?.field == "notifications[3].alertBody")
      #expect(try scheduler.blocking.replaceAll(list).discarded.isEmpty)
      let late = await #expect(throws: SchedulerError.self) {
        try await scheduler.replaceAll(broken)
      }
      #expect(late?.field == "notifications[3].alertBody")
      #expect(try await scheduler.replaceAll(list).unchanged == list.count)
    }
  }

  /// Runs `body` for eight numbers at once, again and again, while the daemon is killed.
  private func harass<T: Sendable>(
    _ unrest: Unrest, _ body: @escaping @Sendable (Int) async throws(SchedulerError) -> T,
    judge: (Int, Result<T, SchedulerError>) throws -> Void
  ) throws {
    try unrest.harass(kills: 20) { round throws(SchedulerError) in
      let numbers = round * 8..<round * 8 + 8
      let (box, done) = (Box<[Int: Result<T, SchedulerError>]>(), DispatchSemaphore(value: 0))
      Task(executorPreference: OwnThreads.executor) { [self] in
        box.value = await atOnce(numbers, body)
        done.signal()
      }
      done.wait()
      return box.value ?? [:]
    } isSuccess: {
      $0.values.contains { (try? $0.get()) != nil }
    } judge: { _, result in
      for (number, outcome) in try result.get() { try judge(number, outcome) }
    }
  }

  @Test func N1_schedulingAtOnceHappensOnce() throws {
    let scheduler = scheduler
    let unrest = Unrest(daemon)
    var sent: Set<String> = []
    try harass(unrest) { [self] number throws(SchedulerError) in
      try await scheduler.schedule(future(number))
    } judge: { number, outcome in
      let outcome = try outcome.get()
      #expect(outcome.isScheduled && !outcome.isReplacement, "seed \(unrest.seed)")
      sent.insert(outcome.identifier)
    }
    let listed = try scheduler.blocking.scheduled().compactMap { $0.notification.identifier }
    #expect(listed.count == sent.count && Set(listed) == sent, "seed \(unrest.seed)")
  }

  @Test func N14_presentingAtOnceHappensOnceOrThrows() throws {
    let scheduler = scheduler
    let unrest = Unrest(daemon)
    var sure: Set<String> = []
    try harass(unrest) { [self] number throws(SchedulerError) in
      try await scheduler.presentNow(future(number)).identifier
    } judge: { number, outcome in
      switch outcome {
      case .success(let identifier): sure.insert(identifier)
      case .failure(let error):
        #expect(error.code == .outcomeUnknown, "\(error), seed \(unrest.seed)")
      }
    }
    #expect(!sure.isEmpty)
    var occurrences: [String: Set<String>] = [:]
    try await_ {
      occurrences = Dictionary(grouping: try scheduler.blocking.history(), by: \.identifier)
        .mapValues { Set($0.map { $0.occurrence }) }
      return sure.isSubset(of: occurrences.keys)
    }
    for (identifier, ids) in occurrences {
      #expect(ids.count == 1, "\(identifier): \(ids), seed \(unrest.seed)")
    }
  }

  @Test func N15_cancellingAtOnceHappens() throws {
    let scheduler = scheduler
    let unrest = Unrest(daemon)
    try harass(unrest) { [self] number throws(SchedulerError) in
      try await scheduler.schedule(future(number))
      if number % 2 == 0 {
        try await scheduler.cancel("n\(number)")
      } else {
        try await scheduler.cancel(equalTo: future(number))
      }
      return try await scheduler.badge()
    } judge: { _, outcome in
      if case .failure(let error) = outcome { Issue.record("\(error), seed \(unrest.seed)") }
    }
    #expect(try scheduler.blocking.scheduled().isEmpty, "seed \(unrest.seed)")
  }
}

private final class Box<Value: Sendable>: @unchecked Sendable {
  var value: Value?
}
