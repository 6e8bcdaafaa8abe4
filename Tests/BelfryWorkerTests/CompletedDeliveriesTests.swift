import BelfryCore
import BelfrySystem
import Testing

@testable import BelfryWorker

@Suite struct CompletedDeliveriesTests {
  private func id(_ k: Int64) -> OccurrenceID {
    OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 3, k: k)
  }

  @Test func D7_theNewestAreKeptAcrossOpenings() throws {
    let path = try Fixtures.scratch() + "/completed"
    let count = Int64(CompletedDeliveries.capacity + 100)
    var completed = try CompletedDeliveries(path: path)
    for k in 0..<count {
      if k % 500 == 0 { completed = try CompletedDeliveries(path: path) }
      try completed.insert(id(k), entered: Instant(nanoseconds: k))
    }
    for reader in [completed, try CompletedDeliveries(path: path)] {
      #expect(reader.entered(id(99)) == nil)
      #expect((100..<count).allSatisfy { reader.entered(id($0))?.nanoseconds == $0 })
    }
    #expect(try Files.status(path).size == Int64(CompletedDeliveries.capacity * 64))
  }

  @Test func D7_aTornOrForeignFileLosesOnlyWhatIsTorn() throws {
    let path = try Fixtures.scratch() + "/completed"
    let completed = try CompletedDeliveries(path: path)
    for k in 0..<10 { try completed.insert(id(Int64(k)), entered: .distantPast) }
    var bytes = try Files.read(path, limit: 1 << 20)
    bytes[5 * 64 + 20] ^= 1
    try Files.write(Array(bytes.dropLast(10)), to: path)
    let read = try CompletedDeliveries(path: path)
    // Record n stands at place n; the first has number 1.
    let kept = (0..<10).filter { read.entered(id(Int64($0))) != nil }
    #expect(kept == [0, 1, 2, 3, 5, 6, 7, 8])
  }

  @Test func theStoreKeepsKeysAcrossOpenings() throws {
    let path = try Fixtures.scratch() + "/store"
    var store = PluginStore(path: path)
    try store.set([1], to: [0, 1, 2])
    try store.set([2], to: [])
    try store.set([1], to: [9])
    try store.set([3], to: [3])
    try store.set([3], to: nil)
    let read = PluginStore(path: path)
    #expect(read.value([1])?.bytes(limit: 10) == [9])
    #expect(read.value([2])?.bytes(limit: 10) == [])
    #expect(read.value([3]) == nil)
  }

  @Test func A2_theStoreHasALimit() throws {
    var store = PluginStore(path: try Fixtures.scratch() + "/store")
    #expect(throws: PluginStore.Refusal.self) {
      try store.set([1], to: [UInt8](repeating: 0, count: 64 * 1024))
    }
    #expect(throws: PluginStore.Refusal.self) { try store.set([], to: [1]) }
    #expect(throws: PluginStore.Refusal.self) {
      try store.set([UInt8](repeating: 1, count: 129), to: [1])
    }
    #expect(store.value([1]) == nil)
  }
}
