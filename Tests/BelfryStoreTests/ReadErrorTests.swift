import BelfryCore
import CFaultVFS
import Testing

@testable import BelfryStore

extension FaultTests {
  /// A device that does not give a page for a while has lost nothing.
  @Test func D8_anErrorOnReadingDropsNothing() throws {
    try Faults.alone {
      let bench = try StoreBench(vfs: "fault")
      bench.register()
      let count: Slot = 3000
      bench.run(.replaceAll(app: 1, rows: (1...count).map { row($0, "n\($0)") }))
      bench.keeper.tidy(idle: true)
      // So that the first rows are in no cache.
      bench.run(.load(Array(count - 500...count)))
      cfault_fail_reads(1)
      guard case .loadedPartly(_, let unread)? = bench.run(.load([1, 2])).first else {
        Issue.record("the rows are taken for gone")
        return
      }
      #expect(unread == [1, 2])
      #expect(bench.log.contains("row 1 of the scheduled list cannot be read now"))
      #expect(bench.log.contains("I/O error"))
      bench.run(.finish(3, app: 1, generation: 0))
      #expect(bench.keeper.isHolding)
      cfault_fail_reads(0)
      #expect(bench.run(.load([1, 2])) == [.loaded([row(1, "n1"), row(2, "n2")])])
      bench.keeper.retry()
      #expect(!bench.keeper.isHolding)
      #expect(bench.log.contains("nothing was lost"))
      #expect(!bench.log.contains("dropped"))
      #expect(try bench.files().allSatisfy { !$0.contains("damaged") })
      try bench.reopen()
      #expect(bench.pending.map { $0.slot } == [1, 2] + Array(4...count))
    }
  }
}
