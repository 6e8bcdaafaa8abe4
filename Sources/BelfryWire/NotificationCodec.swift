import BelfryCore

/// A notification as JSON, field by field as the wire names them.
///
/// Instants are integers, microseconds since 1970 UTC; enums are strings; `late` is `fire`, `drop`
/// or the seconds as a string; fields that have their default are left out. Names are in order of
/// their bytes, so equal notifications give equal bytes, as long as their instants are whole
/// microseconds.
public enum NotificationCodec {
  /// The notification with its identifier.
  public static func encode(_ notification: Notification) -> JSONObject {
    encode(notification, identifier: notification.identifier)
  }

  /// The bytes of all fields but the identifier: what N1 and N15 compare.
  public static func encodeContent(_ notification: Notification) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    encode(notification, identifier: nil).write(to: &bytes)
    return bytes
  }

  /// Reads what `encodeContent` wrote; `field` of the error is a path as the wire has it.
  public static func decodeContent(_ bytes: [UInt8]) throws(FieldError) -> Notification {
    let value: JSONValue
    do throws(WireError) {
      value = try JSONValue.parse(bytes)
    } catch {
      throw FieldError(error)
    }
    return try decode(value)
  }

  private static func encode(_ notification: Notification, identifier: String?) -> JSONObject {
    var writer = FieldWriter()
    writer.add("alertAction", notification.alertAction)
    writer.add("alertBody", notification.alertBody)
    writer.add("alertLaunchImage", notification.alertLaunchImage)
    writer.add("alertSubtitle", notification.alertSubtitle)
    writer.add("alertTitle", notification.alertTitle)
    if notification.applicationIconBadgeNumber != 0 {
      writer.add("applicationIconBadgeNumber", .integer(notification.applicationIconBadgeNumber))
    }
    writer.add("badgeOperation", notification.badgeOperation?.rawValue)
    writer.add("category", notification.category)
    writer.add("expires", notification.expires)
    writer.add("fireDate", notification.fireDate)
    if let fireIn = notification.fireIn {
      writer.add("fireIn", .integer(fireIn / 1000))
    }
    if !notification.hasAction { writer.add("hasAction", .boolean(false)) }
    writer.add("identifier", identifier)
    if notification.interruptionLevel != .active {
      writer.add("interruptionLevel", notification.interruptionLevel.rawValue)
    }
    writer.add("late", notification.late?.text)
    writer.add("repeatCalendar", notification.repeatCalendar)
    writer.add("repeatInterval", notification.repeatInterval?.name)
    writer.add("soundName", notification.soundName)
    writer.add("threadIdentifier", notification.threadIdentifier)
    if !notification.userInfo.isEmpty {
      writer.add("userInfo", .object(PropertyListCodec.encode(notification.userInfo)))
    }
    if notification.volume != 1 {
      writer.add("volume", .double(notification.volume == 0 ? 0 : notification.volume))
    }
    return JSONObject(unique: writer.members)
  }
}

/// Collects an object's members.
private struct FieldWriter {
  var members: [JSONObject.Member] = []

  init() {
    members.reserveCapacity(8)
  }

  mutating func add(_ name: String, _ value: JSONValue) {
    members.append(JSONObject.Member(name: name, value: value))
  }

  mutating func add(_ name: String, _ text: String?) {
    if let text { add(name, .string(text)) }
  }

  mutating func add(_ name: String, _ instant: Instant?) {
    if let instant { add(name, .integer(instant.microseconds)) }
  }
}

extension FieldError {
  /// What a JSON parser refuses, in the words of a field; the path is kept, but for control
  /// characters in the keys that it names.
  public init(_ error: WireError) {
    let code: Code =
      switch error.code {
      case .duplicate: .conflict
      case .tooDeep: .outOfRange
      case .tooLong: .tooLong
      case .truncated, .badVersion, .malformed, .badText: .malformed
      }
    self.init(FieldError.printable(error.path), code, "\(error.reason) (byte \(error.place))")
  }
}
