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

  var json: JSONObject {
    [
      "check": .string(check), "result": .string(result.rawValue), "finding": .string(finding),
      "advice": .string(advice),
    ]
  }
}
