import BelfryCore

/// Packs deliveries for workers: what those of one occurrence share is packed once, before it is due
/// where the caller knows what is coming.
public struct DeliveryPacker {
  private var occurrence: Occurrence?
  private var packed: [UInt8] = []

  public init() {}

  /// Packs what is likely to be the next delivery's occurrence.
  public mutating func prepare(_ coming: Occurrence) {
    if coming == occurrence { return }
    var writer = BinaryWriter(capacity: 384)
    writer.put(coming)
    packed = writer.bytes
    occurrence = coming
  }

  /// The bytes of `MessageToChild.deliver(delivery).encode()`; `tooLong` is its only error.
  public mutating func pack(_ delivery: Delivery) throws(WireError) -> [UInt8] {
    prepare(delivery.occurrence)
    var writer = WorkerMessage.begin(MessageToChild.Kind.deliver, capacity: packed.count + 128)
    writer.put(headOf: delivery)
    writer.put(packed: packed)
    return try WorkerMessage.finish(writer)
  }
}
