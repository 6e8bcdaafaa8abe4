// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

extension UIUserNotificationSettings {
  @available(*, deprecated, renamed: "init(types:categories:)")
  public convenience init(
    forTypes types: UIUserNotificationType, categories: Set<UIUserNotificationCategory>?
  ) {
    self.init(types: types, categories: categories)
  }

  /// The set is one of `UIUserNotificationCategory`; what else is in it is left out.
  @available(*, deprecated, renamed: "init(types:categories:)")
  public convenience init(forTypes types: UIUserNotificationType, categories: NSSet) {
    let found = categories.allObjects.compactMap { $0 as? UIUserNotificationCategory }
    self.init(types: types, categories: Set(found))
  }
}

extension UIUserNotificationType {
  @available(*, deprecated, renamed: "badge")
  public static var Badge: Self { .badge }
  @available(*, deprecated, renamed: "sound")
  public static var Sound: Self { .sound }
  @available(*, deprecated, renamed: "alert")
  public static var Alert: Self { .alert }
  @available(*, deprecated, message: "use []")
  public static var None: Self { [] }

  @available(*, deprecated, message: "use [left, right]")
  public static func | (left: Self, right: Self) -> Self { left.union(right) }
}

extension UIUserNotificationCategory {
  @available(*, deprecated, renamed: "actions(for:)")
  public func actionsForContext(
    _ context: UIUserNotificationActionContext
  ) -> [UIUserNotificationAction]? {
    actions(for: context)
  }
}

extension UIMutableUserNotificationCategory {
  @available(*, deprecated, renamed: "setActions(_:for:)")
  public func setActions(
    _ actions: [UIUserNotificationAction]?, forContext context: UIUserNotificationActionContext
  ) {
    setActions(actions, for: context)
  }
}

extension UIMutableUserNotificationAction {
  @available(*, deprecated, renamed: "isDestructive")
  public var destructive: Bool {
    get { isDestructive }
    set { isDestructive = newValue }
  }

  @available(*, deprecated, renamed: "isAuthenticationRequired")
  public var authenticationRequired: Bool {
    get { isAuthenticationRequired }
    set { isAuthenticationRequired = newValue }
  }
}

extension UIUserNotificationActionContext {
  @available(*, deprecated, renamed: "default")
  public static var Default: Self { .default }
  @available(*, deprecated, renamed: "minimal")
  public static var Minimal: Self { .minimal }
}

extension UIUserNotificationActivationMode {
  @available(*, deprecated, renamed: "foreground")
  public static var Foreground: Self { .foreground }
  @available(*, deprecated, renamed: "background")
  public static var Background: Self { .background }
}

extension UIUserNotificationActionBehavior {
  @available(*, deprecated, renamed: "default")
  public static var Default: Self { .default }
  @available(*, deprecated, renamed: "textInput")
  public static var TextInput: Self { .textInput }
}
