import BelfryCore
import BelfrySystem

/// Puts right what inboxes say of themselves after their entries were saved row by row.
///
/// An inbox whose row cannot be read is found by the index that still names it, under a new random
/// name: its readers' tokens are foreign, and they fetch all. Of one that lost entries older tokens
/// are expired (P7), so that nobody takes what is missing for what never came.
struct RecoveredInboxes {
  let walk: PageWalk
  let target: Database

  func mend() throws(StoreError) {
    try restoreInboxes()
    try target.execute(
      """
      DELETE FROM entry WHERE inbox NOT IN (SELECT number FROM inbox) OR key >> 40 IS NOT inbox;
      UPDATE inbox SET evicted = max(last, newest), last = max(last, newest), entries = found,
        bytes = total
      FROM (SELECT number AS own, count(key) AS found, ifnull(sum(length(payload)), 0) AS total,
          ifnull(max(key), 0) & \(Inbox.maxPosition) AS newest
        FROM inbox LEFT JOIN entry ON entry.inbox = number GROUP BY number)
      WHERE number = own AND (entries, bytes, last) IS NOT (found, total, newest);
      """)
  }

  private func restoreInboxes() throws(StoreError) {
    var lost: Set<Int64> = []
    let rows = try target.prepare(
      "SELECT DISTINCT inbox FROM entry WHERE inbox NOT IN (SELECT number FROM inbox)")
    while try rows.step() { lost.insert(rows.integer(0)) }
    if lost.isEmpty { return }
    var found: [(number: Int64, app: Int64, container: String)] = []
    walk.eachEntry(of: "sqlite_autoindex_inbox_1") { record in
      guard record.count == 3, let app = record[0].integer, let container = record[1].text,
        let number = record[2].integer, lost.contains(number),
        (1...Int64(AppNumber.max)).contains(app)
      else { return }
      found.append((number, app, container))
    }
    let insert = try target.prepare(
      """
      INSERT OR IGNORE INTO inbox (number, app, container, name, last, evicted, entries, bytes)
      VALUES (?, ?, ?, ?, 0, 0, 0, 0)
      """)
    for inbox in found {
      try insert.bind(inbox.number).bind(inbox.app).bind(inbox.container)
        .bind(Int64(bitPattern: Random.uuid().low)).run()
    }
  }
}
