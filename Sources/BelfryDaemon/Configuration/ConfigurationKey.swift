import BelfryCore
import BelfryWire

/// One `key = value`, which is judged by the key's row in the tables.
struct ConfigurationKey {
  private let section: String
  let line: Int64
  let name: String
  let text: String

  init(_ section: String, _ entry: INIFile.Entry) {
    self.section = section
    line = entry.line
    name = entry.key
    text = entry.value
  }

  /// `reason` goes on after the key's name.
  func error(_ reason: String) -> ConfigurationError {
    ConfigurationError(line, "[\(section)] \(name) \(reason)")
  }

  /// The same after its value, too.
  func refusal(_ reason: String) -> ConfigurationError { error("= \(text): \(reason)") }

  /// It is none of `known`.
  func unknown(among known: [String]) -> ConfigurationError {
    // `soundFolder` for folder.
    let meant =
      NameSuggestion.nearest(to: name, among: known)
      ?? known.first { name.lowercased().hasSuffix($0.lowercased()) }
    return error("is no key of this section" + (meant.map { "; did you mean \($0)?" } ?? ""))
  }
  var notInThisBuild: ConfigurationError { error("= \(text) is not in this build") }

  /// Which key it is, and its value; throws what is wrong with either. `others`: keys of the section that
  /// are not among these.
  func judged<Key: SettingKey>(
    as keys: Key.Type, or others: [AppLimitKey] = []
  ) throws(ConfigurationError) -> (Key, ConfigurationValue) {
    guard let key = Key(rawValue: name) else {
      throw unknown(among: Key.allCases.map { $0.rawValue } + others.map { $0.rawValue })
    }
    return (key, try value(of: key))
  }

  /// The value of one key; throws what is wrong with it.
  func value<Key: SettingKey>(of key: Key) throws(ConfigurationError) -> ConfigurationValue {
    let values = key.values
    guard let value = values.read(text) else { throw mistake(values) }
    return ConfigurationValue(value: value, mistake: mistake(values))
  }

  private func mistake(_ values: SettingValues) -> ConfigurationError {
    if text.isEmpty { return error("needs a value: \(values.phrase)") }
    if text.utf8.contains(UInt8(ascii: "#")) {
      return error("is \(values.phrase); a # comment stands on a line of its own")
    }
    switch values {
    case .path, .unit, .language, .parts: return refusal("is \(values.phrase)")
    default: return error("is \(values.phrase)")
    }
  }
}

/// A value that its row allows. A reader that asks for another kind than the row's gets the error.
struct ConfigurationValue {
  let value: SettingValue
  let mistake: ConfigurationError

  func boolean() throws(ConfigurationError) -> Bool {
    guard case .boolean(let flag) = value else { throw mistake }
    return flag
  }

  /// A number, or the nanoseconds of a duration.
  func integer() throws(ConfigurationError) -> Int64 {
    guard case .integer(let number) = value else { throw mistake }
    return number
  }

  func number() throws(ConfigurationError) -> Double {
    guard case .number(let number) = value else { throw mistake }
    return number
  }

  func text() throws(ConfigurationError) -> String {
    guard case .text(let text) = value else { throw mistake }
    return text
  }

  func quietHours() throws(ConfigurationError) -> QuietHours {
    guard case .quietHours(let hours) = value else { throw mistake }
    return hours
  }

  func parts() throws(ConfigurationError) -> AppSettings {
    guard case .parts(let parts) = value else { throw mistake }
    return parts
  }
}

extension AppLimits {
  /// Takes up a limit from `[app:ID]`, a manifest, or what holds for all apps.
  mutating func read(
    _ limit: AppLimitKey, _ key: ConfigurationKey
  ) throws(ConfigurationError) {
    let value = try key.value(of: limit)
    guard set(limit, value.value) else { throw value.mistake }
  }
}
