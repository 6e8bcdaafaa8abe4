import Testing

@testable import BelfryCore

/// A1: a program that names no app has one of its own behind its user's.
struct ProgramAppTests {
  private let world = World()

  private func schedule(
    _ app: String, _ identifier: String, in seconds: Double = 100, by peer: Peer = World.alice
  ) -> Reply? {
    world.request(.schedule(app: app, world.alert(identifier, in: seconds)), by: peer)
  }

  private func isScheduled(_ reply: Reply?) -> Bool {
    if case .scheduled = reply { true } else { false }
  }

  @Test func A1_oneProgramsCancelAllLeavesAnothersAlarms() {
    #expect(isScheduled(schedule("user.1000", "a")))
    #expect(isScheduled(schedule("user.1000.AlarmClock", "b")))
    #expect(isScheduled(schedule("user.1000.SchoolBell", "c")))
    #expect(
      world.request(.cancelAll(app: "user.1000.SchoolBell"))
        == .cancelled(cancelled: 1, withdrawn: 0))
    #expect(Set(world.listed(app: nil)) == ["a", "b"])
  }

  @Test func A1_theIdIsReservedForItsUser() {
    #expect(
      schedule("user.1000.AlarmClock", "a", by: World.bob)
        == .refused(.notOwner(app: "user.1000.AlarmClock")))
    world.advance(seconds: 40 * 86_400)
    #expect(isScheduled(schedule("user.1000.AlarmClock", "a")))
    world.advance(seconds: 40 * 86_400)
    #expect(
      schedule("user.1000.AlarmClock", "a", by: World.bob)
        == .refused(.notOwner(app: "user.1000.AlarmClock")))
  }

  @Test func A1_A2_programsAreCountedApartFromTheIds() {
    for number in 1...32 { #expect(isScheduled(schedule("app\(number)", "a"))) }
    for number in 1...256 { #expect(isScheduled(schedule("user.1000.p\(number)", "a"))) }
    let refused = Reply.refused(.limitReached(limit: "programs", value: 256))
    #expect(schedule("user.1000.p257", "a") == refused)
    #expect(isScheduled(schedule("user.1000.p256", "b")))
    world.restart()
    #expect(schedule("user.1000.p257", "a") == refused)
    // All have rung; 30 days later those that are not used make room.
    world.advance(seconds: 31 * 86_400)
    #expect(isScheduled(schedule("user.1000.p257", "a")))
  }

  @Test func A1_whatAProgramSchedulesAgainMovesToIt() {
    #expect(isScheduled(schedule("user.1000", "wake", in: 100)))
    #expect(isScheduled(schedule("user.1000", "other", in: 100)))
    #expect(isScheduled(schedule("user.1000.AlarmClock", "wake", in: 200)))
    #expect(world.listed(app: "user.1000") == ["other"])
    #expect(world.listed(app: "user.1000.AlarmClock") == ["wake"])
    world.restart()
    #expect(Set(world.listed(app: nil)) == ["wake", "other"])
    world.advance(seconds: 300)
    #expect(world.takeDelivered() == ["other", "wake"])
    #expect(world.store.rows.isEmpty)
  }

  @Test func D10_whatMovesToAProgramLeavesAReplacedRowAndEvent() {
    let due = world.now.real.advanced(by: 100 * Nanoseconds.second)
    #expect(isScheduled(schedule("user.1000", "wake", in: 100)))
    #expect(isScheduled(schedule("user.1000.AlarmClock", "wake", in: 200)))
    let told = world.events.filter { $0.kind == .replaced }
    #expect(told.map { $0.app } == ["user.1000"])
    #expect(told.map { $0.identifier } == ["wake"])
    #expect(told.first?.due == due)
    let rows = world.store.history.values.filter { $0.state == .replaced }
    #expect(rows.map { $0.app } == ["user.1000"])
    #expect(rows.map { $0.identifier } == ["wake"])
    #expect(rows.first?.text == "wake")
    #expect(rows.first?.due == world.now.real)
    #expect(rows.first?.clock != nil)
  }

  @Test func D10_whatReplacesWithinAProgramsAppTellsOfItOnce() {
    #expect(isScheduled(schedule("user.1000.AlarmClock", "wake", in: 100)))
    #expect(isScheduled(schedule("user.1000.AlarmClock", "wake", in: 200)))
    #expect(world.events.filter { $0.kind == .replaced }.count == 1)
  }

  @Test func A1_N16_aListMovesTooAndWhatIsNotInItStays() {
    for name in ["a", "b", "c"] { #expect(isScheduled(schedule("user.1000", name))) }
    let list = [world.alert("a", in: 50), world.alert("c", in: 60)]
    world.request(.replaceAll(app: "user.1000.ListApp", list))
    #expect(world.listed(app: "user.1000") == ["b"])
    #expect(world.listed(app: "user.1000.ListApp") == ["a", "c"])
  }

  @Test func A1_whatIsRefusedMovesNothing() {
    let world = World { $0.notifications = 1 }
    for app in ["user.1000", "user.1000.AlarmClock"] {
      world.request(.schedule(app: app, world.alert(app, in: 100)))
    }
    let reply = world.request(
      .schedule(app: "user.1000.AlarmClock", world.alert("user.1000", in: 200)))
    guard case .scheduled(let answer)? = reply, !answer.scheduled else {
      Issue.record("\(String(describing: reply))")
      return
    }
    #expect(world.listed(app: "user.1000") == ["user.1000"])
  }

  @Test func A1_whatIsShownOfItStays() {
    let world = World { $0.sinks = World.sinks }
    world.request(.schedule(app: "user.1000", world.alert("daily", in: 10, repeats: .day)))
    world.advance(seconds: 20)
    world.request(.schedule(app: "user.1000.AlarmClock", world.alert("daily", in: 90)))
    #expect(world.listed(app: "user.1000") == [])
    #expect(!world.kinds("daily").contains(.withdrawn))
  }
}
