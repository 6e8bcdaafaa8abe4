import BelfryCore
import CPlugin

/// A configuration key that a plugin declares.
struct PluginKey {
  enum Kind: UInt32 {
    case text = 0
    case integer, boolean, duration, choice

    var word: String {
      switch self {
      case .text: "text"
      case .integer: "integer"
      case .boolean: "boolean"
      case .duration: "duration"
      case .choice: "choice"
      }
    }
  }

  let name: String
  let kind: Kind
  /// nil: the key must be given.
  let defaultValue: String?
  let choices: [String]
  let help: String

  /// The keys of a descriptor, in its order.
  static func all(_ descriptor: belfry_descriptor) throws(WorkerError) -> [PluginKey] {
    guard descriptor.config_key_count > 0 else { return [] }
    guard let first = descriptor.config_keys,
      Int(first.pointee.size) >= MemoryLayout<belfry_config_key>.size
    else {
      throw WorkerError(
        .contract,
        "the plugin's config keys are missing or too small for ABI "
          + "\(PluginModule.abi): mend the plugin")
    }
    var keys: [PluginKey] = []
    for index in 0..<Int(descriptor.config_key_count) {
      let raw = UnsafeRawPointer(first) + index * Int(first.pointee.size)
      keys.append(try PluginKey(raw.assumingMemoryBound(to: belfry_config_key.self).pointee))
    }
    return keys
  }

  private init(_ key: belfry_config_key) throws(WorkerError) {
    name = key.name.line(limit: 64)
    guard !name.isEmpty, let kind = Kind(rawValue: key.type) else {
      throw WorkerError(
        .contract,
        "the plugin's key `\(name)` has type \(key.type), which ABI "
          + "\(PluginModule.abi) does not know: mend the plugin")
    }
    self.kind = kind
    defaultValue = key.default_value.bytes == nil ? nil : key.default_value.line()
    choices = Array(key.choices.line().utf8).split(separator: UInt8(ascii: "|")).map {
      String(decoding: $0, as: UTF8.self)
    }
    help = key.help.line()
  }

  /// The number that a value of a numeric key stands for; nil: it is malformed.
  func number(_ value: String) -> Int64? {
    switch kind {
    case .text, .choice: nil
    case .integer: Int64(value)
    case .boolean:
      switch ByteString(value) {
      case "yes", "true", "on", "1": 1
      case "no", "false", "off", "0": 0
      default: nil
      }
    // Seconds, where nothing says what it counts, as in the sections of belfryd.
    case .duration:
      try? BelfryCore.Nanoseconds.parse(Int64(value) == nil ? value : value + "s", field: name)
    }
  }

  func accepts(_ value: String) -> Bool {
    switch kind {
    case .text: true
    case .choice: choices.contains { ByteString($0) == ByteString(value) }
    case .integer, .boolean, .duration: number(value) != nil
    }
  }

  /// What `accepts` wants, in words.
  var expectation: String {
    switch kind {
    case .text: "text"
    case .integer: "a whole number"
    case .boolean: "yes or no"
    case .duration: "a number of seconds, or a duration such as 90s, 10m or 1h30m"
    case .choice: "one of " + choices.joined(separator: ", ")
    }
  }
}
