import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// What is cancelled by value is found by its digest (N15, A2).
@Suite struct ByValueTests {
  private static func large(_ slot: Slot) -> StoredNotification {
    row(slot, "n\(slot)", body: String(repeating: "x", count: 16_000) + "\(slot)")
  }

  private func cancelled(_ bench: StoreBench, _ value: StoredNotification) -> [String]? {
    guard
      case .cancelled(let cancelled)? = bench.run(
        .cancelEqual(app: 1, value.notification)
      ).first
    else { return nil }
    return cancelled.identifiers
  }

  /// How many pages it looks at.
  private func pages(_ bench: StoreBench, _ work: () -> Void) -> Int64 {
    let before = bench.opened.store.database.pagesRead
    work()
    return bench.opened.store.database.pagesRead - before
  }

  @Test func A2_N15_byValueNoOtherRowIsRead() throws {
    let bench = try StoreBench()
    bench.register()
    for slot in 1...200 as ClosedRange<Slot> {
      bench.run(.schedule(Self.large(slot), ifAdded: .none))
    }
    let nothing = pages(bench) { #expect(cancelled(bench, Self.large(201)) == []) }
    #expect(nothing < 30)
    // One is read to be compared, and deleted with its pages.
    let one = pages(bench) { #expect(cancelled(bench, Self.large(7)) == ["n7"]) }
    #expect(one < 200)
    #expect(try bench.opened.store.database.integer("SELECT count(*) FROM notification") == 199)
  }

  @Test func A2_N15_byValueNothingElseThatIsShownIsRead() throws {
    let bench = try StoreBench()
    bench.register()
    for slot in 1...100 as ClosedRange<Slot> {
      let shown = Self.large(slot)
      bench.run(.schedule(shown, ifAdded: .none))
      bench.run(
        .fired(shown.occurrence(), app: 1, slot: slot, sinks: ["one"]),
        .settle(shown.settled("one"), app: 1, shown: true, replaces: [], closes: true))
    }
    let nothing = pages(bench) { #expect(cancelled(bench, Self.large(101)) == []) }
    #expect(nothing < 40)
    bench.run(.cancelEqual(app: 1, Self.large(7).notification))
    let shown = "SELECT count(*) FROM history WHERE shown"
    #expect(try bench.opened.store.database.integer(shown) == 99)
    #expect(bench.history().filter { $0.state == .withdrawn }.map { $0.identifier } == ["n7"])
  }

  @Test func N15_everyEqualOneGoesAlsoAfterAnEditAndAStart() throws {
    let bench = try StoreBench()
    bench.register()
    for slot in 1...4 as ClosedRange<Slot> {
      bench.run(.schedule(row(slot, "n\(slot)", body: "same"), ifAdded: .none))
    }
    bench.run(.schedule(row(5, "n2", body: "other"), ifAdded: .none))
    bench.run(.schedule(row(5, "n5", body: "else"), ifAdded: .none))
    bench.run(.schedule(row(6, "n5", body: "same"), ifAdded: .none))
    try bench.reopen()
    #expect(cancelled(bench, row(1, "n1", body: "same")) == ["n1", "n3", "n4", "n5"])
    #expect(bench.listed().map { $0.identifier } == ["n2"])
  }

  /// An equal digest is no equal notification.
  @Test func N15_anEqualDigestIsComparedWhole() throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(.schedule(row(1, "a"), ifAdded: .none), .schedule(row(2, "b"), ifAdded: .none))
    let digest = Content.digest(Content.encode(row(2, "b").notification))
    try bench.opened.store.database.execute("UPDATE notification SET digest = \(digest)")
    #expect(cancelled(bench, row(2, "b")) == ["b"])
    #expect(bench.listed().map { $0.identifier } == ["a"])
  }

  /// What an older version wrote has none: it is given one when it is first looked for.
  @Test func N15_rowsOfAnOlderVersionAreFoundByValue() throws {
    let bench = try StoreBench()
    bench.register()
    let shown = row(3, "c", body: "same")
    bench.run(
      .schedule(row(1, "a", body: "same"), ifAdded: .none),
      .schedule(row(2, "b"), ifAdded: .none), .schedule(shown, ifAdded: .none))
    bench.run(
      .fired(shown.occurrence(), app: 1, slot: 3, sinks: ["one"]),
      .settle(shown.settled("one"), app: 1, shown: true, replaces: [], closes: true))
    try bench.opened.store.database.execute(
      "UPDATE notification SET digest = NULL; UPDATE history SET digest = NULL")
    #expect(cancelled(bench, row(1, "a", body: "same")) == ["a"])
    #expect(bench.shown().isEmpty)
    let missing = "SELECT count(*) FROM notification WHERE digest IS NULL"
    #expect(try bench.opened.store.database.integer(missing) == 0)
    #expect(try bench.integrity() == "ok")
  }
}
