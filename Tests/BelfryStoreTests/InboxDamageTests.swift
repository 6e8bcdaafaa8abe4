import BelfryCore
import CFaultVFS
import Foundation
import TestSupport
import Testing

@testable import BelfryStore

/// Inboxes of a store that an older build left, and of a damaged one.
struct InboxDamageTests {
  @Test func P6_booksOfVersionThreeAreTakenOver() throws {
    let bench = try StoreBench { path in
      let database = try Database(path: path, vfs: nil)
      try database.execute(Schema.foundation)
      try Schema.bringUp(database, steps: Array(Schema.steps.prefix(3)))
      try database.execute(
        """
        INSERT INTO app (number, name, owner, badge) VALUES (1, 'app', 1000, 0);
        INSERT INTO occurrence (key, app, slot, uuidHigh, uuidLow, generation, k, due, missed,
          sinks, settled, identifier, content)
        VALUES (5, 1, NULL, 1, 2, 0, 0, 7, 0, 'one', '', 'a', CAST('{"alertBody":"a"}' AS BLOB));
        """)
      database.close()
    }
    #expect(bench.opened.warnings.isEmpty)
    #expect(bench.opened.occurrences.map { $0.occurrence.isForApp } == [false])
    bench.push(1...2)
    try bench.reopen()
    #expect(bench.ids() == [1, 2])
  }

  private func filled() throws -> (StoreBench, [InboxToken]) {
    let bench = try StoreBench()
    bench.register()
    bench.register(2, "user.1007")
    for number in 0..<3 { bench.push(1...200, container: "c\(number)") }
    for id in 1...20 as ClosedRange<UInt64> { bench.push(StoreBench.push(id, app: 2)) }
    let tokens = [100, 1000].compactMap { bench.page(container: "c1", limit: $0)?.token }
    bench.keeper.close()
    return (bench, tokens)
  }

  private func pages(_ bench: StoreBench, _ name: String) throws -> [Int64] {
    let database = try Database(path: bench.path, vfs: nil)
    defer { database.close() }
    var pages: [Int64] = []
    let rows = try database.prepare(
      "SELECT pageno FROM dbstat WHERE name = '\(name)' AND pagetype = 'leaf' ORDER BY path")
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
    try bench.openAgain()
  }

  private func counts(_ bench: StoreBench) -> [Int] {
    (0..<3).map { bench.ids(container: "c\($0)")?.count ?? -1 }
  }

  /// Readers of an inbox that lost entries are told so; those of others notice nothing.
  @Test func D8_P7_aLeafTakesItsOwnEntriesAndExpiresTokens() throws {
    let (bench, tokens) = try filled()
    let leaves = try pages(bench, "entry")
    try spoil(bench, [leaves[leaves.count / 2]])
    let counts = counts(bench)
    #expect(counts[0] == 200 && (180..<200).contains(counts[1]) && counts[2] == 200)
    #expect(bench.opened.warnings.first?.contains("pushes in inboxes") == true)
    #expect(bench.fetch(since: tokens[0], container: "c1") == .expired)
    #expect(bench.ids(since: tokens[1], container: "c1") == [])
    bench.push(201...201, container: "c1")
    #expect(bench.ids(since: tokens[1], container: "c1") == [201])
    #expect(try bench.integrity() == "ok")
  }

  @Test func D8_P7_otherDamageLeavesInboxesAsTheyAre() throws {
    let (bench, tokens) = try filled()
    try spoil(bench, try pages(bench, "app"))
    #expect(counts(bench) == [200, 200, 200])
    #expect(bench.ids(since: tokens[0], container: "c1")?.count == 100)
  }

  /// The index still says whose they are; under another name, so that all is fetched anew.
  @Test func D8_P7_inboxesThatCannotBeReadAreFoundByTheirIndex() throws {
    let (bench, tokens) = try filled()
    try spoil(bench, try pages(bench, "inbox"))
    #expect(counts(bench) == [200, 200, 200])
    #expect(bench.fetch(since: tokens[0], container: "c1") == .foreign)
    #expect(bench.push(StoreBench.push(5, container: "c1")) == .duplicate)
    bench.push(201...201, container: "c1")
    #expect(bench.ids(container: "c1")?.count == 201)
    #expect(try bench.integrity() == "ok")
  }

  @Test func D8_P6_entriesOfNobodyGo() throws {
    let (bench, _) = try filled()
    try spoil(bench, try pages(bench, "inbox") + pages(bench, "sqlite_autoindex_inbox_1"))
    #expect(counts(bench) == [0, 0, 0])
    bench.push(1...3, container: "c1")
    #expect(bench.ids(container: "c1") == [1, 2, 3])
    #expect(try bench.integrity() == "ok")
  }
}

extension PowerCutTests {
  /// At every write and every sync: what was acknowledged is there, in order, and nothing half.
  @Test(arguments: [CFAULT_SURVIVES_NOTHING, CFAULT_SURVIVES_TORN, CFAULT_SURVIVES_SOME])
  func D7_P6_aPowerCutAtAnyStepLosesNoAcknowledgedPush(survivors: Int) throws {
    try Faults.apart {
      cfault_reset(1)
      let whole = try StoreBench(vfs: "fault")
      _ = pushed(whole)
      whole.keeper.close()
      let steps = cfault_steps()
      let seed = UInt32(truncatingIfNeeded: TestSeed.here())
      var cuts = 0
      for step in PowerCut.places(upTo: steps) {
        cfault_reset(1)
        cfault_power_off_at(step, Int32(survivors), seed &+ UInt32(step))
        guard let bench = try? StoreBench(vfs: "fault") else {
          cfault_reset(0)
          continue
        }
        let known = pushed(bench)
        bench.keeper.close()
        cuts += 1
        cfault_reset(1)
        try bench.openAgain()
        let place: Comment = "cut at step \(step) of \(steps), seed \(seed)"
        let entries = bench.page()?.entries ?? []
        let unread = Set(entries.filter { $0.kind == 1 }.map { $0.id.low })
        let marks = Set(entries.filter { $0.kind == 3 }.map { $0.id.low })
        #expect(known.stored.subtracting(unread.union(marks)).isEmpty, place)
        #expect(known.marked.isSubset(of: marks), place)
        #expect(entries.map { $0.position } == entries.map { $0.position }.sorted(), place)
        let intended = Set(bench.opened.occurrences.map { $0.occurrence.id.uuid.low })
        #expect(intended == unread.union(marks), place)
        #expect(try bench.opened.store.database.text("PRAGMA integrity_check") == "ok", place)
        bench.keeper.close()
      }
      #expect(cuts > 100 / PowerCut.every)
    }
  }

  /// Pushes and marks, one at a time; what was acknowledged.
  private func pushed(_ bench: StoreBench) -> (stored: Set<UInt64>, marked: Set<UInt64>) {
    bench.register()
    var known: (stored: Set<UInt64>, marked: Set<UInt64>) = ([], [])
    // What is asked of a disk without power is refused; three pushes show that.
    var refused = 0
    for id in 1...24 as ClosedRange<UInt64> where refused < 3 {
      if cfault_is_off() == 1 { refused += 1 }
      var push = StoreBench.push(id)
      push.occurrence = StoreBench.occurrence(id)
      if bench.push(push) == .stored(shown: []) { known.stored.insert(id) }
      if id % 8 == 0, case .markedRead(let marked, _)? = bench.mark(id / 2) {
        known.marked.formUnion(marked.map { $0.low })
      }
    }
    return known
  }
}
