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
      switch word {
      case "--check", "--describe":
        guard file.isEmpty, let value = rest.popFirst(), !value.isEmpty else { return nil }
        file = value
        describeOnly = word == "--describe"
      case "--json": json = true
      case "--set":
        guard let pair = rest.popFirst(), let equals = pair.firstIndex(of: "=") else { return nil }
        let value = pair[pair.index(after: equals)...]
        settings.append(Setting(key: String(pair[..<equals]), value: String(value)))
      default: return nil
      }
    }
    if file.isEmpty || (describeOnly && !settings.isEmpty) { return nil }
  }
}
