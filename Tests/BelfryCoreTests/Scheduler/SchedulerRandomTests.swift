import Foundation
import SchedulerFixtures
import Testing

@testable import BelfryCore

/// A long random life with crashes, lost, late and doubled answers, sinks that come and go, disks
/// that do not answer and clocks that step; what must hold is checked at every hand-over.
@Suite struct SchedulerRandomTests {
  @Test(arguments: 0..<8) func D7_N20_T10_aRandomLifeLosesAndDoublesNothing(run: Int) {
    let given = ProcessInfo.processInfo.environment["BELFRY_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    var life = RandomLife(seed: seed, limit: run % 2 == 0 ? 1000 : 6)
    life.run(steps: 800)
    #expect(life.faults == [], "seed \(seed)")
    #expect(life.world.problems == [], "seed \(seed)")
    #expect(life.handOvers > 100, "seed \(seed)")
  }
}

private struct RandomLife {
  struct Name: Hashable {
    var app: String
    var identifier: String
  }

  let world: World
  var random: SeededRandom
  var faults: [String] = []
  var handOvers = 0
  private var unanswered: [Delivery] = []
  /// One-shots that a reply has promised, until something else is asked of them.
  private var promised: [Name: OccurrenceID] = [:]
  /// What an answered cancel request has ended for ever.
  private var ended: Set<UUIDBits> = []
  private var known: [Name: Set<UUIDBits>] = [:]
  private var dueOf: [OccurrenceID: Instant] = [:]
  private var handed: Set<OccurrenceID> = []
  private var newest: [String: Int64] = [:]

  private let limit: Int32

  init(seed: UInt64, limit: Int32) {
    self.limit = limit
    random = SeededRandom(seed: seed)
    world = World {
      $0.sinks = World.sinks
      $0.notifications = limit
      $0.attempts = 3
    }
    world.answer = { _ in nil }
  }

  mutating func run(steps: Int) {
    for step in 0..<steps {
      act()
      observe(step)
      if !world.scheduler.pending.isSound { faults.append("unsound at step \(step)") }
      if !faults.isEmpty { return }
    }
    heal()
    for (name, id) in promised where !handed.contains(id) {
      faults.append("\(name.identifier) \(id.text) was promised and never handed over")
    }
  }

