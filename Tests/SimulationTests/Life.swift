import BelfryCore
import SchedulerFixtures

/// A life made from a seed: a board's shape, and all that happens to it.
struct Life {
  let seed: UInt64
  let shape: LifeShape
  var actions: [LifeAction]

  /// `hasApps`: the same life among apps and people; `hasSnoozes`: and they snooze much; `isShared`: the same among several users;
  /// `isEveryday`: the same with what people do every day.
  init(
    seed: UInt64, hasApps: Bool = false, isShared: Bool = false, isEveryday: Bool = false,
    hasSnoozes: Bool = false
  ) {
    self.seed = seed
    var shape = LifeShape(seed: seed)
    shape.hasApps = hasApps || hasSnoozes
    shape.hasSnoozes = hasSnoozes
    shape.isEveryday = isEveryday
    if isShared { shape.share() }
    self.shape = shape
    var maker = LifeMaker(shape.kind, SeededRandom(seed: seed))
    var rules = RuleMaker(shape, SeededRandom(seed: seed ^ 0x5e1f))
    // Where much is due at once, a shorter life sees as much.
    actions = (0..<(isShared ? 60 : 160)).map { _ in rules.refine(maker.action()) }
    if shape.hasApps {
      var apps = AppMaker(SeededRandom(seed: seed ^ 0xa995))
      var alerts = RealertMaker(shape, SeededRandom(seed: seed ^ 0xa1e7))
      actions = alerts.enrich(apps.enrich(actions))
      if hasSnoozes {
        var snoozes = SnoozeMaker(SeededRandom(seed: seed ^ 0x500e))
        actions = snoozes.enrich(actions)
      }
      actions += AppMaker.healing
    }
    if isEveryday {
      var everyday = EverydayMaker(shape, SeededRandom(seed: seed ^ 0xeda7))
      var alerts = RealertMaker(shape, SeededRandom(seed: seed ^ 0xa1e7))
      actions = everyday.enrich(alerts.enrich(actions)) + EverydayMaker.healing
    }
    if isShared {
      var users = UserMaker(shape, SeededRandom(seed: seed ^ 0x0a1d))
      actions = users.enrich(actions) + UserMaker.healing
    }
    actions += LifeMaker.healing
  }

  struct Outcome {
    var fault: Fault?
    /// How many actions it lived through.
    var lived: Int
    var firings: Int
    var handOvers: Int
    var wakes: Int
    var replans: Int
    var lostNotices: Int
    /// Alerts that waited for a sink as the only one of their user, and the most that went before one.
    var loneWaits: Int
    var maxTurns: Int
    /// Requests on others' apps that were refused.
    var refused: Int
    /// Nanoseconds of true time.
    var length: Int64
    var trace: [String]
  }

  /// Leads this life, or what is left of it after shrinking.
  func lead(
    _ actions: [LifeAction]? = nil, store: any SimulatedStore, traced: Bool = false
  ) -> Outcome {
    let board = Board(shape, store: store)
    if traced { board.trace = [] }
    var lived = 0
    for action in actions ?? self.actions {
      board.perform(action)
      if board.ledger.fault != nil { break }
      lived += 1
    }
    if board.ledger.fault == nil { board.checkEnd() }
    let ledger = board.ledger
    return Outcome(
      fault: ledger.fault, lived: lived, firings: ledger.firings, handOvers: ledger.handOvers,
      wakes: board.wakes, replans: ledger.replans, lostNotices: ledger.lostNotices,
      loneWaits: ledger.loneWaits, maxTurns: ledger.maxTurns, refused: ledger.refused,
      length: board.truth.nanoseconds(since: LifeShape.start), trace: board.trace ?? [])
  }
}

/// Makes actions; what it makes depends on nothing but its random numbers.
struct LifeMaker {
  private let kind: LifeShape.Kind
  private var random: SeededRandom

  init(_ kind: LifeShape.Kind, _ random: SeededRandom) {
    self.kind = kind
    self.random = random
  }

  /// All is well again, for long enough.
  static let healing: [LifeAction] =
    [.disk(.healthy), .drift(0), .synchronise, .trust]
    + (0..<3).flatMap { [.manner(sink: $0, .prompt), .sinkUp($0)] }
    + [
      .stop, .pass(3 * Nanoseconds.minute), .pass(10 * Nanoseconds.minute),
      .pass(2 * Nanoseconds.hour),
    ]

