/// What waits for a sink is bounded (D9), and one user's flood costs no other's alerts (A1).
extension Scheduler {
  /// Keeps what waits bounded, the oldest out first of those of whoever has most waiting. A sink that
  /// works may have far more before it, as when a whole board is due at eight o'clock.
  func cut(_ sink: SchedulerSink) {
    if sink.queue.count % 64 == 63 { cutWeight(sink) }
    let most = Int(sink.isUp ? configuration.burst : configuration.queue)
    guard sink.queue.count > most else { return }
    // Counting takes its time: some at once where there are very many.
    var surplus = sink.queue.count - most + (sink.isUp ? most / 128 : 0)
    var waiting: [UInt32: Int] = [:]
    for delivery in sink.queue { waiting[owner(of: delivery), default: 0] += 1 }
    let share = Self.share(of: Array(waiting.values), without: surplus)
    var over: [OpenDelivery] = []
    sink.queue.removeAll { delivery in
      let owner = owner(of: delivery)
      guard surplus > 0, let count = waiting[owner], count > share else { return false }
      waiting[owner] = count - 1
      surplus -= 1
      over.append(delivery)
      return true
    }
    for delivery in over { finish(delivery, .expired, reason: "too many wait for this sink") }
  }

  /// Content that waits for one sink.
  private static let mostWeight = 64 << 20

  /// The same for those that are large.
  private func cutWeight(_ sink: SchedulerSink) {
    var surplus = sink.queue.reduce(-Self.mostWeight) { $0 + $1.weight }
    guard surplus > 0 else { return }
    var weights: [UInt32: Int] = [:]
    for delivery in sink.queue { weights[owner(of: delivery), default: 0] += delivery.weight }
    let largest = weights.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    var over: [OpenDelivery] = []
    sink.queue.removeAll { delivery in
      guard surplus > 0, owner(of: delivery) == largest else { return false }
      surplus -= delivery.weight
      over.append(delivery)
      return true
    }
    for delivery in over { finish(delivery, .expired, reason: "too much waits for this sink") }
  }

  private func owner(of delivery: OpenDelivery) -> UInt32 {
    apps[delivery.firing.app]?.owner ?? 0
  }

  /// The most that each may keep so that `surplus` go.
  private static func share(of counts: [Int], without surplus: Int) -> Int {
    var (low, high) = (0, counts.max() ?? 0)
    while low < high {
      let middle = (low + high + 1) / 2
      let gone = counts.reduce(0) { $0 + max(0, $1 - middle) }
      if gone >= surplus { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
