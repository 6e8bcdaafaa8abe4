import Foundation

/// What an app asks for, or what it was given: the kinds of attention and the groups of actions (D5).
open class UIUserNotificationSettings: NSObject, NSCopying {
  /// The kinds of attention.
  public let types: UIUserNotificationType
  /// The groups of actions; nil: none.
  public let categories: Set<UIUserNotificationCategory>?

  /// Copies the categories, so that changing one later changes nothing here.
  public init(types: UIUserNotificationType, categories: Set<UIUserNotificationCategory>?) {
    self.types = types
    self.categories = categories.map { categories in
      Set(categories.map { UIUserNotificationCategory($0.values) })
    }
    super.init()
  }

  /// Itself: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UIUserNotificationSettings else { return false }
    return types == other.types && (categories ?? []) == (other.categories ?? [])
  }

  open override var hash: Int { types.hashValue }

  open override var description: String {
    let names = (categories ?? []).compactMap { $0.identifier }.sorted()
    return "<UIUserNotificationSettings: types = \(types.rawValue), categories = \(names)>"
  }
}
