/// The wall clocks of a plan, in order, before any zone has its say.
struct WallSeries: Sendable {
  /// One of them.
  struct Occurrence {
    /// A unit's index from the anchor, a rule's whole second.
    var key: Int64
    /// Counted as if it showed UTC.
    var wall: Instant
    var because: Due.Because = []
  }

  private let recurrence: Recurrence
  /// None later than this.
  private let until: Instant
  /// No index beyond this.
  private let lastIndex: Int64
  /// In a plugin's calendar; then `recurrence` tells nothing.
  let calendar: CalendarSeries?

  init(_ plan: RepeatPlan, anchor: Instant, until: Instant, days: CalendarDays? = nil) {
    let recurrence = plan.recurrence(anchor: anchor)
    self.recurrence = recurrence
    self.until = until
    let lastIndex = plan.count.map { recurrence.index(ofCount: $0) } ?? .max
    self.lastIndex = lastIndex
    calendar = days.map {
      CalendarSeries($0, anchor: anchor, until: until, lastIndex: plan.count.map { $0 - 1 } ?? .max)
    }
  }

  /// The first that shows `wall` or later.
  func first(onOrAfter wall: Instant) -> Occurrence? {
    if let calendar { return calendar.first(onOrAfter: wall) }
    let before = wall.advanced(by: -1)
    guard let index = recurrence.firstIndex(after: before) else { return nil }
    return occurrence(key: index)
  }

  /// nil if there is none with this key.
  func occurrence(key: Int64) -> Occurrence? {
    if let calendar { return calendar.occurrence(key: key) }
    guard key <= lastIndex, let step = recurrence.step(key), step.instant <= until else {
      return nil
    }
    return Occurrence(key: key, wall: step.instant, because: step.because)
  }

  /// What a key shows, also if it was taken out or lies behind the end.
  func wall(key: Int64) -> Instant? {
    if let calendar { return calendar.wall(key: key) }
    return recurrence.instant(k: key)
  }

  /// How many lie in a stretch, where that can be told at once; nil: where not.
  func count(after first: Instant, through last: Instant) -> Int64? {
    if let calendar { return calendar.count(after: first, through: last) }
    guard recurrence.monthEnd != .skip else { return nil }
    let last = min(last, until)
    let end = min(recurrence.newestIndex(notAfter: last) ?? -1, lastIndex)
    let start = recurrence.newestIndex(notAfter: first) ?? -1
    return max(0, end - start)
  }
}

extension RepeatPlan {
  fileprivate func recurrence(anchor: Instant) -> Recurrence {
    switch pattern {
    case .once: Recurrence(anchor: anchor, unit: nil)
    case .unit(let unit, let every):
      Recurrence(anchor: anchor, unit: unit, every: every, monthEnd: monthEnd)
    }
  }
}

extension Recurrence {
  /// The index of the `count`th occurrence, where those left out do not count.
  fileprivate func index(ofCount count: Int64) -> Int64 {
    if case .elapsed = unit?.length { return count - 1 }
    guard monthEnd == .skip else { return count - 1 }
    var (k, left) = (Int64(0), count)
    while left > 1, let due = instant(k: k), let next = firstIndex(after: due) {
      (k, left) = (next, left - 1)
    }
    return k
  }
}
