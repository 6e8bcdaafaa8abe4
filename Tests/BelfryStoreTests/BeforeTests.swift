import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// Store that version 0.2.0 left are opened as they are, and lose nothing (Tests/Fixtures/Before).
@Suite struct BeforeTests {
  private func opened() throws -> StoreBench {
    let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let sql = try String(
      contentsOf: top.appendingPathComponent("Fixtures/Before/books.sql"), encoding: .utf8)
    return try StoreBench { path in
      let database = try Database(path: path, vfs: nil)
      try database.execute(sql)
      database.close()
    }
  }

  @Test func theyAreOpenedWithoutAWarning() throws {
    let bench = try opened()
    #expect(bench.opened.warnings.isEmpty && bench.forgotten == 0)
    #expect(bench.opened.apps.map { $0.name } == ["org.example.clock", "org.example.other"])
    #expect(bench.opened.apps.map { $0.badge } == [3, 0])
    #expect(bench.opened.occurrences.isEmpty && bench.opened.queuedEvents.isEmpty)
    #expect(bench.opened.lastFix?.latitude == 52.6)
    // Nothing in it asks for an answer (E6).
    #expect(bench.opened.waiting.isEmpty)
    #expect(try bench.integrity() == "ok")
  }

  @Test func everyScheduledRowIsThere() throws {
    let bench = try opened()
    let rows = bench.listed()
    #expect(rows.map { $0.identifier } == ["once", "daily", "zoned", "soon", "home"])
    #expect(bench.pending.map { $0.slot } == rows.map { $0.slot })
    #expect(rows[0].notification.alertTitle == "Today" && rows[0].plan == nil)
    #expect(rows[0].notification.userInfo["room"] == .integer(4))
    #expect(rows[1].plan?.mode == .floating && rows[1].plan?.repeats == true)
    #expect(rows[2].plan?.mode == .zoned && rows[2].plan?.zone == "Europe/Berlin")
    #expect(rows[3].relative?.purpose == .interval && rows[3].notification.tolerance > 0)
    #expect(rows[3].notification.interruptionLevel == .timeSensitive)
    #expect(rows[4].notification.region?.radius == 150 && rows[4].anchor == .distantFuture)
    for row in rows {
      #expect(bench.run(.find(app: 1, identifier: row.identifier)) == [.found(row)])
    }
  }

  @Test func whatWasDeliveredAndSnoozedIsThere() throws {
    let bench = try opened()
    let rows = bench.history()
    #expect(rows.map { $0.state } == [.delivered, .cancelled, .snoozed, .delivered, .delivered])
    #expect(rows.map { $0.sink } == ["console", "", "console", "console", ""])
    #expect(rows[1].text == "Cancelled" && rows[4].reason == "waits in the inbox")
    let mail = "01234567-89ab-cdef-fedc-ba9876543210"
    #expect(bench.shown().map { $0.shown.identifier } == ["now", mail])
    #expect(bench.opened.snoozes.map { $0.occurrence.notification.alertBody } == ["Snoozed"])
  }

  @Test func P7_theInboxIsThereUnderItsToken() throws {
    let bench = try opened()
    let page = try #require(bench.page())
    #expect(page.entries.count == 2 && !page.more)
    #expect(page.token.position == 2)
    #expect(bench.page(since: page.token)?.entries.isEmpty == true)
  }

  @Test func whatIsWrittenToThemIsThereAfterTheNextStart() throws {
    let bench = try opened()
    bench.run(.schedule(row(6, "new"), ifAdded: .none))
    bench.run(.cancel(app: 1, identifiers: ["once"]))
    try bench.reopen()
    #expect(bench.opened.warnings.isEmpty)
    #expect(bench.listed().map { $0.identifier } == ["daily", "zoned", "soon", "home", "new"])
  }
}
