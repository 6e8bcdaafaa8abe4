import BelfryCore

/// Every statement of the books, prepared once when first used.
enum Query: Int, CaseIterable {
  case begin, commit
  case apps, putApp, setBadge, noteUse, noteCritical, register
  case deleteApp, deleteNotificationsOfApp, deleteOccurrencesOfApp, deleteHistoryOfApp
  case deleteHappeningsOfApp, deleteSnoozedOfApp, deleteEntriesOfApp, deleteInboxesOfApp
  case pending, notificationBySlot, notificationByName, notificationsAfter
  case slotsOfApp, equalSlots
  case insert, replace, delete, deleteGeneration, moveFiredThrough, planAfresh, rebase
  case occurrences, findOccurrence, putOccurrence, markFired, markSettled
  case deleteOccurrence, deleteIntent
  case addHistory, overwriteHistory, newestHistory, historyAfter
  case shownByName, shownOfApp, shownByContent, shownAfter, withdrawShown
  case countHistory, trimOldest, trimByAge, oldestHistory
  case clock, putClock, newestTime
  case happenings, keepHappening, forgetHappening
  case moveCrossing, setSide, fix, putFix
  case snoozes, putSnooze, unsnooze, shownByOccurrence, putAway
  case owed, owe, paidOff
  case findInbox, countInboxes, addInbox, changeInbox
  case findEntry, addEntry, deleteEntry, deleteEntries, oldestEntries, entriesAfter

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

  var sql: String {
    switch self {
    case .begin: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .apps:
      "SELECT number, name, owner, badge, used, registration, criticalGroup FROM app"
    case .putApp:
      """
      INSERT INTO app (number, name, owner, badge, used, criticalGroup) \
      VALUES (?, ?, ?, ?, ?, ?) \
      ON CONFLICT (number) DO UPDATE SET name = excluded.name, owner = excluded.owner, \
      badge = excluded.badge, used = excluded.used, criticalGroup = excluded.criticalGroup
      """
    case .register: "UPDATE app SET registration = ? WHERE number = ?"
    case .setBadge: "UPDATE app SET badge = ? WHERE number = ?"
    case .noteUse: "UPDATE app SET used = ? WHERE number = ?"
    case .noteCritical: "UPDATE app SET criticalGroup = ? WHERE owner = ?"
    case .deleteApp: "DELETE FROM app WHERE number = ?"
    case .deleteNotificationsOfApp: "DELETE FROM notification WHERE app = ?"
    case .deleteOccurrencesOfApp: "DELETE FROM occurrence WHERE app = ?"
    case .deleteHistoryOfApp: "DELETE FROM history WHERE app = ?"
    case .deleteHappeningsOfApp: "DELETE FROM happening WHERE app = ?"
    case .deleteSnoozedOfApp: "DELETE FROM snoozed WHERE app = ?"
    case .deleteEntriesOfApp:
      "DELETE FROM entry WHERE inbox IN (SELECT number FROM inbox WHERE app = ?)"
    case .deleteInboxesOfApp: "DELETE FROM inbox WHERE app = ?"
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
    case .happenings, .keepHappening, .forgetHappening: happeningSQL
    case .fix: "SELECT latitude, longitude, accuracy, time FROM fix WHERE id = 1"
    case .putFix:
      """
      INSERT OR REPLACE INTO fix (id, latitude, longitude, accuracy, time) VALUES (1, ?, ?, ?, ?)
      """
    case .snoozes:
      """
      SELECT occurrence, app, name, due, relative, identifier, content \
      FROM snoozed JOIN app ON app.number = snoozed.app ORDER BY due
      """
    case .putSnooze:
      """
      INSERT OR REPLACE INTO snoozed (occurrence, app, due, relative, identifier, content) \
      VALUES (?, ?, ?, ?, ?, ?)
      """
    case .owed: "SELECT occurrence, sink FROM owed"
    case .owe: "INSERT INTO owed (occurrence, sink) VALUES (?, ?)"
    case .paidOff: "DELETE FROM owed WHERE sink = ?"
    case .unsnooze: "DELETE FROM snoozed WHERE occurrence = ?"
    default: notificationSQL ?? occurrenceSQL ?? inboxSQL ?? historySQL
    }
  }

