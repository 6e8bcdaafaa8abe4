import BelfryCore

/// What an app registers as JSON, as `RegisterSettings` and the store has it: `settings` and
/// `categories`.
public enum RegistrationCodec {
  /// Throws a `FieldError` with the field's path, such as `categories[0].actions[1].title`; bounds
  /// are for the scheduler to judge.
  static func decode(_ members: MemberReader) throws(FieldError) -> AppRegistration {
    let settings = try MemberReader(
      try members.object("settings"), of: "settings", known: ["alert", "badge", "sound"],
      prefix: "settings.")
    var registration = AppRegistration(settings: try self.settings(settings))
    for (index, value) in try members.array("categories").enumerated() {
      registration.categories.append(try category(value, "categories[\(index)]"))
    }
    return registration
  }

  private static func settings(_ members: MemberReader) throws(FieldError) -> AppSettings {
    var settings: AppSettings = []
    if try members.boolean("alert") { settings.insert(.alert) }
    if try members.boolean("badge") { settings.insert(.badge) }
    if try members.boolean("sound") { settings.insert(.sound) }
    return settings
  }

  private static func category(
    _ value: JSONValue, _ path: String
  ) throws(FieldError) -> ActionCategory {
    let members = try reader(value, path, "a category", ["identifier", "actions", "minimal"])
    var category = ActionCategory(
      identifier: try members.text("identifier"), actions: [],
      minimal: try members.optionalTexts("minimal"))
    for (index, value) in try members.array("actions").enumerated() {
      category.actions.append(try action(value, "\(path).actions[\(index)]"))
    }
    return category
  }

  private static func action(
    _ value: JSONValue, _ path: String
  ) throws(FieldError) -> NotificationAction {
    let members = try reader(
      value, path, "an action",
      [
        "identifier", "title", "activationMode", "destructive", "authenticationRequired",
        "behavior", "buttonTitle",
      ])
    var action = NotificationAction(
      identifier: try members.text("identifier"), title: try members.text("title"))
    action.activationMode = try members.optionalChoice("activationMode") ?? .foreground
    action.isDestructive = try members.optionalBoolean("destructive") ?? false
    action.requiresAuthentication = try members.optionalBoolean("authenticationRequired") ?? false
    action.behavior = try members.optionalChoice("behavior") ?? .default
    action.buttonTitle = try members.optionalText("buttonTitle")
    return action
  }

  private static func reader(
    _ value: JSONValue, _ path: String, _ what: String, _ known: [String]
  ) throws(FieldError) -> MemberReader {
    guard case .object(let object) = value else {
      throw FieldError(path, .wrongType, "\(what) is an object")
    }
    return try MemberReader(object, of: what, known: known, prefix: path + ".")
  }

  // MARK: Writing

  public static func encode(_ registration: AppRegistration) -> JSONObject {
    [
      "settings": .object(encode(registration.settings)),
      "categories": .array(registration.categories.map { .object(encode($0)) }),
    ]
  }

  static func encode(_ settings: AppSettings) -> JSONObject {
    [
      "alert": .boolean(settings.contains(.alert)), "badge": .boolean(settings.contains(.badge)),
      "sound": .boolean(settings.contains(.sound)),
    ]
  }

  private static func encode(_ category: ActionCategory) -> JSONObject {
    var object: JSONObject = [
      "identifier": .string(category.identifier),
      "actions": .array(category.actions.map { .object(encode($0)) }),
    ]
    if let minimal = category.minimal {
      object.append("minimal", .array(minimal.map { .string($0) }))
    }
    return object
  }

  private static func encode(_ action: NotificationAction) -> JSONObject {
    var object: JSONObject = [
      "identifier": .string(action.identifier), "title": .string(action.title),
      "activationMode": .string(action.activationMode.rawValue),
      "destructive": .boolean(action.isDestructive),
      "authenticationRequired": .boolean(action.requiresAuthentication),
      "behavior": .string(action.behavior.rawValue),
    ]
    if let title = action.buttonTitle { object.append("buttonTitle", .string(title)) }
    return object
  }

  /// The bytes under which the store keeps it.
  public static func bytes(of registration: AppRegistration) -> [UInt8] {
    var bytes: [UInt8] = []
    encode(registration).write(to: &bytes)
    return bytes
  }

  /// Reads what `bytes` wrote.
  public static func read(_ bytes: [UInt8]) throws(FieldError) -> AppRegistration {
    let value: JSONValue
    do throws(WireError) {
      value = try JSONValue.parse(bytes)
    } catch {
      throw FieldError(error)
    }
    guard case .object(let object) = value else {
      throw FieldError("", .wrongType, "a registration is an object, not \(value.kind)")
    }
    return try decode(MemberReader(lenient: object))
  }
}
