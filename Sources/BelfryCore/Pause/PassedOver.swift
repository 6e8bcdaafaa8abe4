/// What of one notification is not to ring: its pauses (E1), its skips (E2) and its days off (E3).
struct PassedOver {
  var pauses: [StoredPause]
  var skips: SkipSet
  /// nil: no calendar has a say.
  var days: DayRule?

  var isEmpty: Bool { pauses.isEmpty && skips.isEmpty && days?.isEmpty ?? true }

  /// Why an occurrence is passed over.
  enum Cause: Hashable {
    case pause(StoredPause)
    case skip(SkipSet.Run)
    case day(DayCause)

    var reason: String {
      switch self {
      case .pause(let pause): pause.reason
      case .skip: PassedRun.byRequest
      case .day(let cause): cause.reason
      }
    }

    /// What it skips of one notification is one row of the history, which has this number; nil: each is
    /// a row of its own.
    var row: Int64? {
      switch self {
      case .pause(let pause): pause.number
      case .skip: nil
      case .day(let cause): cause.number
      }
    }

    /// Whether anybody would miss it.
    var isTold: Bool {
      if case .day(let cause) = self { cause.isTold } else { true }
    }
  }

  /// Occurrences that follow each other and have one fate; `cause` nil: they ring.
  struct Run {
    var cause: Cause?
    var first: PlannedOccurrence
    var last: PlannedOccurrence
    var count: Int64
  }

  /// Most runs that are told apart at a time (A2); with weekdays there are two a week.
  private static let mostRuns = 4096
  /// About what looking into calendars, pauses and skips costs, in steps.
  private static let lookCost: Int64 = 4
  /// Most of them that are told.
  static let mostTold = 64
  /// Most that an answer names.
  private static let mostListed = 1000

  /// nil: it rings.
  func cause(of one: PlannedOccurrence) -> Cause? {
    if let pause = pauses.first(where: { $0.contains(one.due) }) { return .pause(pause) }
    if let run = skips.run(with: one.k) { return .skip(run) }
    return days?.cause(of: one).map { .day($0) }
  }

  /// All from `first` through an instant, in order. There is always one. What is too much to be judged
  /// rings.
  func runs(
    of plan: OccurrencePlan, from first: PlannedOccurrence, through end: Instant
  ) -> [Run] {
    var runs: [Run] = []
    var next: PlannedOccurrence? = first
    var meter = StepMeter(limit: RuleBudget.list)
    // How many there were is told, and decides nothing.
    var counting = StepMeter(limit: RuleBudget.list)
    while let begin = next, begin.due <= end || runs.isEmpty, runs.count < Self.mostRuns,
      meter.take(Self.lookCost)
    {
      let cause = cause(of: begin)
      let through = min(end, self.last(of: cause, begin, plan))
      var last = begin
      if let newest = plan.newest(notAfter: through, &meter), newest.due > begin.due {
        last = newest
      }
      let count = plan.count(from: begin, before: last, &counting) + 1
      runs.append(Run(cause: cause, first: begin, last: last, count: count))
      next = plan.next(after: last)
    }
    if let begin = next, begin.due <= end, let newest = plan.newest(notAfter: end) {
      let count = plan.count(from: begin, before: newest) + 1
      runs.append(Run(cause: nil, first: begin, last: newest, count: count))
    }
    return runs
  }

  /// The last instant at which what holds for an occurrence can hold.
  func last(
    of cause: Cause?, _ one: PlannedOccurrence, _ plan: OccurrencePlan
  ) -> Instant {
    switch cause {
    case .pause(let pause): return pause.until?.advanced(by: -1) ?? .distantFuture
    case .skip(let run): return plan.planned(run.last)?.due ?? one.due
    case .day, nil: break
    }
    var end = days?.end(of: one) ?? .distantFuture
    for pause in pauses where pause.from > one.due { end = min(end, pause.from.advanced(by: -1)) }
    // Where clocks change, one with a lower k may come later, and of both passes any.
    var runs = skips.runs
    if !plan.timetable.plan.tellsPassesApart {
      runs =
        runs.filter { LastPass.isBefore($0.first, one.k) }
        + [skips.run(after: one.k)].compactMap { $0 }
    }
    for run in runs {
      guard let due = plan.planned(run.first)?.due, due > one.due else { continue }
      end = min(end, due.advanced(by: -1))
    }
    return end
  }

  /// What is passed over from `first` on, and what rings then: nil where nothing does, or nobody can
  /// say within the steps of `meter`.
  func ringing(
    in plan: OccurrencePlan, from first: PlannedOccurrence, _ meter: inout StepMeter
  ) -> (next: PlannedOccurrence?, passed: [PassedRun]) {
    var passed: [PassedRun] = []
    var next: PlannedOccurrence? = first
    while meter.take(Self.lookCost) {
      guard let one = next, let cause = cause(of: one) else { return (next, passed) }
      let end = last(of: cause, one, plan)
      tell(cause, one, through: end, plan, &passed, &meter)
      guard end != .distantFuture else { return (nil, passed) }
      next = plan.first(after: max(one.due, end), &meter)
    }
    return (nil, passed)
  }

  func tell(
    _ cause: Cause, _ one: PlannedOccurrence, through end: Instant, _ plan: OccurrencePlan,
    _ passed: inout [PassedRun], _ meter: inout StepMeter
  ) {
    guard cause.isTold, passed.count < Self.mostListed else { return }
    guard end != .distantFuture else {
      return passed.append(PassedRun(first: one.due, last: nil, reason: cause.reason))
    }
    let newest = plan.newest(notAfter: end, &meter) ?? one
    passed.append(PassedRun(first: one.due, last: max(one.due, newest.due), reason: cause.reason))
  }
}

/// Occurrences that `next` and `list` name as passed over.
public struct PassedRun: Hashable, Sendable {
  public var first: Instant
  /// nil: all that follow, until the notification is resumed or its calendar goes on.
  public var last: Instant?
  /// One sentence without a full stop.
  public var reason: String

  /// The reason of what somebody skipped (E2).
  public static let byRequest = "skipped by request"

  public init(first: Instant, last: Instant?, reason: String) {
    self.first = first
    self.last = last
    self.reason = reason
  }
}
