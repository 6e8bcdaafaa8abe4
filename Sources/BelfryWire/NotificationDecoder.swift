import BelfryCore

extension NotificationCodec {
  /// Reads a notification; null stands for a field that is left out.
  ///
  /// Throws a `FieldError` with the field's path: for wrong types, for values that are none of an
  /// enum's, for instants beyond their range, and for unknown fields, naming the nearest one known.
  /// Lengths and ranges are for `Notification.validated()` to judge.
  public static func decode(_ value: JSONValue) throws(FieldError) -> Notification {
    guard case .object(let object) = value else {
      throw FieldError("", .wrongType, "a notification is an object, not \(value.kind)")
    }
    return try decode(object)
  }

  /// Reads a notification from an object's members.
  public static func decode(_ object: JSONObject) throws(FieldError) -> Notification {
    var notification = Notification()
    for member in object.members {
      let field = FieldReader(name: member.name, value: member.value)
      if case .null = member.value, fields.contains(member.name) { continue }
      if try readText(field, into: &notification) { continue }
      if try readTime(field, into: &notification) { continue }
      if try readOther(field, into: &notification) { continue }
      throw unknown(member.name)
    }
    return notification
  }

  private static func readText(
    _ field: FieldReader, into notification: inout Notification
  ) throws(FieldError) -> Bool {
    switch field.name {
    case "alertAction": notification.alertAction = try field.text()
    case "alertBody": notification.alertBody = try field.text()
    case "alertLaunchImage": notification.alertLaunchImage = try field.text()
    case "alertSubtitle": notification.alertSubtitle = try field.text()
    case "alertTitle": notification.alertTitle = try field.text()
    case "category": notification.category = try field.text()
    case "identifier": notification.identifier = try field.text()
    case "repeatCalendar": notification.repeatCalendar = try field.text()
    case "soundName": notification.soundName = try field.text()
    case "threadIdentifier": notification.threadIdentifier = try field.text()
    case "timeZone": notification.timeZone = try field.text()
    default: return try readArguments(field, into: &notification)
    }
    return true
  }

  /// What is put into the texts (L2).
  private static func readArguments(
    _ field: FieldReader, into notification: inout Notification
  ) throws(FieldError) -> Bool {
    switch field.name {
    case "alertActionLocalizationArgs":
      notification.alertActionLocalizationArgs = try field.arguments()
    case "alertLocalizationArgs": notification.alertLocalizationArgs = try field.arguments()
    case "alertSubtitleLocalizationArgs":
      notification.alertSubtitleLocalizationArgs = try field.arguments()
    case "alertTitleLocalizationArgs":
      notification.alertTitleLocalizationArgs = try field.arguments()
    default: return false
    }
    return true
  }

  /// What says when it is due.
  private static func readTime(
    _ field: FieldReader, into notification: inout Notification
  ) throws(FieldError) -> Bool {
    switch field.name {
    case "count": notification.count = try field.integer()
    case "every": notification.every = try field.integer()
    case "exdate": notification.exdate = try field.instants()
    case "expires": notification.expires = try field.instant()
    case "fireDate": notification.fireDate = try field.instant()
    case "fireIn": notification.fireIn = try field.duration()
    case "gap": notification.gap = try field.choice("policy")
    case "monthEnd": notification.monthEnd = try field.choice("policy")
    case "overlap": notification.overlap = try field.choice("policy")
    case "rdate": notification.rdate = try field.instants()
    case "region": notification.region = try RegionCodec.decode(field.value, field: field.name)
    case "regionTriggersOnce": notification.regionTriggersOnce = try field.boolean()
    case "repeatInterval":
      notification.repeatInterval = try RepeatUnit.parse(field.text(), field: field.name)
    case "rrule":
      notification.rrule = try RecurrenceRule.parse(field.text(), field: field.name)
    case "tolerance": notification.tolerance = try field.duration()
    case "until": notification.until = try field.instant()
    case "zoneMode": notification.zoneMode = try field.choice("mode")
    default: return false
    }
    return true
  }