  private func chance(_ percent: Int, _ random: inout SeededRandom) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func act() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: schedule()
    case 30..<36: cancel()
    case 36..<38: presentNow()
    case 38..<40: replaceAll()
    case 40..<42: world.books.isFull.toggle()
    case 42..<60: world.advance(seconds: Double.random(in: 0...90, using: &random))
    case 60..<64: world.sleep(seconds: Double.random(in: 0...400, using: &random))
    case 64..<67: world.stepClock(seconds: Double.random(in: -600...600, using: &random))
    case 67..<70: world.isBlocked.toggle()
    case 70..<75: sinkEvent()
    case 75..<79: crash()
    default: answer()
    }
  }

  private mutating func name() -> Name {
    Name(
      app: ["a", "b"].randomElement(using: &random)!,
      identifier: "n\(Int.random(in: 0..<15, using: &random))")
  }

  private mutating func schedule() {
    let name = name()
    let unit: RepeatUnit? = [nil, nil, nil, .minute, .hour].randomElement(using: &random)!
    let date = Double.random(in: -5...300, using: &random)
    let notification = world.alert(name.identifier, in: date, repeats: unit) {
      $0.soundName = "default"
    }
    promised[name] = nil
    let reply = world.request(.schedule(app: name.app, notification))
    guard case .scheduled(let scheduled) = reply, let id = scheduled.occurrence,
      scheduled.scheduled
    else { return }
    known[name, default: []].insert(id.uuid)
    if unit == nil { promised[name] = id }
  }

  private mutating func cancel() {
    let name = name()
    promised[name] = nil
    world.send(.clock)
    observe(-1)
    let reply = world.request(.cancel(app: name.app, identifiers: [name.identifier]))
    if case .cancelled = reply { ended.formUnion(known[name] ?? []) }
  }

  private mutating func replaceAll() {
    for name in promised.keys where name.app == "b" { promised[name] = nil }
    let list = (0..<Int.random(in: 0...8, using: &random)).map { index in
      world.alert("n\(index)", in: Double.random(in: 0...300, using: &random))
    }
    world.request(.replaceAll(app: "b", list))
  }

  private mutating func presentNow() {
    let name = Name(app: "a", identifier: "now\(handOvers)")
    let reply = world.request(.presentNow(app: "a", world.alert(name.identifier)))
    if case .scheduled(let scheduled) = reply { promised[name] = scheduled.occurrence }
  }

  private mutating func sinkEvent() {
    let sink = SinkIndex(Int.random(in: 0..<3, using: &random))
    world.send(.sink(sink, .down(reason: "random")))
    if chance(70, &random) { world.send(.sink(sink, .up)) }
  }

  /// Any answer, to any hand-over of this or an earlier life, perhaps twice.
  private mutating func answer() {
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      guard let delivery = unanswered.randomElement(using: &random) else { return }
      let answers: [DeliveryAnswer] = [
        .done(note: nil), .done(note: nil), .done(note: nil), .pending,
        .retry(after: 5 * Duration.second), .failed(reason: "random"),
      ]
      let answer = answers.randomElement(using: &random)!
      world.send(.sink(delivery.sink, .answered(token: delivery.token, answer)))
      if chance(80, &random) { unanswered.removeAll { $0.token == delivery.token } }
    }
  }

  /// Kill -9, with some of the queue carried out and the rest lost.
  private mutating func crash() {
    for _ in 0..<Int.random(in: 0...world.queue.count, using: &random) {
      let (_, operation) = world.queue.removeFirst()
      let outcome = world.books.perform(operation)
      // Nobody is left to tell of what had to go for it (N17).
      if case .schedule(let row, _) = operation, let app = world.books.apps[row.app]?.name,
        case .scheduled(.added(let discarded?)) = outcome
      {
        promised[Name(app: app, identifier: discarded)] = nil
      }
    }
    observe(-1)
    unanswered = []
    // What the books had not heard of may come again, and after a step back older ones may too.
    newest = [:]
    world.restart(sinksUp: chance(70, &random))
  }

  /// Looks at what was handed over since the last look.
  private mutating func observe(_ step: Int) {
    for delivery in world.deliveries {
      handOvers += 1
      unanswered.append(delivery)
      let id = delivery.occurrence.id
      let what = "\(delivery.occurrence.notification.identifier ?? "") \(id.text) at step \(step)"
      if let due = dueOf[id], due != delivery.occurrence.due {
        faults.append("one id, two dues: \(what)")
      }
      dueOf[id] = delivery.occurrence.due
      handed.insert(id)
      if ended.contains(id.uuid) { faults.append("handed over after its end: \(what)") }
      let line = "\(id.uuid.text) \(id.generation) \(delivery.sink)"
      if delivery.attempt == 1, let before = newest[line], before > id.k {
        faults.append("went back: \(what)")
      }
      newest[line] = max(id.k, newest[line] ?? 0)
    }
    world.deliveries = []
    for event in world.events where event.kind == .discarded {
      promised[Name(app: event.app, identifier: event.identifier)] = nil
    }
    world.events = []
    for app in world.books.apps.keys {
      let counted = world.books.rows.values.count {
        $0.app == app && !world.books.atOnce.contains($0.uuid)
      }
      if counted > Int(limit) { faults.append("over the limit at step \(step)") }
    }
    if world.early != [] { faults.append("early at step \(step)") }
    if world.doubled != [] { faults.append("handed over after its end in the books") }
    if world.bursts != [] { faults.append("a burst at step \(step)") }
  }

  /// All is well again, for long enough.
  private mutating func heal() {
    world.isBlocked = false
    world.books.isFull = false
    world.run()
    world.answer = { _ in .done(note: nil) }
    world.restart()
    observe(-2)
    let last = world.books.rows.values.map { $0.anchor }.max() ?? world.now.real
    let ahead = max(0, Double(last.nanoseconds(since: world.now.real)) / 1e9)
    world.advance(seconds: 2000 + ahead)
    observe(-3)
    if world.books.open.values.contains(where: { $0.sinks != nil }) {
      faults.append("an occurrence is open for ever")
    }
  }
}
