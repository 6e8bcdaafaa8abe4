import BelfryCore
import BelfryWire

/// The options of `--check` and `--describe`.
struct CheckOptions {
  var file = ""
  var describeOnly = false
  var json = false
  var settings: [Setting] = []

  /// nil: wrong usage.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch ByteString(word) {
      case "--check", "--describe":
        guard file.isEmpty, let value = rest.popFirst(), !value.isEmpty else { return nil }
        file = value
        describeOnly = ByteString(word) == "--describe"
      case "--json": json = true
      case "--set":
        guard let pair = rest.popFirst().map({ Array($0.utf8) }),
          let equals = pair.firstIndex(of: UInt8(ascii: "="))
        else { return nil }
        let key = String(decoding: pair[..<equals], as: UTF8.self)
        let value = String(decoding: pair[(equals + 1)...], as: UTF8.self)
        settings.append(Setting(key: key, value: value))
      default: return nil
      }
    }
    if file.isEmpty { return nil }
  }
}
