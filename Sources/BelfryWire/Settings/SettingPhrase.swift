import BelfryCore

extension SettingValues {
  /// What a value is, in words: an error says "volume is …", help says it beside the key.
  public var phrase: String {
    switch self {
    case .boolean: "yes or no"
    case .integer(let range):
      "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .duration(let most):
      "a number of seconds, or such as 90s or 10m, up to \(Nanoseconds.text(most))"
    case .words(let words): Self.choice(words)
    case .volume: "a number from 0 to 1, or such as 80%"
    case .quietHours: "two different times of day, such as 22:00-06:00, or 00:00-24:00 for all day"
    case .latePolicy: "fire, drop or a number of seconds, or such as 5m, up to a year"
    case .zone: "the name of a time zone, such as Europe/Berlin"
    case .path: "a whole path, from /"
    case .text(let most): "a text of 1 to \(most) bytes"
    case .group: "a group's name or number"
    case .user: "a user's name or number"
    case .unit: "a unit's whole name, such as clock.service"
    case .language: "a language's tag, such as de or de-AT"
    case .parts: "some of alert, badge and sound, or none"
    case .size: "a size such as 64M"
    case .outputs: "names of outputs, separated by commas"
    }
  }

  /// `a, b or c`.
  private static func choice(_ words: [String]) -> String {
    var text = ""
    for (index, word) in words.enumerated() {
      if index > 0 { text += index + 1 == words.count ? " or " : ", " }
      text += word
    }
    return text
  }
}
