/// The last of a rule with COUNT and BYSETPOS whose sets may share a day: by SKIP one may end with the
/// day that the next begins with, and what they choose of it alternates.
extension RuleSeries {
  /// From set to set, each up to where the next one begins.
  func counted(_ count: Int64, bySharingSets meter: inout StepMeter) -> Int64? {
    var (before, set, after) = (DaySet(), DaySet(), DaySet())
    var (left, low) = (count, start)
    // As in `chosen(onOrAfter:)`: the set before may end with the start's day.
    let begin = startDay - (days.skip == .forward ? 1 : 0)
    var place = days(ofPeriodAt: begin, into: &set, &meter)
    // By the number of days, and whether the last one is left to the next set.
    var known = [Int64](repeating: -1, count: 2 * 368)
    while let next = place {
      place = days(ofPeriodAt: next, into: &after, &meter)
      let end = place == nil ? Int64.max : after.day(at: 0)
      let size = set.count * times.perDay
      let isCut = end <= set.day(at: set.count - 1)
      let (from, till) = (rank(of: low, in: set), isCut ? size - times.perDay : size)
      let key = Int(set.count) * 2 + (isCut ? 1 : 0)
      if known[key] < 0 { known[key] = chosenCount(before: till, of: size) }
      let own = max(0, known[key] - (from > 0 ? chosenCount(before: min(from, till), of: size) : 0))
      let others = shared(from: low, of: before, beside: set)
      if left <= own + Int64(others.count) {
        return time(number: left, of: set, from: from, beside: others)
      }
      guard meter.take(Int64(others.count / 8)) else { return nil }
      left -= own + Int64(others.count)
      low = max(start, end == .max ? .max : end * 86400)
      (before, set, after) = (set, after, before)
    }
    return nil
  }

  /// What one set chooses of the day that the next one begins with, and that does not choose.
  private func shared(from low: Int64, of before: DaySet, beside set: DaySet) -> [Int64] {
    guard before.count > 0, before.day(at: before.count - 1) == set.day(at: 0) else { return [] }
    let size = before.count * times.perDay
    let first = size - times.perDay
    var found: [Int64] = []
    var place = max(first, rank(of: low, in: before))
    while let next = chosenPlace(from: place, of: size) {
      place = next + 1
      let own = next - first
      if chosenPlace(from: own, of: set.count * times.perDay) != own {
        found.append(time(at: next, of: before))
      }
    }
    return found
  }

  /// The one with this number, from 1, of what a set chooses from a place on and `others`; there is
  /// one.
  private func time(
    number: Int64, of set: DaySet, from place: Int64, beside others: [Int64]
  ) -> Int64 {
    var (left, place, index) = (number, place, 0)
    while true {
      let own = chosenPlace(from: place, of: set.count * times.perDay)
      let time = own.map { self.time(at: $0, of: set) } ?? .max
      let other = index < others.count ? others[index] : .max
      left -= 1
      guard left > 0, min(time, other) < .max else { return min(time, other) }
      if time < other { place = (own ?? place) + 1 } else { index += 1 }
    }
  }
}
