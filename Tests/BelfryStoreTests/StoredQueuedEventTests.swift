import BelfryCore
import Testing

@testable import BelfryStore

/// What the user did is kept until the app has taken it.
struct StoredQueuedEventTests {
  private let daily = row(2, "r", unit: .day)

  private func queuedEvent(
    _ number: Int64, _ kind: QueuedEvent.Kind, attempt: Int32 = 0, delivered: Int64? = 5
  ) -> StoredQueuedEvent {
    var occurrence = daily.occurrence(number)
    occurrence.missed = number
    occurrence.missedSince = number == 0 ? nil : Instant(nanoseconds: number)
    return StoredQueuedEvent(
      number: number, app: 1,
      queuedEvent: QueuedEvent(
        kind, occurrence, delivered: delivered.map { Instant(nanoseconds: $0) }),
      attempt: attempt, since: Instant(nanoseconds: 7))
  }

  @Test func D4_anActionIsReadBackUntilItIsForgotten() throws {
    let bench = try StoreBench()
    bench.register()
    let all = [
      queuedEvent(1, .activated),
      queuedEvent(2, .handleAction(identifier: "later", text: nil, .background), delivered: nil),
      queuedEvent(3, .handleAction(identifier: "say", text: "höher\n\"", .foreground), attempt: 2),
    ]
    for one in all.reversed() { bench.run(.keepQueuedEvent(one)) }
    try bench.reopen()
    #expect(bench.opened.queuedEvents == all)
    bench.run(.forgetQueuedEvent(2, app: 1), .forgetQueuedEvent(99, app: 1))
    try bench.reopen()
    #expect(bench.opened.queuedEvents == [all[0], all[2]])
  }

  @Test func D4_eachSendingIsCounted() throws {
    let bench = try StoreBench()
    bench.register()
    for attempt: Int32 in [0, 1, 2] {
      bench.run(
        .keepQueuedEvent(
          queuedEvent(1, .handleAction(identifier: "a", text: nil, .background), attempt: attempt)))
    }
    try bench.reopen()
    #expect(bench.opened.queuedEvents.map { $0.attempt } == [2])
  }

  @Test func A1_itGoesWithItsApp() throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(.keepQueuedEvent(queuedEvent(1, .activated)), .forgetApp(1))
    try bench.reopen()
    #expect(bench.opened.queuedEvents.isEmpty)
  }

  @Test func N1_whatTheAppTakesReplacesWhatAnySinkShows() throws {
    let bench = try StoreBench()
    bench.register()
    let old = daily.occurrence(1)
    bench.run(.fired(old, app: 1, slot: 2, sinks: ["one", "two"]))
    for sink in ["one", "two"] {
      bench.run(
        .settle(
          historyRow(old, sink, .delivered), app: 1, shown: true, replaces: [],
          closes: sink == "two"))
    }
    let new = daily.occurrence(2)
    bench.run(
      .settle(
        historyRow(new, Sink.app, .received), app: 1, shown: false, replaces: [old.id],
        closes: true))
    #expect(bench.history().map { $0.state } == [.withdrawn, .withdrawn, .received])
  }

  private func historyRow(
    _ occurrence: Occurrence, _ sink: String, _ state: DeliveryState
  ) -> HistoryRow {
    HistoryRow(
      app: "kiosk", identifier: occurrence.notification.identifier ?? "", occurrence: occurrence.id,
      sink: sink, due: occurrence.due, handedOver: nil, acknowledged: nil, state: state,
      reason: nil, attempts: 1)
  }
}