  private var happeningSQL: String {
    switch self {
    case .happenings:
      """
      SELECT happening.number, app, kind, action, text, attempt, since, delivered, occurrence, due, \
      missed, missedSince, identifier, content, name \
      FROM happening JOIN app ON app.number = happening.app ORDER BY happening.number
      """
    case .keepHappening:
      """
      INSERT OR REPLACE INTO happening (number, app, kind, action, text, attempt, since, delivered, \
      occurrence, due, missed, missedSince, identifier, content) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    default: "DELETE FROM happening WHERE number = ?"
    }
  }

  private var notificationSQL: String? {
    switch self {
    case .pending:
      """
      SELECT \(Self.summaryColumns), CASE WHEN wakes \
      AND instr(CAST(content AS TEXT), '"interruptionLevel":"critical"') THEN identifier END \
      FROM notification
      """
    case .notificationBySlot:
      "SELECT \(Self.notificationColumns) FROM notification WHERE slot = ?"
    case .notificationByName:
      "SELECT \(Self.notificationColumns) FROM notification WHERE app = ? AND identifier = ?"
    case .notificationsAfter:
      "SELECT \(Self.notificationColumns) FROM notification WHERE slot > ? ORDER BY slot"
    case .slotsOfApp: "SELECT slot FROM notification WHERE app = ? LIMIT ?"
    case .equalSlots: "SELECT slot FROM notification WHERE app = ? AND content = ?"
    case .insert:
      """
      INSERT INTO notification (\(Self.notificationColumns)) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
      ON CONFLICT (app, identifier) DO NOTHING
      """
    case .replace:
      """
      UPDATE notification SET generation = ?, sequence = ?, anchor = ?, unit = ?, \
      firedThrough = ?, relative = ?, wakes = ?, mode = ?, zone = ?, plan = ?, tolerance = ?, \
      side = ?, content = ? WHERE slot = ?
      """
    case .planAfresh:
      """
      UPDATE notification SET generation = ?1 + 1, firedThrough = ?2 \
      WHERE slot = ?3 AND generation = ?1
      """
    case .rebase:
      "UPDATE notification SET anchor = ?, relative = ? WHERE slot = ? AND generation = ?"
    case .delete: "DELETE FROM notification WHERE slot = ?"
    case .deleteGeneration: "DELETE FROM notification WHERE slot = ? AND generation = ?"
    case .moveFiredThrough:
      """
      UPDATE notification SET firedThrough = ?1 \
      WHERE slot = ?2 AND generation = ?3 AND firedThrough < ?1
      """
    case .moveCrossing:
      """
      UPDATE notification SET firedThrough = ?1, side = ?4 \
      WHERE slot = ?2 AND generation = ?3 AND firedThrough < ?1
      """
    case .setSide: "UPDATE notification SET side = ? WHERE slot = ? AND generation = ?"
    default: nil
    }
  }

  private var occurrenceSQL: String? {
    switch self {
    case .occurrences:
      """
      SELECT occurrence.app, name, slot, uuidHigh, uuidLow, generation, k, snooze, due, \
      missed, missedSince, sinks, settled, identifier, content, forApp \
      FROM occurrence JOIN app ON app.number = occurrence.app ORDER BY due
      """
    case .findOccurrence:
      "SELECT settled, content FROM occurrence WHERE \(Self.sameOccurrence)"
    case .putOccurrence:
      """
      INSERT INTO occurrence (key, uuidHigh, uuidLow, generation, k, snooze, app, slot, due, \
      missed, missedSince, sinks, settled, identifier, content, forApp) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?) ON CONFLICT (key) DO NOTHING
      """
    case .markFired:
      """
      UPDATE occurrence SET due = ?, missed = ?, missedSince = ?, sinks = ifnull(sinks, ?) \
      WHERE \(Self.sameOccurrence)
      """
    case .markSettled: "UPDATE occurrence SET settled = ? WHERE \(Self.sameOccurrence)"
    case .deleteOccurrence: "DELETE FROM occurrence WHERE \(Self.sameOccurrence)"
    case .deleteIntent: "DELETE FROM occurrence WHERE \(Self.sameOccurrence) AND sinks IS NULL"
    default: nil
    }
  }

  private var inboxSQL: String? {
    switch self {
    case .findInbox:
      """
      SELECT number, name, last, evicted, entries, bytes FROM inbox \
      WHERE app = ? AND container = ?
      """
    case .countInboxes:
      "SELECT count(*) FILTER (WHERE app = ?), ifnull(max(number), 0) FROM inbox"
    case .addInbox:
      """
      INSERT INTO inbox (number, app, container, name, last, evicted, entries, bytes) \
      VALUES (?, ?, ?, ?, 0, 0, 0, 0)
      """
    case .changeInbox:
      "UPDATE inbox SET last = ?, evicted = ?, entries = ?, bytes = ? WHERE number = ?"
    case .findEntry:
      """
      SELECT key, kind, ifnull(length(payload), 0) FROM entry \
      WHERE inbox = ? AND idHigh = ? AND idLow = ?
      """
    case .addEntry:
      """
      INSERT INTO entry (key, inbox, idHigh, idLow, kind, received, pruned, payload) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (inbox, idHigh, idLow) DO NOTHING
      """
    case .deleteEntry: "DELETE FROM entry WHERE key = ?"
    case .deleteEntries: "DELETE FROM entry WHERE key BETWEEN ? AND ?"
    case .oldestEntries:
      """
      SELECT key, ifnull(length(payload), 0) FROM entry WHERE key BETWEEN ? AND ? ORDER BY key
      """
    case .entriesAfter:
      """
      SELECT key, idHigh, idLow, kind, received, pruned, payload FROM entry \
      WHERE key BETWEEN ? AND ? ORDER BY key
      """
    default: nil
    }
  }

  private var historySQL: String {
    switch self {
    case .addHistory:
      """
      INSERT INTO history (app, identifier, uuidHigh, uuidLow, generation, k, snooze, sink, \
      due, handedOver, acknowledged, attempts, shown, state, reason, clock, missed, missedSince, \
      content, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    case .overwriteHistory:
      """
      UPDATE history SET handedOver = ?, acknowledged = ?, attempts = ?, shown = ?, state = ?, \
      reason = ?, content = ifnull(?, content) WHERE id = ?
      """
    case .newestHistory:
      "SELECT id, uuidHigh, uuidLow, generation, k, snooze, sink FROM history ORDER BY id DESC LIMIT ?"
    case .historyAfter:
      """
      SELECT id, history.app, identifier, uuidHigh, uuidLow, generation, k, snooze, sink, \
      name, due, handedOver, acknowledged, attempts, state, reason, clock, missed, missedSince, \
      text \
      FROM history JOIN app ON app.number = history.app WHERE id > ? ORDER BY id
      """
    case .shownByName:
      """
      SELECT \(Self.shownColumns), due, content, acknowledged FROM history WHERE app = ? AND identifier = ? AND shown
      """
    case .shownByOccurrence:
      """
      SELECT \(Self.shownColumns), due, content, acknowledged FROM history WHERE shown \
      AND uuidHigh = ? AND uuidLow = ? AND generation = ? AND k = ? AND snooze = ?
      """
    case .putAway:
      """
      UPDATE history SET shown = 0, state = ?, reason = ?, content = NULL WHERE id = ?
      """
    case .shownOfApp: "SELECT \(Self.shownColumns) FROM history WHERE app = ? AND shown"
    case .shownByContent:
      "SELECT \(Self.shownColumns) FROM history WHERE app = ? AND shown AND content = ?"
    case .shownAfter:
      """
      SELECT \(Self.shownColumns), due, content FROM history WHERE id > ? AND +shown ORDER BY id
      """
    case .withdrawShown:
      "UPDATE history SET shown = 0, state = 'withdrawn', content = NULL WHERE id = ?"
    case .countHistory:
      """
      SELECT history.app, ifnull(owner, -1), count(*) FROM history \
      LEFT JOIN app ON app.number = history.app GROUP BY history.app
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
    default: "SELECT id, due FROM history ORDER BY id LIMIT 1"
    }
  }
}
