import BelfryCore

/// How much of the history is whose, so that no user's flood takes what is another's (A1, A2).
struct HistoryShares {
  /// By owner; -1: the app is gone.
  private(set) var rows: [Int64: Int64] = [:]
  /// Of the content of what is shown, at most: what left the screens since is in it.
  private var bytes: [Int64: Int64] = [:]
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

  func bytes(of app: AppNumber) -> (owner: Int64, bytes: Int64) {
    let owner = owners[app] ?? -1
    return (owner, bytes[owner] ?? 0)
  }

  mutating func count(_ app: AppNumber, of owner: Int64, rows count: Int64, bytes size: Int64) {
    owners[app] = owner
    rows[owner, default: 0] += count
    bytes[owner, default: 0] += size
  }

  /// One more; false: nobody has said whose the app is.
  mutating func addRow(_ app: AppNumber, bytes size: Int) -> Bool {
    guard let owner = owners[app] else { return false }
    rows[owner, default: 0] += 1
    bytes[owner, default: 0] += Int64(size)
    return true
  }

  /// A row that there is has content now.
  mutating func add(_ app: AppNumber, bytes size: Int) {
    if let owner = owners[app] { bytes[owner, default: 0] += Int64(size) }
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

  /// Whose alerts are shown with more bytes than his share loses the oldest, a part of it at once.
  func trimByBytes(newest app: AppNumber) throws(StoreError) {
    guard let shares = historyShares, isOver(shares.bytes(of: app)) else { return }
    var exact = try countHistory()
    defer { historyShares = exact }
    let (owner, bytes) = exact.bytes(of: app)
    guard isOver((owner, bytes)) else { return }
    var surplus = bytes - share.bytes + share.bytes / 32
    var last: Int64 = 0
    let scan = try statement(.oldestContent).bind(owner)
    while surplus > 0, try scan.step() {
      last = scan.integer(0)
      surplus -= scan.integer(1)
    }
    scan.reset()
    try statement(.trimThrough).bind(owner).bind(last).run()
    exact = try countHistory()
  }

  private func isOver(_ share: (owner: Int64, bytes: Int64)) -> Bool {
    share.bytes > self.share.bytes && !self.share.isFree(share.owner)
  }

  private func countHistory() throws(StoreError) -> HistoryShares {
    var shares = HistoryShares()
    let scan = try statement(.countHistory)
    defer { scan.reset() }
    while try scan.step() {
      shares.count(
        AppNumber(truncatingIfNeeded: scan.integer(0)), of: scan.integer(1),
        rows: scan.integer(2), bytes: scan.integer(3))
    }
    return shares
  }
}
