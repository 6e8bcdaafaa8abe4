import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

@Suite struct EngineLimitTests {
  @Test func N17_keepsTheSoonest64() {
    let world = World()
    for minute in 1...64 { world.schedule("m\(minute)", in: Double(60 * minute)) }
    let late = world.schedule("late", in: 60 * 65)
    #expect(late?.scheduled == false && late?.discarded == [])
    let tie = world.schedule("tie", in: 60 * 64)
    #expect(tie?.scheduled == false)
    let soon = world.schedule("soon", in: 30)
    #expect(soon?.scheduled == true && soon?.discarded == ["m64"])
    #expect(world.kinds() == [.discarded, .discarded, .discarded])
    #expect(world.listed().count == 64)
    #expect(world.store.rows.count == 64)
    world.advance(seconds: 60 * 70)
    let expected = ["soon"] + (1...63).map { "m\($0)" }
    #expect(world.takeDelivered() == expected)
  }

  @Test func N17_noAlarmGoesForANewerOneUnlessSomebodyAskedForThat() {
    let world = World { $0.onFull = nil }
    for minute in 1...512 { world.schedule("m\(minute)", in: Double(60 * minute)) }
    #expect(world.listed().count == 512 && world.kinds().isEmpty)
    let soon = world.alert("soon", in: 30)
    let refusal = Reply.refused(.limitReached(limit: "notifications", value: 512))
    #expect(world.request(.schedule(app: "app", soon)) == refusal)
    #expect(world.request(.schedule(app: "app", soon, onFull: .refuse)) == refusal)
    let list = (0..<513).map { world.alert("l\($0)", in: Double($0 + 1)) }
    #expect(world.request(.replaceAll(app: "app", list)) == refusal)
    #expect(world.listed().count == 512 && world.kinds().isEmpty)
    // Replacing is no addition.
    #expect(world.schedule("m512", in: 30)?.replaced == true)
  }

  @Test func N17_theCallerMayAskForAppleLimit() {
    let world = World { $0.onFull = nil }
    for minute in 1...64 { world.schedule("m\(minute)", in: Double(60 * minute)) }
    let soon = world.alert("soon", in: 30)
    guard
      case .scheduled(let reply)? = world.request(
        .schedule(app: "app", soon, onFull: .discard))
    else {
      Issue.record("it was refused")
      return
    }
    #expect(reply.scheduled && reply.discarded == ["m64"])
    // Not where the operator has said otherwise.
    let strict = World {
      $0.onFull = .refuse
      $0.notifications = 1
    }
    strict.schedule("a", in: 60)
    #expect(
      strict.request(.schedule(app: "app", strict.alert("b", in: 30), onFull: .discard))
        == .refused(.limitReached(limit: "notifications", value: 1)))
  }

  @Test func N17_aRepeatCountsOnceByItsNextOccurrence() {
    let world = World { $0.notifications = 2 }
    world.schedule("r", in: -30, repeats: .hour)  // in 59 min 30 s
    world.schedule("a", in: 60)
    #expect(world.schedule("b", in: 3600)?.scheduled == false)
    #expect(world.schedule("c", in: 3000)?.discarded == ["r"])
  }

  @Test func N17_whatIsDeliveredAtOnceSendsNothingAway() {
    for policy in EngineConfiguration.OnFull.allCases {
      let world = World {
        $0.notifications = 2
        $0.onFull = policy
      }
      world.schedule("a", in: 60)
      world.schedule("b", in: 120)
      for (name, seconds) in [("now", nil), ("past", -3600.0)] {
        let reply = world.schedule(name, in: seconds)
        #expect(reply?.scheduled == true && reply?.discarded == [])
      }
      #expect(world.takeDelivered() == ["now", "past"])
      #expect(world.listed() == ["a", "b"] && world.kinds("b").isEmpty)
      // And a whole list with some of them.
      let list = [world.alert("a", in: 60), world.alert("once"), world.alert("c", in: 90)]
      guard case .replacedAll(let all)? = world.request(.replaceAll(app: "app", list)) else {
        #expect(Bool(false), "refused by \(policy)")
        continue
      }
      #expect(all.discarded == [] && world.takeDelivered() == ["once"])
      #expect(world.listed() == ["a", "c"])
    }
  }

  @Test func N17_aPastRepeatIsPendingAndCounts() {
    let world = World { $0.notifications = 1 }
    world.schedule("a", in: 60)
    #expect(world.schedule("r", in: -60, repeats: .hour)?.scheduled == false)
  }

  @Test func N17_replacingIsNotAdding() {
    let world = World { $0.notifications = 2 }
    world.schedule("a", in: 10)
    world.schedule("b", in: 20)
    let reply = world.schedule("b", in: 1000)
    #expect(reply?.replaced == true && reply?.scheduled == true)
    #expect(Set(world.listed()) == ["a", "b"])
  }

  @Test func N17_theOperatorSaysRefuse() {
    let world = World {
      $0.notifications = 1
      var quiet = EngineConfiguration.AppOverride()
      quiet.limits.onFull = .refuse
      quiet.limits.notifications = 2
      $0.overrides["quiet"] = quiet
    }
    world.schedule("a", in: 10, app: "quiet")
    world.schedule("b", in: 10, app: "quiet")
    let reply = world.request(.schedule(app: "quiet", world.alert("c", in: 1)))
    #expect(reply == .refused(.limitReached(limit: "notifications", value: 2)))
    world.schedule("a", in: 10)
    #expect(world.schedule("b", in: 5)?.discarded == ["a"])
  }

  @Test func N17_isExactUnderPipelining() {
    let world = World { $0.notifications = 8 }
    world.schedule("first", in: 1)
    world.isBlocked = true
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for index in (0..<40).shuffled(using: &random) {
      world.schedule("p\(index)", in: Double(100 + index))
    }
    world.isBlocked = false
    world.run()
    #expect(world.replies.count == 41)
    let kept = ["first"] + (0..<7).map { "p\($0)" }
    #expect(Set(world.listed()) == Set(kept), "seed \(seed)")
  }

  @Test func N17_whatFiresBeforeItIsDiscardedIsNotDiscarded() {
    let world = World { $0.notifications = 1 }
    world.schedule("a", in: 10)
    world.advance(seconds: 9)
    world.isBlocked = true
    world.schedule("b", in: 0.5)
    world.advance(seconds: 2)
    #expect(world.takeDelivered() == ["a"])
    world.isBlocked = false
    world.run()
    #expect(world.takeDelivered() == ["b"])
    #expect(!world.kinds().contains(.discarded))
  }

  @Test func N17_replaceAllKeepsTheSoonest() {
    let world = World { $0.notifications = 3 }
    let list = [5, 4, 1, 3, 2].map { world.alert("n\($0)", in: Double($0)) }
    guard case .replacedAll(let reply) = world.request(.replaceAll(app: "app", list)) else {

      Issue.record("refused")
      return

    }
    #expect(reply.discarded == ["n5", "n4"] && reply.added == 3)
    #expect(Set(world.listed()) == ["n1", "n2", "n3"])
  }
}
