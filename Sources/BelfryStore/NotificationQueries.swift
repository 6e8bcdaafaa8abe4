import BelfryCore

/// Of the scheduled list.
enum NotificationQuery: Int, QueryGroup {
  case pending, notificationBySlot, notificationByName, notificationsAfter, slotsOfApp
  case equalSlots, undigested, setDigest, insert, replace, replanFromNow, rebase, delete,
    deleteGeneration
  case deleteNotificationsOfApp, moveFiredThrough, moveCrossing, setSide, bytesOfApp, bytesOfApps

  var sql: String {
    switch self {
    case .pending:
      """
      SELECT \(Query.summaryColumns), CASE WHEN wakes \
      AND instr(CAST(content AS TEXT), '"interruptionLevel":"critical"') THEN identifier END, \
      length(content), CASE WHEN side IS NOT NULL OR anchor = \(Int64.max) \
      THEN instr(CAST(content AS TEXT), '"region":{') > 0 ELSE 0 END FROM notification
      """
    case .notificationBySlot: "SELECT \(Query.notificationColumns) FROM notification WHERE slot = ?"
    case .notificationByName:
      "SELECT \(Query.notificationColumns) FROM notification WHERE app = ? AND identifier = ?"
    case .notificationsAfter:
      "SELECT \(Query.notificationColumns) FROM notification WHERE slot > ? ORDER BY slot"
    case .slotsOfApp:
      "SELECT slot FROM notification WHERE app = ? ORDER BY identifier LIMIT ?"
    case .equalSlots:
      "SELECT slot FROM notification WHERE app = ? AND digest = ? AND content = ?"
    case .undigested:
      "SELECT slot, content FROM notification WHERE app = ? AND digest IS NULL"
    case .setDigest: "UPDATE notification SET digest = ? WHERE slot = ?"
    case .insert:
      """
      INSERT INTO notification (\(Query.notificationColumns), digest) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
      ON CONFLICT (app, identifier) DO NOTHING
      """
    case .replace:
      """
      UPDATE notification SET generation = ?, sequence = ?, anchor = ?, unit = ?, \
      firedThrough = ?, relative = ?, wakes = ?, mode = ?, zone = ?, plan = ?, tolerance = ?, \
      side = ?, content = ?, digest = ? WHERE slot = ?
      """
    case .replanFromNow:
      """
      UPDATE notification SET generation = ?1 + 1, firedThrough = ?2 \
      WHERE slot = ?3 AND generation = ?1
      """
    case .rebase:
      "UPDATE notification SET anchor = ?, relative = ? WHERE slot = ? AND generation = ?"
    case .delete: "DELETE FROM notification WHERE slot = ?"
    case .deleteGeneration: "DELETE FROM notification WHERE slot = ? AND generation = ?"
    case .bytesOfApp:
      """
      SELECT ifnull(sum(length(content) + \(UserShare.row)), 0) FROM notification WHERE app = ?
      """
    case .bytesOfApps:
      "SELECT app, sum(length(content) + \(UserShare.row)) FROM notification GROUP BY app"
    case .deleteNotificationsOfApp: "DELETE FROM notification WHERE app = ?"
    case .moveFiredThrough:
      // Not only upwards: the last pass of an hour may have lower names (`Timetable`).
      "UPDATE notification SET firedThrough = ?1 WHERE slot = ?2 AND generation = ?3"
    case .moveCrossing:
      """
      UPDATE notification SET firedThrough = ?1, side = ?4 \
      WHERE slot = ?2 AND generation = ?3 AND firedThrough < ?1
      """
    case .setSide: "UPDATE notification SET side = ? WHERE slot = ? AND generation = ?"
    }
  }
}

/// Of occurrences whose deliveries have not all ended.
enum OccurrenceQuery: Int, QueryGroup {
  case occurrences, findOccurrence, putOccurrence, markFired, markSettled, deleteOccurrence
  case deleteIntent, deleteOccurrencesOfApp

  var sql: String {
    switch self {
    case .occurrences:
      """
      SELECT occurrence.app, name, slot, uuidHigh, uuidLow, generation, k, snooze, due, \
      missed, missedSince, sinks, settled, identifier, content, forApp \
      FROM occurrence JOIN app ON app.number = occurrence.app ORDER BY due
      """
    case .findOccurrence: "SELECT settled, content FROM occurrence WHERE \(Query.sameOccurrence)"
    case .putOccurrence:
      """
      INSERT INTO occurrence (key, uuidHigh, uuidLow, generation, k, snooze, app, slot, due, \
      missed, missedSince, sinks, settled, identifier, content, forApp) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?) ON CONFLICT (key) DO NOTHING
      """
    case .markFired:
      """
      UPDATE occurrence SET due = ?, missed = ?, missedSince = ?, sinks = ifnull(sinks, ?) \
      WHERE \(Query.sameOccurrence)
      """
    case .markSettled: "UPDATE occurrence SET settled = ? WHERE \(Query.sameOccurrence)"
    case .deleteOccurrence: "DELETE FROM occurrence WHERE \(Query.sameOccurrence)"
    case .deleteIntent: "DELETE FROM occurrence WHERE \(Query.sameOccurrence) AND sinks IS NULL"
    case .deleteOccurrencesOfApp: "DELETE FROM occurrence WHERE app = ?"
    }
  }
}
