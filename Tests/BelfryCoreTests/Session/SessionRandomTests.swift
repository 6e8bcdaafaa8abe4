import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

/// Days of apps that come and go, die, answer or not, and of daemons that are killed.
@Suite struct SessionRandomTests {
  private static let apps = ["app", "other"]

  /// One run from a seed, and what must hold at its end.
  private struct Run {
    let seed: UInt64
    var random: SeededRandom
    let world = World { $0.actionDeadline = 7 * Nanoseconds.second }
    /// Open sessions: their app, and the events that they have not completed.
    var open: [SessionID: (app: String, heard: Int)] = [:]
    var lastSession: SessionID = 0
    var lastName = 0
    var alerts: [String] = []
    var actions: [String] = []
    var completed: Set<String> = []

    init(seed: UInt64) {
      self.seed = seed
      random = SeededRandom(seed: seed)
    }

    func chance(_ percent: Int, _ random: inout SeededRandom) -> Bool {
      Int.random(in: 0..<100, using: &random) < percent
    }

    mutating func step() {
      let app = SessionRandomTests.apps.randomElement(using: &random)!
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1: openOne(app)
      case 2:
        guard let id = open.keys.sorted().randomElement(using: &random) else { return }
        let state = chance(50, &random) ? AppState.foreground : .background
        world.request(.setState(session: Int64(id), state))
      case 3:
        guard let id = open.keys.sorted().randomElement(using: &random) else { return }
        open[id] = nil
        world.close(id, isUnread: chance(30, &random))
      case 4, 5: alert(app)
      case 6: act(app)
      case 7: world.send(.launched(app: app, failure: chance(30, &random) ? "no program" : nil))
      case 8:
        guard chance(15, &random) else { return }
        world.restart()
        open = [:]
      default: world.advance(seconds: Double.random(in: 0..<8, using: &random))
      }
      complete()
    }

    private mutating func openOne(_ app: String) {
      guard open.count < 5 else { return }
      lastSession += 1
      world.open(lastSession, chance(60, &random) ? .foreground : .background, app: app)
      open[lastSession] = (app, 0)
    }

    private mutating func alert(_ app: String) {
      lastName += 1
      alerts.append("alert\(lastName)")
      world.schedule(
        "alert\(lastName)", in: Double.random(in: 0.1..<6, using: &random), app: app)
    }

    private mutating func act(_ app: String) {
      guard world.scheduler.apps.named(app) != nil else { return }
      lastName += 1
      switch Int.random(in: 0..<4, using: &random) {
      case 0: world.act("tap\(lastName)", app: app)
      case 1: world.act("gone\(lastName)", .dismissed, app: app)
      default:
        actions.append("action\(lastName)")
        world.act("action\(lastName)", World.action("a"), app: app)
      }
    }

    /// Apps complete some of what they hear.
    private mutating func complete() {
      for id in open.keys.sorted() where chance(50, &random) {
        for event in world.events(in: id).dropFirst(open[id]!.heard) where chance(60, &random) {
          let name = event.occurrence.notification.identifier ?? ""
          #expect(event.occurrence.app == open[id]!.app, "seed \(seed): \(name)")
          // What has been given up is not brought back.
          let isKept = world.scheduler.sessions.kept.contains {
            $0.queuedEvent.occurrence.notification.identifier == name
          }
          #expect(world.complete(id, event.id) == .done, "seed \(seed): \(name)")
          if event.kind == .handleAction, isKept { completed.insert(name) }
        }
        open[id]!.heard = world.events(in: id).count
      }
    }

    mutating func finish() {
      for id in open.keys.sorted() { world.close(id) }
      world.advance(seconds: 2 * 86_400)
    }

    func check() {
      for name in alerts {
        let rows = world.history(of: name)
        #expect(
          rows == ["app received"] || rows == ["one delivered"]
            || rows == ["app unknown", "one delivered"], "seed \(seed): \(name) \(rows)")
      }
      for name in actions {
        let rows = world.history(of: name)
        #expect(
          completed.contains(name)
            ? rows == ["app received"] : rows == ["app failed"] || rows == ["app expired"],
          "seed \(seed): \(name) \(rows)")
        let sent = world.told.filter { $0.event.occurrence.notification.identifier == name }
        #expect(sent.count <= 3, "seed \(seed): \(name)")
      }
      checkOrder()
      #expect(world.store.queuedEvents.isEmpty && world.store.open.isEmpty, "seed \(seed)")
      #expect(world.scheduler.sessions.isIdle, "seed \(seed)")
      #expect(
        world.scheduler.nextWake == NextWake(real: nil, elapsed: nil), "seed \(seed)")
      #expect(world.problems.isEmpty && world.doubled.isEmpty, "seed \(seed)")
    }

    /// A launch option is the first of all; numbers count up.
    private func checkOrder() {
      for id in Set(world.told.map { $0.session }) {
        let events = world.events(in: id)
        #expect(events.map { $0.id } == (1...Int64(events.count)).map { $0 }, "seed \(seed)")
        #expect(!events.dropFirst().contains { $0.kind == .launch }, "seed \(seed): \(id)")
      }
    }
  }

  @Test func D1_D4_nothingIsLostOrShownTwiceWhateverAppsDo() {
    let base = TestSeed.here() % (1 << 40) + 1
    for seed in base..<base + 20 {
      var run = Run(seed: seed)
      for _ in 0..<250 { run.step() }
      run.finish()
      run.check()
    }
  }
}
