import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// A store that is removed, renamed or replaced while it is open.
struct PlaceTests {
  private func filled(_ count: Slot = 50) throws -> StoreBench {
    let bench = try StoreBench()
    bench.register()
    bench.run(.replaceAll(app: 1, rows: (1...count).map { row($0, "n\($0)") }))
    return bench
  }

  /// What a start finds that knows nothing of this process: a copy of the folder.
  private func afterAKill(_ bench: StoreBench) throws -> (slots: [Slot], warnings: [String]) {
    let copy = NSTemporaryDirectory() + "belfry-store-" + UUID().uuidString
    try FileManager.default.copyItem(atPath: bench.folder, toPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    var slots: [Slot] = []
    let opened = try Store.open(
      path: copy + "/books.sqlite", options: bench.options, forget: { slots = [] },
      pending: { slots.append($0.slot) })
    opened.store.close()
    return (slots, opened.warnings)
  }

  @Test(arguments: [["", "-wal"], [""], ["-wal"]])
  func D8_whatIsRemovedIsWrittenAnewBeforeTheNextAnswer(suffixes: [String]) throws {
    let bench = try filled()
    for suffix in suffixes { try FileManager.default.removeItem(atPath: bench.path + suffix) }
    let answer = bench.run(.schedule(row(51, "new"), ifAdded: .none))
    #expect(answer == [.scheduled(.added(discarded: nil))])
    let found = try afterAKill(bench)
    #expect(found.slots == Array(1...51))
    #expect(found.warnings.isEmpty)
    #expect(bench.log.lines.filter { $0.contains("under belfryd") }.count == 1)
    bench.run(.schedule(row(52, "newer"), ifAdded: .none))
    #expect(try afterAKill(bench).slots == Array(1...52))
    #expect(bench.log.lines.count == 1)
    #expect(try bench.integrity() == "ok")
  }

  @Test func D8_aFileThatTookTheirPlaceIsKeptBeside() throws {
    let bench = try filled()
    try FileManager.default.moveItem(atPath: bench.path, toPath: bench.folder + "/elsewhere")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: bench.path))
    bench.run(.schedule(row(51, "new"), ifAdded: .none))
    #expect(try afterAKill(bench).slots == Array(1...51))
    let other = try bench.files().filter { $0.hasPrefix("books.sqlite.replaced-") }
    let contents = try other.map {
      try Data(contentsOf: URL(fileURLWithPath: bench.folder + "/" + $0))
    }
    #expect(contents.contains(Data("mine".utf8)))
  }

  @Test func D8_withoutTheirFolderNothingIsAcknowledgedAndNothingIsLost() throws {
    let bench = try filled()
    let away = bench.folder + "-away"
    try FileManager.default.moveItem(atPath: bench.folder, toPath: away)
    try FileManager.default.removeItem(atPath: away)
    let answer = bench.run(.schedule(row(51, "refused"), ifAdded: .none))
    guard case .failed(let reason)? = answer.first else {
      Issue.record("it was acknowledged: \(answer)")
      return
    }
    #expect(reason.contains("removed or replaced"))
    // What they held can still be read, and records are kept.
    #expect(bench.run(.load([1])) == [.loaded([row(1, "n1")])])
    bench.run(.finish(2, generation: 0))
    #expect(bench.keeper.isHolding)
    try FileManager.default.createDirectory(atPath: bench.folder, withIntermediateDirectories: true)
    bench.keeper.retry()
    #expect(!bench.keeper.isHolding)
    #expect(try afterAKill(bench).slots == [1] + Array(3...50))
    #expect(bench.log.contains("nothing was lost"))
  }

  /// A kill between the renames.
  @Test func D8_aWholeCopyGoesBeforeWhatStandsInItsPlace() throws {
    let bench = try filled()
    bench.keeper.close()
    try FileManager.default.moveItem(atPath: bench.path, toPath: bench.path + "-whole")
    try Data("other".utf8).write(to: URL(fileURLWithPath: bench.path))
    try Data("half".utf8).write(to: URL(fileURLWithPath: bench.path + "-partial"))
    try bench.openAgain()
    #expect(bench.pending.count == 50)
    #expect(try !bench.files().contains { $0.hasSuffix("-partial") || $0.hasSuffix("-whole") })
  }
}
