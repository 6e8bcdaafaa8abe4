import Testing

@testable import BelfryCore

/// The operator's choices change while the clock runs.
@Suite struct EngineConfigurationTests {
  private func configure(_ world: World, _ change: (inout EngineConfiguration) -> Void) {
    change(&world.configuration)
    world.send(.configuration(world.configuration))
  }

  @Test func D9_whatWaitsForASinkThatIsRemovedFails() {
    let world = World { $0.sinks = Array(World.sinks[0...1]) }
    world.answer = { $0.sink == 0 ? .pending : .done(note: nil) }
    world.schedule("n", in: 1) { $0.alertBody = "body" }
    world.advance(seconds: 1)
    world.schedule("late", in: 1) { $0.alertBody = "body" }
    world.send(.sink(0, .down(reason: "gone")))
    world.advance(seconds: 1)
    configure(world) { $0.sinks = [World.sinks[1]] }
    let ended = world.store.history.values.filter { $0.sink == "one" }
    #expect(ended.count == 2)
    #expect(ended.allSatisfy { $0.state == .failed && $0.reason == "sink-removed" })
    #expect(world.store.open.isEmpty)
    world.deliveries = []
    world.schedule("after", in: 1) { $0.alertBody = "body" }
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.sink } == [1])
    #expect(world.scheduler.status.sinks.map { $0.name } == ["two"])
    // What it says now is nobody's.
    world.send(.sink(0, .up))
    #expect(world.problems.isEmpty)
  }

  @Test func D9_aSinkThatIsAddedGetsWhatIsDueFromThenOn() {
    let world = World { $0.sinks = [World.sinks[0]] }
    world.schedule("before", in: 1) { $0.alertBody = "body" }
    world.advance(seconds: 1)
    configure(world) { $0.sinks = [World.sinks[1], World.sinks[0]] }
    #expect(world.scheduler.index(ofSink: "one") == 0)
    #expect(world.scheduler.index(ofSink: "two") == 1)
    world.send(.sink(1, .up))
    world.deliveries = []
    world.schedule("after", in: 1) { $0.alertBody = "body" }
    world.advance(seconds: 1)
    #expect(Set(world.deliveries.map { $0.sink }) == [0, 1])
    #expect(world.deliveries.allSatisfy { $0.occurrence.notification.identifier == "after" })
  }

  @Test func D9_aSinkThatComesBackIsAnother() {
    let world = World { $0.sinks = [World.sinks[0]] }
    configure(world) { $0.sinks = [] }
    #expect(world.scheduler.index(ofSink: "one") == nil)
    configure(world) { $0.sinks = [World.sinks[0]] }
    #expect(world.scheduler.index(ofSink: "one") == 1)
    world.send(.sink(1, .up))
    world.schedule("n", in: 1) { $0.alertBody = "body" }
    world.advance(seconds: 1)
    #expect(world.deliveries.map { $0.sink } == [1])
  }

  @Test func D9_whatASessionDoesNotTakeFindsItsSinkGone() {
    let world = World { $0.sinks = [World.sinks[0]] }
    world.open(1)
    world.schedule("n", in: 1) { $0.alertBody = "body" }
    world.advance(seconds: 1)
    configure(world) { $0.sinks = [] }
    world.advance(seconds: 3)
    let ended = world.store.history.values.filter { $0.sink == "one" }
    #expect(ended.map { $0.state } == [.failed] && ended.first?.reason == "sink-removed")
    #expect(world.store.open.isEmpty)
  }

  @Test func A2_limitsAndQuietHoursCountFromThenOn() {
    let world = World {
      $0.sinks = World.sinks
      $0.notifications = 1
      $0.onFull = .refuse
    }
    world.schedule("first", in: 100) { $0.alertBody = "body" }
    #expect(world.schedule("second", in: 100) == nil)
    configure(world) {
      $0.notifications = 2
      $0.sounds.quiet = QuietHours("00:00-24:00")
    }
    world.schedule("second", in: 100) {
      $0.alertBody = "body"
      $0.soundName = "default"
    }
    world.advance(seconds: 100)
    let silenced = world.store.history.values.filter { $0.state == .silenced }
    #expect(silenced.map { $0.identifier } == ["second"])
  }
}
