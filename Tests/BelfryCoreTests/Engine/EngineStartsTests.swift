import Testing

@testable import BelfryCore

/// How sinks start, and what a start that failed costs.
@Suite struct EngineStartsTests {
  @Test func D7_whatNeverReachedASinkHasNotBeenAttempted() {
    let world = World { $0.sinks = [World.sinks[2]] }
    world.answer = { _ in nil }
    world.schedule("bell") { $0.soundName = Notification.defaultSoundName }
    for life in 1...10 {
      #expect(world.deliveries.count == life && world.deliveries.last?.attempt == 1)
      let token = world.deliveries.last!.token
      world.send(.sink(0, .down(reason: "it could not be started", unsent: [token])))
      world.send(.sink(0, .up))
    }
    // Where it may have been heard, three attempts are all.
    for _ in 1...3 {
      world.send(.sink(0, .down(reason: "signal 11")))
      world.send(.sink(0, .up))
    }
    #expect(world.deliveries.last?.attempt == 3)
    #expect(world.store.history.values.map { $0.state } == [.unknown])
    #expect(world.store.history.values.first?.attempts == 3)
  }

  @Test(arguments: [
    (start: Int64(0), lead: Int64(1_000)), (400, 1_000), (700, 1_400), (3_000, 6_000),
    (60_000, 10_000),
  ])
  func preparingBeginsTwiceTheSlowestStartAhead(milliseconds: (start: Int64, lead: Int64)) {
    let world = World()
    world.send(.sink(0, .ready(after: milliseconds.start * Nanoseconds.millisecond)))
    world.send(.sink(0, .ready(after: 5)))
    world.schedule("bell", in: 30)
    let ahead = Double(milliseconds.lead) / 1000
    world.advance(seconds: 30 - ahead - 0.001)
    #expect(world.store.open.isEmpty)
    world.advance(seconds: 0.002)
    #expect(world.store.open.count == 1)
  }
}
