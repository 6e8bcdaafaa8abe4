// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

/// Whether an action brings the app to the front.
public enum UIUserNotificationActivationMode: UInt, Sendable {
  case foreground
  case background
}

/// Whether an action is a button or asks for text.
public enum UIUserNotificationActionBehavior: UInt, Sendable {
  case `default`
  case textInput
}

/// In `UIUserNotificationAction.parameters`: the title of the button beside the text.
public let UIUserNotificationTextInputActionButtonTitleKey =
  "UIUserNotificationTextInputActionButtonTitleKey"

/// In `withResponseInfo` of an action of behaviour text input: what was typed, a `String`.
public let UIUserNotificationActionResponseTypedTextKey =
  "UIUserNotificationActionResponseTypedTextKey"

/// What the user may choose on an alert (D4); equal if all its fields are.
open class UIUserNotificationAction: NSObject, NSCopying, NSMutableCopying {
  struct Values: Hashable {
    var identifier: String?
    var title: String?
    var activationMode = UIUserNotificationActivationMode.foreground
    var behavior = UIUserNotificationActionBehavior.default
    var isDestructive = false
    var isAuthenticationRequired = false
    /// Of the only parameter that there is.
    var buttonTitle: String?
  }

  var values = Values()

  public override init() {
    super.init()
  }

  init(_ values: Values) {
    self.values = values
    super.init()
  }

  /// What the delegate gets when it is chosen.
  open var identifier: String? { values.identifier }
  /// What its button says.
  open var title: String? { values.title }
  /// Default: foreground.
  open var activationMode: UIUserNotificationActivationMode { values.activationMode }
  /// Default: a button.
  open var behavior: UIUserNotificationActionBehavior { values.behavior }
  /// `UIUserNotificationTextInputActionButtonTitleKey` or nothing.
  open var parameters: [AnyHashable: Any] {
    guard let title = values.buttonTitle else { return [:] }
    return [UIUserNotificationTextInputActionButtonTitleKey: title]
  }
  /// A locked sink refuses it.
  open var isAuthenticationRequired: Bool { values.isAuthenticationRequired }
  /// Shown as one to think about.
  open var isDestructive: Bool { values.isDestructive }

  open func copy(with zone: NSZone? = nil) -> Any { UIUserNotificationAction(values) }

  open func mutableCopy(with zone: NSZone? = nil) -> Any { UIMutableUserNotificationAction(values) }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? UIUserNotificationAction)?.values == values
  }

  open override var hash: Int { values.hashValue }
}

/// An action under construction.
open class UIMutableUserNotificationAction: UIUserNotificationAction {
  open override var identifier: String? {
    get { values.identifier }
    set { values.identifier = newValue }
  }

  open override var title: String? {
    get { values.title }
    set { values.title = newValue }
  }

  open override var activationMode: UIUserNotificationActivationMode {
    get { values.activationMode }
    set { values.activationMode = newValue }
  }

  open override var behavior: UIUserNotificationActionBehavior {
    get { values.behavior }
    set { values.behavior = newValue }
  }

  /// Of what is set only `UIUserNotificationTextInputActionButtonTitleKey` is kept.
  open override var parameters: [AnyHashable: Any] {
    get { super.parameters }
    set {
      values.buttonTitle = newValue[UIUserNotificationTextInputActionButtonTitleKey] as? String
    }
  }

  open override var isAuthenticationRequired: Bool {
    get { values.isAuthenticationRequired }
    set { values.isAuthenticationRequired = newValue }
  }

  open override var isDestructive: Bool {
    get { values.isDestructive }
    set { values.isDestructive = newValue }
  }
}
