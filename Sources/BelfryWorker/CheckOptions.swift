import BelfryCore
import BelfryWire

/// The options of `--check` and `--describe`.
struct CheckOptions {
  var file = ""
  var describeOnly = false
  var json = false
  var settings: [Setting] = []

  /// What is wrong with the words, in words.
  struct Misuse: Error {
    var reason: String
  }

  init(_ arguments: [String]) throws(Misuse) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch ByteString(word) {
      case "--check", "--describe":
        guard let value = rest.popFirst(), !value.isEmpty else {
          throw Misuse(reason: "\(word) needs FILE")
        }
        guard file.isEmpty else { throw Misuse(reason: "one FILE at a time") }
        file = value
        describeOnly = ByteString(word) == "--describe"
      case "--json": json = true
      case "--set":
        let given = rest.popFirst()
        let pair = Array((given ?? "").utf8)
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
          let instead = given.map { ", not \(FieldError.quoted($0))" } ?? ""
          throw Misuse(reason: "--set needs KEY=VALUE" + instead)
        }
        let key = String(decoding: pair[..<equals], as: UTF8.self)
        let value = String(decoding: pair[(equals + 1)...], as: UTF8.self)
        settings.append(Setting(key: key, value: value))
      default: throw Misuse(reason: "\(FieldError.quoted(word)) is not known")
      }
    }
    if file.isEmpty { throw Misuse(reason: "--check FILE or --describe FILE is needed") }
  }
}
