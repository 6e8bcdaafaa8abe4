/// Who has how many late ones in `near`, where there is room for some of every user (T10).
struct LateShares {
  /// How many late ones may be near, in all and of one user and urgency.
  static let room = 256
  static let window = 16

  private struct Share: Hashable {
    var user: UInt32
    var urgency: Urgency

    init(_ key: PendingTable.LateKey, _ owner: (AppNumber) -> UInt32) {
      user = owner(key.app)
      urgency = key.urgency
    }
  }

  private var counts: [Share: Int] = [:]
  private var count = 0

  /// One of these is near, or is to be; false: there is no room for it. `owner`: whose app it is
  /// (A1).
  mutating func admit(_ key: PendingTable.LateKey, _ owner: (AppNumber) -> UInt32) -> Bool {
    let share = Share(key, owner)
    guard counts[share, default: 0] < Self.window, count < Self.room else { return false }
    counts[share, default: 0] += 1
    count += 1
    return true
  }

  /// Where to take the next one from: of whoever has least at hand what is most urgent, then what was
  /// due first. nil: nothing is late, or there is no room.
  func next(
    of late: [PendingTable.LateKey: TimerHeap], _ owner: (AppNumber) -> UInt32
  ) -> PendingTable.LateKey? {
    guard self.count < Self.room else { return nil }
    var best: (key: PendingTable.LateKey, count: Int, node: HeapNode)?
    for (key, heap) in late {
      let count = counts[Share(key, owner)] ?? 0
      guard count < Self.window, let node = heap.first else { continue }
      if let best {
        if count > best.count { continue }
        if count == best.count {
          if best.key.urgency.rawValue < key.urgency.rawValue { continue }
          if best.key.urgency == key.urgency, best.node < node { continue }
        }
      }
      best = (key, count, node)
    }
    return best?.key
  }
}
