/// What a cancel request speaks of.
enum Selection {
  case identifiers([String])
  /// All fields but the identifier.
  case equal(Notification)
  case all

  func contains(_ notification: Notification) -> Bool {
    switch self {
    case .identifiers(let identifiers):
      return identifiers.contains { $0 == notification.identifier }
    case .equal(var other):
      other.identifier = notification.identifier
      return other == notification
    case .all: return true
    }
  }
}
