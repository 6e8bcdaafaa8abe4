import BelfryCore
import BelfryWire

/// The methods that concern an app's face to its user.
extension Client {
  public func badge(app: String?) throws(ClientError) -> Int64 {
    guard let badge = try call("Badge", parameters(app))["badge"]?.integer else {
      throw .unreadableReply(reason: "badge")
    }
    return badge
  }

  /// `action` nil: the default one.
  public func act(
    app: String?, id: String, action: String?, text: String?
  ) throws(ClientError) {
    var parameters = parameters(app, ("id", .string(id)))
    if let action { parameters.append("action", .string(action)) }
    if let text { parameters.append("text", .string(text)) }
    _ = try call("Act", parameters)
  }

  public func dismiss(app: String?, id: String) throws(ClientError) {
    _ = try call("Dismiss", parameters(app, ("id", .string(id))))
  }

  /// `id` nil: what came last; the identifier and the occurrence of what was acknowledged.
  public func acknowledge(
    app: String?, id: String?
  ) throws(ClientError) -> (identifier: String, occurrence: String) {
    var parameters = parameters(app)
    if let id { parameters.append("id", .string(id)) }
    let reply = try call("Acknowledge", parameters)
    guard let identifier = reply["identifier"]?.string,
      let occurrence = reply["occurrence"]?.string
    else { throw .unreadableReply(reason: "identifier") }
    return (identifier, occurrence)
  }

  /// When it comes again; `duration` in nanoseconds.
  public func snooze(
    app: String?, id: String, duration: Int64
  ) throws(ClientError) -> Instant {
    let parameters = parameters(
      app, ("id", .string(id)), ("duration", .integer(duration / 1000)))
    guard let next = try call("Snooze", parameters)["next"]?.integer,
      let instant = Instant(microseconds: next)
    else { throw .unreadableReply(reason: "next") }
    return instant
  }

  /// 0 clears it.
  public func setBadge(app: String?, _ badge: Int64) throws(ClientError) {
    _ = try call("SetBadge", parameters(app, ("badge", .integer(badge))))
  }
}
