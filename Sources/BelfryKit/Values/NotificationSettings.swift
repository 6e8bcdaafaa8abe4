/// What an app may do to be noticed; raw values are those of `UIUserNotificationType`.
public struct NotificationSettings: OptionSet, Hashable, Sendable {
  public var rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  public static let badge = NotificationSettings(rawValue: 1)
  public static let sound = NotificationSettings(rawValue: 2)
  public static let alert = NotificationSettings(rawValue: 4)
  public static let all: NotificationSettings = [.badge, .sound, .alert]
}

/// A button under an alert, which the user can press without opening the app (D4, D5).
public struct NotificationAction: Hashable, Sendable {
  public enum ActivationMode: String, Hashable, Sendable {
    /// Brings the app to the front.
    case foreground
    /// The app handles it where it is.
    case background
  }

  public enum Behavior: String, Hashable, Sendable {
    case `default`
    /// Asks for a line of text, which comes with the action.
    case textInput
  }

  public var identifier: String
  public var title: String
  public var activationMode: ActivationMode
  /// Shown as dangerous.
  public var isDestructive: Bool
  /// Refused while the sink says that it is locked.
  public var isAuthenticationRequired: Bool
  public var behavior: Behavior
  /// Of one that asks for text: what the button beside it says; nil: the sink's own word.
  public var buttonTitle: String?

  public init(
    identifier: String, title: String, activationMode: ActivationMode = .foreground,
    isDestructive: Bool = false, isAuthenticationRequired: Bool = false,
    behavior: Behavior = .default, buttonTitle: String? = nil
  ) {
    self.identifier = identifier
    self.title = title
    self.activationMode = activationMode
    self.isDestructive = isDestructive
    self.isAuthenticationRequired = isAuthenticationRequired
    self.behavior = behavior
    self.buttonTitle = buttonTitle
  }
}

/// A group of actions that notifications name by `category` (N10, D5).
public struct NotificationCategory: Hashable, Sendable {
  public var identifier: String
  /// Of the default context; at most 4.
  public var actions: [NotificationAction]
  /// Identifiers of the at most 2 that the minimal context shows; nil: the first two.
  public var minimal: [String]?

  public init(identifier: String, actions: [NotificationAction], minimal: [String]? = nil) {
    self.identifier = identifier
    self.actions = actions
    self.minimal = minimal
  }
}

/// What an app has registered.
public struct RegisteredSettings: Hashable, Sendable {
  /// False: the app never registered, so it has all three and no categories (D5).
  public var isRegistered: Bool
  /// As bounded by the operator.
  public var settings: NotificationSettings
  public var categories: [NotificationCategory]

  public init(
    isRegistered: Bool, settings: NotificationSettings, categories: [NotificationCategory]
  ) {
    self.isRegistered = isRegistered
    self.settings = settings
    self.categories = categories
  }
}
