import BelfryCore

/// Packs deliveries for children: what those of one occurrence share is made and packed once, before
/// it is due where the caller knows what is coming.
public struct DeliveryPacker {
  private var occurrence: Occurrence?
  private var text: AlertText?
  private var announcement: Announcement?
  private var packed: [UInt8] = []

  public init() {}

  /// Makes and packs what is likely to be the next delivery's announcement.
  public mutating func prepare(_ coming: Occurrence, _ text: AlertText) {
    _ = announce(coming, text)
  }

  /// What a child is told of `delivery`.
  public mutating func handOver(
    _ delivery: Delivery, _ limits: SchedulerConfiguration
  ) -> HandOver {
    HandOver(delivery, limits, announcement: announce(delivery.occurrence, delivery.text))
  }

  /// The bytes of `MessageToChild.deliver(handOver).encode()`; `tooLong` is its only error.
  public mutating func pack(_ handOver: HandOver) throws(WireError) -> [UInt8] {
    if handOver.announcement != announcement {
      occurrence = nil
      keep(handOver.announcement)
    }
    var writer = WorkerMessage.begin(MessageToChild.Kind.deliver, capacity: packed.count + 128)
    writer.put(headOf: handOver)
    writer.put(packed: packed)
    return try WorkerMessage.finish(writer)
  }

  private mutating func announce(_ coming: Occurrence, _ text: AlertText) -> Announcement {
    if let announcement, coming == occurrence, text == self.text { return announcement }
    let made = Announcement(coming, text)
    occurrence = coming
    self.text = text
    keep(made)
    return made
  }

  private mutating func keep(_ made: Announcement) {
    var writer = BinaryWriter(capacity: 384)
    writer.put(made)
    packed = writer.bytes
    announcement = made
  }
}
