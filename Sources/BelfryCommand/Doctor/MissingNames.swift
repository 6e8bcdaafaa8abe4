import BelfryClient
import BelfryCore

/// Names in scheduled notifications that nothing has: each once for an app, and who names it first.
struct MissingNames {
  private static let most = 64
  private static let shown = 8

  /// How many of an app's have the name; 0: it is there.
  private var counts: [ByteString: Int] = [:]
  private var missing: [(key: ByteString, name: String, first: String)] = []

  /// A name that a row has; `isThere` is asked once for each name of an app.
  mutating func look(_ name: String, in row: ListedNotification, isThere: () -> Bool) {
    let key = ByteString(row.app + "/" + name)
    if let count = counts[key] {
      if count > 0 { counts[key] = count + 1 }
      return
    }
    guard missing.count < Self.most else { return }
    counts[key] = isThere() ? 0 : 1
    guard counts[key] == 1 else { return }
    missing.append((key, name, row.app + " " + (row.notification.identifier ?? "")))
  }

  private var words: [String] {
    missing.map { key, name, first in
      let others = (counts[key] ?? 1) - 1
      return "\(name) (\(first)" + (others > 0 ? " and " + counted(others, "other") : "") + ")"
    }
  }

  /// Nothing where none is missing; `what`: such as `sinks that nobody has`.
  func warning(_ check: String, _ what: String, advice: String) -> [Finding] {
    let words = words
    if words.isEmpty { return [] }
    let rest = words.count - min(words.count, Self.shown)
    return [
      .warn(
        check,
        "scheduled ones name " + what + ": " + words.prefix(Self.shown).joined(separator: ", ")
          + (rest > 0 ? " and " + counted(rest, "other") : ""),
        advice)
    ]
  }
}
