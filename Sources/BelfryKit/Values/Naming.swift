import Foundation

/// Calendars by ICU's names, which the daemon uses (N6).
enum CalendarNaming {
  private static let names: [(Calendar.Identifier, String)] = [
    (.gregorian, "gregorian"), (.iso8601, "iso8601"), (.buddhist, "buddhist"),
    (.japanese, "japanese"), (.republicOfChina, "roc"), (.chinese, "chinese"), (.coptic, "coptic"),
    (.ethiopicAmeteMihret, "ethiopic"), (.ethiopicAmeteAlem, "ethiopic-amete-alem"),
    (.hebrew, "hebrew"), (.indian, "indian"), (.islamic, "islamic"),
    (.islamicCivil, "islamic-civil"), (.islamicTabular, "islamic-tbla"),
    (.islamicUmmAlQura, "islamic-umalqura"), (.persian, "persian"),
  ]

  /// One that the daemon does not know keeps Foundation's own name, and is refused by it.
  static func name(of identifier: Calendar.Identifier) -> String {
    names.first { $0.0 == identifier }?.1 ?? "\(identifier)"
  }

  static func identifier(of name: String) -> Calendar.Identifier? {
    names.first { $0.1 == name }?.0
  }
}
