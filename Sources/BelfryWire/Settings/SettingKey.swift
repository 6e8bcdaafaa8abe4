import BelfryCore

/// What somebody wants to know of a key: the parser its values, help everything.
///
/// So a program that only parses has no help texts in it.
public protocol SettingRow {
  /// `usual` is the default as a file would say it, or in words; nil: there is none.
  init(_ values: SettingValues, usual: String?, about: String)
}

/// The keys of a section. The cases are the table's names; the parser and help both go by them.
public protocol SettingKey: RawRepresentable, CaseIterable, Sendable where RawValue == String {
  /// The key's row of the table.
  func row<Row: SettingRow>() -> Row
}

extension SettingKey {
  /// What its value may be.
  public var values: SettingValues { row() }
}

extension SettingValues: SettingRow {
  public init(_ values: SettingValues, usual: String?, about: String) {
    self = values
  }
}

/// A key as help shows it.
public struct SettingHelp: Hashable, Sendable, SettingRow {
  public private(set) var name = ""
  public let values: SettingValues
  /// nil: there is none.
  public let usual: String?
  /// What it does: without a capital and a full stop.
  public let about: String

  public init(_ values: SettingValues, usual: String?, about: String) {
    self.values = values
    self.usual = usual
    self.about = about
  }

  /// The rows of a section's keys, in the order of the table.
  public static func rows<Key: SettingKey>(
    of keys: Key.Type, where isAsked: (Key) -> Bool = { _ in true }
  ) -> [SettingHelp] {
    var rows: [SettingHelp] = []
    for key in keys.allCases where isAsked(key) {
      var row: SettingHelp = key.row()
      row.name = key.rawValue
      rows.append(row)
    }
    return rows
  }
}
