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
  /// The flags of each action; its three texts follow those of the struct.
  private var actions: [UInt32] = []

  /// `now` is the moment of reception; `sink` the name that the delivery's id ends with; `context`
  /// what the plugin says of itself.
  init(_ value: HandOver, sink: String, context: UInt32 = 0, now: Now) {
    let told = value.announcement
    bytes.reserveCapacity(1024)
    places.reserveCapacity(Self.fields)
    delivery.size = UInt32(MemoryLayout<belfry_delivery>.size)
    delivery.attempt = UInt32(max(1, value.attempt))
    delivery.token = value.token
    delivery.due_ns = told.due.nanoseconds
    delivery.handed_over_ns = value.handedOver.nanoseconds
    delivery.return_by_ns = now.elapsed + value.answerWithin
    delivery.deadline_ns = now.elapsed + value.completeWithin
    delivery.missed = told.missed
    delivery.missed_since_ns = told.missedSince?.nanoseconds ?? 0
    delivery.badge = value.badge ?? 0
    delivery.parts = value.parts.rawValue
    delivery.flags = Self.flags(value)
    delivery.level = Self.level(value.level)
    append(told.id.deliveryID(sink: sink))
    append(value.replaces)
    append(told.app)
    append(told.identifier)
    // D5: what the app's settings leave out is not for the plugin to show.
    let isCut = told.body != nil && !value.parts.contains(.alert)
    append(isCut ? nil : told.title)
    append(isCut ? nil : told.subtitle)
    append(isCut ? nil : told.body)
    append(isCut ? nil : told.action)
    append(told.launchImage)
    append(told.category)
    append(told.threadIdentifier)
    append(value.parts.contains(.sound) ? told.soundName : nil)
    append(told.userInfo)
    if !isCut { append(value.actions, context) }
  }

  private mutating func append(_ offered: [OfferedAction], _ context: UInt32) {
    let isMinimal = context & (BELFRY_CONTEXT_MINIMAL | BELFRY_CONTEXT_LOCKED) != 0
    for item in offered where item.isMinimal || !isMinimal {
      actions.append(Self.flags(item))
      append(item.action.identifier)
      append(item.action.title)
      append(item.action.buttonTitle)
    }
    delivery.action_count = UInt32(actions.count)
    delivery.context = context
  }

  private static func flags(_ offered: OfferedAction) -> UInt32 {
    let action = offered.action
    var flags: UInt32 = 0
    if action.activationMode == .foreground { flags |= BELFRY_ACTION_FOREGROUND }
    if action.isDestructive { flags |= BELFRY_ACTION_DESTRUCTIVE }
    if action.requiresAuthentication { flags |= BELFRY_ACTION_AUTHENTICATION }
    if action.behavior == .textInput { flags |= BELFRY_ACTION_TEXT_INPUT }
    if offered.isMinimal { flags |= BELFRY_ACTION_MINIMAL }
    return flags
  }

  private static func flags(_ value: HandOver) -> UInt32 {
    var flags: UInt32 = 0
    if value.announcement.action != nil, value.parts.contains(.alert) {
      flags |= BELFRY_FLAG_HAS_ACTION
    }
    if value.isLate { flags |= BELFRY_FLAG_LATE }
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
        let offered = actions.indices.map { index in
          belfry_action(
            size: UInt32(MemoryLayout<belfry_action>.size), flags: actions[index],
            id: Self.text(places[Self.fields + 3 * index], in: characters),
            title: Self.text(places[Self.fields + 3 * index + 1], in: characters))
        }
        let buttons = actions.indices.map { index in
          Self.text(places[Self.fields + 3 * index + 2], in: characters)
        }
        return offered.withUnsafeBufferPointer { offered in
          buttons.withUnsafeBufferPointer { buttons in
            delivery.actions = offered.isEmpty ? nil : offered.baseAddress
            delivery.action_buttons = buttons.isEmpty ? nil : buttons.baseAddress
            return withUnsafePointer(to: delivery) { body($0) }
          }
        }
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
