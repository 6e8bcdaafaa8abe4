import BelfryCore

extension CallReader {
  /// The methods that concern an app's face to its user.
  func userRequest() throws(FieldError) -> Request? {
    switch method {
    case "Badge": return .user(app: try app(try members(["app"])), .badge)
    case "SetBadge":
      let members = try members(["app", "badge"])
      return .user(app: try app(members), .setBadge(try members.integer("badge")))
    default: return nil
    }
  }
}
