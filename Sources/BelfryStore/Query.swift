import BelfryCore

/// A group of statements, each prepared once when first used.
///
/// Every group switches over all its cases, so a statement without SQL does not compile.
protocol QueryGroup: CaseIterable {
  var rawValue: Int { get }
  var sql: String { get }
}

/// Lists of columns that several statements share.
enum Query {
  static let summaryColumns = """
    slot, app, generation, sequence, anchor, unit, firedThrough, relative, wakes, mode, zone, plan, \
    tolerance, side
    """
  static let notificationColumns = """
    \(summaryColumns), uuidHigh, uuidLow, identifier, content
    """
  static let shownColumns = """
    id, app, identifier, uuidHigh, uuidLow, generation, k, snooze, sink
    """
  static let sameOccurrence = """
    key = ? AND uuidHigh = ? AND uuidLow = ? AND generation = ? AND k = ? AND snooze = ?
    """
}

/// Of transactions and of the `app` table.
enum AppQuery: Int, QueryGroup {
  case begin, commit, apps, putApp, setBadge, noteUse, noteCritical, register, deleteApp
  case held, addHeld

  var sql: String {
    switch self {
    case .begin: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .apps: "SELECT number, name, owner, badge, used, registration, criticalGroup FROM app"
    case .putApp:
      """
      INSERT INTO app (number, name, owner, badge, used, criticalGroup) \
      VALUES (?, ?, ?, ?, ?, ?) \
      ON CONFLICT (number) DO UPDATE SET name = excluded.name, owner = excluded.owner, \
      badge = excluded.badge, used = excluded.used, criticalGroup = excluded.criticalGroup
      """
    case .setBadge: "UPDATE app SET badge = ? WHERE number = ?"
    case .noteUse: "UPDATE app SET used = ? WHERE number = ?"
    case .noteCritical: "UPDATE app SET criticalGroup = ? WHERE owner = ?"
    case .register: "UPDATE app SET registration = ? WHERE number = ?"
    case .deleteApp: "DELETE FROM app WHERE number = ?"
    case .held:
      "SELECT owner, bytes FROM held WHERE owner = (SELECT owner FROM app WHERE number = ?)"
    case .addHeld:
      "UPDATE held SET bytes = bytes + ? WHERE owner = (SELECT owner FROM app WHERE number = ?)"
    }
  }
}

/// Of what time it was and where the board was.
enum ClockQuery: Int, QueryGroup {
  case clock, putClock, newestTime, fix, putFix

  var sql: String {
    switch self {
    case .clock: "SELECT boot, elapsed, real, history FROM clock WHERE id = 1"
    case .putClock:
      """
      INSERT OR REPLACE INTO clock (id, boot, elapsed, real, history) \
      VALUES (1, ?, ?, ?, (SELECT ifnull(max(id), 0) FROM history))
      """
    case .newestTime:
      """
      SELECT id, coalesce(acknowledged, handedOver, due) FROM history \
      WHERE clock IS NOT 'untrusted' ORDER BY id DESC LIMIT 1
      """
    case .fix: "SELECT latitude, longitude, accuracy, time FROM fix WHERE id = 1"
    case .putFix:
      """
      INSERT OR REPLACE INTO fix (id, latitude, longitude, accuracy, time) VALUES (1, ?, ?, ?, ?)
      """
    }
  }
}
