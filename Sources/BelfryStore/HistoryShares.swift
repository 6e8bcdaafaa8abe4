import BelfryCore

/// How many rows of the history are whose, so that no user's flood takes those of another (A1).
struct HistoryShares {
  /// By owner; -1: the app is gone.
  private(set) var rows: [Int64: Int64] = [:]
  private var owners: [AppNumber: Int64] = [:]

  var total: Int64 { rows.values.reduce(0, +) }

  /// Who loses the oldest rows first, and how many until somebody else has as many; never, if it can
  /// be helped, whose row is the newest.
  func largest(besides newest: AppNumber) -> (owner: Int64, lead: Int64)? {
    let newest = owners[newest]
    let order = rows.sorted { one, other in
      (one.value, one.key == newest ? 0 : 1, one.key)
        > (other.value, other.key == newest ? 0 : 1, other.key)
    }
    guard let first = order.first else { return nil }
    let second = order.count > 1 ? order[1].value : 0
    return (first.key, max(1, first.value - second))
  }

  mutating func count(_ app: AppNumber, of owner: Int64, _ count: Int64) {
    owners[app] = owner
    rows[owner, default: 0] += count
  }

  /// One more; false: nobody has said whose the app is.
  mutating func add(_ app: AppNumber) -> Bool {
    guard let owner = owners[app] else { return false }
    rows[owner, default: 0] += 1
    return true
  }

  mutating func remove(_ count: Int64, of owner: Int64) {
    let left = (rows[owner] ?? 0) - count
    rows[owner] = left > 0 ? left : nil
  }
}

extension Store {
  /// The user with most rows loses his oldest, until there are no more than may be.
  func trimByCount(newest app: AppNumber) throws(StoreError) {
    var shares: HistoryShares
    if let historyShares { shares = historyShares } else { shares = try countHistory() }
    var surplus = shares.total - (limits.rows - limits.batch + 1)
    while surplus > 0, let largest = shares.largest(besides: app) {
      let count = min(surplus, largest.lead)
      try statement(.trimOldest).bind(largest.owner).bind(count).run()
      shares.remove(count, of: largest.owner)
      surplus -= count
    }
    historyShares = shares
  }

  private func countHistory() throws(StoreError) -> HistoryShares {
    var shares = HistoryShares()
    let scan = try statement(.countHistory)
    defer { scan.reset() }
    while try scan.step() {
      shares.count(
        AppNumber(truncatingIfNeeded: scan.integer(0)), of: scan.integer(1), scan.integer(2))
    }
    return shares
  }
}
