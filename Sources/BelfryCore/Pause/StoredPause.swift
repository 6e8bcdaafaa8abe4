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

  /// Whether nothing rings between the two: they overlap, or one begins as the other ends.
  func joins(_ other: StoredPause) -> Bool {
    from <= other.until ?? .distantFuture && other.from <= until ?? .distantFuture
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

extension [StoredPause] {
  /// The one that ends last of those that hold at an instant, and of those that go on from there; nil:
  /// none holds then.
  func last(at instant: Instant) -> StoredPause? {
    var last: StoredPause?
    var end = instant
    while let next = self.filter({ $0.contains(end) })
      .max(by: { $0.until ?? .distantFuture < $1.until ?? .distantFuture })
    {
      guard let until = next.until else { return next }
      (last, end) = (next, until)
    }
    return last
  }
}
