import BelfryCore
import BelfrySystem

/// Reads from damaged books what can still be read, row by row, into fresh ones.
///
/// A page that cannot be read takes with it what stands on it and below it, nothing else. Nothing is
/// written to the damaged file.
struct Salvage {
  /// What was saved.
  struct Toll: Hashable {
    var notifications: Int64 = 0
    var occurrences: Int64 = 0
    var history: Int64 = 0
    /// Entries of inboxes.
    var pushes: Int64 = 0

    /// To go behind "fresh ones begun".
    var words: String {
      if self == Toll() {
        return "; nothing could be read from them: what was scheduled is only in that file"
      }
      let inboxes = pushes == 0 ? "" : " and \(pushes) pushes in inboxes"
      return """
         with \(notifications) scheduled notifications, \(occurrences) deliveries under way and \
        \(history) rows of history\(inboxes) that were saved from them; what is missing is only in \
        that file
        """
    }
  }

  /// Where keys are: most are small numbers, an occurrence's are hashes.
  private static let keys: [ClosedRange<Int64>] = [
    .min...0, 1...0xFFFF, 0x1_0000...0xFFFF_FFFF, 0x1_0000_0000 ... .max,
  ]
  /// Tries each of these gets where it cannot be read, so that the search ends.
  private static let tries = 16_384

  private let source: Database
  private let target: Database

  /// Fills `target`, which is empty, and brings it to the newest schema.
  ///
  /// Errors are those of `target`: what cannot be read of the file at `path` is left out.
  static func copy(from path: String, into target: Database) throws(StoreError) -> Toll {
    var toll = Toll()
    try target.execute(Schema.foundation)
    if let (source, version) = readable(path) {
      defer { source.close() }
      try Schema.bringUp(target, steps: Array(Schema.steps.prefix(version)))
      try target.execute("BEGIN")
      do throws(StoreError) {
        toll = try Salvage(source: source, target: target).copyAll()
        try target.execute("COMMIT")
      } catch {
        target.rollBack()
        throw error
      }
    }
    try Schema.bringUp(target)
    return toll
  }

  /// With what its log holds, or where that cannot be read without; nil: not even the schema.
  private static func readable(_ path: String) -> (Database, version: Int)? {
    for log in [true, false] where !log || Suspicion.hasLog(path) {
      guard let source = try? Database(reading: path, log: log) else { continue }
      do throws(StoreError) {
        // First of all, so that a file that was cut is read as far as it goes.
        try source.execute("PRAGMA writable_schema = ON")
        try source.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -256")
        let version = try source.integer("PRAGMA user_version")
        if (1...Int64(Schema.steps.count)).contains(version),
          try source.integer("PRAGMA application_id") == Schema.applicationID,
          try source.integer("SELECT count(*) FROM sqlite_schema") > 0
        {
          return (source, Int(version))
        }
      } catch {
        // The next way.
      }
      source.close()
    }
    return nil
  }

  private func copyAll() throws(StoreError) -> Toll {
    var toll = Toll()
    var tables: [String] = []
    let list = try target.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    while try list.step() { tables.append(list.text(0)) }
    for table in tables {
      let count = try copy(table)
      switch table {
      case "notification": toll.notifications = count
      case "occurrence": toll.occurrences = count
      case "history": toll.history = count
      case "entry": toll.pushes = count
      default: break
      }
    }
    if tables.contains("entry") { try SalvagedInboxes(source: source, target: target).mend() }
    try nameApps(of: ["notification", "occurrence", "history", "inbox"].filter(tables.contains))
    return toll
  }

  // MARK: One table

  /// How many rows were saved.
  ///
  private func copy(_ table: String) throws(StoreError) -> Int64 {
    let columns = try columns(of: table)
    let list = columns.joined(separator: ", ")
    let from = "SELECT rowid, \(list) FROM \(table) WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
    guard let up = try? source.prepare(from), let down = try? source.prepare(from + " DESC") else {
      return 0
    }
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    // What breaks a rule of the table is no row.
    let insert = try target.prepare(
      "INSERT OR IGNORE INTO \(table) (\(list)) VALUES (\(places))")
    var count: Int64 = 0
    for keys in Self.keys {
      try look(through: keys, up, down) { row throws(StoreError) in
        insert.reset()
        for column in columns.indices { insert.bind(row, column: Int32(column) + 1) }
        try insert.run()
        count += target.lastChanges
      }
    }
    return count
  }

  /// From both ends up to what cannot be read; then the same for either half of what is left.
  private func look(
    through keys: ClosedRange<Int64>, _ up: Statement, _ down: Statement,
    keep: (Statement) throws(StoreError) -> Void
  ) throws(StoreError) {
    var ranges = [keys]
    var place = 0
    while place < min(ranges.count, Self.tries) {
      var (low, high) = (ranges[place].lowerBound, ranges[place].upperBound)
      place += 1
      var end = up.bound(low, high).tried
      while end == .row {
        try keep(up)
        guard up.integer(0) < high else { break }
        low = up.integer(0) + 1
        end = up.tried
      }
      guard end == .damage else { continue }
      end = down.bound(low, high).tried
      while end == .row {
        try keep(down)
        guard down.integer(0) > low else { break }
        high = down.integer(0) - 1
        end = down.tried
      }
      guard end == .damage, low < high else { continue }
      let middle = low &+ Int64((UInt64(bitPattern: high) &- UInt64(bitPattern: low)) / 2)
      ranges += [low...middle, middle + 1...high]
    }
  }

  private func columns(of table: String) throws(StoreError) -> [String] {
    var columns: [String] = []
    let info = try target.prepare("PRAGMA table_info(\(table))")
    while try info.step() { columns.append(info.text(1)) }
    return columns
  }

  // MARK: Apps

  /// A row whose app cannot be read rings all the same: under the name that the index still has, or
  /// one that says what happened. It belongs to whom its name says, else to this daemon's user.
  private func nameApps(of tables: [String]) throws(StoreError) {
    var lost = Set<Int64>()
    for table in tables {
      try target.execute("DELETE FROM \(table) WHERE app NOT BETWEEN 1 AND \(AppNumber.max)")
      let rows = try target.prepare(
        "SELECT DISTINCT app FROM \(table) WHERE app NOT IN (SELECT number FROM app)")
      while try rows.step() { lost.insert(rows.integer(0)) }
    }
    if lost.isEmpty { return }
    var names: [Int64: String] = [:]
    if let index = try? source.prepare(
      "SELECT number, name FROM app INDEXED BY sqlite_autoindex_app_1")
    {
      while index.tried == .row { names[index.integer(0)] = index.text(1) }
    }
    for number in lost {
      let name = names[number] ?? "salvaged.\(number)"
      let parts = name.split(separator: ".")
      let owner = parts.count == 2 && parts[0] == "user" ? Int64(parts[1]) : nil
      try target.prepare(
        "INSERT OR IGNORE INTO app (number, name, owner, badge) VALUES (?, ?, ?, 0)"
      ).bind(number).bind(name).bind(owner ?? Int64(Process.uid)).run()
    }
  }
}

extension Statement {
  enum Tried { case row, end, damage }

  /// What comes of one step in a file that may be damaged.
  var tried: Tried {
    do throws(StoreError) {
      return try step() ? .row : .end
    } catch {
      return .damage
    }
  }

  /// Ready to look through the rows from one key to another.
  fileprivate func bound(_ low: Int64, _ high: Int64) -> Statement {
    reset()
    return bind(low).bind(high)
  }
}
