/// What the user does with a notification that is shown or heard.
public enum UserResponse: Hashable, Sendable {
  /// `action` nil: the default one (D3); `text`: what was typed (D4).
  case act(action: String?, text: String?)
  case dismiss
  /// Somebody has seen it: as `dismiss`, and what is asked about may be the newest (E6).
  case acknowledge
  /// To come again so many nanoseconds from now (D11).
  case snooze(Int64)
}

/// What a plugin tells of what its user did (`input/1`).
public struct SinkInput: Hashable, Sendable {
  public var occurrence: OccurrenceID
  public var response: UserResponse
  /// Nobody has said who they are there (D5).
  public var isLocked: Bool

  public init(_ occurrence: OccurrenceID, _ response: UserResponse, isLocked: Bool) {
    self.occurrence = occurrence
    self.response = response
    self.isLocked = isLocked
  }
}

/// What a response is about.
enum ResponseTarget: Hashable {
  /// The newest occurrence that is shown or heard; older ones of it are put away with it.
  case identifier(String)
  /// With all its steps (E6).
  case occurrence(OccurrenceID)
  /// What came last.
  case newest

  /// An occurrence's id, else an identifier; empty: the newest.
  init(_ name: String) {
    if name.isEmpty {
      self = .newest
    } else if let id = OccurrenceID(text: name) {
      self = .occurrence(id)
    } else {
      self = .identifier(name)
    }
  }

  func contains(_ occurrence: Occurrence) -> Bool {
    switch self {
    case .identifier(let identifier): occurrence.notification.identifier == identifier
    case .occurrence(let id): occurrence.id.base == id.base
    case .newest: true
    }
  }

  /// Whether it means what waits as this snooze (D11): also by an id that it was shown under before.
  func contains(_ snooze: SnoozeList.Entry) -> Bool {
    switch self {
    case .identifier: contains(snooze.occurrence)
    case .occurrence(let id): snooze.comes(of: id)
    case .newest: false
    }
  }

  var name: String {
    switch self {
    case .identifier(let identifier): identifier
    case .occurrence(let id): id.text
    case .newest: ""
    }
  }
}

/// Who did it.
enum ResponseSource: Hashable {
  case client(RequestID)
  case sink(SinkIndex, isLocked: Bool)
}

extension UserResponse {
  /// Shortest and longest snooze, in nanoseconds.
  static let snoozes = Nanoseconds.second...(7 * Nanoseconds.day)

  /// Throws for what can be done to no notification.
  func check() throws(FieldError) {
    switch self {
    case .act(let action, let text):
      if let action { try Notification.checkIdentifier(action, field: "action") }
      if let text {
        guard action != nil else {
          throw FieldError("text", .conflict, "the default action takes no text")
        }
        try Notification.checkText(text, "text", Notification.Limit.alertBody)
      }
    case .dismiss, .acknowledge: break
    case .snooze(let duration):
      try Notification.checkUnit(of: duration, "duration", least: 100 * Nanoseconds.millisecond)
      guard Self.snoozes.contains(duration) else {
        throw FieldError("duration", .outOfRange, "a snooze lasts from 1 s to 7 days")
      }
    }
  }

  /// What stands in the history, and what is told.
  var state: DeliveryState {
    switch self {
    case .act: .activated
    case .dismiss, .acknowledge: .dismissed
    case .snooze: .snoozed
    }
  }

  var reason: String? {
    switch self {
    case .act(let action, _): action.map { "action \($0)" }
    case .dismiss: nil
    case .acknowledge: "acknowledged"
    case .snooze(let duration): "for \(Nanoseconds.text(duration))"
    }
  }

  /// The action that was chosen; nil: the default one, or none. Throws for one that the category
  /// does not have, for text that it does not take, and for what a locked sink may not do.
  func chosen(
    in category: ActionCategory?, named name: String?, isLocked: Bool
  ) throws(RequestError) -> NotificationAction? {
    guard case .act(let identifier?, let text) = self else { return nil }
    let actions = category?.actions ?? []
    guard let action = actions.first(where: { $0.identifier == identifier }) else {
      let known = actions.map { $0.identifier }
      var reason = FieldError.unknownName(identifier, among: known, what: "action")
      reason += known.isEmpty ? ": this notification has none" : ": it has " + Self.list(known)
      throw .invalidField(FieldError("action", .unknown, reason))
    }
    guard text == nil || action.behavior == .textInput else {
      throw .invalidField(
        FieldError("text", .conflict, "the action \(identifier) takes no text"))
    }
    guard !isLocked || !action.requiresAuthentication else {
      throw .invalidField(
        FieldError(
          "action", .conflict, "\(identifier) asks for who it is, and the sink is locked"))
    }
    return action
  }

  private static func list(_ names: [String]) -> String {
    names.map { FieldError.quoted($0) }.joined(separator: ", ")
  }
}
