import BelfryCore
import BelfryWire
import CPlugin

/// A delivery as C sees it: its texts in one piece of memory.
struct DeliveryFrame {
  private static let fields = 13

  private var delivery = belfry_delivery()
  private var bytes: [UInt8] = []
  /// Start and size of each text, in the order of the struct; -1: none.
  private var places: [(start: Int, size: Int)] = []

  /// Body and action are those that are shown (N7 to N9). `now` is the moment of reception; `sink` the name that the delivery's id ends with.
  init(_ value: Delivery, sink: String, now: Now, limits: SchedulerConfiguration) {
    let occurrence = value.occurrence
    let notification = occurrence.notification
    let alert = notification.alert
    bytes.reserveCapacity(1024)
    places.reserveCapacity(Self.fields)
    delivery.size = UInt32(MemoryLayout<belfry_delivery>.size)
    delivery.attempt = UInt32(max(1, value.attempt))
    delivery.token = value.token
    delivery.due_ns = occurrence.due.nanoseconds
    delivery.handed_over_ns = value.handedOver.nanoseconds
    delivery.return_by_ns = now.elapsed + limits.answerDeadline
    delivery.deadline_ns = now.elapsed + limits.pendingDeadline
    delivery.missed = occurrence.missed
    delivery.missed_since_ns = occurrence.missedSince?.nanoseconds ?? 0
    delivery.badge = value.badge ?? 0
    delivery.parts = value.parts.rawValue
    delivery.flags = Self.flags(value, alert, limits)
    delivery.level = Self.level(notification.interruptionLevel)
    append(occurrence.id.deliveryID(sink: sink))
    append(value.replaces)
    append(occurrence.app)
    append(notification.identifier ?? "")
    append(notification.alertTitle)
    append(notification.alertSubtitle)
    append(alert?.body)
    append(alert?.action)
    append(notification.alertLaunchImage)
    append(notification.category)
    append(notification.threadIdentifier)
    append(notification.soundName)
    append(userInfo: notification.userInfo)
  }

  private static func flags(
    _ value: Delivery, _ alert: AlertText?, _ limits: SchedulerConfiguration
  ) -> UInt32 {
    var flags: UInt32 = 0
    if alert?.action != nil { flags |= BELFRY_FLAG_HAS_ACTION }
    if value.handedOver.nanoseconds(since: value.occurrence.due) > limits.grace {
      flags |= BELFRY_FLAG_LATE
    }
    if value.badge != nil { flags |= BELFRY_FLAG_HAS_BADGE }
    return flags
  }

  private static func level(_ level: InterruptionLevel) -> UInt32 {
    switch level {
    case .passive: BELFRY_LEVEL_PASSIVE
    case .active: BELFRY_LEVEL_ACTIVE
    case .timeSensitive: BELFRY_LEVEL_TIME_SENSITIVE
    case .critical: BELFRY_LEVEL_CRITICAL
    }
  }

  private mutating func append(_ text: String?) {
    guard let text else { return places.append((0, -1)) }
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    places.append((start, bytes.count - start))
  }

  private mutating func append(userInfo: [String: PropertyList]) {
    let start = bytes.count
    if userInfo.isEmpty {
      bytes.append(contentsOf: "{}".utf8)
      return places.append((start, 2))
    }
    PropertyListCodec.encode(userInfo).write(to: &bytes)
    places.append((start, bytes.count - start))
  }

  /// Calls `body` with the struct, which lives until it returns.
  func withDelivery<Result>(_ body: (UnsafePointer<belfry_delivery>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        var delivery = delivery
        withUnsafeMutablePointer(to: &delivery.id) { first in
          first.withMemoryRebound(to: belfry_text.self, capacity: Self.fields) { texts in
            for index in 0..<Self.fields {
              texts[index] = Self.text(places[index], in: characters)
            }
          }
        }
        return withUnsafePointer(to: delivery) { body($0) }
      }
    }
  }

  private static func text(
    _ place: (start: Int, size: Int), in characters: UnsafeBufferPointer<CChar>
  ) -> belfry_text {
    guard place.size >= 0, let base = characters.baseAddress else { return belfry_text() }
    return belfry_text(bytes: base + place.start, size: UInt32(place.size))
  }
}
