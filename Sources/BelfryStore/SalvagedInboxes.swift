import BelfryCore
import BelfrySystem

/// Puts right what inboxes say of themselves after their entries were saved row by row.
///
/// An inbox whose row cannot be read is found by the index that still names it, under a new random
/// name: its readers' tokens are foreign, and they fetch all. Of one that lost entries older tokens
/// are expired (P7), so that nobody takes what is missing for what never came.
struct SalvagedInboxes {
  let source: Database
  let target: Database

  func mend() throws(StoreError) {
    try restoreInboxes()
    try target.execute(
      """
      DELETE FROM entry WHERE inbox NOT IN (SELECT number FROM inbox) OR key >> 40 IS NOT inbox;
      UPDATE inbox SET evicted = max(last, newest), last = max(last, newest), entries = found,
        bytes = total
      FROM (SELECT number AS own, count(key) AS found, ifnull(sum(length(payload)), 0) AS total,
          ifnull(max(key), 0) & \(Inbox.mostPosition) AS newest
        FROM inbox LEFT JOIN entry ON entry.inbox = number GROUP BY number)
      WHERE number = own AND (entries, bytes, last) IS NOT (found, total, newest);
      """)
  }

  private func restoreInboxes() throws(StoreError) {
    var lost: Set<Int64> = []
    let rows = try target.prepare(
      "SELECT DISTINCT inbox FROM entry WHERE inbox NOT IN (SELECT number FROM inbox)")
    while try rows.step() { lost.insert(rows.integer(0)) }
    guard !lost.isEmpty,
      let index = try? source.prepare(
        "SELECT number, app, container FROM inbox INDEXED BY sqlite_autoindex_inbox_1")
    else { return }
    let insert = try target.prepare(
      """
      INSERT OR IGNORE INTO inbox (number, app, container, name, last, evicted, entries, bytes)
      VALUES (?, ?, ?, ?, 0, 0, 0, 0)
      """)
    while index.tried == .row {
      guard lost.contains(index.integer(0)) else { continue }
      try insert.bind(index.integer(0)).bind(index.integer(1)).bind(index.text(2))
        .bind(Int64(bitPattern: Random.uuid().low)).run()
    }
  }
}
