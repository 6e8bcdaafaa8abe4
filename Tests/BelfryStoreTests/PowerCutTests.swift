import BelfryCore
import CFaultVFS
import Foundation
import TestSupport
import Testing

@testable import BelfryStore

/// Power that goes while the store is at work.
struct PowerCutTests {
  /// A run of schedules on a disk that loses power at one step, and what is there afterwards.
  struct PowerCut {
    static let rows: Slot = 200
    /// BELFRY_CUTS=n: at every n-th step of a run, from one of the first n, which a seed chooses.
    static let every =
      ProcessInfo.processInfo.environment["BELFRY_CUTS"].flatMap { Int64($0) } ?? 1

    /// The steps at which the power is cut.
    static func places(upTo steps: Int64) -> StrideThrough<Int64> {
      stride(from: Int64(TestSeed.here() % UInt64(every)) + 1, through: steps, by: Int(every))
    }

    /// Steps of a whole run, so that a cut can be placed at each.
    static func steps() throws -> Int64 {
      cfault_reset(1)
      let bench = try StoreBench(vfs: "fault")
      _ = run(bench)
      bench.keeper.close()
      return cfault_steps()
    }

    /// Schedules one at a time and in groups, cancels and fires some; answers what was acknowledged.
    static func run(_ bench: StoreBench) -> Ledger {
      var ledger = Ledger()
      var slot: Slot = 1
      // What is asked of a disk without power is refused; three groups of it show that.
      var refused = 0
      while slot <= rows, refused < 3 {
        if cfault_is_off() == 1 { refused += 1 }
        let count: Slot = slot % 40 < 20 ? 1 : 10
        let group = (slot..<min(rows + 1, slot + count)).map { row($0, "n\($0)") }
        let answers = bench.keeper.carryOut(
          group.map {
            .init(ticket: StoreTicket($0.slot), operation: .change(.schedule($0, ifAdded: .none)))
          }
        )
        for (row, answer) in zip(group, answers) {
          ledger.asked[row.identifier] = row
          if answer.outcome == .scheduled(.added(discarded: nil)) {
            ledger.acknowledged.insert(row.identifier)
          }
        }
        if slot % 40 == 5 { ledger.cancel("n\(slot - 1)", bench) }
        if slot % 40 == 6 { ledger.fire(row(slot - 1, "n\(slot - 1)"), bench) }
        if slot == 100 { try? bench.opened.store.checkpoint() }
        slot += count
      }
      return ledger
    }

    /// What a client knows when the power goes.
    struct Ledger {
      var asked: [String: StoredNotification] = [:]
      var acknowledged: Set<String> = []
      /// May be there or not: their removal was asked for, or recorded.
      var doubtful: Set<String> = []

      mutating func cancel(_ identifier: String, _ bench: StoreBench) {
        let outcome = bench.run(.cancel(app: 1, identifiers: [identifier]))[0]
        acknowledged.remove(identifier)
        if case .failed = outcome { doubtful.insert(identifier) } else { asked[identifier] = nil }
      }

      mutating func fire(_ row: StoredNotification, _ bench: StoreBench) {
        bench.run(.fired(row.occurrence(), app: 1, slot: row.slot, sinks: ["screen"]))
        acknowledged.remove(row.identifier)
        doubtful.insert(row.identifier)
      }
    }
  }

  /// At every write and every sync: the file opens, every acknowledged schedule is in it whole, no
  /// cancelled one came back, and SQLite finds nothing wrong.
  @Test(
    arguments: [CFAULT_SURVIVES_NOTHING, CFAULT_SURVIVES_TORN, CFAULT_SURVIVES_SOME],
    // Each fourth step, so that no processor waits long for the last.
    0..<4 as Range<Int64>)
  func D7_aPowerCutAtAnyStepLosesNoAcknowledgedSchedule(survivors: Int, part: Int64) throws {
    try Faults.apart {
      let steps = try PowerCut.steps()
      let seed = UInt32(truncatingIfNeeded: TestSeed.here())
      var cuts = 0
      for (number, step) in PowerCut.places(upTo: steps).enumerated()
      where Int64(number) % 4 == part {
        cfault_reset(1)
        cfault_power_off_at(step, Int32(survivors), seed &+ UInt32(step))
        guard let bench = try? StoreBench(vfs: "fault") else {
          cfault_reset(0)
          continue
        }
        let ledger = PowerCut.run(bench)
        bench.keeper.close()
        #expect(cfault_is_off() == 1)
        cuts += 1
        cfault_reset(1)
        try bench.openAgain()
        let found = bench.listed()
        let names = Set(found.map { $0.identifier })
        let place: Comment = "cut at step \(step) of \(steps), seed \(seed)"
        #expect(bench.opened.warnings.isEmpty, place)
        #expect(ledger.acknowledged.subtracting(names).isEmpty, place)
        #expect(names.isSubset(of: Set(ledger.asked.keys)), place)
        #expect(found.allSatisfy { $0 == ledger.asked[$0.identifier] }, place)
        let verdict = try bench.opened.store.database.text("PRAGMA integrity_check")
        #expect(verdict == "ok", place)
        bench.keeper.close()
      }
      #expect(cuts > 100 / PowerCut.every - 1)
    }
  }

  /// A cut while the file is being made leaves something that opens, with nothing in it.
  @Test(arguments: [CFAULT_SURVIVES_NOTHING, CFAULT_SURVIVES_TORN, CFAULT_SURVIVES_SOME])
  func D7_aPowerCutWhileTheBooksAreMadeLeavesSomethingThatOpens(survivors: Int) throws {
    try Faults.apart {
      cfault_reset(1)
      let whole = try StoreBench(vfs: "fault")
      let steps = cfault_steps()
      whole.keeper.close()
      for step in PowerCut.places(upTo: steps) {
        for seed in 1...4 as ClosedRange<UInt32> {
          cfault_reset(1)
          cfault_power_off_at(step, Int32(survivors), seed)
          // Nothing can be written on the fault VFS any more; the second opening is on the ordinary one.
          let bench = try StoreBench({ path in
            var options = StoreOptions(now: StoreBench.start)
            options.vfs = "fault"
            let opened = try? Store.open(
              path: path, options: options, forget: {}, pending: { _ in })
            #expect(opened?.warnings.isEmpty != true)
            opened?.store.close()
            cfault_reset(0)
          })
          #expect(bench.opened.warnings.isEmpty, "step \(step) of \(steps), seed \(seed)")
          bench.run(.schedule(row(1, "a"), ifAdded: .none))
          #expect(bench.listed().count == 1)
          #expect(try bench.integrity() == "ok")
        }
      }
    }
  }
}
