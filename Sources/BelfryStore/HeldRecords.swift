import BelfryCore

/// Records that the disk refused, oldest first, in bounded memory (D8).
struct HeldRecords {
  private(set) var entries: [StoreWriter.Entry] = []
  /// What they take, as `limit` counts.
  private var size = 0
  /// In KiB, and at least one for each.
  private let limit: Int

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ entry: StoreWriter.Entry) {
    entries.append(entry)
    size += entry.operation.size
  }

  mutating func removeFirst(_ count: Int) {
    for entry in entries.prefix(count) { size -= entry.operation.size }
    entries.removeFirst(count)
  }

  /// Drops what is too much, an eighth of the limit more at once, and says so; returns how many went.
  mutating func dropSurplus(_ log: (LogLevel, String) -> Void) -> Int64 {
    guard size > limit else { return 0 }
    var surplus = Surplus(entries, size - limit + limit / 8) { $0.size }
    let count = surplus.drop(from: &entries, log)
    size = entries.reduce(0) { $0 + $1.operation.size }
    return count
  }

  /// The same of those in a line, which are only counted; who waits behind one that would have been kept
  /// is not told that it is written.
  static func dropSurplus(
    _ line: inout [StoreWriter.Entry], limit: Int, _ log: (LogLevel, String) -> Void
  ) -> Int64 {
    guard line.count > limit else { return 0 }
    var surplus = Surplus(line, line.count - limit + limit / 8) { _ in 1 }
    return surplus.drop(from: &line, log)
  }
}

/// What is too much, and of whom: of the users who have most, the oldest.
private struct Surplus {
  private let size: (StoreOperation) -> Int
  private var left: Int
  private var sizes: [Int64: Int] = [:]

  init(
    _ entries: [StoreWriter.Entry], _ surplus: Int, _ size: @escaping (StoreOperation) -> Int
  ) {
    self.size = size
    left = surplus
    for entry in entries where entry.operation.isRecorded {
      sizes[entry.user, default: 0] += size(entry.operation)
    }
    // What names no app is small, and of everybody.
    sizes[-1] = nil
  }

  mutating func drop(
    from entries: inout [StoreWriter.Entry], _ log: (LogLevel, String) -> Void
  ) -> Int64 {
    let before = entries.count
    // What only tells of a delivery goes before what makes something ring, or keeps it from ringing again.
    drop(from: &entries) { $0.isReport }
    drop(from: &entries) { !$0.isReport }
    for place in entries.indices where left > 0 && entries[place].operation.isRecorded {
      left -= size(entries[place].operation)
      entries[place].isDropped = true
    }
    var isLossy = false
    for place in entries.indices {
      let entry = entries[place]
      if entry.isDropped, !entry.operation.isReport { isLossy = true }
      if isLossy, case .change(.commit) = entry.operation { entries[place].isBehindLoss = true }
    }
    entries.removeAll { $0.isDropped }
    let dropped = before - entries.count
    if dropped > 0 {
      let what = counted(dropped, "held record is dropped", many: "held records are dropped")
      log(.error, "the disk refuses or hangs: \(what), of who has most")
    }
    return Int64(dropped)
  }

  private mutating func drop(
    from entries: inout [StoreWriter.Entry], where isMeant: (StoreOperation) -> Bool
  ) {
    let level = level
    for place in entries.indices where left > 0 {
      let entry = entries[place]
      guard entry.operation.isRecorded, isMeant(entry.operation),
        let own = sizes[entry.user], own > level
      else { continue }
      sizes[entry.user] = own - size(entry.operation)
      left -= size(entry.operation)
      entries[place].isDropped = true
    }
  }

  /// What each may keep at most so that what is left of the surplus is taken from those who have more.
  private var level: Int {
    let sorted = sizes.values.sorted(by: >)
    var taken = 0
    for (place, size) in sorted.enumerated() {
      let next = place + 1 < sorted.count ? sorted[place + 1] : 0
      let more = (size - next) * (place + 1)
      guard taken + more < left else { return size - (left - taken + place) / (place + 1) }
      taken += more
    }
    return 0
  }
}

extension StoreOperation {
  /// In KiB, about.
  fileprivate var size: Int {
    guard case .record(let record) = self else { return 1 }
    return 1 + record.contentWeight / 1024
  }

  /// Without it nothing rings that should not, nothing is silent and no row is left over: it only tells
  /// how a delivery went.
  fileprivate var isReport: Bool {
    guard case .record(let record) = self else { return false }
    switch record {
    case .settle(_, _, _, _, let closes): return !closes
    case .passOver(_, _, let slot, _, let firedThrough, let finishes, _):
      return slot == nil || !finishes && firedThrough == nil
    case .intend, .withdrawIntent, .noteClock, .noteUse: return true
    default: return false
    }
  }
}
