import BelfryWire

/// What `doctor` found in one place.
struct Finding: Hashable, Sendable {
  enum Result: String, Sendable {
    case ok, warn, fail
  }

  /// Such as `socket`; one word.
  var check: String
  var result: Result
  /// What is there.
  var finding: String
  /// What to do about it; empty where all is well.
  var advice: String

  static func ok(_ check: String, _ finding: String) -> Finding {
    Finding(check: check, result: .ok, finding: finding, advice: "")
  }

  static func warn(_ check: String, _ finding: String, _ advice: String) -> Finding {
    Finding(check: check, result: .warn, finding: finding, advice: advice)
  }

  static func fail(_ check: String, _ finding: String, _ advice: String) -> Finding {
    Finding(check: check, result: .fail, finding: finding, advice: advice)
  }

  /// `ok    socket        …`, folded into `width` columns where that is said; where the line is short
  /// the text stands below.
  func lines(width: Int?, paint: Paint) -> [String] {
    let word = result.rawValue
    let mark =
      paint.paint(word, Paint.style(of: word))
      + DisplayWidth.padded("", to: 6 - word.utf8.count, right: false)
    let head = mark + DisplayWidth.padded(check, to: 12, right: false) + "  "
    let text = DisplayWidth.safe(finding + (advice.isEmpty ? "" : " → " + advice))
    guard let width else { return [head + text] }
    let isNarrow = width < 60
    let left = isNarrow ? 6 : 20
    let indent = DisplayWidth.padded("", to: left, right: false)
    let folded = TextWrapper.lines(text, width: max(20, width - left))
    if isNarrow { return [mark + check] + folded.map { indent + $0 } }
    return [head + (folded.first ?? "")] + folded.dropFirst().map { indent + $0 }
  }

  var json: JSONObject {
    [
      "check": .string(check), "result": .string(result.rawValue), "finding": .string(finding),
      "advice": advice.isEmpty ? .null : .string(advice),
    ]
  }
}
