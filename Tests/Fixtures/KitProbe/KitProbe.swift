import BelfryKit
import Foundation
import KitSamples

/// An app's process that does one thing and ends.
///
/// usage: KitProbe schedule|list|cancel|none SOCKET SECONDS; prints how many of the samples for that
/// date it scheduled, found equal, cancelled by value, or found at all.
@main
struct KitProbe {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count == 4, let seconds = Double(words[3]) else { exit(2) }
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
}
