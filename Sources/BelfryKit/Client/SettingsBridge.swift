internal import BelfryWire

extension NotificationSettings {
  /// As the wire's `AppSettings`.
  var encoded: JSONValue {
    [
      "alert": .boolean(contains(.alert)), "badge": .boolean(contains(.badge)),
      "sound": .boolean(contains(.sound)),
    ]
  }

  /// What is left out is not allowed.
  init(_ wire: JSONValue?) {
    self = []
    if wire?["alert"]?.boolean == true { insert(.alert) }
    if wire?["badge"]?.boolean == true { insert(.badge) }
    if wire?["sound"]?.boolean == true { insert(.sound) }
  }
}

extension NotificationCategory {
  var encoded: JSONValue {
    var object: JSONObject = [
      "identifier": .string(identifier), "actions": .array(actions.map { $0.encoded }),
    ]
    if let minimal { object.append("minimal", .array(minimal.map { .string($0) })) }
    return .object(object)
  }

  /// nil: without an identifier it is none.
  init?(_ wire: JSONValue) {
    guard let identifier = wire["identifier"]?.string else { return nil }
    self.init(
      identifier: identifier,
      actions: (wire["actions"]?.array ?? []).compactMap { NotificationAction($0) },
      minimal: wire["minimal"]?.array?.compactMap { $0.string })
  }
}

extension NotificationAction {
  var encoded: JSONValue {
    var object: JSONObject = [
      "identifier": .string(identifier), "title": .string(title),
      "activationMode": .string(activationMode.rawValue), "destructive": .boolean(isDestructive),
      "authenticationRequired": .boolean(isAuthenticationRequired),
      "behavior": .string(behavior.rawValue),
    ]
    if let buttonTitle { object.append("buttonTitle", .string(buttonTitle)) }
    return .object(object)
  }

  /// nil: without an identifier it is none.
  init?(_ wire: JSONValue) {
    guard let identifier = wire["identifier"]?.string else { return nil }
    self.init(
      identifier: identifier, title: wire["title"]?.string ?? "",
      activationMode: wire["activationMode"]?.string.flatMap { .init(rawValue: $0) }
        ?? .foreground,
      isDestructive: wire["destructive"]?.boolean ?? false,
      isAuthenticationRequired: wire["authenticationRequired"]?.boolean ?? false,
      behavior: wire["behavior"]?.string.flatMap { .init(rawValue: $0) } ?? .default,
      buttonTitle: wire["buttonTitle"]?.string)
  }
}
