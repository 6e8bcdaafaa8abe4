import BelfryCore
import BelfryWire
import CPlugin

/// The plugin's keys with their values, checked against its descriptor.
struct PluginSettings {
  private struct Value {
    var key: PluginKey
    var string: String
    var text: belfry_text
  }

  private let values: [Value]

  init(_ given: [Setting], keys: [PluginKey]) throws(WorkerError) {
    let problems = Self.problems(of: given, keys)
    guard problems.isEmpty else {
      throw WorkerError(.settings, problems.joined(separator: "; "))
    }
    values = keys.map { key in
      let string = Self.given(key, given) ?? key.defaultValue ?? ""
      return Value(key: key, string: string, text: PermanentText(string).text)
    }
  }

  /// All that is wrong with what was given, a sentence each.
  static func problems(of given: [Setting], _ keys: [PluginKey]) -> [String] {
    var problems: [String] = []
    var meant: [String] = []
    for setting in given where !keys.contains(where: { isNamed($0, setting) }) {
      problems.append(unknown(setting.key, keys))
      if let key = nearest(setting.key, keys) { meant.append(key) }
    }
    for key in keys {
      guard let string = Self.given(key, given) ?? key.defaultValue else {
        // One that is misspelt is told once.
        if meant.contains(where: { ByteString($0) == ByteString(key.name) }) { continue }
        problems.append(
          "the key `\(key.name)` is missing, and the plugin cannot do without: \(key.help)")
        continue
      }
      if !key.accepts(string) {
        problems.append("`\(key.name) = \(string)` must be \(key.expectation)")
      }
    }
    return problems
  }

  /// Those that nothing is wrong with.
  static func sound(of given: [Setting], _ keys: [PluginKey]) -> [Setting] {
    given.filter { setting in
      keys.contains { isNamed($0, setting) && $0.accepts(setting.value) }
    }
  }

  private static func isNamed(_ key: PluginKey, _ setting: Setting) -> Bool {
    ByteString(key.name) == ByteString(setting.key)
  }

  private static func given(_ key: PluginKey, _ given: [Setting]) -> String? {
    given.last { isNamed(key, $0) }?.value
  }

  private static func unknown(_ name: String, _ keys: [PluginKey]) -> String {
    if let meant = nearest(name, keys) {
      return "the plugin has no key `\(name)`; did you mean `\(meant)`?"
    }
    let names = names(keys).joined(separator: ", ")
    return "the plugin has no key `\(name)`; it has \(names)"
  }

  private static func nearest(_ name: String, _ keys: [PluginKey]) -> String? {
    NameSuggestion.nearest(to: name, among: names(keys))
  }

  private static func names(_ keys: [PluginKey]) -> [String] {
    keys.map { $0.name } + PluginHostKey.allCases.map { $0.rawValue }
  }

  /// The text of a key's value, which lives until the process ends; nil: no such key.
  func text(_ name: String) -> belfry_text? {
    values.first { ByteString($0.key.name) == ByteString(name) }?.text
  }

  /// The number of a key's value; nil outside: no such key; nil inside: not a numeric one.
  func number(_ name: String) -> Int64?? {
    guard let value = values.first(where: { ByteString($0.key.name) == ByteString(name) }) else {
      return nil
    }
    return .some(value.key.number(value.string))
  }
}
