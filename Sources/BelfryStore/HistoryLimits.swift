import BelfryCore

/// How much of the history the store keeps (D9).
public struct HistoryLimits: Hashable, Sendable {
  public var rows: Int64
  /// In nanoseconds.
  public var age: Int64

  public init(rows: Int64 = 10_000, age: Int64 = 30 * Nanoseconds.day) {
    self.rows = max(1, rows)
    self.age = max(Nanoseconds.day, age)
  }

  /// Rows go this many at once: the oldest page is rewritten once in a while, not for each row.
  var batch: Int64 { max(1, min(64, rows / 8)) }
}

extension Store {
  /// Drops what is over the limits, in the transaction that added `newest` as the last row.
  ///
  /// Age is judged against the newest row's own due, so a quiet board writes nothing; what is old
  /// goes a day early, so that it goes a day's worth at a time.
  func trimHistory(
    newest row: HistoryRow, of app: AppNumber, bytes: Int
  ) throws(StoreError) {
    let newest = database.lastInsertedRow
    if historyShares?.addRow(app, bytes: bytes) == false { historyShares = nil }
    if newest % limits.batch == 0 {
      let before = cost
      try trimByCount(newest: app)
      // Whose row is the newest has not made it so many.
      noteNobodys(since: before)
      try trimByBytes(newest: app)
      oldestHistory = nil
    }
    if oldestHistory == nil { oldestHistory = try oldestRow() ?? row.due }
    guard let oldest = oldestHistory, row.due.nanoseconds(since: oldest) > limits.age else {
      return
    }
    let cutoff = row.due.advanced(by: Nanoseconds.day - limits.age)
    let before = cost
    try statement(.trimByAge).bind(cutoff.nanoseconds).run()
    noteNobodys(since: before)
    oldestHistory = nil
    historyShares = nil
  }

  private func noteNobodys(since before: Int64) {
    let spent = cost - before
    nobodysCost += spent
  }

  private func oldestRow() throws(StoreError) -> Instant? {
    let oldest = try statement(.oldestHistory)
    guard try oldest.step() else { return nil }
    defer { oldest.reset() }
    return Instant(nanoseconds: oldest.integer(1))
  }
}
