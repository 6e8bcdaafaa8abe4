import BelfryCore
import Testing

@testable import BelfryStore

/// Operations on the scheduled list, each against store of its own.
struct ScheduledListTests {
  @Test func N1_anAddedRowIsReadBackWhole() throws {
    let bench = try StoreBench()
    bench.register()
    var stored = row(7, "a", unit: .day)
    stored.notification.userInfo = ["room": .array([.integer(1), .double(1), .boolean(true)])]
    #expect(bench.run(.schedule(stored, ifAdded: .none)) == [.scheduled(.added(discarded: nil))])
    #expect(bench.run(.find(app: 1, identifier: "a")) == [.found(stored)])
    #expect(bench.run(.find(app: 2, identifier: "a")) == [.found(nil)])
    #expect(bench.run(.load([7, 8])) == [.loaded([stored])])
    try bench.reopen()
    #expect(bench.pending == [summary(stored)])
    #expect(bench.listed() == [stored])
    #expect(try bench.integrity() == "ok")
  }

  @Test func N1_equalInAllFieldsIsUnchangedAndDoesNotReAnchor() throws {
    let bench = try StoreBench()
    let first = row(1, "a")
    var again = row(2, "a")
    again.anchor = first.anchor.advanced(by: 5)
    let outcomes = bench.run(.schedule(first, ifAdded: .none), .schedule(again, ifAdded: .refuse))
    #expect(outcomes[1] == .scheduled(.unchanged(summary(first), uuid: first.uuid)))
    #expect(bench.listed() == [first])
  }

  @Test func N1_replacingKeepsSlotAndUUIDAndCountsTheGeneration() throws {
    let bench = try StoreBench()
    let first = row(1, "a")
    bench.run(.schedule(first, ifAdded: .none))
    for round in 1...3 as ClosedRange<Int64> {
      var next = row(9, "a", body: "round \(round)", unit: .hour, at: 200 + round)
      next.sequence = 100 + round
      let outcome = bench.run(.schedule(next, ifAdded: .discard(1)))[0]
      var expected = next
      expected.slot = 1
      expected.uuid = first.uuid
      expected.generation = round
      #expect(bench.listed() == [expected])
      guard case .scheduled(.replaced(let previous, let uuid, let generation, _, _)) = outcome
      else {
        Issue.record("\(outcome)")
        return
      }
      #expect(previous.generation == round - 1)
      #expect(uuid == first.uuid)
      #expect(generation == round)
    }
    #expect(try bench.integrity() == "ok")
  }