  private static func readOther(
    _ field: FieldReader, into notification: inout Notification
  ) throws(FieldError) -> Bool {
    switch field.name {
    case "applicationIconBadgeNumber":
      notification.applicationIconBadgeNumber = try field.integer()
    case "alertBodyIsFormat": notification.alertBodyIsFormat = try field.boolean()
    case "badgeOperation":
      notification.badgeOperation = try field.choice("operation")
    case "hasAction": notification.hasAction = try field.boolean()
    case "interruptionLevel":
      notification.interruptionLevel = try field.choice("level")
    case "late": notification.late = try LatePolicy.parse(field.text(), field: field.name)
    case "userInfo":
      do throws(FieldError) {
        notification.userInfo = try PropertyListCodec.decode(field.value)
      } catch {
        throw error.under(field: field.name)
      }
    case "push":
      notification.push = try field.object().text
    case "repeatSound": notification.repeatSound = try field.integer()
    case "volume": notification.volume = try field.number()
    default: return false
    }
    return true
  }

  private static func unknown(_ name: String) -> FieldError {
    let reason = FieldError.unknownName(name, among: fields, what: "field")
    return FieldError(FieldError.path(of: name), .unknown, reason)
  }

  /// All that `decode` knows, in the order that `encode` writes.
  public static let fields = [
    "alertAction", "alertActionLocalizationArgs", "alertBody", "alertBodyIsFormat",
    "alertLaunchImage", "alertLocalizationArgs", "alertSubtitle", "alertSubtitleLocalizationArgs",
    "alertTitle", "alertTitleLocalizationArgs", "applicationIconBadgeNumber", "badgeOperation",
    "category", "count", "every", "exdate", "expires", "fireDate", "fireIn", "gap", "hasAction",
    "identifier", "interruptionLevel", "late", "monthEnd", "overlap", "push", "rdate", "region",
    "regionTriggersOnce", "repeatCalendar", "repeatInterval", "repeatSound", "rrule", "soundName",
    "threadIdentifier", "timeZone", "tolerance", "until", "userInfo", "volume", "zoneMode",
  ]
}

/// One field's value, read as the type that it must have.
private struct FieldReader {
  var name: String
  var value: JSONValue

  func text() throws(FieldError) -> String {
    guard case .string(let text) = value else { throw wrongType("a string") }
    return text
  }

  func object() throws(FieldError) -> JSONValue {
    guard case .object = value else { throw wrongType("an object") }
    return value
  }

  func boolean() throws(FieldError) -> Bool {
    guard case .boolean(let flag) = value else { throw wrongType("true or false") }
    return flag
  }

  func integer() throws(FieldError) -> Int64 {
    if case .integer(let number) = value { return number }
    throw wrongType("an integer")
  }

  func number() throws(FieldError) -> Double {
    switch value {
    case .double(let number): return number
    case .integer(let number): return Double(number)
    default: throw wrongType("a number")
    }
  }

  func instant() throws(FieldError) -> Instant {
    guard let instant = Instant(microseconds: try integer()) else {
      throw FieldError(
        name, .outOfRange,
        "times reach from 1677-09-21 to 2262-04-11, in microseconds since 1970 UTC")
    }
    return instant
  }

  func instants() throws(FieldError) -> [Instant] {
    guard case .array(let values) = value else { throw wrongType("an array of integers") }
    var found: [Instant] = []
    for (index, value) in values.enumerated() {
      found.append(try FieldReader(name: "\(name)[\(index)]", value: value).instant())
    }
    return found
  }

  func arguments() throws(FieldError) -> [PropertyList] {
    guard case .array(let values) = value else { throw wrongType("an array") }
    do throws(FieldError) {
      return try PropertyListCodec.decode(elements: values)
    } catch {
      throw error.under(field: name)
    }
  }

  /// Microseconds, as nanoseconds.
  func duration() throws(FieldError) -> Int64 {
    let (nanoseconds, overflow) = try integer().multipliedReportingOverflow(by: 1000)
    guard !overflow else {
      throw FieldError(name, .outOfRange, "this is too long, in microseconds")
    }
    return nanoseconds
  }

  /// A value of an enumeration, by its name.
  func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ what: String
  ) throws(FieldError) -> Value {
    let text = try text()
    if let value = Value(rawValue: text) { return value }
    let known = Value.allCases.map { $0.rawValue }
    throw FieldError(name, .unknown, FieldError.unknownName(text, among: known, what: what))
  }

  fileprivate func wrongType(_ wanted: String) -> FieldError {
    FieldError(name, .wrongType, "this must be \(wanted), not \(value.kind)")
  }
}

extension JSONValue {
  /// What kind of value this is, in words.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .double: "a number with a fraction"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
