import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// A store that an older build has left is taken over whole.
struct MigrationTests {
  /// What version 1 wrote, word for word, with a one-shot, a repeat that has fired, a shown delivery
  /// and an occurrence that is open.
  static let version1 = """
    PRAGMA page_size = 1024;
    CREATE TABLE app (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
      owner INTEGER NOT NULL, badge INTEGER NOT NULL);
    CREATE TABLE notification (slot INTEGER PRIMARY KEY, app INTEGER NOT NULL,
      generation INTEGER NOT NULL, sequence INTEGER NOT NULL, anchor INTEGER NOT NULL,
      unit INTEGER NOT NULL, firedThrough INTEGER NOT NULL, uuidHigh INTEGER NOT NULL,
      uuidLow INTEGER NOT NULL, identifier TEXT NOT NULL, content BLOB NOT NULL);
    CREATE UNIQUE INDEX notificationName ON notification (app, identifier);
    CREATE TABLE occurrence (key INTEGER PRIMARY KEY, app INTEGER NOT NULL, slot INTEGER,
      uuidHigh INTEGER NOT NULL, uuidLow INTEGER NOT NULL, generation INTEGER NOT NULL,
      k INTEGER NOT NULL, due INTEGER NOT NULL, missed INTEGER NOT NULL, missedSince INTEGER,
      sinks TEXT, settled TEXT NOT NULL, identifier TEXT NOT NULL, content BLOB NOT NULL);
    CREATE TABLE history (id INTEGER PRIMARY KEY, app INTEGER NOT NULL, identifier TEXT NOT NULL,
      uuidHigh INTEGER NOT NULL, uuidLow INTEGER NOT NULL, generation INTEGER NOT NULL,
      k INTEGER NOT NULL, sink TEXT NOT NULL, due INTEGER NOT NULL, handedOver INTEGER,
      acknowledged INTEGER, attempts INTEGER NOT NULL, shown INTEGER NOT NULL, state TEXT NOT NULL,
      reason TEXT, content BLOB);
    CREATE INDEX historyShown ON history (app, identifier) WHERE shown;
    PRAGMA application_id = 1114400370;
    PRAGMA user_version = 1;
    INSERT INTO app VALUES (1, 'kiosk', 1000, 3);
    INSERT INTO notification VALUES (1, 1, 0, 1, 2000000000000000000, 0, -1, 5, 6, 'once',
      CAST('{"alertBody":"once","fireDate":2000000000000000,"interruptionLevel":"critical"}' AS BLOB));
    INSERT INTO notification VALUES (7, 1, 2, 2, 1700000000000000000, 32, 41, 7, 8, 'hourly',
      CAST('{"alertBody":"hourly","repeatInterval":"hour"}' AS BLOB));
    INSERT INTO history VALUES (1, 1, 'hourly', 7, 8, 2, 41, 'console', 1700147600000000000,
      1700147600000100000, 1700147600000200000, 1, 1, 'delivered', NULL,
      CAST('{"alertBody":"hourly","repeatInterval":"hour"}' AS BLOB));
    """

  private func opened() throws -> StoreBench {
    try StoreBench { path in
      let database = try Database(path: path, vfs: nil)
      try database.execute(Self.version1)
      database.close()
    }
  }

  @Test func T9_versionOneIsTakenOverWhole() throws {
    let bench = try opened()
    #expect(bench.opened.warnings.isEmpty)
    #expect(
      try bench.opened.store.database.integer("PRAGMA user_version")
        == Int64(Schema.steps.count))
    #expect(bench.opened.apps == [StoredApp(number: 1, name: "kiosk", owner: 1000, badge: 3)])
    var urgent = PendingSummary(
      slot: 1, app: 1, generation: 0, sequence: 1,
      anchor: Instant(nanoseconds: 2_000_000_000_000_000_000), unit: nil, firedThrough: -1)
    urgent.isUrgent = true
    urgent.critical = "once"
    #expect(
      bench.pending == [
        urgent,
        PendingSummary(
          slot: 7, app: 1, generation: 2, sequence: 2,
          anchor: Instant(nanoseconds: 1_700_000_000_000_000_000), unit: .hour, firedThrough: 41),
      ])
    #expect(bench.listed().map { $0.notification.alertBody } == ["once", "hourly"])
    let rows = bench.history()
    #expect(rows.count == 1 && rows[0].clock == nil && rows[0].missed == 0)
    // T9: the newest delivery tells the last time known.
    #expect(bench.opened.lastTime.real == Instant(nanoseconds: 1_700_147_600_000_200_000))
  }

  @Test func T9_theBooksRememberTheTimeAndRelativeDues() throws {
    let bench = try opened()
    var row = row(3, "tea")
    row.relative = RelativeTime(made: 5, due: -7, boot: .min, isSynchronised: true)
    bench.run(.schedule(row, ifAdded: .none))
    let now = ClockReading(real: Instant(nanoseconds: 1_600_000_000_000_000_000), elapsed: 99)
    bench.run(.noteClock(boot: 42, now))
    let moved = RelativeTime(
      made: 1, due: 2, boot: 42, isSynchronised: true, purpose: .notBefore)
    bench.run(.rebase(3, app: 1, generation: 1, anchor: now.real, moved))
    bench.run(.replanFromNow(7, app: 1, generation: 2, firedThrough: 40))
    bench.run(.replanFromNow(7, app: 1, generation: 2, firedThrough: 1))
    try bench.reopen()
    // A clock that was corrected: the note is newer than the delivery, though its time is earlier.
    #expect(bench.opened.lastTime == LastTime(real: now.real, boot: 42, elapsed: 99))
    #expect(bench.pending.first { $0.slot == 3 }?.relative == row.relative)
    #expect(bench.pending.first { $0.slot == 7 }?.generation == 3)
    #expect(bench.pending.first { $0.slot == 7 }?.firedThrough == 40)
    bench.run(.rebase(3, app: 1, generation: 0, anchor: now.real, moved))
    try bench.reopen()
    #expect(bench.pending.first { $0.slot == 3 }?.relative == moved)
    #expect(bench.pending.first { $0.slot == 3 }?.anchor == now.real)
  }
}
