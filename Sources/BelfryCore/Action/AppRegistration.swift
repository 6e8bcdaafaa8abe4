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

  /// Most categories of an app (A2), and bytes of their names and titles.
  public static let maxCategories = 64
  public static let maxBytes = 64 << 10

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
    guard weight <= Self.maxBytes else {
      throw FieldError(
        "categories", .tooLong, "all of an app have at most \(Self.maxBytes) bytes together")
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

extension AppRegistration {
  /// Bytes of its names and titles.
  var weight: Int {
    categories.reduce(0) { sum, category in
      category.actions.reduce(sum + category.identifier.utf8.count) {
        $0 + $1.identifier.utf8.count + $1.title.utf8.count + ($1.buttonTitle?.utf8.count ?? 0)
      }
    }
  }
}
