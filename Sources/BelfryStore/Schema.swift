import BelfryCore

/// The shape of the store and how an older file is brought up to it.
enum Schema {
  /// "Blfr": what `file` and a repair tool see in the header.
  static let applicationID: Int64 = 0x426C_6672

  /// Step n makes schema n + 1 out of schema n; a released step is never edited.
  static let steps: [String] = [
    version1, version2, version3, version4, version5, version6, version7, version8,
  ]

  /// Prepares an empty file: small pages for small writes, and no page that only says where
  /// others are.
  static let foundation = """
    PRAGMA page_size = 1024;
    PRAGMA auto_vacuum = NONE;
    """

  /// The first schema that has its number in a row too.
  static let firstWithRow: Int64 = 5

  /// The number of the file's schema; 0: it is empty.
  ///
  /// Throws `newerVersion` for a file that is to be left as it is. The number stands in the header
  /// and in a row: only where both say so is it a newer one, else a bit has flipped.
  static func version(
    of database: Database, steps: [String] = steps
  ) throws(StoreError) -> Int {
    let found = try database.integer("PRAGMA user_version")
    let known = Int64(steps.count)
    let row = try rowVersion(database)
    if found > known, let row, row > known {
      throw StoreError(.newerVersion(found: min(found, row), known: known), "read schema version")
    }
    guard (0...known).contains(found), row == (found < firstWithRow ? nil : found) else {
      throw StoreError(.damaged, "read schema version")
    }
    return Int(found)
  }

  private static func rowVersion(_ database: Database) throws(StoreError) -> Int64? {
    let table = "SELECT count(*) FROM sqlite_schema WHERE name = 'version'"
    guard try database.integer(table) > 0 else { return nil }
    return try database.integer("SELECT number FROM version WHERE id = 1")
  }

  /// Throws `damaged` unless the tables read as Belfry writes them: a flipped bit in their text can
  /// rename a column, or make another of it.
  static func checkText(
    _ database: Database, version: Int
  ) throws(StoreError) {
    if version == 0 { return }
    let known = version == steps.count ? newest : older[version - 1]
    guard try text(of: database) == known else {
      throw StoreError(.damaged, "the schema's text")
    }
  }

  /// Made once: store is opened more than once in a life.
  private static let newest: UInt64? = try? pattern(steps)
  private static let older: [UInt64?] = (1..<steps.count).map {
    try? pattern(Array(steps.prefix($0)))
  }

  private static func pattern(_ steps: [String]) throws(StoreError) -> UInt64 {
    let pattern = try Database()
    defer { pattern.close() }
    try bringUp(pattern, steps: steps)
    return try text(of: pattern)
  }

