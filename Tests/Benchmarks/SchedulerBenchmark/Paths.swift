import BelfryCore
import BelfrySystem

/// A board that drives about among many regions, as region_baseline.c has it do (R1 to R3).
enum Paths {
  static func run(_ count: Int64, fixes: Int64) {
    let scheduler = SchedulerBenchmark.scheduler([], boardZone: ("UTC", .utc))
    var journey = Journey()
    var rows: [Slot: StoredNotification] = [:]
    for number in 1...count {
      var summary = PendingSummary(
        slot: Slot(number), app: 1, generation: 0, sequence: number, anchor: .distantFuture,
        unit: nil, firedThrough: -1)
      summary.side = .unknown
      var row = SchedulerBenchmark.content(summary)
      row.notification.region = journey.region()
      row.notification.regionTriggersOnce = false
      row.side = .unknown
      rows[summary.slot] = row
      _ = scheduler.restore(summary)
    }
    var bench = Bench(scheduler: scheduler, rows: rows)
    bench.send(.clock)
    // Where nobody has been yet, every region is looked at.
    bench.send(journey.fix())
    bench.crossings = 0
    let began = SystemClock.elapsed()
    for _ in 0..<fixes { bench.send(journey.fix()) }
    let took = SystemClock.elapsed() - began
    print("\(took / fixes) \(bench.crossings)")
  }

  /// The numbers of region_baseline.c.
  private struct Journey {
    private var state: UInt64 = 1
    private var place = (latitude: 52.5, longitude: 13.4)

    /// 0 to 1.
    private mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 33) / 2_147_483_648
    }

    mutating func region() -> CircularRegion {
      let latitude = 52 + next()
      let longitude = 13 + next()
      return CircularRegion(latitude: latitude, longitude: longitude, radius: 50 + 450 * next())
    }

    mutating func fix() -> EngineEvent {
      place.latitude += (next() - 0.5) * 0.002
      place.longitude += (next() - 0.5) * 0.002
      return .request(
        1, Peer(uid: 0, pid: 1, isOperator: true),
        .fix(
          latitude: place.latitude, longitude: place.longitude, accuracy: 10, time: nil))
    }
  }

  private struct Bench {
    let scheduler: SchedulerEngine
    let rows: [Slot: StoredNotification]
    var crossings: Int64 = 0

    mutating func send(_ event: EngineEvent) {
      var commands: [EngineCommand] = []
      scheduler.handle(event, now: SystemClock.now(), into: &commands)
      for command in commands {
        switch command {
        case .store(let ticket, .question(.load(let slots))):
          send(.store(ticket, .loaded(slots.compactMap { rows[$0] })))
        case .reply(_, .located(let crossings)): self.crossings += crossings
        case .askClock: send(.clockState(synchronised: true))
        default: break
        }
      }
    }
  }
}
