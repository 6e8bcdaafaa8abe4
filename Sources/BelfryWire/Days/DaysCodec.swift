import BelfryCore

/// `asOn` and the rows of `Days` as JSON (E3).
enum DaysCodec {
  static func encode(_ one: AsOn) -> JSONObject {
    ["calendar": .string(one.calendar), "weekday": .string(one.weekday.rawValue)]
  }

  static func decode(_ value: JSONValue, field: String) throws(FieldError) -> [AsOn] {
    guard case .array(let values) = value else {
      throw FieldError(field, .wrongType, "this must be an array, not \(value.kind)")
    }
    var found: [AsOn] = []
    for (index, value) in values.enumerated() {
      let name = "\(field)[\(index)]"
      guard case .object(let object) = value else {
        throw FieldError(name, .wrongType, "this is an object, not \(value.kind)")
      }
      let members = try MemberReader(
        object, of: "an entry of asOn", known: ["calendar", "weekday"], prefix: name + ".")
      let weekday = FieldReader(
        name: name + ".weekday", value: .string(try members.text("weekday")))
      found.append(
        AsOn(
          calendar: try members.text("calendar"), weekday: try weekday.choice("weekday")))
    }
    return found
  }
}

extension ListedDays {
  /// The row as `DayCalendar`.
  public var parameters: JSONObject {
    var object = JSONObject()
    object.add("app", app)
    object.append("name", .string(name))
    object.append("file", .string(path))
    object.append("state", .string(state.rawValue))
    object.append("days", .integer(count))
    object.add("first", first.map { CivilDate(days: $0).text })
    object.add("last", last.map { CivilDate(days: $0).text })
    object.add("problem", problem)
    return object
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(
      app: try members.optionalText("app"), name: try members.text("name"),
      path: try members.text("file"), state: try members.choice("state", State.self))
    count = try members.integer("days")
    first = try members.optionalText("first").flatMap { CivilDate($0.utf8)?.days }
    last = try members.optionalText("last").flatMap { CivilDate($0.utf8)?.days }
    problem = try members.optionalText("problem")
  }

  /// The rows of a reply to `Days`, or of `days` in a status.
  public static func read(_ value: JSONValue?) throws(FieldError) -> [ListedDays] {
    var rows: [ListedDays] = []
    for value in value?.array ?? [] { rows.append(try ListedDays(value.object ?? [:])) }
    return rows
  }
}
