/// What an app has registered: the parts of notifications that it wants shown, and its groups of
/// actions (D5).
public struct AppRegistration: Hashable, Sendable {
  /// As asked for; the operator may allow less.
  public var settings: AppSettings
  public var categories: [ActionCategory]

  public init(settings: AppSettings = .all, categories: [ActionCategory] = []) {
    self.settings = settings
    self.categories = categories
  }

  /// Most categories of an app (A2).
  public static let maxCategories = 64

  public func category(_ identifier: String?) -> ActionCategory? {
    guard let identifier else { return nil }
    return categories.first { $0.identifier == identifier }
  }

  /// Throws the first field that breaks a rule, by its path, such as `categories[0].actions`.
  func check() throws(FieldError) {
    guard categories.count <= Self.maxCategories else {
      throw FieldError(
        "categories", .outOfRange,
        "an app has at most \(Self.maxCategories) categories, not \(categories.count)")
    }
    for (index, category) in categories.enumerated() {
      do throws(FieldError) {
        try category.check()
        let earlier = categories[..<index]
        guard !earlier.contains(where: { $0.identifier == category.identifier }) else {
          throw FieldError("identifier", .conflict, "another category is called that")
        }
      } catch {
        throw error.under(field: "categories[\(index)]")
      }
    }
  }
}
