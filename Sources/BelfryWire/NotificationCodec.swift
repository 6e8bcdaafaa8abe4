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
      // A push may be as deep as a payload can be, and lies one level down.
      value = try JSONValue.parse(bytes, depthLimit: JSONValue.depthLimit + 1)
    } catch {
      throw FieldError(error)
    }
    return try decode(value)
  }

  private static func encode(_ notification: Notification, identifier: String?) -> JSONObject {
    var writer = FieldWriter()
    writer.addFirst(notification)
    writer.add("identifier", identifier)
    writer.addLast(notification)
    return JSONObject(unique: writer.members)
  }
}

extension FieldWriter {
  /// What comes before the identifier.
  fileprivate mutating func addFirst(_ notification: Notification) {
    add("alertAction", notification.alertAction)
    add("alertActionLocalizationArgs", notification.alertActionLocalizationArgs)
    add("alertBody", notification.alertBody)
    if notification.alertBodyIsFormat { add("alertBodyIsFormat", .boolean(true)) }
    add("alertLaunchImage", notification.alertLaunchImage)
    add("alertLocalizationArgs", notification.alertLocalizationArgs)
    add("alertSubtitle", notification.alertSubtitle)
    add("alertSubtitleLocalizationArgs", notification.alertSubtitleLocalizationArgs)
    add("alertTitle", notification.alertTitle)
    add("alertTitleLocalizationArgs", notification.alertTitleLocalizationArgs)
    add("applicationIconBadgeNumber", notification.applicationIconBadgeNumber, unless: 0)
    add("badgeOperation", notification.badgeOperation?.rawValue)
    add("category", notification.category)
    add("count", notification.count)
    add("every", notification.every, unless: 1)
    add("exdate", notification.exdate)
    add("expires", notification.expires)
    add("fireDate", notification.fireDate)
    add("fireIn", notification.fireIn.map { $0 / 1000 })
    if notification.gap != .shift { add("gap", notification.gap.rawValue) }
    if !notification.hasAction { add("hasAction", .boolean(false)) }
  }

  fileprivate mutating func addLast(_ notification: Notification) {
    if notification.interruptionLevel != .active {
      add("interruptionLevel", notification.interruptionLevel.rawValue)
    }
    add("late", notification.late?.text)
    if notification.monthEnd != .clamp { add("monthEnd", notification.monthEnd.rawValue) }
    if notification.overlap != .first { add("overlap", notification.overlap.rawValue) }
    if let push = notification.push.flatMap({ JSONValue.push($0) }) { add("push", push) }
    add("rdate", notification.rdate)
    if let region = notification.region { add("region", .object(RegionCodec.encode(region))) }
    if !notification.regionTriggersOnce { add("regionTriggersOnce", .boolean(false)) }
    add("repeatCalendar", notification.repeatCalendar)
    add("repeatInterval", notification.repeatInterval?.name)
    add("repeatSound", notification.repeatSound, unless: 0)
    add("rrule", notification.rrule?.text)
    add("soundName", notification.soundName)
    add("threadIdentifier", notification.threadIdentifier)
    add("timeZone", notification.timeZone)
    add("tolerance", notification.tolerance / 1000, unless: 0)
    add("until", notification.until)
    if !notification.userInfo.isEmpty {
      add("userInfo", .object(PropertyListCodec.encode(notification.userInfo)))
    }
    if notification.volume != 1 {
      add("volume", .double(notification.volume == 0 ? 0 : notification.volume))
    }
    add("zoneMode", notification.zoneMode?.rawValue)
  }
}

extension JSONValue {
  /// The payload of a push, from its text.
  fileprivate static func push(_ text: String) -> JSONValue? {
    guard let value = try? JSONValue.parse(text), case .object = value else { return nil }
    return value
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

  mutating func add(_ name: String, _ number: Int64?) {
    if let number { add(name, .integer(number)) }
  }

  mutating func add(_ name: String, _ number: Int64, unless usual: Int64) {
    if number != usual { add(name, .integer(number)) }
  }

  mutating func add(_ name: String, _ instants: [Instant]) {
    guard !instants.isEmpty else { return }
    add(name, .array(instants.map { .integer($0.microseconds) }))
  }

  mutating func add(_ name: String, _ arguments: [PropertyList]) {
    guard !arguments.isEmpty else { return }
    add(name, .array(arguments.map { PropertyListCodec.encode($0) }))
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
      case .tooDeep, .outOfRange: .outOfRange
      case .tooLong: .tooLong
      case .truncated, .badVersion, .malformed, .badText: .malformed
      }
    self.init(FieldError.printable(error.path), code, "\(error.reason) (byte \(error.place))")
  }
}
