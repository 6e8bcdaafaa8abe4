import BelfryCore

extension CallReader {
  /// The methods that concern apps from outside of them.
  func appRequest() throws(FieldError) -> Request? {
    guard method == "Apps" else { return nil }
    let members = try members(["app", "cursor", "limit"])
    return .apps(
      app: try optionalApp(members), cursor: try cursor(members), limit: try limit(members))
  }
}

extension AppSettings {
  /// As the type `AppSettings`.
  public var parameters: JSONObject {
    [
      "alert": .boolean(contains(.alert)), "badge": .boolean(contains(.badge)),
      "sound": .boolean(contains(.sound)),
    ]
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = try MemberReader(
      parameters, of: "settings", known: ["alert", "badge", "sound"])
    self = []
    if try members.boolean("alert") { insert(.alert) }
    if try members.boolean("badge") { insert(.badge) }
    if try members.boolean("sound") { insert(.sound) }
  }
}

extension AppInfo {
  /// The row as `App`.
  public var parameters: JSONObject {
    var object: JSONObject = ["app": .string(app)]
    object.add("name", name)
    object.add("owner", owner.map { Int64($0) })
    object.add("manifest", manifest)
    object.add("launch", launch)
    object.add("language", language)
    object.append("allowed", .object(allowed.parameters))
    object.append("location", .boolean(location))
    object.append("badge", .integer(badge))
    object.append("scheduled", .integer(scheduled))
    object.append("sessions", .integer(sessions))
    for limit in AppLimitKey.shown {
      object.append(limit.rawValue, .integer(Int64(limits.number(of: limit) ?? 0)))
    }
    object.append("launchForPush", .boolean(launchesForPush))
    object.append("problems", .array(problems.map { .string($0) }))
    return object
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(
      app: try members.text("app"), name: try members.optionalText("name"),
      owner: try members.optionalInteger("owner").map { UInt32(truncatingIfNeeded: $0) },
      manifest: try members.optionalText("manifest"), launch: try members.optionalText("launch"),
      language: try members.optionalText("language"),
      allowed: try AppSettings(try members.object("allowed")),
      location: try members.boolean("location"), badge: try members.integer("badge"),
      scheduled: try members.integer("scheduled"), sessions: try members.integer("sessions"),
      limits: AppLimits(), problems: try members.texts("problems"))
    for limit in AppLimitKey.shown {
      // An older daemon does not tell all of them.
      _ = limits.set(limit, .integer(try members.optionalInteger(limit.rawValue) ?? 0))
    }
    launchesForPush = try members.optionalBoolean("launchForPush") ?? false
  }
}
