/// One occurrence that is to come, or has come.
struct PlannedOccurrence: Hashable {
  var k: Int64
  var due: Instant
}

/// When the occurrences of a pending notification are due.
enum OccurrencePlan {
  /// Once or every unit, counted in UTC: nearly all of them.
  case plain(anchor: Instant, unit: RepeatUnit?)
  case table(Timetable)

  var timetable: Timetable {
    switch self {
    case .plain(let anchor, let unit):
      Timetable(
        plan: RepeatPlan(unit.map { .unit($0, every: 1) } ?? .once), anchor: anchor,
        mode: .absolute, zone: .utc)
    case .table(let table): table
    }
  }

  /// The occurrence with this k; nil: there is none, or none any more in this zone.
  func planned(_ k: Int64) -> PlannedOccurrence? {
    switch self {
    case .plain(let anchor, let unit):
      Recurrence.instant(anchor: anchor, unit: unit, k: k).map { PlannedOccurrence(k: k, due: $0) }
    case .table(let table): table.due(k: k).map { PlannedOccurrence(k: $0.k, due: $0.instant) }
    }
  }

  /// The first one later than `instant`.
  func first(after instant: Instant) -> PlannedOccurrence? {
    switch self {
    case .plain(let anchor, let unit):
      Recurrence.firstIndex(anchor: anchor, unit: unit, after: instant).flatMap { planned($0) }
    case .table(let table):
      table.first(after: instant).map { PlannedOccurrence(k: $0.k, due: $0.instant) }
    }
  }

  /// The last one at `instant` or before.
  func newest(notAfter instant: Instant) -> PlannedOccurrence? {
    switch self {
    case .plain(let anchor, let unit):
      Recurrence.newestIndex(anchor: anchor, unit: unit, notAfter: instant).flatMap { planned($0) }
    case .table(let table):
      table.newest(notAfter: instant).map { PlannedOccurrence(k: $0.k, due: $0.instant) }
    }
  }

  func next(after planned: PlannedOccurrence) -> PlannedOccurrence? {
    switch self {
    case .plain: self.planned(planned.k + 1)
    case .table(let table):
      table.first(after: planned.due).map { PlannedOccurrence(k: $0.k, due: $0.instant) }
    }
  }

  /// What is to come when all through k has fired; k need not be one of its occurrences.
  func pending(firedThrough k: Int64) -> PlannedOccurrence? {
    guard case .table(let table) = self else { return planned(k + 1) }
    // Others may lie between the two passes of a wall clock.
    if table.plan.overlap == .both || table.plan.countsElapsedRule, let fired = table.due(k: k) {
      return table.next(after: fired).map { PlannedOccurrence(k: $0.k, due: $0.instant) }
    }
    if let next = table.due(k: k + 1) ?? table.next(afterIndex: k) {
      return PlannedOccurrence(k: next.k, due: next.instant)
    }
    // Before the first index of a unit there is no wall clock to go on from.
    return k == -1 ? first(after: .distantPast) : nil
  }

  /// The same occurrence as another plan of the notification had, or what follows it here (T2).
  func successor(of k: Int64) -> PlannedOccurrence? {
    if let same = planned(k) { return same }
    guard case .table(let table) = self else { return nil }
    return table.next(afterIndex: k).map { PlannedOccurrence(k: $0.k, due: $0.instant) }
  }

  /// The index of what is due then.
  func index(at due: Instant) -> Int64 {
    switch self {
    case .plain(_, nil): 0
    default: due == .distantFuture ? 0 : first(after: due.advanced(by: -1))?.k ?? 0
    }
  }

  /// After the last one others may be known later (N6).
  var isOpen: Bool {
    if case .table(let table) = self { return table.isOpen }
    return false
  }

  /// How many there are from `first` on that are before `last`; a great many count as `maxMissed`.
  func count(from first: PlannedOccurrence, before last: PlannedOccurrence) -> Int64 {
    switch self {
    case .plain: return max(0, last.k - first.k)
    case .table(let table):
      guard first.due < last.due else { return 0 }
      return table.count(
        after: first.due.advanced(by: -1), through: last.due.advanced(by: -1),
        limit: OccurrencePlan.maxMissed)
    }
  }

  static let maxMissed: Int64 = 100_000
}
