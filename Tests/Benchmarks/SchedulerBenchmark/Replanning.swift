import BelfryCore
import BelfrySystem

/// A board with many floating notifications comes to another zone (T7).
enum Replanning {
  static func run(_ count: Int64) {
    do throws(ZoneFileError) {
      let files = ZoneFiles()
      let (here, there) = (try files.zone("America/Los_Angeles"), try files.zone("Asia/Tokyo"))
      measure(count, (here.name, here.rules), (there.name, there.rules))
    } catch {
      print(error.reason)
    }
  }

  private static func measure(
    _ count: Int64, _ here: (String, ZoneRules), _ there: (String, ZoneRules)
  ) {
    let scheduler = SchedulerBenchmark.scheduler(
      [
        Sink(
          name: "screen", kind: .plugin, wantsAlerts: true, wantsBadges: false,
          wantsEverything: false)
      ],
      boardZone: here)
    var rows: [Slot: StoredNotification] = [:]
    let start = SystemClock.now().real
    let units: [RepeatUnit] = [.day, .week, .month, .year]
    scheduler.reserve(Int(count))
    for number in 1...count {
      let anchor = start.advanced(by: Nanoseconds.day + number * 800 * Nanoseconds.millisecond)
      var summary = PendingSummary(
        slot: Slot(number), app: 1, generation: 0, sequence: number, anchor: anchor,
        unit: units[Int(number % 4)], firedThrough: -1)
      summary.plan = StoredPlan(
        RepeatPlan(.unit(units[Int(number % 4)], every: 1)), mode: .floating, zone: nil)
      _ = scheduler.restore(summary)
    }
    // What must not be delayed: something every 10 ms for a while.
    var due = SystemClock.now().real.advanced(by: 200 * Nanoseconds.millisecond)
    for number in 1...200 as ClosedRange<Int64> {
      due = due.advanced(by: 10 * Nanoseconds.millisecond)
      let summary = PendingSummary(
        slot: Slot(count + number), app: 1, generation: 0, sequence: count + number, anchor: due,
        unit: nil, firedThrough: -1)
      rows[summary.slot] = SchedulerBenchmark.content(summary)
      _ = scheduler.restore(summary)
    }
    var bench = Bench(scheduler: scheduler, rows: rows)
    bench.send(.clock)
    bench.send(.sink(0, .up))
    while scheduler.nextWake.elapsed ?? .max <= SystemClock.elapsed() { bench.send(.clock) }
    bench.latest = 0
    // When the daemon's clock thread would look: at once, as long as there is a turn to take.
    let began = SystemClock.elapsed()
    bench.send(.boardZone(there.0, there.1))
    var (turns, longest) = (1, SystemClock.elapsed() - began)
    while scheduler.nextWake.elapsed ?? .max <= SystemClock.elapsed() {
      let before = SystemClock.elapsed()
      bench.send(.clock)
      longest = max(longest, SystemClock.elapsed() - before)
      turns += 1
    }
    let took = SystemClock.elapsed() - began
    print(
      "\(count) \(text(took)) \(turns) \(text(longest)) \(text(bench.latest)) "
        + "(ms in all, turns, ms of the longest, ms that something due was late)")
  }

  private static func text(_ nanoseconds: Int64) -> String {
    let tenths = nanoseconds / (Nanoseconds.millisecond / 10)
    return "\(tenths / 10).\(tenths % 10)"
  }

  private struct Bench {
    let scheduler: SchedulerEngine
    let rows: [Slot: StoredNotification]
    var latest: Int64 = 0

    mutating func send(_ event: EngineEvent) {
      var commands: [EngineCommand] = []
      scheduler.handle(event, now: SystemClock.now(), into: &commands)
      for command in commands {
        switch command {
        case .store(let ticket, .question(.load(let slots))):
          send(.store(ticket, .loaded(slots.compactMap { rows[$0] })))
        case .handOver(let delivery):
          latest = max(latest, SystemClock.now().real.nanoseconds(since: delivery.occurrence.due))
          send(.sink(0, .answered(token: delivery.token, .done(note: nil))))
        case .askClock: send(.clockState(synchronised: true))
        default: break
        }
      }
    }
  }
}
