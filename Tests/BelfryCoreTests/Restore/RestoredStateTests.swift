import Testing

@testable import BelfryCore

@Suite struct RestoredStateTests {
  private func open(
    slot: Slot?, sinks: [String]?, settled: [String] = [], push: Bool = false
  ) -> OpenOccurrence {
    var notification = Notification()
    if push { notification.push = "{}" }
    let id = OccurrenceID(uuid: UUIDBits(high: 0, low: 7), generation: 0, k: 3)
    return OpenOccurrence(
      occurrence: Occurrence(
        id: id, app: "app", notification: notification, due: Instant(nanoseconds: 0)),
      app: 1, slot: slot, sinks: sinks, settled: settled)
  }

  @Test func D7_whatWasHandedOverGoesToTheSinksThatHaveNotSettled() {
    var state = RestoredState()
    state.add(
      open(slot: 2, sinks: ["one", "two"], settled: ["one"]), handedOver: [], isSuspect: true)
    #expect(state.deliveries.map { $0.sinks } == [["two"]])
    #expect(state.intents.isEmpty && state.pushes.isEmpty)
  }

  @Test func D7_whatWasOnlyPreparedIsAnIntent() {
    var state = RestoredState()
    state.add(open(slot: 2, sinks: nil), handedOver: [], isSuspect: true)
    state.add(open(slot: nil, sinks: nil), handedOver: [], isSuspect: true)
    #expect(state.intents.map { $0.slot } == [2, 0] && state.deliveries.isEmpty)
  }

  @Test func T9_theElapsedClockCountsInTheBootInWhichItWasRead() {
    var state = RestoredState()
    let relative = RelativeTime(made: 100, due: 500, boot: 4, isSynchronised: false)
    #expect(state.reached(relative) == 100)
    state.setLastLife(boot: 4, elapsed: 300)
    #expect(state.reached(relative) == 300)
    state.setLastLife(boot: 4, elapsed: 50)
    #expect(state.reached(relative) == 100)
    state.setLastLife(boot: 5, elapsed: 300)
    #expect(state.reached(relative) == 100)
    state.setLastLife(boot: nil, elapsed: 300)
    #expect(state.reached(relative) == 100)
  }
}
