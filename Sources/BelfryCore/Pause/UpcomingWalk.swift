/// A walk through what rings later than an instant, and what does not on the way, that goes on in
/// slices (A2, N18).
struct UpcomingWalk {
  private let plan: OccurrencePlan
  private let table: Timetable
  private let passed: PassedOver?
  private let expires: Instant?
  private let wanted: Int
  private let zoneName: String
  private var place: Instant
  private var meter = StepMeter(limit: RuleBudget.list)
  private(set) var found: [UpcomingOccurrence] = []
  private(set) var passedRuns: [PassedRun] = []

  /// `passed` nil: all of it rings. `zoneName`: what the reader calls the zone.
  init(
    _ plan: OccurrencePlan, _ passed: PassedOver?, after: Instant, expires: Instant?, count: Int32,
    zoneName: String
  ) {
    self.plan = plan
    table = plan.timetable
    self.passed = passed
    self.expires = expires
    wanted = Int(count)
    self.zoneName = zoneName
    place = after
  }

  /// There may be more, but finding that takes too much.
  var isSpent: Bool { meter.isSpent }

  /// Goes on as far as the budget lasts; true: to the end.
  mutating func advance(_ budget: inout Int) -> Bool {
    while found.count < wanted {
      guard budget > 0 else { return false }
      guard let due = meter.spend(&budget, { [table, place] in table.first(after: place, &$0) }),
        due.instant <= expires ?? .distantFuture
      else { return true }
      let one = PlannedOccurrence(k: due.k, due: due.instant)
      place = due.instant
      guard let passed, let cause = passed.cause(of: one) else {
        found.append(
          UpcomingOccurrence(
            instant: due.instant, because: table.words(for: due, zoneName: zoneName)))
        continue
      }
      budget -= SchedulerEngine.rowCost
      let end = passed.last(of: cause, one, plan)
      meter.spend(&budget) { [plan] meter in
        passed.tell(cause, one, through: end, plan, &passedRuns, &meter)
      }
      guard end != .distantFuture, meter.take() else { return true }
      place = max(place, end)
    }
    return true
  }
}
