/// The wall clocks of a rule, its RDATEs added and its EXDATEs taken out.
struct RuleWalls: Sendable {
  /// nil: only what is added.
  private let series: RuleSeries?
  /// What all have of a second, as the anchor has.
  private let fraction: Int64
  private let until: Instant
  private let added: [Int64]
  private let removed: [Int64]

  init(_ rule: RecurrenceRule?, _ plan: RepeatPlan, anchor: Instant, until: Instant) {
    var rule = rule
    if let count = plan.count { rule?.end = .count(count) }
    fraction = floorModulo(anchor.nanoseconds, Nanoseconds.second)
    series = rule.map { RuleSeries($0, start: anchor.second) }
    self.until = until
    added = plan.rdates.map { $0.second }
    removed = plan.exdates.map { $0.second }
  }

  func first(onOrAfter wall: Instant, _ meter: inout StepMeter) -> WallSeries.Occurrence? {
    // The fraction may already be over in the second of `wall`.
    var second = wall.second
    if let shown = self.wall(second: second), shown < wall { second += 1 }
    while !meter.isSpent {
      var own = series?.first(onOrAfter: second, &meter)
      if let last = own, (self.wall(second: last) ?? .distantFuture) > until { own = nil }
      let place = added.place(of: second)
      let other = place < added.count ? added[place] : .max
      let found = min(own ?? .max, other)
      guard let shown = self.wall(second: found) else { return nil }
      let hole = removed.place(of: found)
      if hole < removed.count, removed[hole] == found {
        _ = meter.take()
        second = found + 1
        continue
      }
      return WallSeries.Occurrence(
        key: found, wall: shown, because: found == own ? series?.because(found) ?? [] : .added)
    }
    return nil
  }

  /// Also what was taken out.
  func gives(_ wall: Instant, _ meter: inout StepMeter) -> Bool {
    let second = wall.second
    return added.contains(second) || series?.first(onOrAfter: second, &meter) == second
  }

  func occurrence(key: Int64) -> WallSeries.Occurrence? {
    var meter = StepMeter()
    guard let wall = wall(second: key), let found = first(onOrAfter: wall, &meter),
      found.key == key
    else { return nil }
    return found
  }

  /// nil outside `Instant`'s range.
  func wall(second: Int64) -> Instant? {
    let (product, tooFar) = second.multipliedReportingOverflow(by: Nanoseconds.second)
    let (sum, overflow) = product.addingReportingOverflow(fraction)
    return tooFar || overflow || sum == .max ? nil : Instant(nanoseconds: sum)
  }
}

extension [Int64] {
  /// How many are smaller, in ascending order.
  func place(of number: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
