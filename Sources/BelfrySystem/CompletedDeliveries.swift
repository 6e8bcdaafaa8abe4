import BelfryCore

/// Which deliveries a child of the clock has completed (D7): a kill -9 of clock or child repeats none
/// of the newest `capacity`.
public final class CompletedDeliveries {
  public static let capacity = 2048
  private let ring: DeliveryRing

  /// Of the file `completed` in `folder`, as `DeliveryRing` says.
  public init(in folder: RunFolder?) throws(SystemError) {
    ring = try DeliveryRing(in: folder, name: "completed", capacity: Self.capacity)
  }

  /// When the plugin's function was entered for it, or the sound was first heard; nil: not
  /// completed.
  public func entered(_ id: OccurrenceID) -> Instant? {
    ring[id].map { Instant(nanoseconds: $0) }
  }

  /// Remembers it before the clock is told; an error loses no more than this one after a crash.
  public func insert(_ id: OccurrenceID, entered instant: Instant) throws(SystemError) {
    try ring.insert(id, instant.nanoseconds)
  }
}

/// Which deliveries a worker has given to its plugin, and as which attempt (D7).
///
/// A clock that is killed before its store has the hand-over counts from one again; the worker knows
/// better, also while the plugin is still at it: a delivery that may have been shown says so.
public final class EnteredDeliveries {
  /// More than a plugin has open at a time.
  public static let capacity = 256
  private let ring: DeliveryRing

  /// Of the file `entered` in `folder`; in memory alone where there can be none.
  public init(in folder: RunFolder?) throws(SystemError) {
    do throws(SystemError) {
      ring = try DeliveryRing(in: folder, name: "entered", capacity: Self.capacity)
    } catch {
      ring = try DeliveryRing(in: nil, name: "entered", capacity: Self.capacity)
    }
  }

  /// Which attempt the next one is, that the clock takes for its `told`th; remembered before it is
  /// made.
  public func begin(_ id: OccurrenceID, told: Int32) -> Int32 {
    let attempt = max(Int64(told), (ring[id] ?? 0) + 1)
    // Best effort: what cannot be written is said of the completed ones.
    try? ring.insert(id, attempt)
    return Int32(clamping: attempt)
  }
}
