import BelfryKit
import Foundation
import TestSupport
import Testing

/// Nothing hangs: every call ends when its time is over, whatever the daemon does.
@Suite(.ownThreads) struct DeadlineTests {
  @Test func withoutADaemonACallSaysSo() throws {
    let scheduler = BlockingScheduler(
      SchedulerOptions(socket: "/tmp/belfry-nobody/socket", patience: .milliseconds(50)))
    let error = #expect(throws: SchedulerError.self) { try scheduler.scheduled() }
    #expect(error?.code == .noDaemon)
    #expect(error?.description == "no daemon answers at /tmp/belfry-nobody/socket")
  }

  @Test func aDaemonThatComesLateIsWaitedFor() async throws {
    let daemon = try RunningDaemon()
    daemon.kill()
    async let listed = daemon.scheduler().scheduled()
    try await Task.sleep(for: .milliseconds(200))
    try daemon.start()
    #expect(try await listed.isEmpty)
  }

  @Test func aDaemonThatHangsIsNotWaitedForLongerThanSaid() async throws {
    let daemon = try RunningDaemon()
    let scheduler = BlockingScheduler(daemon.options(timeout: .milliseconds(300)))
    _ = try await inTime { try scheduler.scheduled() }
    daemon.freeze(true)
    defer { daemon.freeze(false) }
    var future = LocalNotification(
      alertBody: "later", fireDate: Date(timeIntervalSinceNow: 86_400))
    let calls: [(SchedulerError.Code, () throws -> Void)] = [
      (.timedOut, { _ = try scheduler.scheduled() }),
      (.timedOut, { _ = try scheduler.badge() }),
      (.timedOut, { try scheduler.schedule(future) }),
      (.outcomeUnknown, { try scheduler.presentNow(future) }),
      // Larger than what the socket holds, so that sending itself would wait.
      (
        .timedOut,
        {
          future.userInfo["data"] = .data(Data(count: 40_000))
          _ = try scheduler.replaceAll((0..<40).map { _ in future })
        }
      ),
    ]
    for (code, call) in calls {
      let error = #expect(throws: SchedulerError.self) { try call() }
      #expect(error?.code == code)
    }
    // Also where nobody is taken in any more.
    var waiting: [BlockingScheduler] = []
    for _ in 0..<300 {
      let one = BlockingScheduler(daemon.options(timeout: .milliseconds(1)))
      _ = try? one.scheduled()
      waiting.append(one)
    }
    #expect(throws: SchedulerError.self) { try scheduler.scheduled() }
  }

  @Test func aCancelledTaskSendsNothing() async throws {
    let daemon = try RunningDaemon()
    let scheduler = daemon.scheduler()
    let task = Task(executorPreference: OwnThreads.executor) {
      while !Task.isCancelled { await Task.yield() }
      return try await scheduler.schedule(LocalNotification(alertBody: "never"))
    }
    task.cancel()
    let error = await #expect(throws: SchedulerError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(try await scheduler.history().isEmpty)
  }
}
