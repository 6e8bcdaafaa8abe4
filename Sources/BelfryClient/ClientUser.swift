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

  /// 0 clears it.
  public func setBadge(app: String?, _ badge: Int64) throws(ClientError) {
    _ = try call("SetBadge", parameters(app, ("badge", .integer(badge))))
  }
}
