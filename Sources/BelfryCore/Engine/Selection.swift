/// What a cancel request speaks of.
enum Selection {
  case identifiers([String])
  /// All fields but the identifier.
  case equal(Notification)
  case all

  /// Of a cancel request's identifiers, those that are occurrences' ids: what waits of these as a snooze
  /// is meant alone (D11).
  var occurrences: [OccurrenceID] {
    guard case .identifiers(let identifiers) = self else { return [] }
    return identifiers.compactMap { OccurrenceID(text: $0) }
  }

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
