/// Of what is paused, skipped and on a day off.
enum PauseQuery: Int, QueryGroup {
  case pauses, putPause, deletePause, deletePausesOfApp, findPauseRun, addPauseRun, deletePauseRun
  case deletePauseRuns, deletePauseRunsOfApp, growHistory, skips, putSkips, deleteSkips
  case deleteSkipsOfApp, deleteDayRuns, days, putDays, deleteDays

  var sql: String {
    switch self {
    case .pauses:
      """
      SELECT number, pause.app, pause.slot, pause.uuidHigh, pause.uuidLow, start, until FROM pause \
      LEFT JOIN notification ON notification.slot = pause.slot \
      WHERE pause.slot IS NULL OR (notification.uuidHigh = pause.uuidHigh \
      AND notification.uuidLow = pause.uuidLow) ORDER BY number
      """
    case .putPause:
      """
      INSERT OR REPLACE INTO pause (number, app, slot, uuidHigh, uuidLow, start, until) \
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """
    case .deletePause: "DELETE FROM pause WHERE number = ?"
    case .deletePausesOfApp: "DELETE FROM pause WHERE app = ?"
    case .findPauseRun:
      "SELECT history FROM pauseRun WHERE pause = ? AND uuidHigh = ? AND uuidLow = ?"
    case .addPauseRun:
      """
      INSERT OR REPLACE INTO pauseRun (history, pause, uuidHigh, uuidLow) \
      VALUES ((SELECT max(id) FROM history), ?, ?, ?)
      """
    case .deletePauseRun: "DELETE FROM pauseRun WHERE history = ?"
    case .deletePauseRuns: "DELETE FROM pauseRun WHERE pause = ?"
    case .deletePauseRunsOfApp:
      "DELETE FROM pauseRun WHERE pause IN (SELECT number FROM pause WHERE app = ?)"
    case .growHistory:
      """
      UPDATE history SET missed = missed + ?1, missedSince = ifnull(missedSince, due), due = ?2, \
      generation = ?3, k = ?4, reason = ?5, text = ifnull(?6, text) \
      WHERE id = ?7 AND uuidHigh = ?8 AND uuidLow = ?9 AND state = 'skipped'
      """
    case .skips:
      """
      SELECT skip.slot, skip.app, skip.uuidHigh, skip.uuidLow, skip.generation, runs FROM skip \
      JOIN notification ON notification.slot = skip.slot \
      AND notification.uuidHigh = skip.uuidHigh AND notification.uuidLow = skip.uuidLow \
      AND notification.generation = skip.generation
      """
    case .putSkips:
      """
      INSERT OR REPLACE INTO skip (slot, app, uuidHigh, uuidLow, generation, runs) \
      VALUES (?, ?, ?, ?, ?, ?)
      """
    case .deleteSkips: "DELETE FROM skip WHERE slot = ?"
    case .deleteSkipsOfApp: "DELETE FROM skip WHERE app = ?"
    case .deleteDayRuns:
      """
      DELETE FROM pauseRun WHERE pause < 0 AND ((uuidHigh = ? AND uuidLow = ?) \
      OR history < (SELECT min(id) FROM history))
      """
    case .days: "SELECT app, name, path, content FROM days"
    case .putDays: "INSERT OR REPLACE INTO days (app, name, path, content) VALUES (?, ?, ?, ?)"
    case .deleteDays: "DELETE FROM days WHERE app = ? AND name = ?"
    }
  }
}
