import BelfryKit
import Foundation
import KitSamples

/// An app's process that does one thing and ends.
///
/// usage: KitProbe schedule|list|cancel|none SOCKET SECONDS; prints how many of the samples for that
/// date it scheduled, found equal, cancelled by value, or found at all.
///
/// usage: KitProbe wait SOCKET COUNT; says `ready` and, told to go on, makes so many calls at once that
/// await, says how many threads it has while they do, and told so again, how many were answered.
@main
struct KitProbe {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 4, let seconds = Double(words[3]) else { exit(2) }
    if words[1] == "wait" { return try await wait(words[2], count: Int(seconds)) }
    let scheduler = BlockingScheduler(SchedulerOptions(socket: words[2], app: "probe"))
    let samples = KitSamples.notifications(on: Date(timeIntervalSinceReferenceDate: seconds))
    switch words[1] {
    case "schedule":
      print(try samples.count { try scheduler.schedule($0).isScheduled })
    case "list":
      let listed = Set(try scheduler.scheduled().map { $0.notification })
      print(samples.count { listed.contains($0) })
    case "cancel":
      let cancelled = try samples.map { sample in
        var sample = sample
        sample.identifier = nil
        return try scheduler.cancel(equalTo: sample).cancelled
      }
      print(cancelled.reduce(0, +))
    case "none": print(try scheduler.scheduled().count)
    default: exit(2)
    }
  }

  private static func wait(_ socket: String, count: Int) async throws {
    let scheduler = Scheduler(SchedulerOptions(socket: socket, app: "probe"))
    _ = try await scheduler.badge()
    say("ready")
    let started = Counter()
    let calls = (0..<count).map { _ in
      Task.detached {
        started.add()
        return (try? await scheduler.badge()) != nil
      }
    }
    // Whatever held the pool's threads would keep the last ones from starting.
    let end = Date(timeIntervalSinceNow: 60)
    while started.value < count {
      guard Date() < end else {
        say("only \(started.value) calls have started")
        exit(1)
      }
      usleep(1000)
    }
    var most = 0
    for _ in 0..<10 {
      usleep(50_000)
      most = max(most, try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count)
    }
    say("\(most)")
    var answered = 0
    for call in calls where await call.value { answered += 1 }
    print(answered)
  }

  /// At once, and goes on when it is told to.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    _ = readLine()
  }
}

private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  var value: Int { lock.withLock { count } }

  func add() { lock.withLock { count += 1 } }
}
