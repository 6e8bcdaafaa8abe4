import BelfryStore
import BelfryWire

/// What `status` and `doctor` say of the store.
struct StoreCondition {
  /// Why nothing can be written; nil: it can.
  private(set) var refusal: String?
  /// What happened to the file in this life, oldest first.
  private(set) var warnings: [String] = []

  /// Files that were set aside, in this life or an earlier one, and that nobody has taken away.
  var setAside: [String] = []

  private static let maxWarnings = 8

  mutating func take(_ notice: StoreNotice) {
    switch notice {
    case .refused(let reason): refusal = reason
    case .accepted: refusal = nil
    case .warning(let sentence): note(sentence)
    }
  }

  mutating func note(_ sentence: String) {
    if warnings.count == Self.maxWarnings { warnings.removeFirst() }
    warnings.append(sentence)
  }

  /// Adds what there is to say to a report.
  func append(to report: inout JSONObject) {
    if let refusal { report.append("booksRefusal", .string(refusal)) }
    if !warnings.isEmpty {
      report.append("booksWarnings", .array(warnings.map { .string($0) }))
    }
    if !setAside.isEmpty {
      report.append("booksSetAside", .array(setAside.map { .string($0) }))
    }
  }
}