  @Test func N17_theLimitTakesEffectOnlyOnAnAddition() throws {
    let bench = try StoreBench()
    bench.run(.schedule(row(1, "a"), ifAdded: .none), .schedule(row(2, "b"), ifAdded: .none))
    let outcomes = bench.run(
      .schedule(row(3, "c"), ifAdded: .discard(1)), .schedule(row(4, "d"), ifAdded: .discardNew),
      .schedule(row(5, "e"), ifAdded: .refuse), .schedule(row(6, "f"), ifAdded: .discard(99)))
    #expect(
      outcomes == [
        .scheduled(.added(discarded: "a")), .scheduled(.discardedNew), .scheduled(.refused),
        .scheduled(.added(discarded: nil)),
      ])
    #expect(bench.listed().map { $0.identifier } == ["b", "c", "f"])
  }

  @Test func N15_cancelByIdentifier() throws {
    let bench = try StoreBench()
    for slot in 1...4 as ClosedRange<Slot> {
      bench.run(.schedule(row(slot, "n\(slot)"), ifAdded: .none))
    }
    let outcome = bench.run(.cancel(app: 1, identifiers: ["n2", "none", "n4"]))
    let gone = [summary(row(2, "n2")), summary(row(4, "n4"))]
    #expect(outcome == [.cancelled(.init(rows: gone, identifiers: ["n2", "n4"]))])
    let nothing = bench.run(.cancel(app: 2, identifiers: ["n1"]))
    #expect(nothing == [.cancelled(.init(rows: [], shown: []))])
    #expect(bench.listed().map { $0.identifier } == ["n1", "n3"])
  }

  @Test func N15_cancelByValueTakesEveryEqualOne() throws {
    let bench = try StoreBench()
    bench.run(
      .schedule(row(1, "a", body: "same"), ifAdded: .none),
      .schedule(row(2, "b", body: "same"), ifAdded: .none),
      .schedule(row(3, "c", body: "other"), ifAdded: .none),
      .schedule(row(4, "d", body: "same", at: 101), ifAdded: .none),
      .schedule(row(5, "a", app: 2, body: "same"), ifAdded: .none))
    let draft = row(9, "whatever", body: "same").notification
    guard case .cancelled(let cancelled) = bench.run(.cancelEqual(app: 1, draft))[0] else {
      Issue.record("not cancelled")
      return
    }
    #expect(cancelled.rows.map { $0.slot } == [1, 2])
    #expect(bench.listed().map { $0.identifier } == ["c", "d"])
    #expect(bench.listed(2).count == 1)
  }

  @Test func N15_cancelAllStaysInItsApp() throws {
    let bench = try StoreBench()
    bench.run(
      .schedule(row(1, "a"), ifAdded: .none), .schedule(row(2, "b"), ifAdded: .none),
      .schedule(row(3, "a", app: 2), ifAdded: .none))
    guard case .cancelled(let cancelled) = bench.run(.cancelAll(app: 1))[0] else {
      Issue.record("not cancelled")
      return
    }
    #expect(cancelled.rows.map { $0.slot }.sorted() == [1, 2])
    #expect(bench.listed().isEmpty)
    #expect(bench.listed(2).count == 1)
  }

  @Test func N16_replacingTheListLeavesEqualOnesUntouched() throws {
    let bench = try StoreBench()
    let kept = row(1, "kept", unit: .day)
    bench.run(
      .change(.schedule(kept, ifAdded: .none)),
      .change(.schedule(row(2, "changed"), ifAdded: .none)),
      .change(.schedule(row(3, "gone"), ifAdded: .none)),
      .change(.schedule(row(4, "else", app: 2), ifAdded: .none)),
      .record(.skip(1, app: 1, generation: 0, firedThrough: 5)))
    let list = [row(10, "new"), row(11, "kept", unit: .day), row(12, "changed", body: "new body")]
    let outcome = bench.run(.replaceAll(app: 1, rows: list))[0]
    guard case .replacedAll(let answers, let cancelled) = outcome else {
      Issue.record("not replaced")
      return
    }
    var fired = summary(kept)
    fired.firedThrough = 5
    #expect(
      answers == [
        .added(discarded: nil), .unchanged(fired, uuid: kept.uuid),
        .replaced(
          previous: summary(row(2, "changed")), uuid: row(2, "").uuid, generation: 1, shown: []),
      ])
    #expect(cancelled.rows == [summary(row(3, "gone"))])
    #expect(bench.listed().map { $0.slot } == [1, 2, 10])
    #expect(bench.listed(2).count == 1)
  }

  @Test func N16_replacingAListByItselfChangesNothing() throws {
    let bench = try StoreBench()
    let list = (1...100 as ClosedRange<Slot>).map { row($0, "n\($0)", unit: .week) }
    bench.run(.replaceAll(app: 1, rows: list))
    let before = bench.opened.store.totalChanges
    let outcome = bench.run(.replaceAll(app: 1, rows: bench.listed()))[0]
    #expect(bench.opened.store.totalChanges == before)
    let same = list.map { StoreOutcome.Scheduled.unchanged(summary($0), uuid: $0.uuid) }
    #expect(outcome == .replacedAll(same, cancelled: .init(rows: [])))
  }

  @Test func N16_pagesInOrderOfSlotWhateverTheOrderOfNames() throws {
    let bench = try StoreBench()
    for slot in [5, 3, 9, 1, 7] as [Slot] {
      bench.run(
        .schedule(row(slot, "z\(10 - slot)"), ifAdded: .none),
        .schedule(row(slot + 100, "z\(slot)", app: 2), ifAdded: .none))
    }
    for apps in [nil, [1], [2], [1, 2], []] as [[AppNumber]?] {
      var seen: [Slot] = []
      var cursor: Int64? = 0
      while let after = cursor {
        let outcome = bench.run(.list(apps: apps, cursor: after, limit: 2))[0]
        guard case .listed(let rows, let next) = outcome else { break }
        #expect(rows.count <= 2)
        seen += rows.map { $0.slot }
        cursor = next
      }
      var wanted: [Slot] = apps?.contains(1) == false ? [] : [1, 3, 5, 7, 9]
      if apps?.contains(2) != false { wanted += [101, 103, 105, 107, 109] }
      if apps?.isEmpty == true { wanted = [] }
      #expect(seen == wanted)
    }
  }

  @Test func anOperationThatCannotBeDoneFailsAlone() throws {
    let bench = try StoreBench()
    bench.run(.schedule(row(1, "a"), ifAdded: .none))
    // Slot 1 is taken: the scheduler would never do this; the discard before it is undone.
    let outcomes = bench.run(
      .schedule(row(2, "b"), ifAdded: .none), .schedule(row(2, "c"), ifAdded: .discard(1)),
      .schedule(row(3, "d"), ifAdded: .none))
    #expect(outcomes.count == 3)
    #expect(outcomes[0] == .scheduled(.added(discarded: nil)))
    guard case .failed = outcomes[1] else {
      Issue.record("\(outcomes[1])")
      return
    }
    #expect(outcomes[2] == .scheduled(.added(discarded: nil)))
    #expect(bench.listed().map { $0.identifier } == ["a", "b", "d"])
  }
}

func summary(_ row: StoredNotification) -> PendingSummary {
  var summary = PendingSummary(
    slot: row.slot, app: row.app, generation: row.generation, sequence: row.sequence,
    anchor: row.anchor, unit: row.notification.repeatInterval, firedThrough: row.firedThrough)
  summary.plan = row.plan
  summary.side = row.side
  summary.tolerance = row.notification.tolerance
  return summary
}
