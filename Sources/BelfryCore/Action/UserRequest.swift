/// What is asked about an app's face to its user.
public enum UserRequest: Hashable, Sendable {
  case badge
  /// 0 clears (D6).
  case setBadge(Int64)
}

extension UserRequest {
  /// Makes an app of an id that nobody has used yet.
  var usesApp: Bool {
    switch self {
    case .badge: false
    case .setBadge: true
    }
  }

  /// Throws for what no app may ask.
  func check() throws(FieldError) {
    switch self {
    case .badge: break
    case .setBadge(let badge):
      guard (0...Notification.largestBadge).contains(badge) else {
        throw FieldError(
          "badge", .outOfRange, "a badge is 0, which clears it, to \(Notification.largestBadge)")
      }
    }
  }
}
