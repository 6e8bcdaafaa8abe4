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
    var meter = StepMeter()
    return first(after: instant, &meter)
  }

  /// The same, counting steps; nil also where `meter` was spent before one was found.
  func first(after instant: Instant, _ meter: inout StepMeter) -> PlannedOccurrence? {
    switch self {
    case .plain(let anchor, let unit):
      guard meter.take() else { return nil }
      return Recurrence.firstIndex(anchor: anchor, unit: unit, after: instant)
        .flatMap { planned($0) }
    case .table(let table):
      return table.first(after: instant, &meter)
        .map { PlannedOccurrence(k: $0.k, due: $0.instant) }
    }
  }

  /// The last one at `instant` or before.
  func newest(notAfter instant: Instant) -> PlannedOccurrence? {
    var meter = StepMeter()
    return newest(notAfter: instant, &meter)
  }

  /// The same, counting steps; where `meter` was spent, an earlier one or nil.
  func newest(notAfter instant: Instant, _ meter: inout StepMeter) -> PlannedOccurrence? {
    switch self {
    case .plain(let anchor, let unit):
      guard meter.take() else { return nil }
      return Recurrence.newestIndex(anchor: anchor, unit: unit, notAfter: instant)
        .flatMap { planned($0) }
    case .table(let table):
      return table.newest(notAfter: instant, &meter)
        .map { PlannedOccurrence(k: $0.k, due: $0.instant) }
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
    // Neither k nor k + 1 need be the last that has fired, or the next, where the order is another.
    if table.shift.map({ !$0.isPlain }) ?? false {
      let neighbour = table.due(k: k + 1)
      let following = table.due(k: k).flatMap { table.next(after: $0) }
      let next = [neighbour, following].compactMap { $0 }.min { $0.instant < $1.instant }
      if let next { return PlannedOccurrence(k: next.k, due: next.instant) }
    }
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

  /// What `pending(firedThrough:)` is to be told for `next` to come next.
  func firedThrough(before next: PlannedOccurrence) -> Int64 {
    let before = next.k - 1
    // k of the other pass of a wall clock, or of its neighbour: it need not be the one before.
    guard case .table(let table) = self, table.plan.tellsPassesApart,
      let neighbour = table.due(k: before), table.next(after: neighbour)?.k != next.k
    else { return before }
    return newest(notAfter: next.due.advanced(by: -1))?.k ?? before
  }

  /// The same occurrence as another plan of the notification had, or what follows it here (T2).
  func successor(of k: Int64) -> PlannedOccurrence? {
    if let same = planned(k) { return same }
    guard case .table(let table) = self else { return nil }
    return table.next(afterIndex: k).map { PlannedOccurrence(k: $0.k, due: $0.instant) }
  }

  /// The same, or one before it that the plan of the zone of before, `old`, did not have, since its wall
  /// clock lay in a gap there (`GapPolicy.skip`): that has not fired, and comes where clocks show it.
  func successor(
    of k: Int64, after now: Instant, in old: OccurrencePlan?
  ) -> PlannedOccurrence? {
    let next = successor(of: k)
    return old.flatMap { returning(before: next, after: now, leftOutBy: $0) } ?? next
  }

  private func returning(
    before next: PlannedOccurrence?, after now: Instant, leftOutBy old: OccurrencePlan
  ) -> PlannedOccurrence? {
    guard case .table(let table) = self, table.plan.gap == .skip else { return nil }
    var place = now
    for _ in 0..<Self.mostReturning {
      guard let one = first(after: place), one.due < next?.due ?? .distantFuture else { return nil }
      if old.planned(one.k) == nil { return one }
      place = one.due
    }
    return nil
  }

  /// So many are looked at (A2): a gap is within the next day or two of travel.
  private static let mostReturning = 64

  /// When the occurrence itself is, without the offset by which it is due earlier or later (E4).
  func occurrence(of planned: PlannedOccurrence) -> Instant {
    guard case .table(let table) = self, table.shift != nil else { return planned.due }
    return table.occurrence(k: planned.k)?.instant ?? planned.due
  }

  /// Whatever is due through then is an occurrence through `instant`.
  func due(ofAllThrough instant: Instant) -> Instant {
    guard case .table(let table) = self, let shift = table.shift else { return instant }
    return shift.due(ofAllThrough: instant)
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
    var meter = StepMeter()
    return count(from: first, before: last, &meter)
  }

  /// The same, counting steps; those that have been found where `meter` was spent.
  func count(
    from first: PlannedOccurrence, before last: PlannedOccurrence, _ meter: inout StepMeter
  ) -> Int64 {
    switch self {
    case .plain: return max(0, last.k - first.k)
    case .table(let table):
      guard first.due < last.due else { return 0 }
      return table.count(
        after: first.due.advanced(by: -1), through: last.due.advanced(by: -1),
        limit: OccurrencePlan.maxMissed, &meter)
    }
  }

  static let maxMissed: Int64 = 100_000
}
