import Foundation

/// Where a sink shows actions.
public enum UIUserNotificationActionContext: UInt, Sendable {
  /// Where there is room: up to four actions.
  case `default`
  /// Where there is little, or the sink is locked: up to two.
  case minimal
}

/// A named group of actions (N10, D5); equal if all its fields are.
open class UIUserNotificationCategory: NSObject, NSCopying, NSMutableCopying {
  struct Values: Hashable {
    var identifier: String?
    var actions: [UIUserNotificationActionContext: [UIUserNotificationAction.Values]] = [:]
  }

  var values = Values()

  public override init() {
    super.init()
  }

  init(_ values: Values) {
    self.values = values
    super.init()
  }

  /// What `UILocalNotification.category` names.
  open var identifier: String? { values.identifier }

  /// The actions of a context as they were set; nil: none were. The minimal context then shows the
  /// first two of the default one.
  open func actions(for context: UIUserNotificationActionContext) -> [UIUserNotificationAction]? {
    values.actions[context]?.map { UIUserNotificationAction($0) }
  }

  open func copy(with zone: NSZone? = nil) -> Any { UIUserNotificationCategory(values) }

  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    UIMutableUserNotificationCategory(values)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? UIUserNotificationCategory)?.values == values
  }

  open override var hash: Int { values.identifier.hashValue }
}

/// A category under construction.
open class UIMutableUserNotificationCategory: UIUserNotificationCategory {
  open override var identifier: String? {
    get { values.identifier }
    set { values.identifier = newValue }
  }

  /// Sets the actions of a context; nil: none. Of more than four (two in the minimal context) the
  /// first ones are registered, as they are the ones shown on iOS.
  open func setActions(
    _ actions: [UIUserNotificationAction]?, for context: UIUserNotificationActionContext
  ) {
    values.actions[context] = actions?.map { $0.values }
  }
}
