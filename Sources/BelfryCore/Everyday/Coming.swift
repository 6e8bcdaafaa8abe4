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

  /// The occurrence at an instant, an offset (E4) not counted; nil: there is none.
  func same(as occurrence: Instant, _ meter: inout StepMeter) -> PlannedOccurrence? {
    var walk = self
    walk.go(to: table.shift?.due(of: occurrence) ?? occurrence)
    guard let same = walk.next(&meter), plan.occurrence(of: same) == occurrence else { return nil }
    return same
  }

  /// The occurrence within the second that begins then, an offset not counted; nil: there is none.
  func within(second begin: Instant, _ meter: inout StepMeter) -> PlannedOccurrence? {
    guard let shift = table.shift else { return nil }
    var walk = self
    walk.go(to: shift.due(of: begin))
    guard let one = walk.next(&meter) else { return nil }
    let own = plan.occurrence(of: one)
    return own >= begin && own < begin.advanced(by: Nanoseconds.second) ? one : nil
  }

  /// Most on one day whose places are compared.
  private static let mostOfDay = 100

  /// All on that day of its zone, an offset not counted, what is past too; nil: they are too many, or
  /// finding them takes too much. What fires once has been given its time on purpose, and is on no day.
  func all(on day: Int64, _ meter: inout StepMeter) -> [PlannedOccurrence]? {
    guard single == nil,
      let wall = CivilTime(date: CivilDate(days: day), nanosecondOfDay: 0).instant()
    else { return [] }
    let begin = table.zone.instants(ofWall: wall).first
    var walk = self
    // Where clocks change, an offset may take a later one ahead of an earlier one.
    walk.place =
      table.shift.map { $0.due(of: begin).advanced(by: -2 * Nanoseconds.day) }
      ?? begin.advanced(by: -1)
    var found: [PlannedOccurrence] = []
    while let next = walk.next(&meter) {
      let other = self.day(of: next)
      guard other <= day else { break }
      guard other == day else { continue }
      guard found.count < Self.mostOfDay else { return nil }
      found.append(next)
    }
    return meter.isSpent ? nil : found
  }

  /// The day of an occurrence by the clocks of its zone, counted from 1970.
  func day(of one: PlannedOccurrence) -> Int64 {
    CivilTime(table.zone.wall(at: plan.occurrence(of: one))).date.days
  }

  /// It is still to come.
  func isAhead(_ one: PlannedOccurrence) -> Bool { one.due > start }
}
