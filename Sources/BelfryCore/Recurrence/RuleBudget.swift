/// What a rule may cost where it is scheduled, in steps (A2); several rules of one notification share
/// it (E5). One in the store goes on to fire whatever it costs.
public enum RuleBudget {
  /// Of the search for one occurrence: from now to 2262 month by month is less.
  public static let search: Int64 = 4096
  /// Of finding the end of a COUNT; all but a few odd rules come to it by arithmetic.
  public static let count: Int64 = 1_000_000
  /// Of all that `next` is asked for at once.
  public static let list: Int64 = 100_000
  /// So many occurrences in a row are sought, and one at each of so many places further on.
  fileprivate static let samples = 8
  fileprivate static let farSamples: Int64 = 4
  fileprivate static let farSample = 397 * Nanoseconds.day

  /// Why a rule is refused.
  static func refusal(_ plan: RepeatPlan) -> FieldError {
    FieldError(
      plan.rules.count > 1 ? "rrules" : "rrule", .outOfRange,
      "finding its occurrences takes more than the budget of \(search) steps each (A2): fewer or "
        + "wider BY parts, or an INTERVAL that divides the day, cost less")
  }
}

extension RepeatPlan {
  /// Whether its occurrences can be found within `RuleBudget`, as far as looks from `now` on tell;
  /// `table` is made from it.
  public func isWithinBudget(_ table: Timetable, anchor: Instant, now: Instant) -> Bool {
    guard !rules.isEmpty else { return true }
    let misses = table.parts.enumerated().reduce(Int64(0)) { sum, part in
      guard part.offset < rules.count else { return sum }
      return sum
        + (part.element.elapsed?.longestMiss
          ?? RuleSeries(rules[part.offset].endless, start: anchor.second).longestMiss)
    }
    guard misses <= RuleBudget.search else { return false }
    var place = now
    for _ in 0..<RuleBudget.samples {
      var meter = StepMeter(limit: RuleBudget.search)
      let due = table.first(after: place, &meter)
      if meter.isSpent { return false }
      guard let due else { return true }
      place = due.instant
    }
    for sample in 1...RuleBudget.farSamples {
      var meter = StepMeter(limit: RuleBudget.search)
      _ = table.first(after: place.advanced(by: sample * RuleBudget.farSample), &meter)
      if meter.isSpent { return false }
    }
    return true
  }
}

extension RuleSeries {
  /// For frequencies below the day: the most steps from one allowed unit to the next that an
  /// interval reaches, where all days are allowed.
  var longestMiss: Int64 {
    guard frequency < .daily, interval > 1 else { return 0 }
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
    while left > 0 {
      guard let next = limited(place * unit, unit) else {
        (misses, left) = (0, left - 1)
        place = (place + step1) % perDay
        continue
      }
      misses += 1
      longest = max(longest, misses)
      let units = (next + unit - 1) / unit - place
      let hits = interval < perDay ? (units + interval - 1) / interval : 1
      left -= hits
      place = (place + hits % perDay * step1) % perDay
    }
    return longest
  }
}
