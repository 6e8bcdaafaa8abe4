/// What waits for a sink is bounded (D9), and one user's flood costs no other's alerts (A1).
extension SchedulerEngine {
  /// Content that waits for one sink, in bytes.
  private static let maxWeight = 64 << 20

  /// Keeps what waits bounded: out goes what whoever has most can best do without, the least urgent
  /// and the oldest first. A sink that works may have far more before it, as when a whole board is
  /// due at eight o'clock.
  func cut(_ sink: SchedulerSink) {
    let most = Int(sink.isUp ? configuration.burst : configuration.queue)
    while sink.queue.count > most, let over = sink.queue.cutOne() {
      finish(over, .expired, reason: "too many wait for this sink")
    }
    while sink.queue.weight > Self.maxWeight, let over = sink.queue.cutOne(byWeight: true) {
      finish(over, .expired, reason: "too much waits for this sink")
    }
  }

  /// Whether something waits for a sink, or is with it and not answered.
  public func isAwaited(_ sink: SinkIndex) -> Bool {
    sinkQueues.inUse(sink)?.isAwaited ?? false
  }
}
