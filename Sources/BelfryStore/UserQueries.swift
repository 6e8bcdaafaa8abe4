import BelfryCore

/// Of what users did, what is snoozed, and what sinks have yet to take back.
enum UserQuery: Int, QueryGroup {
  case queuedEvents, keepQueuedEvent, forgetQueuedEvent, deleteQueuedEventsOfApp, snoozes, putSnooze
  case unsnooze, deleteSnoozedOfApp, owed, queueWithdrawal, withdrawalsConfirmed
  case waitingAlerts, putWaitingAlert, forgetWaitingAlert, deleteWaitingAlertsOfApp

  var sql: String {
    switch self {
    case .queuedEvents:
      """
      SELECT happening.number, app, kind, action, text, attempt, since, delivered, occurrence, due, \
      missed, missedSince, identifier, content, name \
      FROM happening JOIN app ON app.number = happening.app ORDER BY happening.number
      """
    case .keepQueuedEvent:
      """
      INSERT OR REPLACE INTO happening (number, app, kind, action, text, attempt, since, delivered, \
      occurrence, due, missed, missedSince, identifier, content) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    case .forgetQueuedEvent: "DELETE FROM happening WHERE number = ?"
    case .deleteQueuedEventsOfApp: "DELETE FROM happening WHERE app = ?"
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
    case .unsnooze: "DELETE FROM snoozed WHERE occurrence = ?"
    case .deleteSnoozedOfApp: "DELETE FROM snoozed WHERE app = ?"
    case .waitingAlerts:
      """
      SELECT occurrence, app, name, step, due, began, relative, identifier, content \
      FROM waitingAlert JOIN app ON app.number = waitingAlert.app ORDER BY began
      """
    case .putWaitingAlert:
      """
      INSERT OR REPLACE INTO waitingAlert \
      (occurrence, app, step, due, began, relative, identifier, content) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    case .forgetWaitingAlert: "DELETE FROM waitingAlert WHERE occurrence = ?"
    case .deleteWaitingAlertsOfApp: "DELETE FROM waitingAlert WHERE app = ?"
    case .owed: "SELECT occurrence, sink FROM owed"
    case .queueWithdrawal: "INSERT INTO owed (occurrence, sink) VALUES (?, ?)"
    case .withdrawalsConfirmed: "DELETE FROM owed WHERE sink = ?"
    }
  }
}

/// Of inboxes and their entries.
enum InboxQuery: Int, QueryGroup {
  case findInbox, countInboxes, addInbox, changeInbox, findEntry, addEntry, deleteEntry
  case deleteEntries, oldestEntries, entriesAfter, deleteEntriesOfApp, deleteInboxesOfApp

  var sql: String {
    switch self {
    case .findInbox:
      """
      SELECT number, name, last, evicted, entries, bytes FROM inbox \
      WHERE app = ? AND container = ?
      """
    case .countInboxes: "SELECT count(*) FILTER (WHERE app = ?), ifnull(max(number), 0) FROM inbox"
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
    case .deleteEntriesOfApp:
      "DELETE FROM entry WHERE inbox IN (SELECT number FROM inbox WHERE app = ?)"
    case .deleteInboxesOfApp: "DELETE FROM inbox WHERE app = ?"
    }
  }
}
