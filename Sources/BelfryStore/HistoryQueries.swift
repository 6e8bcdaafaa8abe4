import BelfryCore

/// Of the history.
enum HistoryQuery: Int, QueryGroup {
  case addHistory, overwriteHistory, newestHistory, historyAfter, countHistory, trimOldest
  case trimByAge, oldestHistory, oldestContent, trimThrough, deleteHistoryOfApp

  var sql: String {
    switch self {
    case .addHistory:
      """
      INSERT INTO history (app, identifier, uuidHigh, uuidLow, generation, k, snooze, sink, \
      due, handedOver, acknowledged, attempts, shown, state, reason, clock, missed, missedSince, \
      content, digest, text) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    case .overwriteHistory:
      """
      UPDATE history SET handedOver = ?, acknowledged = ?, attempts = ?, shown = ?, state = ?, \
      reason = ?, content = ifnull(?, content), digest = ifnull(?, digest) WHERE id = ?
      """
    case .newestHistory:
      """
      SELECT id, uuidHigh, uuidLow, generation, k, snooze, sink FROM history \
      ORDER BY id DESC LIMIT ?
      """
    case .historyAfter:
      """
      SELECT id, history.app, identifier, uuidHigh, uuidLow, generation, k, snooze, sink, \
      name, due, handedOver, acknowledged, attempts, state, reason, clock, missed, missedSince, \
      text \
      FROM history JOIN app ON app.number = history.app WHERE id > ? ORDER BY id
      """
    case .countHistory:
      // With its LIMIT the inner query stays one of its own, else all contents are sorted, not their
      // sizes (sqlite.org/optoverview.html, "Subquery flattening").
      """
      SELECT row.app, ifnull(owner, -1), count(*), sum(row.size) FROM \
      (SELECT app, ifnull(length(content), 0) AS size FROM history LIMIT -1) AS row \
      LEFT JOIN app ON app.number = row.app GROUP BY row.app
      """
    case .trimOldest:
      """
      DELETE FROM history WHERE id IN (SELECT history.id FROM history \
      LEFT JOIN app ON app.number = history.app WHERE ifnull(owner, -1) = ? \
      ORDER BY history.id LIMIT ?)
      """
    case .trimByAge:
      """
      DELETE FROM history WHERE id < (SELECT id FROM history WHERE due > ? ORDER BY id LIMIT 1)
      """
    case .oldestContent:
      """
      SELECT history.id, length(content) FROM history \
      LEFT JOIN app ON app.number = history.app \
      WHERE content IS NOT NULL AND ifnull(owner, -1) = ? ORDER BY history.id
      """
    case .trimThrough:
      """
      DELETE FROM history WHERE id IN (SELECT history.id FROM history \
      LEFT JOIN app ON app.number = history.app \
      WHERE ifnull(owner, -1) = ? AND history.id <= ?)
      """
    case .oldestHistory: "SELECT id, due FROM history ORDER BY id LIMIT 1"
    case .deleteHistoryOfApp: "DELETE FROM history WHERE app = ?"
    }
  }
}

/// Of the rows of the history that sinks still show.
enum ShownQuery: Int, QueryGroup {
  case shownByName, shownByOccurrence, shownOfApp, shownByContent, shownAfter, withdrawShown
  case newestShown, markHandled, undigestedShown, setShownDigest

  var sql: String {
    switch self {
    case .shownByName:
      """
      SELECT \(Query.shownColumns), due, content, acknowledged FROM history \
      WHERE app = ? AND identifier = ? AND shown
      """
    case .shownByOccurrence:
      """
      SELECT \(Query.shownColumns), due, content, acknowledged FROM history WHERE shown \
      AND uuidHigh = ? AND uuidLow = ? AND generation = ? AND k = ? AND snooze & 0xFFFFFFFF = ? \
      ORDER BY app, identifier
      """
    case .newestShown:
      """
      SELECT \(Query.shownColumns), due, content, acknowledged FROM history \
      WHERE app = ? AND shown ORDER BY id DESC LIMIT 1
      """
    case .shownOfApp:
      """
      SELECT \(Query.shownColumns) FROM history WHERE app = ? AND shown ORDER BY identifier
      """
    case .shownByContent:
      """
      SELECT \(Query.shownColumns) FROM history \
      WHERE app = ? AND shown AND digest = ? AND content = ?
      """
    case .undigestedShown:
      """
      SELECT id, content FROM history \
      WHERE app = ? AND shown AND digest IS NULL AND content IS NOT NULL
      """
    case .setShownDigest: "UPDATE history SET digest = ? WHERE id = ?"
    case .shownAfter:
      """
      SELECT \(Query.shownColumns), due, content FROM history WHERE id > ? AND +shown ORDER BY id
      """
    case .withdrawShown:
      "UPDATE history SET shown = 0, state = 'withdrawn', content = NULL WHERE id = ?"
    case .markHandled:
      """
      UPDATE history SET shown = 0, state = ?, reason = ?, content = NULL WHERE id = ?
      """
    }
  }
}
