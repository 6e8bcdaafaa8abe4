import BelfryCore

extension CallReader {
  /// The methods that concern an app's face to its user.
  func userRequest() throws(FieldError) -> Request? {
    switch method {
    case "Badge": return .user(app: try app(try members(["app"])), .badge)
    case "SetBadge":
      let members = try members(["app", "badge"])
      return .user(app: try app(members), .setBadge(try members.integer("badge")))
    case "RegisterSettings":
      let members = try members(["app", "settings", "categories"])
      return .user(app: try app(members), .register(try RegistrationCodec.decode(members)))
    case "Settings": return .user(app: try app(try members(["app"])), .settings)
    default: return nil
    }
  }
}
