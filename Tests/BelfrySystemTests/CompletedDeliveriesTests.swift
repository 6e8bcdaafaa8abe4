import BelfryCore
import BelfrySystem
import TestSupport
import Testing

@Suite struct CompletedDeliveriesTests {
  private func id(_ k: Int64) -> OccurrenceID {
    OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 3, k: k)
  }

  @Test func D7_theNewestAreKeptAcrossOpenings() throws {
    let scratch = try Scratch()
    let folder = try RunFolder("run", in: scratch.path)
    let count = Int64(CompletedDeliveries.capacity + 100)
    var completed = try CompletedDeliveries(in: folder)
    for k in 0..<count {
      if k % 500 == 0 { completed = try CompletedDeliveries(in: folder) }
      try completed.insert(id(k), entered: Instant(nanoseconds: k))
    }
    for reader in [completed, try CompletedDeliveries(in: folder)] {
      #expect(reader.entered(id(99)) == nil)
      #expect((100..<count).allSatisfy { reader.entered(id($0))?.nanoseconds == $0 })
    }
    #expect(
      try Files.status(folder.path + "/completed").size == Int64(CompletedDeliveries.capacity * 64))
  }

  @Test func D7_anAttemptIsNeverCountedTwice() throws {
    let scratch = try Scratch()
    let folder = try RunFolder("run", in: scratch.path)
    let entered = try EnteredDeliveries(in: folder)
    #expect(entered.begin(id(1), told: 1) == 1)
    #expect(entered.begin(id(1), told: 2) == 2)
    #expect(entered.begin(id(2), told: 1) == 1)
    // After a kill, when the clock begins to count anew.
    let later = try EnteredDeliveries(in: folder)
    #expect(later.begin(id(1), told: 1) == 3)
    #expect(later.begin(id(2), told: 1) == 2)
    #expect(later.begin(id(2), told: 7) == 7)
    #expect(later.begin(id(3), told: 1) == 1)
    // Those that are long over make room.
    for k in 10..<10 + Int64(EnteredDeliveries.capacity) {
      #expect(later.begin(id(k), told: 1) == 1)
    }
    #expect(later.begin(id(1), told: 1) == 1)
    // One that comes again and again is never among them.
    for k in 1000..<1000 + Int64(EnteredDeliveries.capacity) {
      let attempt = Int32(k - 1000) + 2
      #expect(later.begin(id(1), told: 1) == attempt)
      #expect(later.begin(id(k), told: 1) == 1)
    }
    let last = Int32(EnteredDeliveries.capacity) + 2
    #expect(try EnteredDeliveries(in: folder).begin(id(1), told: 1) == last)
    // Without a folder it is remembered as long as the worker lives.
    let alone = try EnteredDeliveries(in: nil)
    #expect(alone.begin(id(1), told: 1) == 1)
    #expect(alone.begin(id(1), told: 1) == 2)
  }

  @Test func D7_aTornOrForeignFileLosesOnlyWhatIsTorn() throws {
    let scratch = try Scratch()
    let folder = try RunFolder("run", in: scratch.path)
    let path = folder.path + "/completed"
    let completed = try CompletedDeliveries(in: folder)
    for k in 0..<10 { try completed.insert(id(Int64(k)), entered: .distantPast) }
    var bytes = try Files.read(path, limit: 1 << 20)
    bytes[5 * 64 + 20] ^= 1
    try Files.write(Array(bytes.dropLast(10)), to: path)
    let read = try CompletedDeliveries(in: folder)
    // Record n stands at place n; the first has number 1.
    let kept = (0..<10).filter { read.entered(id(Int64($0))) != nil }
    #expect(kept == [0, 1, 2, 3, 5, 6, 7, 8])
  }
}
