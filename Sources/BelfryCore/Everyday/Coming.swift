/// A walk through the occurrences that are to come.
struct Coming {
  private let plan: OccurrencePlan
  private let table: Timetable
  private let start: Instant
  private var place: Instant
  /// Of a one-shot, which its plan need not know by its due (T9).
  private var single: PlannedOccurrence?

  init(_ plan: OccurrencePlan, from node: HeapNode, repeats: Bool) {
    self.init(plan, from: PlannedOccurrence(k: 0, due: node.due))
    if !repeats { single = PlannedOccurrence(k: 0, due: node.due) }
  }

  init(_ plan: OccurrencePlan, from first: PlannedOccurrence) {
    self.plan = plan
    table = plan.timetable
    start = first.due.advanced(by: -1)
    place = start
  }

  /// Goes on with what is due then or later.
  mutating func go(to instant: Instant) {
    place = max(start, instant.advanced(by: -1))
  }

  mutating func next(_ meter: inout StepMeter) -> PlannedOccurrence? {
    if let single {
      guard single.due > place else { return nil }
      place = single.due
      return single
    }
    guard let due = table.first(after: place, &meter) else { return nil }
    place = due.instant
    return PlannedOccurrence(k: due.k, due: due.instant)
  }

  /// About what `areTogether` takes off a slice's budget: where passes or offsets are to be told apart, it
  /// searches.
  var lookCost: Int {
    table.plan.tellsPassesApart || !(table.shift?.isPlain ?? true) ? 64 : 1
  }

  /// Whether a run from one to the next that follows it holds no third: by k, another one may lie
  /// between them where the clocks change.
  func areTogether(_ one: PlannedOccurrence, _ next: PlannedOccurrence) -> Bool {
    guard LastPass.isBefore(one.k, next.k), table.isInOrder(from: one.due, to: next.due),
      !table.hasOtherPass(one.k), !table.hasOtherPass(next.k)
    else { return false }
    guard let shift = table.shift, !shift.isPlain else { return true }
    return table.isInOrder(from: plan.occurrence(of: one), to: plan.occurrence(of: next))
  }

  /// The walk from the beginning of a run on.
  func at(_ run: SkipSet.Run) -> Coming {
    var walk = self
    if single == nil, let first = plan.planned(run.first) { walk.go(to: first.due) }
    return walk
  }

  /// The occurrence at the same instant, else the only one on that day of its zone; an offset (E4)
  /// does not count. What fires once has been given its time on purpose: only the same instant will do.
  func same(as occurrence: Instant, _ meter: inout StepMeter) -> PlannedOccurrence? {
    var walk = self
    let due = table.shift?.due(of: occurrence) ?? occurrence
    walk.go(to: due)
    if let same = walk.next(&meter), plan.occurrence(of: same) == occurrence { return same }
    if single != nil { return nil }
    let day = civilDay(occurrence)
    walk.go(to: due.advanced(by: -2 * Nanoseconds.day))
    var found: PlannedOccurrence?
    while let next = walk.next(&meter) {
      let other = civilDay(plan.occurrence(of: next))
      guard other <= day else { break }
      guard other == day else { continue }
      if found != nil { return nil }
      found = next
    }
    // Another of that day may not have been seen.
    return meter.isSpent ? nil : found
  }

  private func civilDay(_ instant: Instant) -> Int64 {
    CivilTime(table.zone.wall(at: instant)).date.days
  }
}
