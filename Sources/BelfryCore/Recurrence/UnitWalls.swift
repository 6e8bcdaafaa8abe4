/// The wall clocks of a unit.
struct UnitWalls: Sendable {
  let recurrence: Recurrence
  /// None later than this.
  private let until: Instant
  /// COUNT.
  private let most: Int64?

  init(_ recurrence: Recurrence, _ plan: RepeatPlan, until: Instant) {
    self.recurrence = recurrence
    self.until = until
    most = plan.count
  }

  /// No index beyond this. Months that are left out do not count, so a COUNT is mostly reached
  /// later than at its own number.
  private var lastIndex: Int64 { most.map { recurrence.index(ofCount: $0) } ?? .max }

  private func isBehindCount(_ key: Int64) -> Bool {
    guard let most, key >= most else { return false }
    return key > lastIndex
  }

  func first(onOrAfter wall: Instant) -> WallSeries.Occurrence? {
    recurrence.firstIndex(after: wall.advanced(by: -1)).flatMap { occurrence(key: $0) }
  }

  func occurrence(key: Int64) -> WallSeries.Occurrence? {
    guard !isBehindCount(key), let step = recurrence.step(key), step.instant <= until else {
      return nil
    }
    return WallSeries.Occurrence(key: key, wall: step.instant, because: step.because)
  }

  func count(after first: Instant, through last: Instant) -> Int64? {
    guard recurrence.monthEnd != .skip else { return nil }
    let end = min(recurrence.newestIndex(notAfter: min(last, until)) ?? -1, lastIndex)
    return max(0, end - (recurrence.newestIndex(notAfter: first) ?? -1))
  }
}

extension Recurrence {
  /// The index of the `count`th occurrence, where those left out do not count.
  func index(ofCount count: Int64) -> Int64 {
    if case .elapsed = unit?.length { return count - 1 }
    guard monthEnd == .skip else { return count - 1 }
    var (k, left) = (Int64(0), count)
    while left > 1, let due = instant(k: k), let next = firstIndex(after: due) {
      (k, left) = (next, left - 1)
    }
    return k
  }
}
