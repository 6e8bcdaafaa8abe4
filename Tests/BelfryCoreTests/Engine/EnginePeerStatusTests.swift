import SchedulerFixtures
import Testing

@testable import BelfryCore

/// What `status` tells whom.
@Suite struct EnginePeerStatusTests {
  private func world(_ change: (inout EngineConfiguration) -> Void = { _ in }) -> World {
    World {
      $0.owner = 999
      change(&$0)
    }
  }

  @Test func R5_aUserLearnsOfHisOwnAppsAlone() throws {
    let world = world()
    world.request(.schedule(app: "hers", world.alert("a", in: 600)), by: World.alice)
    world.request(.schedule(app: "hers", world.alert("b", in: 300)), by: World.alice)
    world.request(.schedule(app: "his", world.alert("c", in: 60)), by: World.bob)
    world.request(.openSession(app: "his", session: 7, state: .background), by: World.bob)
    let hers = world.scheduler.status(for: World.alice)
    #expect(hers.pending == 2 && hers.apps == 1 && hers.sessions == 0 && !hers.isWhole)
    #expect(hers.next?.due == world.now.real.advanced(by: 300 * Nanoseconds.second))
    let his = world.scheduler.status(for: World.bob)
    #expect(his.pending == 1 && his.apps == 1 && his.sessions == 1)
    for peer in [World.root, Peer(uid: 999, pid: 1, isOperator: false)] {
      let all = world.scheduler.status(for: peer)
      #expect(all.pending == 3 && all.apps == 2 && all.sessions == 1 && all.isWhole)
      #expect(all.next?.due == his.next?.due)
    }
    let nobody = world.scheduler.status(for: Peer(uid: 77, pid: 1, isOperator: false))
    #expect(nobody.pending == 0 && nobody.next == nil && nobody.apps == 0)
  }

  @Test func R5_whatHasFiredIsNobodysNext() throws {
    let world = world()
    world.request(.schedule(app: "hers", world.alert("a", in: 60)), by: World.alice)
    world.request(.schedule(app: "hers", world.alert("b", in: 300)), by: World.alice)
    _ = world.scheduler.status(for: World.alice)
    world.advance(seconds: 61)
    let left = world.scheduler.status(for: World.alice)
    #expect(left.pending == 1 && world.scheduler.pending.table.isSound)
    #expect(left.next?.due == world.now.real.advanced(by: 239 * Nanoseconds.second))
    world.request(.cancelAll(app: "hers"), by: World.alice)
    #expect(world.scheduler.status(for: World.alice).next == nil)
    #expect(world.scheduler.pending.table.isSound)
  }

  @Test func R5_thePlaceIsForThoseWhoMayKnowIt() throws {
    var allowed = EngineConfiguration.AppOverride()
    allowed.mayLocate = true
    let world = world { $0.overrides = ["his": allowed] }
    let region = CircularRegion(latitude: 52, longitude: 13, radius: 100)
    for (app, peer) in [("hers", World.alice), ("his", World.bob)] {
      var note = Notification()
      note.identifier = "home"
      note.alertBody = "home"
      note.region = region
      world.request(.schedule(app: app, note), by: peer)
    }
    world.request(
      .fix(latitude: 53, longitude: 13, accuracy: nil, time: nil), by: World.root)
    let hers = world.scheduler.status(for: World.alice).location
    #expect(hers.fix == nil && hers.regions == 1 && hers.denied == ["hers"])
    let his = world.scheduler.status(for: World.bob).location
    #expect(his.fix?.latitude == 53 && his.regions == 1 && his.denied.isEmpty)
    let all = world.scheduler.status(for: World.root).location
    #expect(all.fix != nil && all.regions == 2 && all.denied == ["hers"])
  }
}
