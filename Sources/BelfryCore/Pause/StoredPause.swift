/// A span of time in which something is paused (E1), as the store keeps it.
public struct StoredPause: Hashable, Sendable {
  /// What is paused.
  public enum Scope: Hashable, Sendable {
    /// Everybody's.
    case everything
    case app(AppNumber)
    case notification(app: AppNumber, slot: Slot, uuid: UUIDBits)

    /// nil: everybody's.
    var app: AppNumber? {
      switch self {
      case .everything: nil
      case .app(let app), .notification(let app, _, _): app
      }
    }
  }

  /// Counts up in the order of pausing.
  public var number: Int64
  public var scope: Scope
  /// What is due from then on is skipped.
  public var from: Instant
  /// What is due then rings again; nil: until it is resumed.
  public var until: Instant?

  public init(number: Int64, scope: Scope, from: Instant, until: Instant?) {
    self.number = number
    self.scope = scope
    self.from = from
    self.until = until
  }

  func contains(_ instant: Instant) -> Bool {
    from <= instant && instant < until ?? .distantFuture
  }

  /// Whether all of the other one lies in this one.
  func covers(_ other: StoredPause) -> Bool {
    from <= other.from && other.until ?? .distantFuture <= until ?? .distantFuture
  }

  /// Why it skips, in the words of the history.
  var reason: String {
    let what =
      switch scope {
      case .everything: "everything is paused"
      case .app: "its app is paused"
      case .notification: "it is paused"
      }
    return what + (until.map { " until " + RFC3339.text($0) } ?? " until it is resumed")
  }
}
