import BelfrySystem

/// What the player's thread and its watcher share about one sound.
public final class PlaybackControl: @unchecked Sendable {
  /// A call of ALSA's that lasts longer hangs.
  public static let timeout: Int64 = 5_000_000_000

  private let mutex = Mutex()
  private var stopped = false
  private var inside: (device: String, since: Int64)?

  public init() {}

  /// From any thread: the sound ends at once.
  public func stop() {
    mutex.withLock { stopped = true }
  }

  public var isStopped: Bool {
    mutex.withLock { stopped }
  }

  /// The device in whose call the player has hung for longer than `timeout`; nil: all is well.
  public func hung(at elapsed: Int64) -> String? {
    mutex.withLock {
      guard let inside, elapsed - inside.since > Self.timeout else { return nil }
      return inside.device
    }
  }

  /// Runs a call that may never come back.
  func guarding<Result, Failure: Error>(
    _ device: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.withLock { inside = (device, SystemClock.elapsed()) }
    defer { mutex.withLock { inside = nil } }
    return try body()
  }
}
