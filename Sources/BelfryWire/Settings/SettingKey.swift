import BelfryCore

/// What somebody wants to know of a key: the parser its values, help everything.
///
/// So a program that only parses has no help texts in it.
public protocol SettingRow {
  /// `usual` is the default as a file would say it, or in words; nil: there is none. `atStart`: a
  /// changed value counts from the next start of belfryd.
  init(_ values: SettingValues, usual: String?, atStart: Bool, about: String)
}

extension SettingRow {
  public init(_ values: SettingValues, usual: String?, about: String) {
    self.init(values, usual: usual, atStart: false, about: about)
  }
}

/// The keys of a section. The cases are the table's names; the parser and help both go by them.
public protocol SettingKey: RawRepresentable, CaseIterable, Sendable where RawValue == String {
  /// The key's row of the table.
  func row<Row: SettingRow>() -> Row
}

extension SettingKey {
  /// What its value may be.
  public var values: SettingValues { row() }
  /// Whether a changed value counts from the next start of belfryd only.
  public var needsRestart: Bool { (row() as RestartRow).isNeeded }
}

extension SettingValues: SettingRow {
  public init(_ values: SettingValues, usual: String?, atStart: Bool, about: String) {
    self = values
  }
}

private struct RestartRow: SettingRow {
  let isNeeded: Bool

  init(_ values: SettingValues, usual: String?, atStart: Bool, about: String) {
    isNeeded = atStart
  }
}

/// A key as help shows it.
public struct SettingHelp: Hashable, Sendable, SettingRow {
  public private(set) var name = ""
  public let values: SettingValues
  /// nil: there is none.
  public let usual: String?
  /// A changed value counts from the next start of belfryd.
  public let atStart: Bool
  /// What it does: without a capital and a full stop.
  public let about: String

  public init(_ values: SettingValues, usual: String?, atStart: Bool, about: String) {
    self.values = values
    self.usual = usual
    self.atStart = atStart
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
