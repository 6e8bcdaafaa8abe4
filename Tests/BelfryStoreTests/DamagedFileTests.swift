import BelfryCore
import BelfrySystem
import Foundation
import Testing

@testable import BelfryStore

/// A store that was set aside is told of until somebody takes it away; a clean end leaves one file.
struct SetAsideTests {
  @Test func D8_whatWasSetAsideIsFoundUntilItIsTakenAway() throws {
    let bench = try StoreBench()
    bench.keeper.close()
    #expect(DamagedFiles.beside(bench.path).isEmpty)
    try Data("log".utf8).write(to: URL(fileURLWithPath: bench.path + "-wal"))
    let aside = try DamagedFile.move(bench.path, now: .init(nanoseconds: 0))
    #expect(DamagedFiles.beside(bench.path) == [aside])
    try FileManager.default.removeItem(atPath: aside)
    #expect(DamagedFiles.beside(bench.path).isEmpty)
  }

  @Test func D8_afterACleanEndTheFileAloneIsWhole() throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(.replaceAll(app: 1, rows: (1...300).map { row($0, "n\($0)") }))
    bench.keeper.close()
    #expect(!FileManager.default.fileExists(atPath: bench.path + "-wal"))
    let copy = bench.path + "-copy"
    try FileManager.default.copyItem(atPath: bench.path, toPath: copy)
    let database = try Database(path: copy, vfs: nil)
    #expect(try database.integer("SELECT count(*) FROM notification") == 300)
    database.close()
  }
}
