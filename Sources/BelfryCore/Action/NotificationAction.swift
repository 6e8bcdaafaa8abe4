/// A button that an app offers with its alerts, beside the default action.
public struct NotificationAction: Hashable, Sendable {
  public enum Behavior: String, CaseIterable, Sendable {
    case `default`, textInput
  }

  /// 1 to 128 bytes without control characters, unlike any other of its category.
  public var identifier: String
  /// 1 byte to 1 KiB.
  public var title: String
  public var activationMode = ActivationMode.foreground
  public var isDestructive = false
  /// A sink that says that it is locked may not choose it (D5).
  public var requiresAuthentication = false
  public var behavior = Behavior.default
  /// Of one that asks for text: what the button beside the text says, 1 byte to 1 KiB; nil: the
  /// sink's own word.
  public var buttonTitle: String?

  public init(identifier: String, title: String) {
    self.identifier = identifier
    self.title = title
  }
}

/// An action as a sink is offered it.
public struct OfferedAction: Hashable, Sendable {
  public var action: NotificationAction
  /// It is one of those of the minimal context.
  public var isMinimal: Bool

  public init(_ action: NotificationAction, isMinimal: Bool) {
    self.action = action
    self.isMinimal = isMinimal
  }
}
