/// A group of actions that a notification names by its `category` (N10).
public struct ActionCategory: Hashable, Sendable {
  /// 1 to 255 bytes without control characters.
  public var identifier: String
  /// Those of the default context, in order.
  public var actions: [NotificationAction]
  /// Identifiers of those of the minimal context; nil: the first two (D5).
  public var minimal: [String]?

  public init(identifier: String, actions: [NotificationAction], minimal: [String]? = nil) {
    self.identifier = identifier
    self.actions = actions
    self.minimal = minimal
  }

  /// Most actions in the default context and in the minimal one (D5).
  public static let maxActions = 4
  public static let maxMinimal = 2

  /// Its actions, in the order of the default context.
  public var offered: [OfferedAction] {
    actions.enumerated().map { place, action in
      let isMinimal =
        minimal.map { $0.contains(action.identifier) } ?? (place < Self.maxMinimal)
      return OfferedAction(action, isMinimal: isMinimal)
    }
  }

  /// Throws the first field that breaks a rule, its path beginning in the category.
  func check() throws(FieldError) {
    guard !identifier.isEmpty else {
      throw FieldError("identifier", .malformed, "an empty name names nothing")
    }
    try Notification.checkName(identifier, "identifier")
    let name = FieldError.quoted(identifier)
    guard actions.count <= Self.maxActions else {
      throw FieldError(
        "actions", .outOfRange,
        "a category has at most \(Self.maxActions) actions, and \(name) has \(actions.count)")
    }
    for (index, action) in actions.enumerated() {
      do throws(FieldError) {
        try action.check()
        guard !actions[..<index].contains(where: { $0.identifier == action.identifier }) else {
          throw FieldError("identifier", .conflict, "another action of \(name) is called that")
        }
      } catch {
        throw error.under(field: "actions[\(index)]")
      }
    }
    try checkMinimal(name)
  }

  private func checkMinimal(_ name: String) throws(FieldError) {
    guard let minimal else { return }
    guard minimal.count <= Self.maxMinimal else {
      throw FieldError(
        "minimal", .outOfRange,
        "the minimal context has at most \(Self.maxMinimal) actions, and that of \(name) has "
          + "\(minimal.count)")
    }
    for (index, identifier) in minimal.enumerated() {
      guard actions.contains(where: { $0.identifier == identifier }) else {
        throw FieldError(
          "minimal[\(index)]", .unknown,
          FieldError.unknownName(
            identifier, among: actions.map { $0.identifier }, what: "action of this category"))
      }
      guard !minimal[..<index].contains(identifier) else {
        throw FieldError("minimal[\(index)]", .conflict, "it stands in the list twice")
      }
    }
  }
}

extension NotificationAction {
  fileprivate func check() throws(FieldError) {
    try Notification.checkIdentifier(identifier)
    guard !title.isEmpty else {
      throw FieldError("title", .malformed, "a button without a title cannot be told from others")
    }
    try Notification.checkText(title, "title", Notification.Limit.title)
    guard buttonTitle != "" else {
      throw FieldError(
        "buttonTitle", .malformed, "left out, the button has the sink's own word; empty, none")
    }
    try Notification.checkText(buttonTitle, "buttonTitle", Notification.Limit.title)
  }
}
