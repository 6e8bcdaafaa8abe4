import BelfryCore
import CFaultVFS
import Foundation
import Testing

@testable import BelfryStore

/// A store on a disk that cannot be written when it is opened (D8).
extension FaultTests {
  /// A store of version 1, so that opening it has to write.
  private static func old(_ path: String) throws {
    let database = try Database(path: path, vfs: nil)
    try database.execute(MigrationTests.version1)
    database.close()
  }

  @Test(arguments: [
    (CFAULT_FULL, "full"), (CFAULT_READ_ONLY, "read-only"), (CFAULT_INPUT_OUTPUT, "I/O error"),
  ])
  func D8_booksThatCannotBeWrittenAreReadUntilTheyCan(fault: Int, word: String) throws {
    try Faults.alone {
      let bench = try StoreBench(
        { path in
          try Self.old(path)
          cfault_set_fault(Int32(fault))
        }, vfs: "fault")
      #expect(bench.pending.map { $0.slot } == [1, 7])
      #expect(bench.opened.apps.map { $0.name } == ["kiosk"])
      #expect(bench.opened.warnings.count == 1)
      #expect(bench.opened.warnings[0].contains(word))
      let refused = bench.run(.schedule(row(9, "new"), ifAdded: .none))
      guard case .failed(let reason)? = refused.first else {
        Issue.record("it was not refused")
        return
      }
      #expect(reason.contains(word))
      // What rings is held in memory, and what stands there can be read.
      bench.run(.skip(7, app: 1, generation: 2, firedThrough: 42))
      #expect(bench.keeper.isHolding)
      #expect(bench.listed().map { $0.identifier } == ["once", "hourly"])
      cfault_set_fault(Int32(CFAULT_NONE))
      bench.keeper.retry()
      #expect(bench.log.contains("written again: nothing was lost"))
      #expect(bench.run(.schedule(row(9, "new"), ifAdded: .none)).count == 1)
      try bench.reopen()
      #expect(bench.opened.warnings.isEmpty)
      #expect(bench.pending.map { $0.slot } == [1, 7, 9])
      #expect(bench.pending[1].firedThrough == 42)
      #expect(try bench.integrity() == "ok")
    }
  }

  @Test func D8_withoutBooksTheDiskIsTriedAgainForFreshOnes() throws {
    try Faults.alone {
      let bench = try StoreBench({ _ in cfault_set_fault(Int32(CFAULT_FULL)) }, vfs: "fault")
      #expect(bench.pending.isEmpty)
      #expect(bench.opened.warnings.count == 1)
      guard case .failed? = bench.run(.schedule(row(1, "a"), ifAdded: .none)).first else {
        Issue.record("it was not refused")
        return
      }
      cfault_set_fault(Int32(CFAULT_NONE))
      bench.register()
      bench.run(.schedule(row(1, "a"), ifAdded: .none))
      try bench.reopen()
      #expect(bench.pending.map { $0.slot } == [1])
    }
  }

  @Test func D8_damagedBooksThatCannotBeMendedAreReadFromMemory() throws {
    try Faults.alone {
      let bench = try StoreBench(
        { path in
          try Self.old(path)
          try Data().write(to: URL(fileURLWithPath: IntegrityMark.mark(of: path)))
          let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
          let size = try file.seekToEnd()
          // The history's index is the last that was made.
          try file.seek(toOffset: size - 1024)
          try file.write(contentsOf: [UInt8](repeating: 0xEE, count: 1024))
          try file.close()
          cfault_set_fault(Int32(CFAULT_FULL))
        }, vfs: "fault")
      #expect(bench.pending.map { $0.slot } == [1, 7])
      #expect(bench.opened.warnings.count == 1)
      #expect(bench.opened.warnings[0].contains("damaged"))
      #expect(bench.opened.warnings[0].contains("full"))
      // Beside the damaged ones, as soon as they can be written: those are never written over.
      cfault_set_fault(Int32(CFAULT_NONE))
      let answer = bench.run(.schedule(row(9, "new"), ifAdded: .none)).first
      #expect(answer == .scheduled(.added(discarded: nil)))
      #expect(bench.log.contains("the damaged ones are"))
      bench.keeper.close()
      #expect(try bench.files().contains { $0.contains("damaged") })
      try bench.openAgain()
      #expect(bench.opened.warnings.isEmpty)
      #expect(bench.pending.map { $0.slot } == [1, 7, 9])
    }
  }
}
