/// When each user's next late occurrence may be handed over (T10), on the elapsed clock.
struct LateTurns {
  private var next: [UInt32: Int64] = [:]

  /// A user's next late one is handed over no sooner than this.
  func next(of user: UInt32) -> Int64 { next[user] ?? .min }

  /// A late one is handed over; the user's next one waits a while.
  mutating func take(of user: UInt32, _ turn: Turn) {
    if next.count >= 64 { next = next.filter { $0.value > turn.now.elapsed } }
    next[user] = turn.now.elapsed + turn.configuration.stagger
  }
}
