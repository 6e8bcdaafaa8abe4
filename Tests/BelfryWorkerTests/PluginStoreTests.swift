import BelfryCore
import BelfrySystem
import Testing

@testable import BelfryWorker

@Suite struct PluginStoreTests {
  @Test func theStoreKeepsKeysAcrossOpenings() throws {
    let folder = try RunFolder("run", in: try Fixtures.scratch())
    var store = PluginStore(in: folder)
    try store.set([1], to: [0, 1, 2])
    try store.set([2], to: [])
    try store.set([1], to: [9])
    try store.set([3], to: [3])
    try store.set([3], to: nil)
    let read = PluginStore(in: folder)
    #expect(read.value([1])?.bytes(limit: 10) == [9])
    #expect(read.value([2])?.bytes(limit: 10) == [])
    #expect(read.value([3]) == nil)
  }

  @Test func A2_theStoreHasALimit() throws {
    var store = PluginStore(in: try RunFolder("run", in: try Fixtures.scratch()))
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
