/// A walk through the occurrences that a request to skip, or not to, speaks of: it goes on in slices
/// (A2, E2).
struct SkipWalk {
  private enum Left {
    /// The next so many.
    case next(Int)
    /// All of these that are to come; so many of the first have been found.
    case runs([SkipSet.Run], found: Int64)
  }

  private let coming: Coming
  private var left: Left
  private var place: Coming
  private(set) var meter = StepMeter(limit: RuleBudget.list)
  private(set) var found: [PlannedOccurrence] = []

  init(_ coming: Coming, next count: Int64) {
    self.coming = coming
    place = coming
    left = .next(Int(count))
  }

  init(_ coming: Coming, all runs: [SkipSet.Run]) {
    self.coming = coming
    place = coming
    left = .runs(runs.reversed(), found: 0)
    if let first = runs.first { place = coming.at(first) }
  }

  /// There may be more, but finding that takes too much.
  var isSpent: Bool { meter.isSpent }

  /// Goes on as far as the budget lasts; true: to the end.
  mutating func advance(_ budget: inout Int) -> Bool {
    while !isSpent {
      switch left {
      case .next(let count):
        guard found.count < count else { return true }
        guard budget > 0 else { return false }
        guard let one = next(&budget) else { return true }
        found.append(one)
      case .runs(var runs, let count):
        guard let run = runs.last else { return true }
        guard budget > 0 else { return false }
        if count < run.count, let one = next(&budget), run.contains(one.k) {
          found.append(one)
          left = .runs(runs, found: count + 1)
          continue
        }
        runs.removeLast()
        left = .runs(runs, found: 0)
        if let following = runs.last { place = coming.at(following) }
      }
    }
    return true
  }

  private mutating func next(_ budget: inout Int) -> PlannedOccurrence? {
    var walk = place
    defer { place = walk }
    return meter.spend(&budget) { walk.next(&$0) }
  }
}