  mutating func action() -> LifeAction {
    switch number(100) {
    case 0..<(kind == .years || kind == .zones ? 14 : 26):
      return .schedule(app: app(), name: name(), plan())
    case 26..<29: return .cancel(app: app(), name: name())
    case 29: return number(3) == 0 ? .cancelAll(app: app()) : .replaceBySame(app: app())
    case 30: return .replaceAll(app: app(), (0..<number(6)).map { _ in plan() })
    case 31: return .presentNow(app: app())
    case 32..<37: return .sleep(length() / 2)
    case 37..<60: return trouble()
    default: return .pass(length())
    }
  }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  private mutating func app() -> Int { number(2) }
  private mutating func name() -> Int { number(Board.identifiers) }
  private mutating func one<Value>(_ values: [Value]) -> Value {
    values.randomElement(using: &random)!
  }
  private mutating func time(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  /// How long things take in such a life.
  private mutating func length() -> Int64 {
    if kind == .years || kind == .zones { return time(Nanoseconds.hour...(20 * Nanoseconds.day)) }
    return switch number(20) {
    case 0..<13: time(0...(90 * Nanoseconds.second))
    case 13..<19: time(0...Nanoseconds.hour)
    default: time(0...Nanoseconds.day)
    }
  }

  private mutating func plan() -> Plan {
    var plan = Plan(time: .at(offset()))
    switch number(12) {
    case 0: plan.time = .now
    case 1 where kind != .years && kind != .zones:
      plan.time = .relative(time(0...(20 * Nanoseconds.minute)))
    default: plan.unit = unit()
    }
    if number(6) == 0 { plan.late = one([.fire, .drop, .seconds(60), .seconds(3600)]) }
    if number(12) == 0, case .at(let offset) = plan.time {
      plan.expires = max(1, -offset) + time(Nanoseconds.second...Nanoseconds.day)
    }
    if plan.unit == .second, case .at(let offset) = plan.time {
      // A day of these is as long as years of others.
      plan.expires = max(1, -offset) + time(Nanoseconds.second...Nanoseconds.minute)
    }
    if kind == .zones || kind == .everything { addTimes(to: &plan) }
    if number(5) == 0 { plan.badge = 1 }
    plan.hasSound = number(3) == 0
    plan.variant = number(3)
    return plan
  }

  /// Zones, and what bounds a repeat (T1 to T6).
  private mutating func addTimes(to plan: inout Plan) {
    guard case .at(let offset) = plan.time else { return }
    if number(4) > 0 {
      plan.zone = number(LifeShape.zones.count)
      plan.isFloating = number(3) > 0
    }
    guard let unit = plan.unit, unit != .second else { return }
    if number(3) == 0 { plan.every = Int64(1 + number(4)) }
    if number(5) == 0 || (kind == .zones && unit == .hour) {
      plan.count = Int64(1 + number(40))
    } else if number(5) == 0, unit.length ?? .max > Nanoseconds.hour {
      plan.until = max(1, -offset) + time(Nanoseconds.hour...(300 * Nanoseconds.day))
    }
  }

  private mutating func offset() -> Int64 {
    if kind == .years || kind == .zones {
      return time((-30 * Nanoseconds.day)...(60 * Nanoseconds.day))
    }
    switch number(4) {
    case 0: return time((-2 * Nanoseconds.day)...0)
    case 1: return time(0...Nanoseconds.day)
    // Some at the same instant (N21).
    case 2: return Int64(number(20)) * 10 * Nanoseconds.second
    default: return time(0...(5 * Nanoseconds.minute))
    }
  }

  private mutating func unit() -> RepeatUnit? {
    if kind == .zones {
      return one([nil, nil, .hour, .day, .day, .day, .weekday, .week, .month, .year])
    }
    if kind == .years {
      return one([
        nil, .day, .week, .month, .month, .quarter, .year, .weekday, .yearForWeekOfYear, .month,
      ])
    }
    return one([nil, nil, nil, nil, .minute, .hour, .hour, .day, .week, .month, .second])
  }

  // MARK: Trouble

  private mutating func trouble() -> LifeAction {
    switch kind {
    case .years: number(4) == 0 ? one([.stop, clockTrouble()]) : .pass(length())
    case .zones: number(2) == 0 ? travel() : number(3) == 0 ? end() : .pass(length())
    case .clocks: number(5) == 0 ? end() : clockTrouble()
    case .disks: number(4) == 0 ? end() : diskTrouble()
    case .sinks: number(6) == 0 ? end() : sinkTrouble()
    case .limit:
      number(3) == 0
        ? end()
        : one([
          diskTrouble(),
          .schedule(
            app: app(), name: name(), plan()),
        ])
    case .everything:
      switch number(5) {
      case 4: travel()
      case 0: end()
      case 1: clockTrouble()
      case 2: diskTrouble()
      default: sinkTrouble()
      }
    }
  }

  private mutating func travel() -> LifeAction { .travel(number(LifeShape.zones.count)) }

  private mutating func end() -> LifeAction {
    switch number(6) {
    case 0: .stop
    case 1..<5:
      .crash(commands: one([0, number(6), number(40)]), written: one([0, number(8), 99]))
    default: kind == .clocks || kind == .everything ? reboot() : .stop
    }
  }

  private mutating func reboot() -> LifeAction {
    let clock: BootClock = one([
      .kept, .kept, .none, .wrong(time((-2 * Nanoseconds.hour)...Nanoseconds.hour)),
      .wrong(3 * Nanoseconds.day),
    ])
    return .reboot(off: one([time(0...Nanoseconds.minute), length()]), clock)
  }

  private mutating func clockTrouble() -> LifeAction {
    switch number(14) {
    case 0..<3: .step(time((-10 * Nanoseconds.second)...(10 * Nanoseconds.second)))
    case 3: .step(time((-4 * Nanoseconds.hour)...(4 * Nanoseconds.hour)))
    case 4: .step(one([-1, 1]) * 3 * Nanoseconds.hour)
    case 5: .step(one([-1, 1]) * time(Nanoseconds.hour...(5 * Nanoseconds.day)))
    case 6: .drift(one([0, 50, -50, 500]))
    case 7..<10: .synchronise
    case 10: .loseSync
    case 11: .trust
    case 12: reboot()
    default: .step(time(-2_000_000...2_000_000))
    }
  }

  private mutating func diskTrouble() -> LifeAction {
    switch number(6) {
    case 0: .disk(.blocked)
    case 1: .disk(.refusing)
    case 2, 3: .disk(.healthy)
    default: .trickle(number(10))
    }
  }

  private mutating func sinkTrouble() -> LifeAction {
    let sink = number(3)
    switch number(5) {
    case 0: return .sinkDown(sink)
    case 1: return .sinkUp(sink)
    default: break
    }
    return .manner(
      sink: sink,
      one([
        .prompt, .prompt, .slow(time(0...(8 * Nanoseconds.second))), .slow(20 * Nanoseconds.second),
        .hung, .loses(2 + number(4)), .repeats, .pending(time(0...(70 * Nanoseconds.second))),
        .retries, .fails, .crashes(1 + number(4)),
      ]))
  }
}