  /// A number that stands for the text of all tables and indexes (FNV-1a).
  private static func text(of database: Database) throws(StoreError) -> UInt64 {
    // What ANALYZE leaves is nobody's harm.
    let rows = try database.prepare(
      """
      SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema
      WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name
      """)
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    while try rows.step() {
      for column in 0..<4 as Range<Int32> {
        // Blanks and line ends are of no meaning.
        for byte in rows.blob(column) where byte > 0x20 {
          sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        sum = (sum ^ 0xFF) &* 0x100_0000_01B3
      }
    }
    return sum
  }

  /// Brings the schema to the newest version, one transaction a step.
  static func bringUp(_ database: Database, steps: [String] = steps) throws(StoreError) {
    let found = try version(of: database, steps: steps)
    for version in found..<steps.count {
      try database.execute("BEGIN IMMEDIATE")
      do throws(StoreError) {
        try database.execute(steps[version])
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(version + 1)")
        if Int64(version + 1) >= firstWithRow {
          try database.execute("INSERT OR REPLACE INTO version VALUES (1, \(version + 1))")
        }
        try database.execute("COMMIT")
      } catch {
        database.rollBack()
        throw error
      }
    }
  }

  // Why so few indexes: each costs a page a write. `notification` is found by slot and by (app,
  // identifier); of `history` only what sinks still show is ever looked for. Content is the JSON of
  // the notification without its identifier: equal bytes, equal notifications (N1, N15).
  // `occurrence.key` is a hash of the id, so that no second tree is needed.
  private static let version1 = """
    CREATE TABLE app (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      owner INTEGER NOT NULL,
      badge INTEGER NOT NULL
    );
    CREATE TABLE notification (
      slot INTEGER PRIMARY KEY,
      app INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      anchor INTEGER NOT NULL,
      unit INTEGER NOT NULL,
      firedThrough INTEGER NOT NULL,
      uuidHigh INTEGER NOT NULL,
      uuidLow INTEGER NOT NULL,
      identifier TEXT NOT NULL,
      content BLOB NOT NULL
    );
    CREATE UNIQUE INDEX notificationName ON notification (app, identifier);
    CREATE TABLE occurrence (
      key INTEGER PRIMARY KEY,
      app INTEGER NOT NULL,
      slot INTEGER,
      uuidHigh INTEGER NOT NULL,
      uuidLow INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      k INTEGER NOT NULL,
      due INTEGER NOT NULL,
      missed INTEGER NOT NULL,
      missedSince INTEGER,
      sinks TEXT,
      settled TEXT NOT NULL,
      identifier TEXT NOT NULL,
      content BLOB NOT NULL
    );
    CREATE TABLE history (
      id INTEGER PRIMARY KEY,
      app INTEGER NOT NULL,
      identifier TEXT NOT NULL,
      uuidHigh INTEGER NOT NULL,
      uuidLow INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      k INTEGER NOT NULL,
      sink TEXT NOT NULL,
      due INTEGER NOT NULL,
      handedOver INTEGER,
      acknowledged INTEGER,
      attempts INTEGER NOT NULL,
      shown INTEGER NOT NULL,
      state TEXT NOT NULL,
      reason TEXT,
      content BLOB
    );
    CREATE INDEX historyShown ON history (app, identifier) WHERE shown;
    """

  // What planning needs of a notification that is more than a unit counted in UTC: `relative` (T9),
  // `mode` (0 absolute, 1 floating, 2 zoned), `zone` and `plan` (T2, T3, T6), `tolerance` in
  // nanoseconds (T12), `wakes` (T11). `clock` has one row: what time it was when the history had come
  // to the row `history`.
  private static let version2 = """
    ALTER TABLE notification ADD COLUMN relative BLOB;
    ALTER TABLE notification ADD COLUMN mode INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE notification ADD COLUMN zone TEXT;
    ALTER TABLE notification ADD COLUMN plan TEXT;
    ALTER TABLE notification ADD COLUMN tolerance INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE notification ADD COLUMN wakes INTEGER NOT NULL DEFAULT 0;
    UPDATE notification SET wakes = 1
      WHERE instr(CAST(content AS TEXT), '"interruptionLevel":"timeSensitive"')
      OR instr(CAST(content AS TEXT), '"interruptionLevel":"critical"');
    ALTER TABLE history ADD COLUMN clock TEXT;
    ALTER TABLE history ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE history ADD COLUMN missedSince INTEGER;
    CREATE TABLE clock (
      id INTEGER PRIMARY KEY,
      boot INTEGER NOT NULL,
      elapsed INTEGER NOT NULL,
      real INTEGER NOT NULL,
      history INTEGER NOT NULL
    );
    """

  // `used`: when something entered or left the app last (A1), in nanoseconds; NULL: not known.
  // `queuedEvent`: what the user did with an occurrence and no session of its app has taken; `kind` is
  // 0 the default action, 1 an action that brings the app to the front, 2 another (D3, D4).
  // `registration`: what an app has registered (D5), as JSON; NULL: it never has. `snooze`: how often
  // an occurrence was snoozed; those that are to come again are `snoozed`, by their id in words.
  // `owed`: what a sink that was down has yet to take back (N15).
  // `side` is `RegionSide` of what has a region, else NULL (R3). `fix` has one row: where the board was
  // when a side last changed.
  private static let version3 = """
    ALTER TABLE app ADD COLUMN used INTEGER;
    ALTER TABLE app ADD COLUMN registration BLOB;
    ALTER TABLE occurrence ADD COLUMN snooze INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE history ADD COLUMN snooze INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE notification ADD COLUMN side INTEGER;
    CREATE TABLE fix (
      id INTEGER PRIMARY KEY,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      accuracy REAL,
      time INTEGER NOT NULL
    );
    CREATE TABLE happening (
      number INTEGER PRIMARY KEY,
      app INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      action TEXT,
      text TEXT,
      attempt INTEGER NOT NULL,
      since INTEGER NOT NULL,
      delivered INTEGER,
      occurrence TEXT NOT NULL,
      due INTEGER NOT NULL,
      missed INTEGER NOT NULL,
      missedSince INTEGER,
      identifier TEXT NOT NULL,
      content BLOB NOT NULL
    );
    CREATE TABLE owed (
      occurrence TEXT NOT NULL,
      sink TEXT NOT NULL
    );
    CREATE TABLE snoozed (
      occurrence TEXT PRIMARY KEY,
      app INTEGER NOT NULL,
      due INTEGER NOT NULL,
      relative BLOB NOT NULL,
      identifier TEXT NOT NULL,
      content BLOB NOT NULL
    );
    """

  // `inbox`: `name` is what its tokens say, random; `last` the newest position, `evicted` the newest
  // that the limit sent away; `entries` and `bytes` what it holds, payloads only.
  // `entry.key` is the inbox's number in the upper 24 bits and the position below: a page is one run
  // through the table. `pruned` are names, one a line; a read mark has no payload (P8).
  // `forApp`: a push that the app is to hear of in whatever state it is.
  private static let version4 = """
    CREATE TABLE inbox (
      number INTEGER PRIMARY KEY,
      app INTEGER NOT NULL,
      container TEXT NOT NULL,
      name INTEGER NOT NULL,
      last INTEGER NOT NULL,
      evicted INTEGER NOT NULL,
      entries INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      UNIQUE (app, container)
    );
    CREATE TABLE entry (
      key INTEGER PRIMARY KEY,
      inbox INTEGER NOT NULL,
      idHigh INTEGER NOT NULL,
      idLow INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      received INTEGER NOT NULL,
      pruned TEXT,
      payload BLOB
    );
    CREATE UNIQUE INDEX entryID ON entry (inbox, idHigh, idLow);
    ALTER TABLE occurrence ADD COLUMN forApp INTEGER NOT NULL DEFAULT 0;
    """

  // `version` has one row: the number that the header has too.
  private static let version5 = """
    CREATE TABLE version (
      id INTEGER PRIMARY KEY,
      number INTEGER NOT NULL
    );
    """

  // `criticalGroup`: the group by which the app's owner may be critical, as his connections showed last
  // (S6); NULL: none. `history.text`: what something would have said that left the scheduled list.
  private static let version6 = """
    ALTER TABLE app ADD COLUMN criticalGroup INTEGER;
    ALTER TABLE history ADD COLUMN text TEXT;
    """

  // `waitingAlert`: what waits for an answer (E6), by the occurrence's id in words; `step` is the newest
  // that was handed over, `began` when the occurrence was, in `relative` too, with when the next is due.
  // From here on `snooze` of `occurrence` and `history` has the step of an id above its lower 32 bits.
  // `pause`: a span in which something is paused (E1): everything, an app, or the notification in
  // `slot` if that has this uuid; `until` NULL: until it is resumed. `pauseRun`: the row of the history
  // that grows with what a pause skips of one notification. `skip`: occurrences that are to be skipped
  // (E2), as `SkipSet.text`, of this uuid and generation alone.
  // `days`: what was last good of a calendar of days (E3): the app whose it is (empty: the operator's),
  // its name, its file, and its ranges as a .days file has them. A `pauseRun` of such days has a pause
  // below zero.
  private static let version7 = """
    CREATE TABLE waitingAlert (
      occurrence TEXT PRIMARY KEY,
      app INTEGER NOT NULL,
      step INTEGER NOT NULL,
      due INTEGER NOT NULL,
      began INTEGER NOT NULL,
      relative BLOB NOT NULL,
      identifier TEXT NOT NULL,
      content BLOB NOT NULL
    );
    CREATE TABLE pause (
      number INTEGER PRIMARY KEY,
      app INTEGER,
      slot INTEGER,
      uuidHigh INTEGER,
      uuidLow INTEGER,
      start INTEGER NOT NULL,
      until INTEGER
    );
    CREATE TABLE pauseRun (
      history INTEGER PRIMARY KEY,
      pause INTEGER NOT NULL,
      uuidHigh INTEGER NOT NULL,
      uuidLow INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX pauseRunName ON pauseRun (pause, uuidHigh, uuidLow);
    CREATE TABLE skip (
      slot INTEGER PRIMARY KEY,
      app INTEGER NOT NULL,
      uuidHigh INTEGER NOT NULL,
      uuidLow INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      runs TEXT NOT NULL
    );
    CREATE TABLE days (
      number INTEGER PRIMARY KEY,
      app TEXT NOT NULL,
      name TEXT NOT NULL,
      path TEXT NOT NULL,
      content BLOB NOT NULL
    );
    CREATE UNIQUE INDEX daysName ON days (app, name);
    """

  // `digest` stands for the content (`Content.digest`), so that what is cancelled by value (N15) is found
  // without reading every row; NULL: not known yet. What has the same digest is compared whole.
  private static let version8 = """
    ALTER TABLE notification ADD COLUMN digest INTEGER;
    CREATE INDEX notificationDigest ON notification (app, digest);
    ALTER TABLE history ADD COLUMN digest INTEGER;
    CREATE INDEX historyDigest ON history (app, digest) WHERE shown;
    """
}
