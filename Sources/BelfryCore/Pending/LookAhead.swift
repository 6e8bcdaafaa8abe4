/// Which slots' content is to be loaded, and when the store may be asked for it.
struct LookAhead {
  private var wanted: [Slot] = []
  /// Loading failed: not again before this, on the elapsed clock.
  private(set) var notBefore = Int64.min

  /// How many slots' content nobody has asked the store for.
  var count: Int { wanted.count }

  mutating func want(_ slot: Slot) {
    wanted.append(slot)
  }

  /// Those to ask for now.
  mutating func take(_ turn: Turn) -> [Slot] {
    guard mayLoad(turn) else { return [] }
    defer { wanted.removeAll() }
    return wanted
  }

  func mayLoad(_ turn: Turn) -> Bool {
    turn.now.elapsed >= notBefore
  }

  /// The disk did not answer: the next question waits a while.
  mutating func delay(_ turn: Turn) {
    notBefore = turn.now.elapsed + Nanoseconds.second
  }

  /// When the store is to be asked, on the elapsed clock.
  var nextWake: Int64? { wanted.isEmpty ? nil : notBefore }
}
