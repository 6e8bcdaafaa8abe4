import BelfryCore

/// Sounds that are due soon, for which outputs that are slow to wake are kept awake (E11).
struct WakeList {
  struct Entry {
    var occurrence: OccurrenceID
    var app: String
    var name: String
    var due: Instant
  }

  /// More are not remembered: the latest go.
  static let most = 64

  /// The soonest first.
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// It is due then, whatever was said before.
  mutating func add(_ entry: Entry) {
    remove(entry.occurrence)
    let place = entries.firstIndex { $0.due > entry.due } ?? entries.count
    entries.insert(entry, at: place)
    if entries.count > Self.most { entries.removeLast() }
  }

  /// It has come, or will not.
  mutating func remove(_ occurrence: OccurrenceID) {
    entries.removeAll { $0.occurrence == occurrence }
  }

  /// Nobody waits longer for what has not come.
  mutating func prune(at now: Instant) {
    entries.removeAll { now.nanoseconds(since: $0.due) > Silence.patience }
  }

  /// For what an output that takes `wake` is to be awake now; nil: nothing.
  func next(within wake: Int64, at now: Instant, where isMeant: (Entry) -> Bool) -> Entry? {
    entries.first { $0.due.nanoseconds(since: now) <= wake && isMeant($0) }
  }

  /// How long until one is within `wake`, or is over.
  func pause(before wake: Int64, at now: Instant) -> Int64? {
    let pauses = entries.map { entry in
      let left = entry.due.nanoseconds(since: now)
      return left > wake ? left - wake : max(0, left + Silence.patience) + 1
    }
    return pauses.min()
  }
}
