import BelfryCore

/// Reads the members of a JSON object strictly: unknown ones are named, null counts as left out.
struct MemberReader {
  private let object: JSONObject
  let prefix: String

  /// Throws for the first member whose name is not known; `what` is for its sentence, `prefix` goes
  /// before every field's name.
  init(
    _ object: JSONObject, of what: String, known: [String], prefix: String = ""
  ) throws(FieldError) {
    for member in object.members where !known.contains(member.name) {
      let meant =
        Self.meant(member.name, known) ?? NameSuggestion.nearest(to: member.name, among: known)
      throw FieldError(
        prefix + member.name, .unknown,
        "\(what) has no such field" + (meant.map { "; did you mean \($0)?" } ?? ""))
    }
    self.object = object
    self.prefix = prefix
  }

  /// What names a notification in another call, or in another interface.
  private static func meant(_ name: String, _ known: [String]) -> String? {
    let names = ["id", "identifier", "identifiers"]
    guard names.contains(name) else { return nil }
    return names.reversed().first { $0 != name && known.contains($0) }
  }

  /// For what may say more than is known here, such as a newer daemon's replies.
  init(lenient object: JSONObject, prefix: String = "") {
    self.object = object
    self.prefix = prefix
  }

  /// nil where it is null or left out.
  func value(_ name: String) -> JSONValue? {
    let value = object[name]
    return value == .null ? nil : value
  }

  func wrongType(_ name: String, _ wanted: String) -> FieldError {
    FieldError(prefix + name, .wrongType, "this is \(wanted)")
  }

  func missing(_ name: String) -> FieldError {
    FieldError(prefix + name, .missing, "this is needed")
  }

  func optionalText(_ name: String) throws(FieldError) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value else { throw wrongType(name, "a string") }
    return text
  }

  func text(_ name: String) throws(FieldError) -> String {
    guard let text = try optionalText(name) else { throw missing(name) }
    return text
  }

  func optionalInteger(_ name: String) throws(FieldError) -> Int64? {
    switch value(name) {
    case nil: return nil
    case .integer(let number): return number
    case .double(let number) where number.magnitude >= 9.2e18:
      throw FieldError(prefix + name, .outOfRange, "no number of 64 bits is that large")
    default: throw wrongType(name, "an integer")
    }
  }

  func integer(_ name: String) throws(FieldError) -> Int64 {
    guard let number = try optionalInteger(name) else { throw missing(name) }
    return number
  }

  func optionalInteger(_ name: String, in range: ClosedRange<Int64>) throws(FieldError) -> Int64? {
    guard let number = try optionalInteger(name) else { return nil }
    guard range.contains(number) else {
      throw FieldError(
        prefix + name, .outOfRange, "this is between \(range.lowerBound) and \(range.upperBound)")
    }
    return number
  }

  /// Any number.
  func optionalNumber(_ name: String) throws(FieldError) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.number else { throw wrongType(name, "a number") }
    return number
  }

  func number(_ name: String) throws(FieldError) -> Double {
    guard let number = try optionalNumber(name) else { throw missing(name) }
    return number
  }

  func optionalInstant(_ name: String) throws(FieldError) -> Instant? {
    guard let number = try optionalInteger(name) else { return nil }
    guard let instant = Instant(microseconds: number) else {
      throw FieldError(
        prefix + name, .outOfRange, "instants reach from the year 1678 to 2262")
    }
    return instant
  }

  func instant(_ name: String) throws(FieldError) -> Instant {
    guard let instant = try optionalInstant(name) else { throw missing(name) }
    return instant
  }

  func optionalBoolean(_ name: String) throws(FieldError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .boolean(let flag) = value else { throw wrongType(name, "true or false") }
    return flag
  }

  func boolean(_ name: String) throws(FieldError) -> Bool {
    guard let flag = try optionalBoolean(name) else { throw missing(name) }
    return flag
  }

  func optionalObject(_ name: String) throws(FieldError) -> JSONObject? {
    guard let value = value(name) else { return nil }
    guard case .object(let object) = value else { throw wrongType(name, "an object") }
    return object
  }

  func object(_ name: String) throws(FieldError) -> JSONObject {
    guard let object = try optionalObject(name) else { throw missing(name) }
    return object
  }

  func optionalArray(_ name: String) throws(FieldError) -> [JSONValue]? {
    guard let value = value(name) else { return nil }
    guard case .array(let items) = value else { throw wrongType(name, "an array") }
    return items
  }

  func array(_ name: String) throws(FieldError) -> [JSONValue] {
    guard let items = try optionalArray(name) else { throw missing(name) }
    return items
  }

  func optionalTexts(_ name: String) throws(FieldError) -> [String]? {
    guard let items = try optionalArray(name) else { return nil }
    var texts: [String] = []
    for (index, item) in items.enumerated() {
      guard case .string(let text) = item else { throw wrongType("\(name)[\(index)]", "a string") }
      texts.append(text)
    }
    return texts
  }

  func texts(_ name: String) throws(FieldError) -> [String] {
    guard let texts = try optionalTexts(name) else { throw missing(name) }
    return texts
  }

  func occurrence(_ name: String) throws(FieldError) -> OccurrenceID {
    guard let id = try optionalOccurrence(name) else { throw missing(name) }
    return id
  }

  func optionalOccurrence(_ name: String) throws(FieldError) -> OccurrenceID? {
    guard let text = try optionalText(name) else { return nil }
    guard let id = OccurrenceID(text: text) else {
      throw FieldError(prefix + name, .malformed, "this is <uuid>.<generation>.<k>")
    }
    return id
  }

  /// One of an enumeration's words; the nearest is named where it is none.
  func optionalChoice<Value: CaseIterable & RawRepresentable<String>>(
    _ name: String
  ) throws(FieldError) -> Value? {
    try optionalText(name) == nil ? nil : try choice(name, Value.self)
  }

  func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ name: String, _: Value.Type
  ) throws(FieldError) -> Value {
    let text = try text(name)
    if let value = Value(rawValue: text) { return value }
    let known = Value.allCases.map { $0.rawValue }
    throw FieldError(
      prefix + name, .unknown, FieldError.unknownWord(text, among: known, what: "word for this"))
  }
}
