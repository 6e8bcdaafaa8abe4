/// What is asked about an app's face to its user.
public enum UserRequest: Hashable, Sendable {
  case badge
  /// 0 clears (D6).
  case setBadge(Int64)
  /// Replaces what was registered before (D5).
  case register(AppRegistration)
  case settings
  /// To what an identifier or an occurrence's id names.
  case response(UserResponse, String)
}

extension UserRequest {
  /// Makes an app of an id that nobody has used yet.
  var usesApp: Bool {
    switch self {
    case .badge, .settings, .response: false
    case .setBadge, .register: true
    }
  }

  /// Throws for what no app may ask.
  func check() throws(FieldError) {
    switch self {
    case .badge, .settings: break
    case .response(let response, let id):
      // Without an id the newest is acknowledged.
      if response != .acknowledge || !id.isEmpty {
        try Notification.checkIdentifier(id, field: "id")
      }
      try response.check()
    case .register(let registration): try registration.check()
    case .setBadge(let badge):
      guard (0...Notification.Limit.badge).contains(badge) else {
        throw FieldError(
          "badge", .outOfRange, "a badge is 0, which clears it, to \(Notification.Limit.badge)")
      }
    }
  }
}
