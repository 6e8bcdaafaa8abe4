import BelfryCore
import BelfrySystem

/// Gives apps to saved rows whose own app cannot be read, so that they ring all the same.
///
/// They come under the name that the index still has, or one that says what happened, and belong to
/// whom that name says, else to this daemon's user.
struct RecoveredApps {
  let walk: PageWalk
  let target: Database

  func name() throws(StoreError) {
    var lost = Set<Int64>()
    for table in [
      "notification", "occurrence", "history", "inbox", "happening", "snoozed", "waitingAlert",
    ] {
      let rows = try target.prepare(
        "SELECT DISTINCT app FROM \(table) WHERE app NOT IN (SELECT number FROM app)")
      while try rows.step() { lost.insert(rows.integer(0)) }
    }
    if lost.isEmpty { return }
    var names: [Int64: String] = [:]
    walk.eachEntry(of: "sqlite_autoindex_app_1") { record in
      guard record.count == 2, let name = record[0].text, let number = record[1].integer else {
        return
      }
      names[number] = name
    }
    let insert = try target.prepare(
      "INSERT OR IGNORE INTO app (number, name, owner, badge) VALUES (?, ?, ?, 0)")
    for number in lost {
      let name = names[number] ?? "salvaged.\(number)"
      let parts = name.split(separator: ".")
      // `user.1000`, or one of that user's programs.
      let owner = parts.count >= 2 && parts[0] == "user" ? Int64(parts[1]) : nil
      try insert.bind(number).bind(name).bind(owner ?? Int64(Process.uid)).run()
      // The name may be another's by now.
      if target.lastChanges == 0 {
        try insert.bind(number).bind("salvaged.\(number)").bind(owner ?? Int64(Process.uid)).run()
      }
    }
  }
}
