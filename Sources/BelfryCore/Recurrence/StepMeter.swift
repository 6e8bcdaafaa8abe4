/// Counts the steps of a search through a rule: a month, a unit or a set that is looked at (A2).
///
/// It counts work, not time, so the same search always costs the same.
public struct StepMeter: Sendable {
  /// Steps so far.
  public private(set) var steps: Int64 = 0
  /// A search ends without a result once it has taken so many.
  public let limit: Int64

  public init(limit: Int64 = .max) {
    self.limit = limit
  }

  /// The search was given up.
  public var isSpent: Bool { steps >= limit }

  /// So many more can be taken.
  var left: Int64 { max(0, limit &- steps) }

  /// False: the limit is reached.
  @inline(__always)
  mutating func take(_ count: Int64 = 1) -> Bool {
    steps &+= count
    return steps < limit
  }

  /// A search, and what it took off a slice's budget: a step is about half a microsecond.
  mutating func spend<Found>(_ budget: inout Int, _ search: (inout StepMeter) -> Found) -> Found {
    let before = steps
    defer { budget -= 1 + Int(clamping: (steps - before) / 2) }
    return search(&self)
  }
}
