import BelfryCore

extension NotificationCodec {
  /// Reads a notification; null stands for a field that is left out.
  ///
  /// Throws a `FieldError` with the field's path: for wrong types, for values that are none of an
  /// enum's, for instants beyond their range, and for unknown fields, naming the nearest one known.
  /// Lengths and ranges are for `Notification.validated()` to judge.
  @export(interface)
  public static func decode(_ value: JSONValue) throws(FieldError) -> Notification {
    guard case .object(let object) = value else {
      throw FieldError("", .wrongType, "a notification is an object, not \(value.kind)")
    }
    return try decode(object)
  }

  /// Reads a notification from an object's members.
  @export(interface)
  public static func decode(_ object: JSONObject) throws(FieldError) -> Notification {
    var notification = Notification()
    // What `encode` writes has the order of the table.
    var place = 0
    for member in object.members {
      guard let field = NotificationField.find(member.name, near: &place) else {
        throw unknown(member.name)
      }
      if case .null = member.value { continue }
      try field.read(&notification, FieldReader(name: member.name, value: member.value))
    }
    return notification
  }

  /// Sets one field as `decode` would.
  @export(interface)
  public static func set(
    _ name: String, to value: JSONValue, in notification: inout Notification
  ) throws(FieldError) {
    var place = 0
    guard let field = NotificationField.find(name, near: &place) else { throw unknown(name) }
    try field.read(&notification, FieldReader(name: name, value: value))
  }

  private static func unknown(_ name: String) -> FieldError {
    let reason =
      meant(name).map { "there is no field \(FieldError.quoted(name)); did you mean \($0)?" }
      ?? FieldError.unknownName(name, among: fields, what: "field")
    return FieldError(FieldError.path(of: name), .unknown, reason)
  }

  /// What other interfaces, and belfry's options, call otherwise.
  private static func meant(_ name: String) -> String? {
    switch name {
    case "body", "text", "message", "alert": "alertBody"
    case "title": "alertTitle"
    case "sound": "soundName"
    case "badge": "applicationIconBadgeNumber"
    case "date", "time", "at", "when": "fireDate"
    case "in", "delay", "after": "fireIn"
    case "repeat", "repeats": "repeatInterval"
    case "id": "identifier"
    case "level": "interruptionLevel"
    case "thread": "threadIdentifier"
    default: nil
    }
  }

  /// All that `decode` knows, in the order that `encode` writes.
  public static let fields = NotificationField.table.map { $0.name }
}

/// One field's value, read as the type that it must have.
struct FieldReader {
  var name: String
  var value: JSONValue

  func text() throws(FieldError) -> String {
    guard case .string(let text) = value else { throw wrongType("a string") }
    return text
  }

  func texts() throws(FieldError) -> [String] {
    guard case .array(let values) = value else { throw wrongType("an array of strings") }
    var texts: [String] = []
    for (index, value) in values.enumerated() {
      texts.append(try FieldReader(name: "\(name)[\(index)]", value: value).text())
    }
    return texts
  }

  func object() throws(FieldError) -> JSONValue {
    guard case .object = value else { throw wrongType("an object") }
    return value
  }

  func boolean() throws(FieldError) -> Bool {
    guard case .boolean(let flag) = value else { throw wrongType("true or false") }
    return flag
  }

  func integer(of what: String = "") throws(FieldError) -> Int64 {
    if case .integer(let number) = value { return number }
    throw wrongType("an integer" + what)
  }

  func number() throws(FieldError) -> Double {
    switch value {
    case .double(let number): return number
    case .integer(let number): return Double(number)
    default: throw wrongType("a number")
    }
  }

  func instant() throws(FieldError) -> Instant {
    let since = " of microseconds since 1970 UTC"
    guard let instant = Instant(microseconds: try integer(of: since)) else {
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

  /// Too many are not even read.
  func rules() throws(FieldError) -> [RecurrenceRule] {
    guard case .array(let values) = value else { throw wrongType("an array of strings") }
    guard values.count <= RepeatPlan.mostRules else {
      throw FieldError(
        name, .tooLong, "at most \(RepeatPlan.mostRules) rules are allowed, not \(values.count)")
    }
    var rules: [RecurrenceRule] = []
    for (index, value) in values.enumerated() {
      let field = FieldReader(name: "\(name)[\(index)]", value: value)
      rules.append(try RecurrenceRule.parse(field.text(), field: field.name))
    }
    return rules
  }

  func ladder() throws(FieldError) -> [LadderStep] {
    guard case .array(let values) = value else { throw wrongType("an array") }
    var steps: [LadderStep] = []
    for (index, value) in values.enumerated() {
      steps.append(try RealertCodec.decodeStep(value, field: "\(name)[\(index)]"))
    }
    return steps
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
    let microseconds = try integer(of: " of microseconds")
    let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
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
    throw FieldError(name, .unknown, FieldError.unknownWord(text, among: known, what: what))
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
