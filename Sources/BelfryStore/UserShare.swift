import BelfryCore

/// How much of the store one user may fill with what is scheduled and with pushes in inboxes, and as much
/// again with what is shown (A2). What is snoozed or waits for an answer is bounded by number.
public struct UserShare: Hashable, Sendable {
  public var bytes: Int64
  /// Who has no bound beside root: the user that belfryd runs for.
  public var exempt: UInt32?

  public init(bytes: Int64 = 64 << 20, exempt: UInt32? = nil) {
    self.bytes = max(1 << 20, bytes)
    self.exempt = exempt
  }

  /// Whether he has no bound.
  func isFree(_ owner: Int64) -> Bool { owner == 0 || owner == exempt.map { Int64($0) } }

  /// What a row takes beside its content, about.
  static let row: Int64 = 256
}

// The counts lie in a table of the connection's own, in memory, and triggers of its own keep them: they
// see each write, whichever statement it comes from, and go back with a transaction that does.
extension Store {
  /// Begins to count; `rows` are the bytes of each app's notifications, nil where they are to be read.
  func countBytes(_ rows: [AppNumber: Int64]? = nil) throws(StoreError) {
    try database.execute("PRAGMA temp_store = MEMORY")
    // Whole or not at all, or it could not be tried again.
    try database.execute("BEGIN")
    do throws(StoreError) {
      try database.execute(Self.counting)
      let held: [AppNumber: Int64]
      if let rows { held = rows } else { held = try bytesOfApps() }
      for (app, bytes) in held {
        try statement(.addHeld).bind(bytes).bind(app).run()
      }
      try database.execute("COMMIT")
    } catch {
      resetAll()
      database.rollBack()
      throw error
    }
    countsBytes = true
  }

  private func bytesOfApps() throws(StoreError) -> [AppNumber: Int64] {
    let scan = try statement(.bytesOfApps)
    defer { scan.reset() }
    var bytes: [AppNumber: Int64] = [:]
    while try scan.step() {
      bytes[AppNumber(truncatingIfNeeded: scan.integer(0))] = scan.integer(1)
    }
    return bytes
  }

  /// How much more than his share an app's user would have with so many bytes; 0: it fits, or he is root
  /// or belfryd's own user.
  func excess(of app: AppNumber, adding bytes: Int64) throws(StoreError) -> Int64 {
    let found = try statement(.held).bind(app)
    guard try found.step() else { return 0 }
    defer { found.reset() }
    let owner = found.integer(0)
    guard !share.isFree(owner) else { return 0 }
    return max(0, found.integer(1) + bytes - share.bytes)
  }

  private static let counting = """
    CREATE TEMP TABLE held (owner INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
    INSERT INTO held SELECT owner, ifnull(sum(inbox.bytes), 0) FROM main.app
      LEFT JOIN main.inbox ON inbox.app = app.number GROUP BY owner;
    CREATE TEMP TRIGGER heldApp AFTER INSERT ON main.app BEGIN
      INSERT INTO held VALUES (new.owner, 0) ON CONFLICT DO NOTHING;
    END;
    CREATE TEMP TRIGGER heldOwner AFTER UPDATE OF owner ON main.app WHEN old.owner != new.owner BEGIN
      INSERT INTO held VALUES (new.owner, 0) ON CONFLICT DO NOTHING;
      UPDATE held SET bytes = (
          SELECT ifnull(sum(length(content) + \(UserShare.row)), 0) FROM notification
          WHERE app IN (SELECT number FROM app WHERE app.owner = held.owner)
        ) + (
          SELECT ifnull(sum(inbox.bytes), 0) FROM inbox
          WHERE app IN (SELECT number FROM app WHERE app.owner = held.owner)
        ) WHERE owner IN (old.owner, new.owner);
    END;
    CREATE TEMP TRIGGER heldAdded AFTER INSERT ON main.notification BEGIN
      UPDATE held SET bytes = bytes + length(new.content) + \(UserShare.row)
        WHERE owner = (SELECT owner FROM app WHERE number = new.app);
    END;
    CREATE TEMP TRIGGER heldChanged AFTER UPDATE OF content ON main.notification BEGIN
      UPDATE held SET bytes = bytes + length(new.content) - length(old.content)
        WHERE owner = (SELECT owner FROM app WHERE number = new.app);
    END;
    CREATE TEMP TRIGGER heldGone AFTER DELETE ON main.notification BEGIN
      UPDATE held SET bytes = bytes - length(old.content) - \(UserShare.row)
        WHERE owner = (SELECT owner FROM app WHERE number = old.app);
    END;
    CREATE TEMP TRIGGER heldInbox AFTER UPDATE OF bytes ON main.inbox BEGIN
      UPDATE held SET bytes = bytes + new.bytes - old.bytes
        WHERE owner = (SELECT owner FROM app WHERE number = new.app);
    END;
    CREATE TEMP TRIGGER heldInboxGone AFTER DELETE ON main.inbox BEGIN
      UPDATE held SET bytes = bytes - old.bytes
        WHERE owner = (SELECT owner FROM app WHERE number = old.app);
    END;
    """
}
