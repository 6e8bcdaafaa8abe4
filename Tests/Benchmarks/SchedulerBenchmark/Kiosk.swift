import BelfryCore

/// A day of a kiosk: what it shows and says, and how often its clock has to wake for that.
enum Kiosk {
  /// One line of its timetable: from when on in the day, how often, how exactly.
  private struct Line {
    var name: String
    var start: Double
    var unit: RepeatUnit?
    var every: Int64 = 1
    var count: Int64 = 1
    /// In minutes; what the operator of a kiosk would allow.
    var tolerance: Double = 0
  }

  private static let day: [Line] = [
    Line(name: "opening chime", start: 7),
    Line(name: "lunch menu", start: 11.5, tolerance: 5),
    Line(name: "closing in 15 minutes", start: 17.75),
    Line(name: "closing chime", start: 18),
    Line(name: "advertisement", start: 7, unit: .minute, every: 5, count: 132, tolerance: 2.5),
    Line(name: "weather", start: 6.9, unit: .minute, every: 30, count: 23, tolerance: 10),
    Line(name: "news", start: 7.05, unit: .minute, every: 15, count: 44, tolerance: 5),
    Line(name: "heartbeat", start: 0.1, unit: .minute, every: 10, count: 143, tolerance: 5),
    Line(name: "usage report", start: 0.2, unit: .hour, count: 24, tolerance: 20),
    Line(name: "screen cleaning", start: 9.3, unit: .hour, every: 4, count: 3, tolerance: 30),
    Line(name: "night update", start: 3, tolerance: 30),
    Line(name: "backlight", start: 19, tolerance: 10),
  ]

  static func run() {
    let exact = wakes(tolerant: false)
    let joined = wakes(tolerant: true)
    print("a kiosk's day of \(exact.firings) firings from \(day.count) notifications")
    print("  exact: \(exact.wakes) wake-ups")
    print("  with tolerance: \(joined.wakes) wake-ups, \(joined.firings) firings, none early, the")
    print(
      "  latest \(joined.latest / Nanoseconds.second) s after its due; 20 appointments stay exact")
    print("  saved: \((exact.wakes - joined.wakes) * 100 / exact.wakes) %")
  }

  private static func wakes(tolerant: Bool) -> (wakes: Int, firings: Int, latest: Int64) {
    let start = Instant(nanoseconds: 1_900_022_400 * Nanoseconds.second)
    let life = KioskLife(start: start, tolerant: tolerant)
    for line in day {
      life.add(
        at: line.start, unit: line.unit, every: line.every, count: line.count,
        tolerance: line.tolerance)
    }
    // Customers' appointments: exact, whatever else there is.
    for index in 0..<20 { life.add(at: 7.2 + Double(index) * 0.53) }
    life.pass(Nanoseconds.day)
    return (life.wakes, life.firings, life.latest)
  }
}

/// The scheduler, store that answer at once and a screen that is never busy.
final class KioskLife {
  private let scheduler: SchedulerEngine
  private let start: Instant
  private let tolerant: Bool
  private var now: ClockReading
  private var rows: [Slot: StoredNotification] = [:]
  private(set) var wakes = 0
  private(set) var firings = 0
  private(set) var latest: Int64 = 0

  init(start: Instant, tolerant: Bool) {
    self.start = start
    self.tolerant = tolerant
    now = ClockReading(real: start, elapsed: 0)
    scheduler = SchedulerBenchmark.scheduler(
      [
        Sink(
          name: "screen", kind: .plugin, wantsAlerts: true, wantsBadges: false,
          wantsEverything: false)
      ],
      boardZone: ("UTC", .utc))
  }

  func add(
    at hours: Double, unit: RepeatUnit? = nil, every: Int64 = 1, count: Int64 = 1,
    tolerance minutes: Double = 0
  ) {
    let slot = Slot(rows.count + 1)
    let anchor = start.advanced(by: Int64(hours * 3600) * Nanoseconds.second)
    var summary = PendingSummary(
      slot: slot, app: 1, generation: 0, sequence: Int64(slot), anchor: anchor, unit: unit,
      firedThrough: -1)
    if let unit {
      var plan = RepeatPlan(.unit(unit, every: every))
      plan.count = count
      summary.plan = StoredPlan(plan, mode: .absolute, zone: nil)
    }
    summary.tolerance = tolerant ? Int64(minutes * 60) * Nanoseconds.second : 0
    rows[slot] = SchedulerBenchmark.content(summary)
    _ = scheduler.restore(summary)
  }

  func pass(_ duration: Int64) {
    let end = start.advanced(by: duration)
    send(.clock)
    send(.sink(0, .up))
    while let real = scheduler.nextWake.real, real < end {
      let step = max(0, real.nanoseconds(since: now.real))
      now.real = now.real.advanced(by: step)
      now.elapsed += step
      wakes += 1
      send(.clock)
    }
  }

  private func send(_ event: EngineEvent) {
    var commands: [EngineCommand] = []
    scheduler.handle(event, now: now, into: &commands)
    for command in commands {
      switch command {
      case .store(let ticket, .question(.load(let slots))):
        send(.store(ticket, .loaded(slots.compactMap { rows[$0] })))
      case .handOver(let delivery):
        firings += 1
        latest = max(latest, now.real.nanoseconds(since: delivery.occurrence.due))
        send(.sink(0, .answered(token: delivery.token, .done(note: nil))))
      case .askClock: send(.clockState(synchronised: true))
      default: break
      }
    }
  }
}
