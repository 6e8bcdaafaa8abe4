import BelfryKit
import Dispatch
import Foundation

/// How many notifications a second an app schedules through BelfryKit.
///
/// usage: KitBenchmark SOCKET COUNT; prints a line a way: name, tab, notifications a second.
@main
struct KitBenchmark {
  let options: SchedulerOptions
  let count: Int

  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3, let count = Int(words[2]) else {
      print("usage: KitBenchmark SOCKET COUNT")
      exit(2)
    }
    let benchmark = KitBenchmark(options: SchedulerOptions(socket: words[1]), count: count)
    try benchmark.report("one thread that blocks") { try benchmark.block("one", 0..<count) }
    benchmark.report("8 threads that block") {
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        let share = count / 8
        try! benchmark.block("eight", thread * share..<(thread + 1) * share)
      }
    }
    for tasks in [1, 64, 1_000] { try await benchmark.await_(tasks) }
    try benchmark.report("the whole list at once") {
      let all = (0..<min(count, 10_000)).map { benchmark.alarm("list", $0) }
      let list = BlockingScheduler(SchedulerOptions(socket: words[1], app: "list"))
      for _ in 0..<max(1, count / all.count) {
        try list.cancelAll()
        try list.replaceAll(all)
      }
    }
  }

  /// All of them with one scheduler.
  private func await_(_ tasks: Int) async throws {
    let start = Date()
    let scheduler = Scheduler(options)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          for number in stride(from: task, to: count, by: tasks) {
            try await scheduler.schedule(alarm("await\(tasks)", number))
          }
        }
      }
      try await group.waitForAll()
    }
    say(tasks == 1 ? "one task that awaits" : "\(tasks) tasks that await", since: start)
  }

  private func block(_ name: String, _ numbers: Range<Int>) throws {
    let scheduler = BlockingScheduler(options)
    for number in numbers { try scheduler.schedule(alarm(name, number)) }
  }

  private func alarm(_ name: String, _ number: Int) -> LocalNotification {
    var notification = LocalNotification(
      identifier: "\(name)-\(number)", alertBody: "The kettle in the ward kitchen is ready",
      fireDate: Date(timeIntervalSince1970: 1_900_000_000 + Double(number)),
      soundName: LocalNotification.defaultSoundName)
    notification.userInfo = ["number": .integer(Int64(number))]
    return notification
  }

  private func report(_ name: String, _ body: () throws -> Void) rethrows {
    let start = Date()
    try body()
    say(name, since: start)
  }

  private func say(_ name: String, since start: Date) {
    print("\(name)\t\(Int(Double(count) / Date().timeIntervalSince(start)))")
  }
}
