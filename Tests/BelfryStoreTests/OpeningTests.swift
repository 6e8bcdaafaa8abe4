import BelfryCore
import CFaultVFS
import Foundation
import Testing

@testable import BelfryStore

/// What the store does with the file that it finds.
struct OpeningTests {
  /// A store with `count` rows, closed.
  private func filled(_ count: Slot = 300) throws -> StoreBench {
    let bench = try StoreBench()
    bench.register()
    bench.run(.replaceAll(app: 1, rows: (1...count).map { row($0, "n\($0)") }))
    bench.keeper.close()
    return bench
  }

  private func overwrite(_ bench: StoreBench, at offset: Int, with bytes: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: bench.path))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: bytes)
    try file.close()
  }

  /// The pages of the scheduled list's rows, from 1.
  private func leaves(_ bench: StoreBench) throws -> [Int64] {
    let database = try Database(path: bench.path, vfs: nil)
    let numbers = try database.text(
      """
      SELECT group_concat(pageno) FROM (SELECT pageno FROM dbstat
      WHERE name = 'notification' AND pagetype = 'leaf' ORDER BY path)
      """)
    database.close()
    return numbers.split(separator: ",").compactMap { Int64($0) }
  }

  /// `most`: how many of the 300 rows can be saved.
  private func expectDamagedFile(_ bench: StoreBench, saved most: ClosedRange<Int> = 0...0) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: bench.path))
    try bench.openAgain()
    let count = bench.pending.count
    #expect(most.contains(count))
    #expect(bench.opened.warnings.count == 1)
    #expect(bench.opened.warnings[0].contains("set aside"))
    let words = count > 0 ? "with \(count) scheduled notifications" : "nothing could be read"
    #expect(bench.opened.warnings[0].contains(words), "\(bench.opened.warnings[0])")
    #expect(bench.opened.apps.isEmpty == (count == 0))
    let aside = try bench.files().filter { $0.contains("books.sqlite.damaged-2030") }
    #expect(aside.contains { !$0.hasSuffix("-wal") })
    if let file = aside.first {
      #expect(try Data(contentsOf: URL(fileURLWithPath: bench.folder + "/" + file)) == before)
    }
    bench.run(.schedule(row(1001, "fresh"), ifAdded: .none))
    #expect(bench.listed().count == count + 1)
    try bench.reopen()
    #expect(bench.opened.warnings.isEmpty)
    #expect(bench.pending.count == count + 1)
  }

  @Test func aFreshFileIsMadeSmallAndWhole() throws {
    let bench = try StoreBench()
    #expect(bench.opened.warnings.isEmpty)
    let database = bench.opened.store.database
    #expect(try database.integer("PRAGMA page_size") == 1024)
    #expect(try database.text("PRAGMA journal_mode") == "wal")
    #expect(try database.integer("PRAGMA synchronous") == 2)
    #expect(try database.integer("PRAGMA user_version") == Int64(Schema.steps.count))
    for name in try bench.files() {
      let attributes = try FileManager.default.attributesOfItem(atPath: bench.folder + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    // The log's index is in memory.
    #expect(try bench.files() == ["books.sqlite", "books.sqlite-wal"])
    bench.keeper.close()
    #expect(try bench.files() == ["books.sqlite"])
  }

  @Test(arguments: ["garbage", "header", "leaf", "cut", "foreign"])
  func aDamagedFileIsSetAsideAndFreshBooksBegun(damage: String) throws {
    let bench = try filled()
    var saved = 0...0
    switch damage {
    case "garbage":
      try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        .write(to: URL(fileURLWithPath: bench.path))
    case "header":
      // What the pages hold is all there.
      saved = 300...300
      try overwrite(bench, at: 0, with: [1])
    case "leaf":
      // Every other leaf of the list.
      saved = 130...170
      for (index, page) in try leaves(bench).enumerated() where index % 2 == 0 {
        try overwrite(bench, at: Int(page - 1) * 1024, with: [0xFF, 0xFF, 0xFF, 0xFF])
      }
    case "cut":
      saved = 10...299
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: bench.path))
      try file.truncate(atOffset: 40 * 1024)
      try file.close()
    default:
      try FileManager.default.removeItem(atPath: bench.path)
      let other = try Database(path: bench.path, vfs: nil)
      try other.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
      other.close()
    }
    try expectDamagedFile(bench, saved: saved)
  }

  @Test func rowsGivenBeforeTheDamageShowedAreForgotten() throws {
    let bench = try StoreBench({ path in
      let filled = try self.filled(2000)
      let database = try Database(path: filled.path, vfs: nil)
      // The last leaf of the list.
      let page = try database.integer(
        """
        SELECT pageno FROM dbstat WHERE name = 'notification' AND pagetype = 'leaf' \
        ORDER BY path DESC LIMIT 1
        """)
      database.close()
      try self.overwrite(filled, at: Int(page - 1) * 1024, with: [0xFF, 0xFF])
      try FileManager.default.moveItem(atPath: filled.path, toPath: path)
    })
    #expect(bench.forgotten == 1)
    #expect((1900...1999).contains(bench.pending.count))
    #expect(bench.opened.warnings.count == 1)
  }

  /// A page of the index of names, damaged; `count` decides whether the start looks at it.
  private func withDamagedName(_ count: Slot) throws -> StoreBench {
    let bench = try filled(count)
    let database = try Database(path: bench.path, vfs: nil)
    let page = try database.integer(
      "SELECT pageno FROM dbstat WHERE name = 'notificationName' AND pagetype = 'leaf' LIMIT 1")
    database.close()
    try overwrite(bench, at: Int(page - 1) * 1024, with: [0xFF, 0xFF])
    return bench
  }

  @Test func D8_damageInASmallFileShowsAtTheStart() throws {
    // Only a name was damaged, so nothing is lost.
    try expectDamagedFile(try withDamagedName(300), saved: 300...300)
  }

  @Test func D8_damageThatShowsWhileRunningIsMendedAtOnce() throws {
    let count: Slot = 12_000
    let bench = try withDamagedName(count)
    // Closed in an orderly way, large, and the list itself is whole: it is believed.
    try bench.openAgain()
    #expect(bench.opened.warnings.isEmpty)
    #expect(bench.pending.count == Int(count))
    for slot in stride(from: 1, through: count, by: 7) {
      let found = bench.run(.find(app: 1, identifier: "n\(slot)"))
      #expect(found == [.found(row(slot, "n\(slot)"))], "\(slot)")
    }
    #expect(bench.log.lines.filter { $0.contains("set aside as") }.count == 1)
    #expect(bench.log.contains("with \(count) scheduled notifications"))
    #expect(bench.run(.load([1])) == [.loaded([row(1, "n1")])])
    bench.run(.schedule(row(count + 1, "fresh"), ifAdded: .none))
    try bench.reopen()
    #expect(bench.opened.warnings.isEmpty)
    #expect(bench.pending.count == Int(count) + 1)
  }

  @Test func twoDamagedFilesOfOneSecondAreBothKept() throws {
    let bench = try filled()
    for _ in 0..<3 {
      bench.keeper.close()
      try overwrite(bench, at: 0, with: [1, 2, 3])
      try bench.openAgain()
    }
    #expect(try bench.files().filter { $0.contains("damaged") }.count == 3)
  }

  @Test func booksOfANewerSchemaAreLeftAlone() throws {
    let bench = try filled()
    let newer = try Database(path: bench.path, vfs: nil)
    try newer.execute("PRAGMA user_version = 99; UPDATE version SET number = 99")
    newer.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: bench.path))
    let error = #expect(throws: StoreError.self) { try bench.openAgain() }
    #expect(error?.code == .newerVersion(found: 99, known: Int64(Schema.steps.count)))
    #expect(try Data(contentsOf: URL(fileURLWithPath: bench.path)) == before)
    #expect(try bench.files() == ["books.sqlite"])
  }

  @Test func anOlderSchemaIsBroughtUpStepByStep() throws {
    let bench = try filled()
    let database = try Database(path: bench.path, vfs: nil)
    let known = Schema.steps.count
    let steps =
      Schema.steps + [
        "ALTER TABLE app ADD COLUMN colour TEXT",
        "UPDATE app SET colour = 'red'; CREATE TABLE later (id INTEGER PRIMARY KEY)",
      ]
    try Schema.bringUp(database, steps: Array(steps.prefix(known + 1)))
    #expect(try database.integer("PRAGMA user_version") == Int64(known + 1))
    // A step that fails is undone whole, and is tried again the next time.
    let broken = steps.prefix(known + 1) + ["UPDATE app SET colour = 'blue'; nonsense"]
    #expect(throws: StoreError.self) { try Schema.bringUp(database, steps: Array(broken)) }
    #expect(try database.integer("PRAGMA user_version") == Int64(known + 1))
    #expect(try database.integer("SELECT count(*) FROM app WHERE colour IS NULL") == 1)
    try Schema.bringUp(database, steps: steps)
    #expect(try database.integer("PRAGMA user_version") == Int64(known + 2))
    #expect(try database.text("SELECT colour FROM app") == "red")
    #expect(try database.integer("SELECT count(*) FROM notification") == 300)
    #expect(try database.text("PRAGMA integrity_check") == "ok")
    #expect(throws: StoreError.self) { try Schema.bringUp(database) }
  }

  @Test func whatCannotBeOpenedIsATypedError() throws {
    let bench = try StoreBench()
    func code(_ path: String) -> StoreError.Code? {
      #expect(throws: StoreError.self) {
        try Store.open(path: path, options: bench.options, forget: {}, pending: { _ in })
      }?.code
    }
    #expect(code(bench.path) == .inUse)
    #expect(code(bench.folder + "/missing/books.sqlite") == .cannotOpen)
    #expect(code(bench.folder) == .cannotOpen)
    bench.keeper.close()
    // As a user without rights, whoever runs the tests.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bench.folder)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: bench.path)
    cfault_act_as(65_534)
    defer { cfault_act_as(getuid()) }
    #expect(code(bench.path) == .noRights)
    #expect(code(bench.folder + "/new.sqlite") == .noRights)
  }

  /// Like a kill: a second connection reads the files as they lie there.
  @Test func D7_whatWasAnsweredIsThereAfterAKill() throws {
    let bench = try StoreBench()
    for slot in 1...200 as ClosedRange<Slot> {
      bench.run(.schedule(row(slot, "n\(slot)"), ifAdded: .none))
      if slot % 20 == 0 {
        let copy = bench.folder + "/copy\(slot).sqlite"
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: bench.path + suffix, toPath: copy + suffix)
        }
        var slots: [Slot] = []
        let opened = try Store.open(
          path: copy, options: bench.options, forget: {}, pending: { slots.append($0.slot) })
        #expect(slots == Array(1...slot))
        #expect(opened.warnings.isEmpty)
        opened.store.close()
      }
    }
  }
}
