import Testing

@testable import BelfryCore

/// The pending set alone, without a scheduler.
@Suite struct PendingSetTests {
  private static let start = Instant(nanoseconds: 1_000_000 * Nanoseconds.second)

  /// A set with a turn, and what a scheduler would do around them.
  private struct Bench {
    var pending = PendingSet()
    var turn = Turn(configuration: EngineConfiguration())
    private var lastSequence: Int64 = 0

    init() { at(0) }

    /// So many seconds after the start; what went out before is dropped.
    mutating func at(_ seconds: Double) {
      var commands: [EngineCommand] = []
      turn.end(returning: &commands)
      commands = []
      let elapsed = Int64(seconds * 1e9)
      turn.begin(
        now: ClockReading(real: PendingSetTests.start.advanced(by: elapsed), elapsed: elapsed),
        lending: &commands)
    }

    /// A one-shot that is due so many seconds after the start; nil: there is no slot.
    @discardableResult
    mutating func add(
      due seconds: Double, app: AppNumber = 1, traits: PendingTable.Traits = []
    ) -> StoredNotification? {
      guard let slot = pending.allot() else { return nil }
      lastSequence += 1
      let due = PendingSetTests.start.advanced(by: Int64(seconds * 1e9))
      let entry = PendingTable.Entry(
        app: app, generation: 0, anchor: due, unit: nil, traits: traits)
      let node = HeapNode(due: due, sequence: lastSequence, slot: slot)
      if pending.enter(entry, node, &turn) { pending.lookAhead.want(slot) }
      return StoredNotification(
        slot: slot, app: app, uuid: UUIDBits(high: 0, low: UInt64(slot)), generation: 0,
        sequence: lastSequence, anchor: due, firedThrough: -1, notification: Notification())
    }

    /// The store answers at once.
    mutating func load(_ rows: [StoredNotification]) -> [Slot] {
      pending.refillNear(&turn) { UInt32($0) }
      let slots = pending.takeToLoad(turn)
      pending.noteLoading(slots, 1)
      return pending.takeLoaded(rows, asked: slots, 1, turn)
    }

    mutating func prepareSlice() -> Int {
      let slice = pending.takeToPrepare(turn) { _ in false }
      for (row, node) in slice.entries {
        pending.notePrepared(
          row, as: OccurrenceID(uuid: row.uuid, generation: 0, k: Int64(node.order)))
      }
      return slice.entries.count
    }

    /// What is recorded since the last `at`.
    mutating func takeRecords() -> [StoreOperation] {
      var commands: [EngineCommand] = []
      turn.end(returning: &commands)
      return commands.compactMap {
        if case .store(_, let operation) = $0 { operation } else { nil }
      }
    }
  }

  @Test func D8_whatIsDueSoonIsLoadedAndTheRestIsNot() {
    var bench = Bench()
    let soon = bench.add(due: 30)!
    bench.add(due: 3600)
    let near = bench.pending.takeToLoad(bench.turn)
    #expect(near == [soon.slot])
    // Near is what comes within a minute, and the wake is for the next to come so near.
    let wake = bench.pending.nextWake(bench.turn) { _ in .max }
    #expect(wake.real == Self.start.advanced(by: 3540 * Nanoseconds.second))
    bench.at(3541)
    bench.pending.refillNear(&bench.turn) { UInt32($0) }
    let later = bench.pending.takeToLoad(bench.turn)
    #expect(later.count == 1)
  }

  @Test func D8_aDiskThatDoesNotAnswerIsAskedAgainLater() {
    var bench = Bench()
    let row = bench.add(due: 30)!
    let slots = bench.pending.takeToLoad(bench.turn)
    bench.pending.noteLoading(slots, 5)
    bench.pending.loadFailed(slots, 5, bench.turn)
    let early = bench.pending.takeToLoad(bench.turn)
    #expect(early.isEmpty)
    #expect(bench.pending.nextWake(bench.turn) { _ in .max }.elapsed == Nanoseconds.second)
    bench.at(1)
    let again = bench.pending.takeToLoad(bench.turn)
    #expect(again == [row.slot])
  }

  @Test func D8_whatTheStoreDoesNotKnowIsTold() {
    var bench = Bench()
    let known = bench.add(due: 30)!
    let lost = bench.add(due: 31)!
    let gone = bench.load([known])
    #expect(gone == [lost.slot])
    // An answer to an older question changes nothing.
    let older = bench.pending.takeLoaded([], asked: [known.slot], 0, bench.turn)
    #expect(older.isEmpty)
  }

