import BelfryCore

/// Refusals in the command line's own words: options instead of the wire's fields.
enum CommandWords {
  /// What a refused field belongs to.
  enum Origin: Sendable {
    case notification
    /// A call's other parameters, which are words and options of many commands.
    case call
  }

  /// A field as the command line calls it, with what of it is meant: `--user-info a.b`.
  static func field(_ field: String, _ origin: Origin) -> String {
    switch origin {
    case .notification:
      let first = field.utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
      let name = String(decoding: first, as: UTF8.self)
      switch field {
      case "realert.every": return "--realert"
      case "realert.atMost": return "--realert-at-most"
      default: break
      }
      guard let option = option(name) else { return Self.field(field, .call) }
      let rest = field.utf8.dropFirst(first.count)
      guard !rest.isEmpty else { return option }
      let point = rest.first == UInt8(ascii: ".")
      return option + (point ? " " : "")
        + String(decoding: rest.dropFirst(point ? 1 : 0), as: UTF8.self)
    case .call:
      switch field {
      case "identifier", "identifiers", "identifiers[0]", "id": return "ID"
      case "action": return "ACTION"
      case "badge": return "N"
      case "clear[0]": return "--clear"
      case "duration": return "DURATION"
      case "latitude", "longitude": return "LAT,LON"
      case "app", "sink", "since", "container", "accuracy", "time", "text", "after":
        return "--" + field
      default: return field
      }
    }
  }

  /// A sentence of the core's. What stands in quotes is somebody's own.
  static func reason(_ reason: String) -> String {
    var said: [UInt8] = []
    var word: [UInt8] = []
    var isQuoted = false
    for byte in Array(reason.utf8) + [0] {
      if isLetterOrDigit(byte) {
        word.append(byte)
        continue
      }
      let text = String(decoding: word, as: UTF8.self)
      if !isQuoted, isWireName(word), let option = option(text) {
        said += Array(option.utf8)
      } else {
        said += word
      }
      word = []
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte != 0 { said.append(byte) }
    }
    return String(decoding: said, as: UTF8.self)
  }

  private static func option(_ field: String) -> String? {
    let field = field == "rrules" ? "rrule" : field
    for spec in OptionTable.all where spec.field == field { return "--" + spec.name.rawValue }
    return nil
  }

  /// Whether it can only be a name: `until` and `count` are words, too.
  private static func isWireName(_ word: [UInt8]) -> Bool {
    if word.contains(where: { $0 >= 0x41 && $0 <= 0x5A }) { return true }
    switch String(decoding: word, as: UTF8.self) {
    case "rrule", "rrules", "exdate", "rdate": return true
    default: return false
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
  }
}
