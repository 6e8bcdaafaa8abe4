import BelfryClient
import BelfryCore

/// Names in scheduled notifications that nothing has: each once for an app, and who names it first.
struct MissingNames {
  private static let most = 64
  private static let shown = 8

  private var seen: Set<ByteString> = []
  private var words: [String] = []

  /// A name that a row has; `isThere` is asked once for each name of an app.
  mutating func look(_ name: String, in row: ListedNotification, isThere: () -> Bool) {
    guard words.count < Self.most, seen.insert(ByteString(row.app + "/" + name)).inserted,
      !isThere()
    else { return }
    words.append(name + " (" + row.app + " " + (row.notification.identifier ?? "") + ")")
  }

  /// Nothing where none is missing; `what`: such as `sinks that nobody has`.
  func warning(_ check: String, _ what: String, advice: String) -> [Finding] {
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
