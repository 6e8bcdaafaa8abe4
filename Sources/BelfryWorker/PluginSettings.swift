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
    for setting in given
    where !keys.contains(where: { ByteString($0.name) == ByteString(setting.key) }) {
      throw WorkerError(.settings, Self.unknown(setting.key, keys))
    }
    var values: [Value] = []
    for key in keys {
      let string =
        given.last { ByteString($0.key) == ByteString(key.name) }?.value ?? key.defaultValue
      guard let string else {
        throw WorkerError(
          .settings,
          "the key `\(key.name)` is missing, and the plugin cannot do without: \(key.help)")
      }
      guard key.accepts(string) else {
        throw WorkerError(
          .settings, "`\(key.name) = \(string)` must be \(key.expectation)")
      }
      values.append(Value(key: key, string: string, text: PermanentText(string).text))
    }
    self.values = values
  }

  private static func unknown(_ name: String, _ keys: [PluginKey]) -> String {
    let names = keys.map { $0.name } + PluginHostKey.allCases.map { $0.rawValue }
    if let meant = NameSuggestion.nearest(to: name, among: names) {
      return "the plugin has no key `\(name)`; did you mean `\(meant)`?"
    }
    return "the plugin has no key `\(name)`; it has \(names.joined(separator: ", "))"
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
