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
    case "Act":
      let members = try members(["app", "id", "action", "text"])
      let response = UserResponse.act(
        action: try members.optionalText("action"), text: try members.optionalText("text"))
      return .user(app: try app(members), .response(response, try members.text("id")))
    case "Dismiss":
      let members = try members(["app", "id"])
      return .user(app: try app(members), .response(.dismiss, try members.text("id")))
    case "Acknowledge":
      let members = try members(["app", "id"])
      if let id = try members.optionalText("id"), id.isEmpty {
        throw FieldError("id", .malformed, "leave it out to acknowledge what came last")
      }
      return .user(
        app: try app(members), .response(.acknowledge, try members.optionalText("id") ?? ""))
    case "Snooze":
      let members = try members(["app", "id", "duration"])
      let (duration, overflow) = try members.integer("duration").multipliedReportingOverflow(
        by: 1000)
      return .user(
        app: try app(members),
        .response(.snooze(overflow ? .max : duration), try members.text("id")))
    default: return nil
    }
  }
}
