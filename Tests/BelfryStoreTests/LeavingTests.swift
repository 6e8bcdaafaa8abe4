import BelfryCore
import Testing

@testable import BelfryStore

/// What leaves the scheduled list unfired leaves a history row with its text.
struct LeavingTests {
  private static let time = ClockStamp(
    real: StoreBench.start.advanced(by: Nanoseconds.minute), state: .plausible)

  private func rows(_ bench: StoreBench) -> [String] {
    bench.history().map { row in
      [row.state.rawValue, row.identifier, row.text ?? "-", row.reason ?? "-"]
        .joined(separator: "|")
    }
  }

  @Test func N15_everyWayToCancelLeavesARow() throws {
    let bench = try StoreBench()
    bench.register()
    for slot in 1...5 as ClosedRange<Slot> {
      bench.run(.schedule(row(slot, "n\(slot)", body: "body \(slot)"), ifAdded: .none))
    }
    var like = row(2, "n2", body: "body 2").notification
    like.identifier = nil
    bench.run(
      .cancel(app: 1, identifiers: ["n1", "nobody"], at: Self.time),
      .cancelEqual(app: 1, like, at: Self.time),
      .replaceAll(app: 1, rows: [row(9, "n4", body: "body 4")], at: Self.time),
      .cancelAll(app: 1, at: Self.time))
    #expect(
      rows(bench) == [
        "cancelled|n1|body 1|-", "cancelled|n2|body 2|-", "cancelled|n3|body 3|-",
        "cancelled|n5|body 5|-", "cancelled|n4|body 4|-",
      ])
    let first = try #require(bench.history().first)
    #expect(first.due == Self.time.real && first.clock == .plausible && first.sink.isEmpty)
    #expect(first.occurrence == OccurrenceID(uuid: row(1, "").uuid, generation: 0, k: 0))
    try bench.reopen()
    #expect(rows(bench).count == 5)
  }

  @Test func N1_whatIsReplacedLeavesARowAndWhatIsEqualNone() throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(
      .schedule(row(1, "a", body: "old"), ifAdded: .none, at: Self.time),
      .schedule(row(2, "a", body: "old"), ifAdded: .none, at: Self.time),
      .schedule(row(3, "a", body: "new"), ifAdded: .none, at: Self.time),
      .replaceAll(app: 1, rows: [row(4, "a", body: "newest")], at: Self.time))
    #expect(rows(bench) == ["replaced|a|old|-", "replaced|a|new|-"])
  }

  @Test func N17_whatTheLimitSendsAwayLeavesARow() throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(
      .schedule(row(1, "a"), ifAdded: .none, at: Self.time),
      .schedule(row(2, "b"), ifAdded: .discard(1), at: Self.time),
      .schedule(row(3, "c"), ifAdded: .discardNew, at: Self.time),
      .schedule(row(4, "d"), ifAdded: .refuse, at: Self.time),
      .replaceAll(app: 1, rows: [row(5, "b")], discarded: [row(6, "e")], at: Self.time))
    #expect(
      rows(bench) == [
        "discarded|a|body of a|limit", "discarded|c|body of c|limit",
        "discarded|e|body of e|limit",
      ])
  }

  /// Neither a long text nor a long list may fill the history.
  @Test func N15_rowsAndTextsAreBounded() throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(.replaceAll(app: 1, rows: (1...1_200).map { row($0, "n\($0)") }))
    bench.run(.cancelAll(app: 1, at: Self.time))
    #expect(bench.listed().isEmpty && bench.history().count == 1_000)
    bench.run(
      .schedule(row(1, "long", body: String(repeating: "é", count: 2_000)), ifAdded: .none),
      .cancelAll(app: 1, at: Self.time))
    let text = try #require(bench.history().last?.text)
    #expect(text == String(repeating: "é", count: 510) + "…")
  }
}
