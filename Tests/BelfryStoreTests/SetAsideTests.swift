import BelfryCore
import BelfrySystem
import Foundation
import Testing

@testable import BelfryStore

/// Books that were set aside are told of until somebody takes them away; a clean end leaves one file.
struct SetAsideTests {
  @Test func D8_whatWasSetAsideIsFoundUntilItIsTakenAway() throws {
    let bench = try BooksBench()
    bench.keeper.close()
    #expect(SetAsideBooks.beside(bench.path).isEmpty)
    try Data("log".utf8).write(to: URL(fileURLWithPath: bench.path + "-wal"))
    let aside = try SetAside.move(bench.path, now: .init(nanoseconds: 0))
    #expect(SetAsideBooks.beside(bench.path) == [aside])
    try FileManager.default.removeItem(atPath: aside)
    #expect(SetAsideBooks.beside(bench.path).isEmpty)
  }

  @Test func D8_afterACleanEndTheFileAloneIsWhole() throws {
    let bench = try BooksBench()
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
