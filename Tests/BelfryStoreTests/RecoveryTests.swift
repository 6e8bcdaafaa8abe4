import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// What is saved of a damaged store.
struct SalvageTests {
  /// Closed store with every kind of row: 200 pending of two apps, 60 open occurrences, 100 rows of
  /// history, a clock.
  private func filled() throws -> StoreBench {
    let bench = try StoreBench()
    bench.register(1, "kiosk")
    bench.register(2, "user.1007")
    for slot in 1...200 as ClosedRange<Slot> {
      bench.run(.schedule(row(slot, "n\(slot)", app: 1 + slot % 2), ifAdded: .none))
    }
    for slot in 1...60 as ClosedRange<Slot> {
      bench.run(.intend(row(slot, "n\(slot)").occurrence(), app: 1 + slot % 2, slot: slot))
    }
    for k in 0..<100 as Range<Int64> {
      let settled = row(201, "gone").settled("screen", k: k)
      bench.run(.settle(settled, app: 1, shown: false, replaces: [], closes: true))
    }
    bench.run(.noteClock(boot: 7, ClockReading(real: StoreBench.start, elapsed: 99)))
    bench.keeper.close()
    return bench
  }

  private func pages(
    _ bench: StoreBench, _ name: String, _ kind: String = "leaf"
  ) throws -> [Int64] {
    let database = try Database(path: bench.path, vfs: nil)
    defer { database.close() }
    var pages: [Int64] = []
    let rows = try database.prepare(
      "SELECT pageno FROM dbstat WHERE name = '\(name)' AND pagetype = '\(kind)' ORDER BY path")
    while try rows.step() { pages.append(rows.integer(0)) }
    return pages
  }

