/// What a rule may cost where it is scheduled, in steps (A2); several rules of one notification share
/// it (E5). One in the store goes on to fire whatever it costs.
public enum RuleBudget {
  /// Of the search for one occurrence: from now to 2262 month by month is less.
  public static let search: Int64 = 4096
  /// Of finding the end of a COUNT; all but a few odd rules come to it by arithmetic.
  public static let count: Int64 = 262_144
  /// Of all that `next` is asked for at once.
  public static let list: Int64 = 100_000
  /// Of the looks at places of a day by which the rules of one notification are judged.
  fileprivate static let looks: Int64 = 65_536
  /// So many searches are tried before it is taken, each third of them at a place further on; fewer
  /// if they come to so many steps.
  fileprivate static let samples = 12
  fileprivate static let farSample = 397 * Nanoseconds.day
  fileprivate static let allSamples = 2 * search

  /// Why a rule is refused.
  static func refusal(_ plan: RepeatPlan) -> FieldError {
    FieldError(
      plan.rules.count > 1 ? "rrules" : "rrule", .outOfRange,
      "an occurrence of it is not found within \(search) steps: if it ever comes, fewer or wider BY "
        + "parts, or an INTERVAL that divides the day, cost less")
  }
}

extension RepeatPlan {
  /// Whether its occurrences can be found within `RuleBudget`, as far as looks from `now` on tell;
  /// `table` is made from it.
  public func isWithinBudget(_ table: Timetable, anchor: Instant, now: Instant) -> Bool {
    guard !rules.isEmpty else { return true }
    var meter = StepMeter(limit: RuleBudget.looks)
    var misses: Int64 = 0
    for (rule, part) in zip(rules, table.parts) {
      misses +=
        part.elapsed?.longestMiss(&meter)
        ?? RuleSeries(rule.endless, start: anchor.second).longestMiss(&meter)
      guard misses <= RuleBudget.search, !meter.isSpent else { return false }
    }
    var near = now
    var far: Instant? = now
    var steps: Int64 = 0
    for sample in 0..<RuleBudget.samples where steps < RuleBudget.allSamples {
      let isFar = sample % 3 == 1
      if isFar { far = far?.advanced(by: RuleBudget.farSample) }
      guard let place = isFar ? far : near else { continue }
      var meter = StepMeter(limit: RuleBudget.search)
      let due = table.first(after: place, &meter)
      if meter.isSpent { return false }
      steps += meter.steps
      if isFar {
        if due == nil { far = nil }
      } else {
        guard let due else { return true }
        near = due.instant
      }
    }
    return true
  }
}

extension RuleSeries {
  /// For frequencies below the day: the most steps from one allowed unit to the next that an
  /// interval reaches, where all days are allowed; where the meter is spent, no less than that.
  func longestMiss(_ meter: inout StepMeter) -> Int64 {
    guard frequency < .daily, interval > 1, !times.allows(all: unit) else { return 0 }
    let perDay = 86400 / unit
    var (step, rest) = (perDay, interval % perDay)
    while rest > 0 { (step, rest) = (rest, step % rest) }
    // Intervals come round to the same time of day after so many.
    let round = perDay / step
    if round <= RuleBudget.search / 4 { return round }
    let first = floorModulo(floorDivide(start, unit), perDay)
    let step1 = interval % perDay
    var (longest, misses, place) = (Int64(0), Int64(0), first)
    // Twice round, so that a stretch over the beginning is whole.
    var left = 2 * round
    while left > 0, longest <= RuleBudget.search, meter.take() {
      let next: Int64
      if let after = limited(place * unit, unit) {
        next = after
        misses += 1
        longest = max(longest, misses)
      } else {
        next = times.end(ofAllFrom: place * unit, unit)
        misses = 0
      }
      let units = (next + unit - 1) / unit - place
      let hits = interval < perDay ? (units + interval - 1) / interval : 1
      left -= hits
      place = (place + hits % perDay * step1) % perDay
    }
    return longest
  }
}
