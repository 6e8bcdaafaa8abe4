import BelfryCore

extension CallReader {
  /// The methods by which people live with what is scheduled (E1, E2, E7).
  func everydayRequest() throws(FieldError) -> Request? {
    switch method {
    case "Pause":
      let members = try members(["app", "identifiers", "all", "from", "until"])
      let scope = try scope(members)
      let identifiers = try identifiers(members)
      // What a misspelt member leaves is not to silence all.
      let app = try members.optionalText("app")
      guard scope == nil || app != nil || !identifiers.isEmpty else {
        throw FieldError(
          "identifiers", .missing, "name some, or the app that is to be silent as a whole")
      }
      return .everyday(
        app: scope,
        .pause(
          identifiers: identifiers, from: try members.optionalInstant("from"),
          until: try members.optionalInstant("until")))
    case "Resume":
      let members = try members(["app", "identifiers", "all"])
      return .everyday(
        app: try scope(members), .resume(identifiers: try identifiers(members)))
    case "Skip": return try skip()
    case "Unskip":
      let members = try members(["app", "identifier", "at"])
      return .everyday(
        app: try app(members),
        .unskip(identifier: try identifier(members), at: try members.optionalInstant("at")))
    case "Edit": return try edit()
    default: return nil
    }
  }

  /// nil: everything.
  private func scope(_ members: MemberReader) throws(FieldError) -> String? {
    guard try members.optionalBoolean("all") ?? false else { return try app(members) }
    guard try members.optionalText("app") == nil,
      try members.optionalTexts("identifiers") == nil
    else {
      throw FieldError("all", .conflict, "everything has neither an app nor identifiers")
    }
    return nil
  }

  /// None: the whole app.
  private func identifiers(_ members: MemberReader) throws(FieldError) -> [String] {
    guard let identifiers = try members.optionalTexts("identifiers") else { return [] }
    guard !identifiers.isEmpty else {
      throw FieldError("identifiers", .outOfRange, "name one, or leave them out for the whole app")
    }
    for (index, identifier) in identifiers.enumerated() {
      try Notification.checkIdentifier(identifier, field: "identifiers[\(index)]")
    }
    return identifiers
  }

  private func identifier(_ members: MemberReader) throws(FieldError) -> String {
    let identifier = try members.text("identifier")
    try Notification.checkIdentifier(identifier)
    return identifier
  }

  private func skip() throws(FieldError) -> Request {
    let members = try members(["app", "identifier", "count", "at"])
    let app = try app(members)
    let identifier = try identifier(members)
    let count = try members.optionalInteger("count", in: 1...SkipSet.most)
    guard let instant = try members.optionalInstant("at") else {
      return .everyday(app: app, .skip(identifier: identifier, count: count ?? 1))
    }
    guard count == nil else {
      throw FieldError("at", .conflict, "either count or at, not both")
    }
    return .everyday(app: app, .skipAt(identifier: identifier, instant))
  }

  private func edit() throws(FieldError) -> Request {
    let members = try members(["app", "identifier", "set", "clear"])
    let edit = NotificationEdit(
      set: try members.optionalObject("set") ?? [:],
      clear: try members.optionalTexts("clear") ?? [])
    try edit.check()
    return .everyday(
      app: try app(members),
      .edit(identifier: try identifier(members)) { notification throws(FieldError) in
        try edit.apply(to: notification)
      })
  }
}

/// Which fields of a notification change, and how (E7).
public struct NotificationEdit: Sendable {
  /// What these fields are from now on.
  public var set: JSONObject
  /// Names of fields that have their defaults from now on.
  public var clear: [String]

  public init(set: JSONObject, clear: [String]) {
    self.set = set
    self.clear = clear
  }

  /// Fields of which at most one can say when: who sets one takes the others away.
  private static let rivals = [
    ["fireDate", "fireIn", "region"], ["repeatInterval", "rrule", "rrules"],
  ]

  /// Throws what is wrong whatever is edited.
  func check() throws(FieldError) {
    for (index, name) in clear.enumerated() {
      let field = "clear[\(index)]"
      guard NotificationCodec.fields.contains(name) else {
        throw FieldError(
          field, .unknown,
          FieldError.unknownName(name, among: NotificationCodec.fields, what: "field"))
      }
      guard name != NotificationField.identifier else {
        throw FieldError(field, .conflict, "an identifier stays: schedule another and cancel this")
      }
      guard set[name] == nil else {
        throw FieldError(field, .conflict, "\(name) is set too: either set or clear it")
      }
    }
    guard set[NotificationField.identifier] == nil else {
      throw FieldError(
        "set.identifier", .conflict, "an identifier stays: schedule another and cancel this")
    }
    // Wrong names and types are found without a notification.
    _ = try Self.named { () throws(FieldError) in try NotificationCodec.decode(set) }
  }

  /// The notification with the changes; all other fields stay.
  public func apply(to notification: Notification) throws(FieldError) -> Notification {
    var gone = clear
    for group in Self.rivals {
      let chosen = group.filter { set[$0] != nil }
      if !chosen.isEmpty { gone += group.filter { !chosen.contains($0) } }
    }
    // Nothing is left that these would be of.
    if gone.contains("region"), set["region"] == nil { gone.append("regionTriggersOnce") }
    if set["fireIn"] != nil, set["fireDate"] == nil { gone.append("timeZone") }
    var edited = JSONObject()
    for member in NotificationCodec.encode(notification).members
    where !gone.contains(member.name) && set[member.name] == nil {
      edited.append(member.name, member.value)
    }
    for member in set.members { edited.append(member.name, member.value) }
    return try Self.named { () throws(FieldError) in try NotificationCodec.decode(edited) }
  }

  private static func named<T>(_ body: () throws(FieldError) -> T) throws(FieldError) -> T {
    do throws(FieldError) {
      return try body()
    } catch {
      throw FieldError("set." + error.field, error.code, error.reason)
    }
  }
}
