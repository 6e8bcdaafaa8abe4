/// An app's own words: its tables in order of fallback, and its language (L1, N8).
public struct Localization: Hashable, Sendable {
  public var tables: [StringsTable] = []
  /// A language tag; nil: English.
  public var language: String?

  public init(tables: [StringsTable] = [], language: String? = nil) {
    self.tables = tables
    self.language = language
  }

  /// No tables, and English.
  public static let none = Localization()

  /// What the first table that has the key says; nil: it is no key.
  func text(for key: String) -> String? {
    for table in tables {
      if let text = table[key] { return text }
    }
    return nil
  }

  /// The action button's title where the notification names none (N8).
  public var defaultAction: String {
    for tag in LanguageTag.fallbacks(language ?? "en") {
      switch ByteString(tag) {
      case "en": return "View"
      case "de": return "Anzeigen"
      case "fr": return "Afficher"
      case "es": return "Ver"
      case "ru": return "Просмотр"
      case "zh-Hans": return "查看"
      default: continue
      }
    }
    return "View"
  }
}
