import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import Testing

@testable import BelfryWorker

@Suite struct MisbehaviourTests {
  private func start(_ fixture: String, environment: [String] = []) throws -> ClockDouble {
    let clock = try ClockDouble(
      try Fixtures.plugin(fixture), settings: ["memory": "64M"], run: try Fixtures.scratch(),
      environment: environment)
    _ = try clock.ready()
    return clock
  }

  private func exists(_ pid: Int32) -> Bool {
    guard let stat = try? Files.read("/proc/\(pid)/stat", limit: 4096) else { return false }
    // A zombie that nobody reaps yet has ended.
    return !String(decoding: stat, as: UTF8.self).contains(") Z ")
  }

  @Test func itCrashesWhileItIsLoaded() throws {
    let clock = try ClockDouble(
      try Fixtures.plugin("crash_load"), run: try Fixtures.scratch())
    #expect(clock.receive() == nil)
    #expect(try clock.end() == .killed(SIGABRT))
  }

  @Test func itCrashesAfterItsAnswer() throws {
    let clock = try start("crash_after")
    clock.send(.deliver(Sample.delivery(Sample.id())))
    #expect(clock.answer()?.answer == .done(note: nil))
    #expect(try clock.end() == .killed(SIGABRT))
  }

  @Test func itEatsMemoryAndHitsItsLimit() throws {
    let clock = try start("eats_memory")
    clock.send(.deliver(Sample.delivery(Sample.id())))
    #expect(clock.answer() == nil)
    guard case .killed = try clock.end() else { Issue.record("it was not ended"); return }
  }

  @Test func itClosesEveryDescriptor() throws {
    let clock = try start("closes_descriptors")
    clock.send(.deliver(Sample.delivery(Sample.id())))
    #expect(clock.answer() == nil)
    _ = try clock.end()
  }

  @Test func itLogsMoreThanTheClockTakesAndWaitsForNothing() throws {
    let clock = try ClockDouble(
      try Fixtures.plugin("prints_megabytes"), run: try Fixtures.scratch())
    _ = try clock.ready()
    clock.send(.deliver(Sample.delivery(Sample.id())))
    #expect(clock.answer()?.answer == .done(note: nil))
  }

  @Test func D8_itsChildrenGoWithItsProcessGroup() throws {
    let file = try Fixtures.scratch() + "/children"
    let clock = try start("forks", environment: ["FIXTURE_FILE=" + file])
    clock.send(.deliver(Sample.delivery(Sample.id())))
    #expect(clock.answer()?.answer == .done(note: nil))
    let text = String(decoding: try Files.read(file, limit: 64), as: UTF8.self)
    let orphan = try #require(Int32(text.split(separator: "\n")[0]))
    #expect(exists(orphan))
    // A clock that is killed closes its end; nothing else tells the worker.
    clock.hangUp()
    #expect(try clock.end() == .killed(SIGKILL))
    try Fixtures.wait("the end of what the plugin forked") { !exists(orphan) }
  }

  @Test func D7_aKilledClockLeavesNoWorkerInsideACall() throws {
    // `--check` plays the clock in a process of its own, which can be killed.
    let plugin = try Fixtures.plugin("never_answers")
    let clock = try Child.spawn(
      Fixtures.worker, arguments: [Fixtures.worker, "--check", plugin],
      environment: Fixtures.environment, descriptors: [(2, 2)])
    var workers: [Int32] = []
    try Fixtures.wait("a worker inside its plugin") {
      workers = children(of: clock.pid)
      return workers.contains { waitsInPlugin($0) }
    }
    try BelfrySystem.Process.signal(clock.pid, .kill)
    _ = try clock.reap(wait: true)
    try Fixtures.wait("the end of the worker") { !workers.contains { exists($0) } }
  }

  private func children(of pid: Int32) -> [Int32] {
    let path = "/proc/\(pid)/task/\(pid)/children"
    let text = (try? Files.read(path, limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
    return (text ?? "").split(separator: " ").compactMap { Int32($0) }
  }

  /// Asleep in pause(2), as the fixture is: call 34, or ppoll (73) on aarch64.
  private func waitsInPlugin(_ pid: Int32) -> Bool {
    guard let bytes = try? Files.read("/proc/\(pid)/syscall", limit: 256) else { return false }
    let call = String(decoding: bytes, as: UTF8.self)
    return call.hasPrefix("34 ") || call.hasPrefix("73 ")
  }

  /// By itself: nobody kills it here.
  @Test func stopEndsItThoughSomethingIsOpen() throws {
    let clock = try start("never_completes")
    clock.send(.deliver(Sample.delivery(Sample.id())))
    #expect(clock.answer()?.answer == .pending)
    clock.send(.stop)
    #expect(try clock.end() == .exited(0))
  }

  @Test func checkSaysWhatHappened() throws {
    let rows = [
      ("recorder", "the key `out` is missing", 1),
      ("crash_load", "crashed while it was loaded, with signal 6", 1),
      ("crash_deliver", "the process ended without an answer; its process ended by signal 11", 1),
      ("answers_late", "done (late, but done)", 0),
      ("wrong_abi", "was made for ABI 99.0", 1),
    ]
    for (fixture, words, status) in rows {
      let (text, end) = try Fixtures.output(
        Fixtures.worker, ["--check", try Fixtures.plugin(fixture)])
      #expect(text.contains(words), "\(fixture): \(text)")
      #expect(end == .exited(Int32(status)))
    }
  }
}