  @Test func T10_A2_whatIsDueAtOnceIsPreparedInSlices() {
    var bench = Bench()
    var rows: [StoredNotification] = []
    for _ in 0..<1000 { rows.append(bench.add(due: 5)!) }
    let lost = bench.load(rows)
    #expect(lost.isEmpty)
    bench.at(4)
    var slices: [Int] = []
    repeat { slices.append(bench.prepareSlice()) } while bench.pending.preparation.isUnfinished
    #expect(slices.allSatisfy { $0 <= Preparation.sliceSize } && slices.reduce(0, +) == 1000)
    #expect(slices.count == (1000 + Preparation.sliceSize - 1) / Preparation.sliceSize)
    #expect(bench.pending.preparedCount == 1000)
    let more = bench.prepareSlice()
    #expect(more == 0)
  }

  @Test func T10_anUnfinishedSliceAsksForTheNextOneAtOnce() {
    var bench = Bench()
    var rows: [StoredNotification] = []
    for _ in 0..<100 { rows.append(bench.add(due: 5)!) }
    _ = bench.load(rows)
    bench.at(4)
    let first = bench.prepareSlice()
    #expect(first == Preparation.sliceSize)
    #expect(
      bench.pending.nextWake(bench.turn) { _ in .max }.elapsed == bench.turn.now.elapsed)
    let second = bench.prepareSlice()
    #expect(second == 100 - Preparation.sliceSize)
    let wake = bench.pending.nextWake(bench.turn) { _ in .max }
    #expect(wake.elapsed == nil && wake.real == Self.start.advanced(by: 5 * Nanoseconds.second))
  }

  @Test func D7_whatWasPreparedAndMovesHasItsIntentTakenBack() {
    var bench = Bench()
    let row = bench.add(due: 5)!
    _ = bench.load([row])
    bench.at(4)
    let count = bench.prepareSlice()
    #expect(count == 1)
    var node = bench.pending.node(of: row.slot)!
    node.due = node.due.advanced(by: 600 * Nanoseconds.second)
    bench.pending.move(node, &bench.turn)
    let records = bench.takeRecords()
    #expect(records.count == 1)
    if case .record(.withdrawIntent(let id, _))? = records.first {
      #expect(id.uuid == row.uuid)
    } else {
      Issue.record("no withdrawal")
    }
    #expect(bench.pending.details[row.slot].isEmpty)
  }

  @Test func T9_whatWasHeldIsRememberedUntilItFires() {
    var bench = Bench()
    let row = bench.add(due: 5)!
    _ = bench.load([row])
    bench.at(6)
    bench.pending.hold(row.slot, &bench.turn)
    #expect(bench.pending.table.held.nodes.count == 1)
    bench.pending.release(&bench.turn) { _ in true }
    #expect(bench.pending.table.held.nodes.count == 1)
    bench.pending.release(&bench.turn) { _ in false }
    #expect(bench.pending.table.held.isEmpty)
    let was = bench.pending.takeHeld(row.slot)
    let isStill = bench.pending.takeHeld(row.slot)
    #expect(was && !isStill)
  }

  @Test func leavingEmptiesTheSlot() {
    var bench = Bench()
    let row = bench.add(due: 30)!
    bench.pending.setElapsedDue(.notBefore(3), of: row.slot)
    bench.pending.setUnplanned(row.slot, firedThrough: 2)
    bench.pending.addSuspect(
      OccurrenceID(uuid: row.uuid, generation: 0, k: 0), of: row.slot)
    #expect(bench.pending.notBefore(of: row.slot) == 3)
    #expect(bench.pending[row.slot].traits.contains(.unplanned))
    _ = bench.pending.leave(row.slot)
    #expect(bench.pending.details.count == 0 && bench.pending.count == 0)
    bench.pending.giveBack(row.slot)
    let next = bench.pending.allot()
    #expect(next == row.slot)
  }

  @Test func T12_repeatsUnderAMinuteAreRecordedOnceAMinute() {
    var bench = Bench()
    let slot = bench.add(due: 30)!.slot
    let recorded = [0, 59, 60].map {
      bench.pending.takesRecord(of: slot, now: $0 * Nanoseconds.second)
    }
    #expect(recorded == [true, false, true])
  }

  @Test func T10_everyUserHasSomeOfTheirLateOnesAtHand() {
    var bench = Bench()
    for _ in 0..<40 { bench.add(due: -100, app: 1) }
    for _ in 0..<3 { bench.add(due: -50, app: 2) }
    bench.pending.refillNear(&bench.turn) { UInt32($0) }
    var counts: [AppNumber: Int] = [:]
    for node in bench.pending.table.near { counts[bench.pending[node.slot].app, default: 0] += 1 }
    #expect(counts == [1: LateShares.window, 2: 3])
    #expect(bench.pending.table.isSound)
  }

  @Test func T10_aUsersLateTurnsAreApart() {
    var turns = LateTurns()
    var bench = Bench()
    bench.at(1)
    turns.take(of: 7, bench.turn)
    #expect(turns.next(of: 7) == Nanoseconds.second + bench.turn.configuration.stagger)
    #expect(turns.next(of: 8) == .min)
  }
}
