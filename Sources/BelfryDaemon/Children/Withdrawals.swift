import BelfryCore

/// What a sink is to take back, until it says that it has (N15).
///
/// Withdrawing is asked for by the thousand at once, far more than a socket takes; so they wait
/// here, small, and only a window of them is with the child. Those that a child had not confirmed
/// when it ended go to its next life.
struct Withdrawals {
  struct Item: Hashable {
    /// Of the hand-over; 0: of an earlier life.
    var token: UInt64
    var occurrence: OccurrenceID
  }

  /// With the child and not confirmed, at most.
  static let window = 64
  /// In all. A sink shows no more than the history has rows, by default a sixth of this.
  static let most = 1 << 16
  /// A withdrawal in hand when the child ends so often is given up.
  static let timeout = 3

  private var items: [Item] = []
  private var first = 0
  /// Of the oldest: those that are with the child.
  private(set) var sent = 0
  private var failures = 0

  var count: Int { items.count - first }
  var isEmpty: Bool { count == 0 }

  /// The next one to send; nil: none, or the window is full.
  var next: Item? {
    sent < min(count, Withdrawals.window) ? items[first + sent] : nil
  }

  /// The next one to send whatever the window, for a child that is to end.
  var nextOfAll: Item? { sent < count ? items[first + sent] : nil }

  /// False: there are too many, and the oldest that waits was dropped for it.
  mutating func append(_ item: Item) -> Bool {
    items.append(item)
    guard count > Withdrawals.most else { return true }
    items.remove(at: first + sent)
    return false
  }

  mutating func noteSent() {
    sent += 1
  }

  /// The child has carried out the oldest of those it was sent; false: it was sent none.
  mutating func confirm() -> Bool {
    guard sent > 0 else { return false }
    sent -= 1
    removeFirst()
    return true
  }

  /// The child has ended: all that is left is for the next one, to which tokens mean nothing.
  /// Returns what is given up because it ends each child that it is sent to.
  mutating func restart() -> Item? {
    failures = sent > 0 ? failures + 1 : 0
    sent = 0
    var victim: Item?
    if failures >= Withdrawals.timeout {
      victim = items[first]
      removeFirst()
    }
    for index in items.indices { items[index].token = 0 }
    return victim
  }

  private mutating func removeFirst() {
    first += 1
    failures = 0
    if first == items.count {
      items.removeAll(keepingCapacity: items.count < 64)
      first = 0
    } else if first > 4096 {
      items.removeFirst(first)
      first = 0
    }
  }
}
