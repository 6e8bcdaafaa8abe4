import BelfryCore
import BelfryWire
import CPlugin

/// A delivery as C sees it: its texts in one piece of memory.
struct DeliveryMarshaller {
  /// Where a text stands in `bytes`.
  private struct Place {
    var start = 0
    /// -1: there is no text.
    var size = -1
  }

  /// The texts of the struct, each under the name that it has there.
  private struct Texts {
    var id = Place()
    var replacesID = Place()
    var app = Place()
    var identifier = Place()
    var title = Place()
    var subtitle = Place()
    var body = Place()
    var action = Place()
    var launchImage = Place()
    var category = Place()
    var thread = Place()
    var sound = Place()
    var userInfo = Place()
  }

  private struct Action {
    var flags: UInt32
    var id: Place
    var title: Place
    var button: Place
  }

  private var delivery = belfry_delivery()
  private var bytes: [UInt8] = []
  private var texts = Texts()
  private var actions: [Action] = []

  /// `now` is the moment of reception; `sink` the name that the delivery's id ends with; `context`
  /// what the plugin says of itself.
  init(_ value: DeliveryMessage, sink: String, context: UInt32 = 0, now: ClockReading) {
    let told = value.deliveryContent
    bytes.reserveCapacity(1024)
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
    texts.id = append(told.id.deliveryID(sink: sink))
    texts.replacesID = append(value.replaces)
    texts.app = append(told.app)
    texts.identifier = append(told.identifier)
    // D5: what the app's settings leave out is not for the plugin to show.
    let isCut = (told.body ?? told.title) != nil && !value.parts.contains(.alert)
    texts.title = append(isCut ? nil : told.title)
    texts.subtitle = append(isCut ? nil : told.subtitle)
    texts.body = append(isCut ? nil : told.body)
    texts.action = append(isCut ? nil : told.action)
    texts.launchImage = append(told.launchImage)
    texts.category = append(told.category)
    texts.thread = append(told.threadIdentifier)
    texts.sound = append(value.parts.contains(.sound) ? told.soundName : nil)
    texts.userInfo = append(told.userInfo)
    if !isCut { append(value.actions, context) }
  }

  private mutating func append(_ offered: [OfferedAction], _ context: UInt32) {
    let isMinimal = context & (BELFRY_CONTEXT_MINIMAL | BELFRY_CONTEXT_LOCKED) != 0
    for item in offered where item.isMinimal || !isMinimal {
      actions.append(
        Action(
          flags: Self.flags(item), id: append(item.action.identifier),
          title: append(item.action.title), button: append(item.action.buttonTitle)))
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

  private static func flags(_ value: DeliveryMessage) -> UInt32 {
    var flags: UInt32 = 0
    if value.deliveryContent.action != nil, value.parts.contains(.alert) {
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

  private mutating func append(_ text: String?) -> Place {
    guard let text else { return Place() }
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return Place(start: start, size: bytes.count - start)
  }

  /// Calls `body` with the struct, which lives until it returns.
  func withDelivery<Result>(_ body: (UnsafePointer<belfry_delivery>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        var delivery = delivery
        point(&delivery, into: characters)
        let offered = actions.map { action in
          belfry_action(
            size: UInt32(MemoryLayout<belfry_action>.size), flags: action.flags,
            id: Self.text(action.id, in: characters),
            title: Self.text(action.title, in: characters))
        }
        let buttons = actions.map { Self.text($0.button, in: characters) }
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

  /// Points the texts of `delivery` to where they stand.
  private func point(_ delivery: inout belfry_delivery, into bytes: UnsafeBufferPointer<CChar>) {
    delivery.id = Self.text(texts.id, in: bytes)
    delivery.replaces_id = Self.text(texts.replacesID, in: bytes)
    delivery.app = Self.text(texts.app, in: bytes)
    delivery.identifier = Self.text(texts.identifier, in: bytes)
    delivery.title = Self.text(texts.title, in: bytes)
    delivery.subtitle = Self.text(texts.subtitle, in: bytes)
    delivery.body = Self.text(texts.body, in: bytes)
    delivery.action = Self.text(texts.action, in: bytes)
    delivery.launch_image = Self.text(texts.launchImage, in: bytes)
    delivery.category = Self.text(texts.category, in: bytes)
    delivery.thread = Self.text(texts.thread, in: bytes)
    delivery.sound = Self.text(texts.sound, in: bytes)
    delivery.user_info = Self.text(texts.userInfo, in: bytes)
  }

  private static func text(
    _ place: Place, in characters: UnsafeBufferPointer<CChar>
  ) -> belfry_text {
    guard place.size >= 0, let base = characters.baseAddress else { return belfry_text() }
    return belfry_text(bytes: base + place.start, size: UInt32(place.size))
  }
}