  private func spoil(_ bench: StoreBench, _ pages: [Int64]) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: bench.path))
    for page in pages {
      try file.seek(toOffset: UInt64(page - 1) * 1024)
      try file.write(contentsOf: [UInt8](repeating: 0xEE, count: 1024))
    }
    try file.close()
    try Data().write(to: URL(fileURLWithPath: IntegrityMark.mark(of: bench.path)))
  }

  /// Rows that stand on a page, as SQLite's own reader finds them before the damage.
  private func identifiers(_ bench: StoreBench) -> Set<String> {
    Set((bench.listed(1) + bench.listed(2)).map { $0.identifier })
  }

  @Test(arguments: ["notification", "occurrence", "history"])
  func D8_aLeafTakesOnlyItsOwnRows(table: String) throws {
    let bench = try filled()
    let leaves = try pages(bench, table)
    #expect(leaves.count > 4)
    try spoil(bench, [leaves[leaves.count / 2]])
    try bench.openAgain()
    let warning = try #require(bench.opened.warnings.first)
    let counts = [
      table == "notification" ? 180...199 : 200...200, table == "occurrence" ? 50...59 : 60...60,
      table == "history" ? 80...99 : 100...100,
    ]
    #expect(counts[0].contains(bench.pending.count))
    #expect(counts[1].contains(bench.opened.occurrences.count))
    #expect(counts[2].contains(bench.history().count))
    let words = """
      with \(bench.pending.count) scheduled notifications, \(bench.opened.occurrences.count) \
      deliveries under way and \(bench.history().count) rows of history
      """
    #expect(warning.contains(words), "\(warning)")
    #expect(bench.opened.lastTime.boot == 7)
    #expect(try bench.integrity() == "ok")
  }

  @Test func D8_severalLeavesTakeOnlyTheirOwnRows() throws {
    let bench = try filled()
    let leaves = try pages(bench, "notification")
    // The first, the last, and two neighbours.
    try spoil(bench, [leaves[0], leaves[10], leaves[11], leaves[leaves.count - 1]])
    try bench.openAgain()
    let perLeaf = 200 / leaves.count + 1
    #expect((200 - 4 * 2 * perLeaf..<200).contains(bench.pending.count))
    // Whole rows, as they were.
    for saved in bench.listed(1) {
      #expect(saved == row(saved.slot, "n\(saved.slot)", app: 1))
    }
  }

  @Test func D8_aBranchTakesNothingWithIt() throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(.replaceAll(app: 1, rows: (1...3000).map { row($0, "n\($0)") }))
    bench.keeper.close()
    let branches = try pages(bench, "notification", "internal")
    #expect(branches.count > 3)
    // The root comes first.
    try spoil(bench, [branches[2]])
    try bench.openAgain()
    #expect(bench.pending.count == 3000)
  }

  @Test func D8_rowsOfAnAppThatCannotBeReadRingAllTheSame() throws {
    let bench = try filled()
    try spoil(bench, try pages(bench, "app"))
    try bench.openAgain()
    #expect(bench.pending.count == 200)
    let owners = Dictionary(uniqueKeysWithValues: bench.opened.apps.map { ($0.name, $0.owner) })
    #expect(owners == ["kiosk": geteuid(), "user.1007": 1007])
  }

  /// A column that the shapes do not have would make every row of its table unknown.
  @Test func D8_theShapesHaveEveryColumnOfTheSchema() throws {
    let database = try Database()
    try Schema.bringUp(database)
    let tables = try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    var count = 0
    while try tables.step() {
      let name = tables.text(0)
      let columns = try database.prepare("SELECT name FROM pragma_table_info('\(name)')")
      var names: [String] = []
      while try columns.step() { names.append(columns.text(0)) }
      let table = try #require(RowShape.Table(rawValue: name))
      #expect(ShapedRow.columns(of: table) == names)
      count += 1
    }
    #expect(count == RowShape.Table.allCases.count)
  }

  @Test func D8_appsWithoutANameGetOne() throws {
    let bench = try filled()
    try spoil(
      bench, try pages(bench, "app") + pages(bench, "sqlite_autoindex_app_1"))
    try bench.openAgain()
    #expect(bench.pending.count == 200)
    #expect(Set(bench.opened.apps.map { $0.name }) == ["salvaged.1", "salvaged.2"])
  }

  @Test func D8_whatStandsInTheLogIsSavedToo() throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(.replaceAll(app: 1, rows: (1...100).map { row($0, "n\($0)") }))
    // As after a kill: copies of the file and its log.
    let copy = try StoreBench({ path in
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: bench.path + suffix, toPath: path + suffix)
      }
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.write(contentsOf: [UInt8](repeating: 0, count: 1024))
      try file.close()
    })
    #expect(copy.pending.count == 100)
  }

  @Test func D8_anOlderSchemaIsSavedAndBroughtUp() throws {
    let bench = try StoreBench { path in
      let database = try Database(path: path, vfs: nil)
      try database.execute(MigrationTests.version1)
      let page = try database.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'history'")
      database.close()
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.seek(toOffset: UInt64(page - 1) * 1024)
      try file.write(contentsOf: [UInt8](repeating: 0xEE, count: 1024))
      try file.close()
      try Data().write(to: URL(fileURLWithPath: IntegrityMark.mark(of: path)))
    }
    #expect(bench.forgotten == 1)
    #expect(bench.pending.map { $0.slot } == [1, 7])
    #expect(bench.pending.first?.isUrgent == true)
    #expect(bench.opened.apps == [StoredApp(number: 1, name: "kiosk", owner: 1000, badge: 3)])
    #expect(bench.opened.warnings.count == 1)
  }

  /// A kill between the renames, and one while the rows are copied.
  @Test func D8_salvageSurvivesAKill() throws {
    let bench = try filled()
    let saved = bench.path + "-saved"
    try FileManager.default.moveItem(atPath: bench.path, toPath: saved)
    try bench.openAgain()
    #expect(bench.pending.count == 200)
    bench.keeper.close()
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: saved))
    try bench.openAgain()
    #expect(bench.pending.count == 200)
    #expect(try !bench.files().contains("books.sqlite-saved"))
  }
}
