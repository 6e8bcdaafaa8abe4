import BelfryCore

/// Packs deliveries for children: what those of one occurrence share is made and packed once, before
/// it is due where the caller knows what is coming.
public struct DeliveryPacker {
  private var occurrence: Occurrence?
  private var text: AlertText?
  private var deliveryContent: DeliveryContent?
  private var packed: [UInt8] = []

  public init() {}

  /// Makes and packs what is likely to be the next delivery's content.
  @export(interface)
  public mutating func prepare(_ coming: Occurrence, _ text: AlertText) {
    _ = announce(coming, text)
  }

  /// What a child is told of `delivery`.
  @export(interface)
  public mutating func handOver(
    _ delivery: Delivery, _ limits: EngineConfiguration
  ) -> DeliveryMessage {
    DeliveryMessage(delivery, limits, deliveryContent: announce(delivery.occurrence, delivery.text))
  }

  /// The bytes of `MessageToChild.deliver(handOver).encode()`; `tooLong` is its only error.
  @export(interface)
  public mutating func pack(_ handOver: DeliveryMessage) throws(WireError) -> [UInt8] {
    if handOver.deliveryContent != deliveryContent {
      occurrence = nil
      keep(handOver.deliveryContent)
    }
    var writer = WorkerMessage.begin(MessageToChild.Kind.deliver, capacity: packed.count + 128)
    writer.put(headOf: handOver)
    writer.put(packed: packed)
    return try WorkerMessage.finish(writer)
  }

  private mutating func announce(_ coming: Occurrence, _ text: AlertText) -> DeliveryContent {
    if let deliveryContent, coming == occurrence, text == self.text { return deliveryContent }
    let made = DeliveryContent(coming, text)
    occurrence = coming
    self.text = text
    keep(made)
    return made
  }

  private mutating func keep(_ made: DeliveryContent) {
    var writer = BinaryWriter(capacity: 384)
    writer.put(made)
    packed = writer.bytes
    deliveryContent = made
  }
}
